/* standing.h: where a process stands when it takes a step; for measuring coverage.
 *
 * For a receive (event.waiting): does it take only the answer to a call, so that its place in
 * the order is fixed? And, beside its code, in which state does the process wait: the state
 * of a gen_statem, the functions that a loop carries along in place of a state. Two receives
 * that differ in that, or in their code, are different behaviours (Bita's cb).
 *
 * For any step (event.context): the return addresses of its innermost callers, as a number.
 *
 * Both cost something and are done only on request; neither changes what a run does.
 */
#ifndef BEAM_STANDING_H
#define BEAM_STANDING_H

#include "base/map.h"
#include "base/vec.h"
#include "core/event.h"
#include "vm/process/process.h"

enum { STANDING_CALLERS = 8 };

struct standing_context {
	const word *callers[STANDING_CALLERS];
	uint32_t callers_len;
};

struct standing {
	bool wants_waiting;
	uint32_t wants_callers; /* how many; 0 none */
	struct map states;      /* hash of a state -> its number */
	struct map index;       /* event.context -> context */
	VEC(struct standing_context) contexts;
};

/* p is about to take this event, or, if the run is over, was; match is what a receive takes,
 * NULL if there is nothing. */
void standing_note(struct standing *standing, struct process *p, const struct message *match,
		   struct event *event);

/* A hash of all that decides how p, which is about to take a message, goes on with it: code, stack,
 * registers, dictionary. Only for comparisons within one run: it has addresses in it. */
uint64_t standing_state(const struct process *p);

/* The callers of a context, NULL if it is not known. */
const struct standing_context *standing_context(const struct standing *standing,
						uint32_t context);

void standing_release(struct standing *standing);

#endif
