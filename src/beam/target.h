/* target.h: the BEAM target: an Erlang function of arity 0, or one test of a suite, behind the
 * contract of target/target.h.
 *
 * The machine starts once, the function is run once under the default schedule to learn which
 * modules it needs, these are loaded, and a checkpoint is taken: every run begins there.
 * There is one machine per OS process, so `again` gives a second view of the same one: a run
 * depends on the checkpoint and the schedule only.
 */
#ifndef BEAM_TARGET_H
#define BEAM_TARGET_H

#include "beam/conduct.h"
#include "beam/declared.h"
#include "beam/setup.h"
#include "beam/suite.h"
#include "target/target.h"

struct beam_options {
	const char *function;    /* MODULE:FUNCTION; of a suite: MODULE */
	enum suite_kind suite;   /* SUITE_NONE: a function */
	const char *path;        /* which test of the suite: suite.h; else NULL */
	const char *otp_dir;     /* NULL: the installed one */
	struct setup_options setup; /* run once, not explored */
	const char *const *paths; /* -pa, NULL at the end */
	size_t memory_limit;
	bool no_stems;           /* every run starts anew: stem.h */
	uint64_t seed;           /* of what crypto draws */
	bool allow_io;           /* files may be written */
	struct declared *declared; /* side effects; NULL none. Borrowed for the target's life */
	struct conduct_options conduct;
};

/* For runs that are more than one function (tests of properties). */
struct beam_hooks {
	/* The machine is restored: spawns the process to be explored, maybe after running others
	 * unexplored. NULL with err if that fails. */
	struct process *(*begin)(void *ctx, struct err *err);
	/* The run is over; what it left can be looked at until the next restore. May add notices to
	 * the trace (an array of its own). */
	void (*end)(void *ctx, struct target *target, struct trace *trace);
	const struct strbuf *instance; /* facts.instance, borrowed; NULL: none */
	void *ctx;
};

/* NULL with err when the function cannot be found or the set-up fails. Options are borrowed for
 * the target's life. */
struct target *beam_target_create(const struct beam_options *options, struct err *err);

/* From now on runs of this target begin and end by the hooks, which are copied. */
void beam_target_set_hooks(struct target *target, const struct beam_hooks *hooks);

/* The conductor of the last run, with the processes and tables at its end; for look.h. */
struct conductor *beam_target_conductor(struct target *target);

/* The place of a function, for findings about all of it; 0 for an unknown function. */
uint64_t beam_target_site(struct target *target, term module, term function, unsigned arity);

#endif
