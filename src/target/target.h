/* target.h: the interface between the engine and a program under test.
 *
 * A target takes a schedule and returns a trace; it is the only part that knows what
 * a program is. It never decides, it follows (core/follower.h). It promises:
 *
 *   announce, then act   every step is announced before it is taken, so the set of enabled
 *                        actors is known before anything happens
 *   determinism          the same schedule gives the same trace
 *   one at a time        exactly one actor runs between two decisions
 *   virtual time         the clock moves only when a timer or a sleep ends
 *
 * contract.h has the promises in full, as code that checks a run; target_checked() in checked.h
 * wraps any target and asserts them on every run. Another wrapper checks properties
 * (prop/checker.h). To add a target: fill in struct target_ops, as fake.c does, and run the tests
 * with the target wrapped.
 *
 * A trace that ends as END_RELEARN means that the target learned how the program's objects are
 * laid out (or which plain variables race). Names may have changed, so the strategy must begin
 * anew. This happens a bounded number of times.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/finding.h"
#include "core/schedule.h"
#include "core/trace.h"

/* A frame of a call stack or a site, in words. Strings live as long as the target. */
struct target_frame {
	const char *function;
	const char *file; /* NULL if not known */
	uint32_t line;
	uint64_t address;
};

/* A block of the heap, in words. */
struct target_block {
	struct target_frame allocated;
	struct target_frame freed; /* function NULL: it was not freed */
	uint64_t size, offset;
	char field[128]; /* "task.next": type and member of the object; "" if not known */
	bool by_library; /* a class of a library allocated it, for the line `allocated` */
};

/* Facts that hold for all runs of a target; for verdict, JSON and progress. */
struct target_facts {
	const char *restart;        /* "restore", "fork", "checkpoint" … */
	const char *restart_reason; /* why not the fast way; "" if it is */
	const char *not_proof;      /* "uninstrumented code in X" …; "" if nothing forbids */
	const char *warnings;       /* uncontrolled calls met, one per line; "" if none */
	const char *moving;         /* values used that differ between processes; NULL or "" if none */
	const char *instance;       /* what a property is evaluated for, in words; NULL: not a property */
	const char *program;        /* the path of the program; NULL for a target without one */
	const char *equivalence; /* the coarser relation that its runs are made for (rf), or NULL */
	uint64_t cpu_ns;            /* spent by processes of the target so far */
	uint64_t peak_rss_kb;
};

/* As `step` of a site or a stack, besides the index of an event. */
enum { TARGET_AT_END = (int)0xffffffff, TARGET_OF_PLAIN = (int)0x80000000 };

/* The name that describe_object() gives to the thing that only the first exit() of a program gets. */
#define TARGET_EXIT "exit()"
/* Begins the name of a variable that the C library keeps to itself: "static data of strtok". */
#define TARGET_HIDDEN "static data of "

/* The values that plain_values() knows. */
enum target_known { TARGET_KNOWS_BEFORE = 1, TARGET_KNOWS_AFTER = 2 };

/* The first character of the words for a step that only a library is interested in. */
#define TARGET_FRAMEWORK '~'

/* The words of describe_step for a receive that has looked and not found a message. */
#define TARGET_FOUND_NONE "receive: no message is there"

struct target {
	const struct target_ops *ops;
	struct target *inner; /* of a wrapper: the target that it hands calls on to; else NULL */
};

/* The target that knows the program, below any wrappers. A target's functions beyond this
 * interface (native.h, beam/target.h) take a target that may be wrapped and begin with it. */
static inline struct target *target_unwrapped(struct target *target)
{
	while (target->inner)
		target = target->inner;
	return target;
}

struct target_ops {
	/* Runs the schedule. The trace is valid until the next call. False, with err: the world
	 * is wrong (the program died before it could be controlled …). */
	bool (*run)(struct target *self, const struct schedule *schedule, struct trace *trace,
		    struct err *err);

	/* Optional: runs several schedules with one handover; returns how many traces it made
	 * (at least one; a run that ended in an unusual way is the last), 0 with err. They are
	 * valid until the next run. */
	uint32_t (*run_many)(struct target *self, const struct schedule *schedules, uint32_t len,
			     struct trace *traces, struct err *err);

	/* The next runs record call stacks (slower); for confirming and explaining. */
	void (*want_stacks)(struct target *self, bool on);

	/* The call stack at event `step` of the last trace, innermost first: of the actor at
	 * the end for TARGET_AT_END, of a plain access for its index | TARGET_OF_PLAIN.
	 * Returns the number of frames, 0 if unknown. */
	uint32_t (*stack)(struct target *self, uint32_t step, uint32_t actor,
			  struct target_frame *frames, uint32_t frames_max);

	/* Optional: from now on event.context distinguishes events by their innermost callers
	 * (slower); and where such an event happened, then its callers, innermost first: those
	 * within the program. Returns how many, at least one. */
	void (*want_contexts)(struct target *self, uint32_t callers);
	uint32_t (*context)(struct target *self, const struct event *event,
			    struct target_frame *frames, uint32_t frames_max);

	/* Optional: event.waiting and trace.refusals are filled in from now on; with false, no
	 * longer (cheaper). */
	void (*want_waiting)(struct target *self, bool on);

	/* Optional: event number `step` of the last trace, made with want_stacks, in the program's
	 * own words ("send {hello, 1} to P1.2 (server)"); false if there are none. */
	bool (*describe_step)(struct target *self, uint32_t step, struct strbuf *out);

	/* Optional: the value that event number `step` of the last trace, made with want_stacks,
	 * wrote; false if it is not known. */
	bool (*written_value)(struct target *self, uint32_t step, uint64_t *value);

	/* Optional: the values of the memory before and after plain access number `plain` of the last
	 * trace, made with want_stacks; which of the two are known is the result (enum target_known). */
	uint32_t (*plain_values)(struct target *self, uint32_t plain, uint64_t *before,
				 uint64_t *after);

	/* Optional: the program's own name for an actor of the last trace, made with want_stacks:
	 * the name or label that it was given, or the function that it runs. False if that is not
	 * known. */
	bool (*describe_actor)(struct target *self, uint32_t actor, struct strbuf *out);

	/* Optional: the function that a thread was made with; false if it is not known. */
	bool (*describe_start)(struct target *self, uint32_t actor, struct target_frame *frame);

	/* Optional: the path of a source file that describe_site() calls by a shorter name; false if
	 * that is not known. */
	bool (*source_path)(struct target *self, const char *file, struct strbuf *out);

	/* Optional: how messages of the program name the actor ("<0.85.0>"); false if not at all. */
	bool (*describe_alias)(struct target *self, uint32_t actor, struct strbuf *out);

	/* Optional: the heap block that holds the object: where it was allocated and freed, and how
	 * far in it the object lies. False if the object is not in a block that is known. */
	bool (*describe_block)(struct target *self, uint64_t object, struct target_block *block);

	/* Optional: the global or local variable at the object, as a reader knows it: "pool.idle_". Local ones
	 * are known right after a run with want_stacks. `*is_inside` says that the object is a part of the
	 * variable to which the source gives no name, such as the length of a std::vector. */
	bool (*describe_variable)(struct target *self, uint64_t object, struct strbuf *out,
				  bool *is_inside);

	/* A code site or an object in words: "queue.c:41 in push", "mutex m", "counter+8". */
	void (*describe_site)(struct target *self, uint64_t site, struct target_frame *frame);
	void (*describe_object)(struct target *self, uint64_t object, struct strbuf *out);

	void (*facts)(struct target *self, struct target_facts *facts);

	/* Plain accesses to these bytes race: make them visible steps from now on. True if
	 * that is news; the exploration must then start anew. */
	bool (*expose)(struct target *self, uint64_t address, uint64_t size);

	/* Optional: --equivalence rf does not cover this step, so runs are distinguished as without it
	 * from now on. True if that is news; the exploration must then start anew. */
	bool (*retreat)(struct target *self, const char *what);

	/* The knowledge about the program (actor table, layout) as text, and back, so that
	 * a saved schedule means the same in another process. */
	void (*save_knowledge)(struct target *self, struct strbuf *out);
	bool (*load_knowledge)(struct target *self, const char *text, struct err *err);

	/* A second instance with the same knowledge, for confirming findings: a new target that
	 * the caller frees before this one. A native program is started again, in a process of
	 * its own, with a larger environment and through a longer path: a finding must not depend
	 * on either. There is one Erlang machine in a process, so a BEAM target gives a second view
	 * of the same machine, whose runs begin at the same checkpoint. NULL with err if the
	 * instance cannot be made. */
	struct target *(*again)(struct target *self, struct err *err);

	/* Optional: the same with the environment and path of this instance. */
	struct target *(*again_here)(struct target *self, struct err *err);

	/* Optional: from now on runs end early, with an error, when *stop is set (borrowed; NULL:
	 * never). Instances that `again` made do not begin so: they confirm findings, whatever the
	 * clock says. */
	void (*heed)(struct target *self, const volatile sig_atomic_t *stop);

	void (*free)(struct target *self);
};

/* facts.moving, or NULL if the runs so far used no such value. Valid until the next call of
 * facts. */
static inline const char *target_moving(struct target *target)
{
	struct target_facts facts = {0};

	target->ops->facts(target, &facts);
	return facts.moving && facts.moving[0] ? facts.moving : NULL;
}

#endif
