/* beam_test.h: one parallel test of Erlang calls, run again and again on the machine.
 *
 * beam_test_start and beam_test_stop are the hooks of a BEAM target (beam/target.h). The first
 * runs the user's set-up and the prefix unexplored and spawns the processes to be explored. The
 * second reads the results of the calls from the notes that the calls left. The outcomes of the
 * prefix have no events.
 */
#ifndef PROP_BEAM_TEST_H
#define PROP_BEAM_TEST_H

#include "prop/beam_driver.h"
#include "prop/beam_terms.h"

/* A call as the machine gets it. */
struct beam_test_call {
	uint32_t branch;
	uint32_t var;
	uint32_t call; /* in `terms`: as PropEr has it */
};

struct beam_test {
	struct beam_driver *driver;
	const struct beam_terms *terms;
	struct beam_terms *values; /* where results go */
	uint32_t how;              /* in `terms`: the set-up */
	bool has_cleanup;
	uint32_t len, branches_len;
	struct beam_test_call calls[PROP_CALLS_MAX];       /* as in struct prop_test */
	struct prop_outcome outcomes[PROP_CALLS_MAX]; /* of the last run */
	struct notice notice;
	term host;                 /* of the last run; TERM_NONE if it is gone */
};

/* ctx is the test. */
struct process *beam_test_start(void *ctx, struct err *err);
void beam_test_stop(void *ctx, struct target *target, struct trace *trace);

/* {Prefix, Branches} on the heap of p, lists of {Var, Call}. */
term beam_test_term(const struct beam_test *t, struct process *p);

#endif
