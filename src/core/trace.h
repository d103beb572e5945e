/* trace.h: the record of a run.
 *
 * It has the events in the order in which they happened, the actors that were enabled
 * before each of them, the events that the actors still alive had announced and not taken,
 * and how the run ended. It is plain data; the target owns the arrays, and they are valid
 * until the next run (trace_copy keeps a trace).
 *
 * The announcements of the other actors at step i are not stored: an announcement
 * stands until the actor takes its step, so it is the next event of that actor in the
 * trace, or its entry in `pending`.
 *
 * `plains` are accesses to memory that were not decision points. Each belongs to the stretch
 * of its actor after event number `step`. Only the data-race detector uses them.
 */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/actor.h"
#include "core/ends.h"
#include "core/event.h"
#include "core/memory_model.h"

enum trace_end {
	END_DONE,     /* all actors finished, or an EXIT event that is meant (status 0) */
	END_EXIT,     /* an EXIT event that is not; `code` is the status */
	END_ABORT,    /* an ABORT event: assertion, abort(), uncaught exception */
	END_CRASH,    /* a CRASH event; `code` is the signal, `address` where it pointed */
	END_DEADLOCK, /* an actor is alive, and none is enabled */
	END_SPIN,     /* only spinning actors are left, and no actor will write what they read */
	END_PARKED,   /* as END_SPIN, but what a parked actor read has been written since:
	                 the same class is run without the void turn */
	END_ASLEEP,   /* every enabled actor sleeps: seen before */
	END_STEPS,    /* max_steps reached */
	END_SILENT,   /* an actor ran for long without a visible step */
	END_DIVERGED, /* a strict decision was not possible at step events_len */
	END_STOPPED,  /* TAIL_STOP */
	END_RELEARN,  /* the target learned something about the layout of objects; what was
	                 explored so far must be explored again (see target.h) */
	END_LOST,     /* the target lost control; `message` has the reason */
};

/* The end of memory, which is a write to all of it, and the beginning of new memory. */
enum plain_end {
	PLAIN_FREED = 2,
	PLAIN_STACK_ENDED, /* given up with the stack of a thread at its end */
	PLAIN_FRAME_ENDED, /* given up by a function of the thread that has returned */
	PLAIN_MAPPED,      /* by mmap: no actor has accessed the memory that is there now */
};

/* An access that was not a decision point. */
struct plain {
	uint32_t actor;
	uint32_t step; /* events_len when it happened */
	uint64_t address;
	uint64_t site;
	uint32_t size;
	uint16_t is_write; /* 0 read, 1 write, or enum plain_end */
	uint16_t is_again; /* written before in the same stretch: for reports, not always recorded */
	uint32_t context;
};

/* A fact about the run that is a bug in any order (misuse of a lock, use of freed memory …).
 * `kind` is an enum finding_kind. */
struct notice {
	uint32_t kind;
	uint32_t actor;
	uint32_t step;
	uint32_t holder;     /* 1 + the actor that took the lock `object` at other_site; 0 none */
	uint64_t site;
	uint64_t object;
	uint64_t other_site; /* e.g. where the block was freed; 0 none */
	uint32_t other_step; /* 1 + index of the event there; 0 none */
	uint32_t between;    /* 1 + index of the event that came between the two; 0 none */
	char message[400];
};

/* Blocks of memory still allocated when the run ended, by where they came from. A count of 0 stands
 * alone: a thread was still running, so the blocks were not counted. */
struct live {
	uint64_t site;
	uint64_t bytes;
	uint64_t count;
};

/* A lock held by an actor when the run ended. */
struct held {
	uint32_t actor;
	uint32_t mode; /* ACCESS_ACQUIRE or ACCESS_SHARE */
	uint64_t object;
	uint64_t site; /* where it was taken */
};

/* An announcement that was withdrawn: a timer that was disarmed because its owner went on. It
 * was possible until event number `step` withdrew it.
 *
 * If `opened` is not 0, it was not possible then, because it waited for event number opened - 1,
 * which came later and would have come all the same:
 *     A: sends to B, asks B (waits until the message has arrived), is killed
 *     the message arrives at B: if it arrives earlier, A asks before it is killed
 * Withdrawn events are in the order of trace_withdrawal. */
struct withdrawn {
	struct event event;
	uint32_t step;
	uint32_t opened;
};

/* The number of the event with which the announcement was withdrawn and had become possible. */
static inline uint32_t trace_withdrawal(const struct withdrawn *withdrawn)
{
	return withdrawn->opened ? withdrawn->opened - 1 : withdrawn->step;
}

/* A receive that happened and a message of the same mailbox that it would not have taken, had it
 * been the first: events by number. */
struct refusal {
	uint32_t receive;
	uint32_t arrival; /* at which the message came into the mailbox */
};

/* The state of a process when it took a message, as a number: equal numbers of one process in one
 * trace mean that its stack, its registers and its dictionary were equal. */
struct receive_state {
	uint32_t receive; /* event by number */
	uint64_t state;
};

struct trace {
	const struct actor *actors;
	uint32_t actors_len;
	uint32_t enabled_words; /* words per set in `enabled` */
	const struct event *events;
	uint32_t events_len;
	uint32_t pending_len;
	const uint64_t *enabled; /* events_len + 1 sets: actors enabled before event i */
	const struct event *pending;
	const struct plain *plains;
	uint32_t plains_len;
	uint32_t notices_len;
	const struct notice *notices;
	const struct withdrawn *withdrawn;
	uint32_t withdrawn_len;
	uint32_t deaths_len;
	const struct death *deaths; /* these, waiters and waits: see ends.h */
	const struct waiter *waiters;
	const struct wait *waits;
	uint32_t waiters_len;
	uint32_t waits_len;
	uint32_t stuck; /* enum stuck_rule */
	bool exits_any; /* also ends that another process handles are reported */
	const struct refusal *refusals; /* only if they are asked for (target.h: want_waiting) */
	uint32_t refusals_len;
	uint32_t states_len;
	const struct receive_state *states; /* asked for like refusals */
	const struct live *lives;
	const struct held *held;
	uint32_t lives_len;
	uint32_t held_len;
	uint32_t end;       /* enum trace_end */
	uint32_t end_actor; /* the actor that ended it, if one did */
	uint64_t end_site;  /* of END_SILENT: where it ended, if that is the same in every run; of
	                       END_CRASH: where, if there is no step of the crash, or where the
	                       program called the library that crashed; or 0 */
	int32_t code;
	uint32_t void_turns; /* how many void turns of spin loops happened */
	uint32_t dropped;    /* relaxed decisions that were not possible */
	uint32_t bounded;    /* bits of enum trace_bound; if not 0 the search is not a proof */
	uint64_t assumed;    /* bits of enum trace_assumed: assumptions that mattered */
	uint64_t address;
	const char *message; /* for END_ABORT, END_EXIT, END_LOST: text of the program or target */
	const char *output;  /* captured stdout and stderr */
	size_t output_len;
	uint32_t memory;     /* enum memory_model: the model under which it ran */
	uint32_t values_len; /* values that the target has numbered so far, in the order of meeting */
	uint32_t objects_len; /* objects that it has named so far, if names depend on that order */
	uint64_t cpu_ns;     /* spent by the target on this run, 0 if not measured */
	uint32_t repeats;    /* so many first events are those of the trace that the detectors saw
	                        before this one; 0 also if that is not known */
};

/* Parts of a run that were cut short. */
enum trace_bound {
	BOUND_PLAINS = 1,     /* plain accesses not all recorded */
	BOUND_QUARANTINE = 2, /* freed memory had to be reused */
	BOUND_FOREIGN = 4,    /* code ran that the target does not control */
	BOUND_OUTPUT = 8,     /* output longer than the part that is kept */
	BOUND_COUNTED = 16,   /* a thread was parked in a loop that counts its turns */
};

/* Assumptions of a run that could have mattered: a bit each. */
enum trace_assumed_bit {
#define ASSUMED(name, text) ASSUMED_BIT_##name,
#include "core/assumed.def"
#undef ASSUMED
};

enum trace_assumed {
#define ASSUMED(name, text) ASSUMED_##name = (uint64_t)1 << ASSUMED_BIT_##name,
#include "core/assumed.def"
#undef ASSUMED
};

/* The actors enabled before event i (i == events_len: at the end). */
static inline const uint64_t *trace_enabled(const struct trace *trace, uint32_t i)
{
	return trace->enabled + (size_t)i * trace->enabled_words;
}

/* Was the run cut: asleep, or in a void turn of a spin loop? Its class is run without that. */
static inline bool trace_is_cut(const struct trace *trace)
{
	return trace->end == END_ASLEEP || trace->end == END_PARKED || trace->void_turns;
}

/* A hash of the run as it was: events in order, end, output. */
uint64_t trace_exact_hash(const struct trace *trace);

/* A hash of the outcome: how the run ended and what it printed. */
uint64_t trace_outcome_hash(const struct trace *trace);

/* How often another actor went although the last one was still enabled (virtual actors do not
 * count). */
uint32_t trace_preemptions(const struct trace *trace);

/* A deep copy in one block; give back with mem_free. */
struct trace *trace_copy(const struct trace *trace);

const char *trace_end_text(uint32_t end);

/* The assumptions of a set that have a text, in the order of the sentence; returns how many. */
enum { ASSUMPTIONS_MAX = 64 };
uint32_t trace_list_assumptions(uint64_t assumed, const char *texts[ASSUMPTIONS_MAX]);

/* Does the event end the actor, by a signal or by delivering one? */
bool trace_event_ends(const struct trace *trace, const struct event *event, uint32_t actor);

#endif
