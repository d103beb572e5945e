/* contract.h: does one run keep the promises of target.h?
 *
 * A pure function from (schedule, trace) to "yes" or to the first promise that is broken, in
 * words that begin with the step. It does not need the target, so a test can hand it a trace
 * that was damaged on purpose (tests/unit/engine/contract.c does, one damage per promise).
 * checked.h wraps a target with it.
 *
 * The promises, in the order in which they are looked at:
 *
 *   shape      actors, kinds, modes and objects are valid; the ordinals of an actor count up by
 *              one from 0; no mode is stronger than the mode announced; an actor does not run
 *              before the event that creates it
 *   enabled    an actor that ran was enabled before; an actor that is enabled has announced a
 *              step, which is later taken, is pending at the end, or was withdrawn; an actor
 *              becomes enabled or stops being enabled only by a step that depends on its own; a
 *              step of an owner withdraws its timers that were enabled
 *   following  the run is the one that the follower makes of the schedule: each strict decision
 *              is taken as written, a relaxed one is dropped only where it was not possible,
 *              sleepers are not chosen, and the tail policy draws as its seed says
 *   ending     in a deadlock no actor is enabled and at least one is pending; a run that is done
 *              has no actor left; an exit and an abort are the last event (a stack overflow
 *              leaves no room to announce the crash); a divergence is at a strict decision that
 *              was not possible; and so on
 *
 * A run that ended because the target learned something (END_RELEARN) or lost control (END_LOST,
 * END_SILENT) stopped in the middle of a step: only its shape is looked at.
 */
#ifndef TARGET_CONTRACT_H
#define TARGET_CONTRACT_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "core/follower.h"
#include "core/schedule.h"
#include "core/trace.h"

/* Memory that the checks reuse from run to run; zero-initialised is ready. */
struct contract {
	/* The accesses of an announced step may change before it is taken: in Erlang a send to a
	 * registered name is to the process that has the name then. The trace has the last
	 * announcement only, so the draws of POS, RFF and SURW cannot be repeated from it; that
	 * the actor they drew was enabled and awake is checked all the same. So it is in a run
	 * with timers. */
	bool announcements_change;
	VEC(struct event) announced; /* by actor: the step it has announced at the step looked at */
	VEC(uint32_t) upcoming;      /* by actor: 1 + its next event, 0 none */
	VEC(uint32_t) following;     /* by event: 1 + the next event of the same actor, 0 none */
	VEC(uint32_t) counts;        /* by actor */
	struct follower *follower;   /* owned */
};

void contract_release(struct contract *contract);

/* False: `why` has the promise that the run broke, without a full stop. */
bool contract_holds(struct contract *contract, const struct schedule *schedule,
		    const struct trace *trace, struct strbuf *why);

/* Are the two traces, of the same schedule, the same? False: `why` has the first difference. */
bool contract_same(const struct trace *a, const struct trace *b, struct strbuf *why);

#endif
