/* foresee.h: would the run of a list of receives reach its goal? Answered from earlier runs.
 *
 * A list (generate.h) says in which order messages arrive. A process that receives selectively may
 * take them in another order, or end before it takes them all:
 *
 *     receive {acquire, Pid} when Free > 0 -> ...; {release, Pid} -> ... end
 *
 * takes the release first when nothing is free, whichever came first. The paper does not have
 * selective receives, so its schedules are never in vain. Here some things are remembered of every
 * run:
 *
 *   - which receive refused which message: those that lay in the mailbox before the one it took,
 *     and, if the target tells (trace.refusals), all others that the process got in that run;
 *   - which receive changed the behaviour of its process, which did not, and which did both;
 *   - which message ended its receiver. It would also have ended it earlier, in each state that
 *     was equal to its last one (trace.states), as a server whose state has not changed;
 *   - the message that ended its receiver when it was moved before another one.
 *
 * A receive is known by the past of its process, a message by the past of its sender. The past of a
 * process is a hash of all the messages it has received so far, each known by its own past, and of
 * the results of its other steps. So equal pasts mean the same state of the process, and a refusal
 * that was seen holds wherever the past is the same. Where it is not known, the message is taken to
 * be accepted. If the receiver takes nothing of the list, the run goes on by itself, and the
 * messages of the source that are not in the list are expected in their order.
 *
 * A receive that has changed the behaviour in one run and not in another (the last of several that
 * a process waits for) is taken to change it only where that was seen.
 *
 * A message that ended its receiver in a run in vain is taken to do so whenever it is moved to the
 * front. That is a guess, and the run in vain is its price. Where the states were equal there is
 * nothing to guess, and no such run.
 */
#ifndef STRATEGY_FORESEE_H
#define STRATEGY_FORESEE_H

#include "strategy/generate.h"

/* Of one receive of a run. */
struct foresee_past {
	uint64_t receiver; /* the past of the receiver just before */
	uint64_t message;
};

struct foresee_actor;

struct foresee {
	struct map refused; /* past of the receiver and of the message */
	struct map changes; /* past and message, or name of a receive -> set of CHANGED_… */
	struct map endings; /* names of receives that ended their receiver */
	struct map ends;    /* past of the receiver and of a message that ends it */
	VEC(struct foresee_actor) actors;
	VEC(struct foresee_past) pasts; /* by event of the last run; zero where it is not a receive */
	VEC(uint64_t) sent;             /* by event: the past of what it sent */
	VEC(uint32_t) arrivals;         /* by event: the arrival that a receive took, plus one */
};

/* Remembers a run. `causality` and `receives` are of the same trace. */
void foresee_learn(struct foresee *f, const struct trace *trace, const struct causality *causality,
		   const struct receives *receives);

/* The run learned last did not show the receive `first` before another, as it was to. */
void foresee_learn_vain(struct foresee *f, const struct trace *trace,
			const struct receives *receives, uint64_t first);

/* The pasts of the receives of the run learned last, in the order given. */
void foresee_pasts(const struct foresee *f, const struct receive *receives, uint32_t len,
		   struct foresee_past *pasts);

/* May the run of the list show `first` before `second`, as the criterion asks? False: it is known
 * that it will not. */
bool foresee_reaches(const struct foresee *f, const struct generate_source *source,
		     const struct foresee_past *pasts, const struct receive_list *list,
		     enum goal_criterion criterion, uint64_t first, uint64_t second);

void foresee_clear(struct foresee *f);
void foresee_release(struct foresee *f);

#endif
