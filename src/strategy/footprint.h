/* footprint.h: the steps that actors were seen to announce, and the actors that must be tried at a
 * place of a run.
 *
 * At a place of a run it is enough to try a set of actors such that nothing the others ever do
 * conflicts with the next steps of the set (a persistent set: Godefroid, 1996). The future steps
 * of actors are not known, but the runs so far show the steps that actors announced. If a later
 * run shows a step that conflicts with a next step of a set that was used, the search has to begin
 * anew (footprints_add). So when a search without a bound is over, the sets were right: the first
 * step that a set would have missed was announced in a run that went on from the set.
 *
 *     A: write x     B: write y, write x     before any step: {B} is not enough once a run has
 *                                            shown that A writes x; then it is {A, B}
 */
#ifndef STRATEGY_FOOTPRINT_H
#define STRATEGY_FOOTPRINT_H

#include "base/map.h"
#include "base/vec.h"
#include "core/trace.h"

/* A step as it was announced, and the last ordinal it is expected to have. */
struct footprint {
	struct event event;
	uint32_t until;
};

VEC_TYPE(footprint_vec, struct footprint);

struct footprints {
	VEC(struct footprint_vec) actors;
	struct map known;             /* hash of actor and step -> its place there, plus one */
	VEC(struct event) relied_on;  /* next steps of sets that were used */
	struct map relied;            /* hashes of these */
	VEC(uint64_t) set;            /* footprints_choose: the answer */
	VEC(const struct event *) next; /* of each actor, as it may be at the place, or NULL */
	VEC(struct event) expected; /* of each actor: that step, if it was another one in the run */
	VEC(uint64_t) ended;          /* actors that a step seen so far may end */
	VEC(uint32_t) done;           /* of each actor: its steps before the place */
	VEC(uint32_t) seen;           /* of each actor: its steps in the run and announced ones */
};

/* Adds the steps of a run, and those that were announced. False: a set that was used may have been
 * too small. */
bool footprints_add(struct footprints *f, const struct trace *trace);

/* Does a timer fire in the run, or could one have fired? */
bool footprints_have_timer(const struct trace *trace);

/* To be called for places of one run from the first to the last. */
void footprints_start(struct footprints *f, const struct trace *trace, uint32_t place);
void footprints_pass(struct footprints *f, const struct trace *trace, uint32_t place);

/* Fills f->set with actors that are enabled at the place, `first` among them, and notes that the
 * caller relies on the set. */
void footprints_choose(struct footprints *f, const struct trace *trace, uint32_t place,
		       uint32_t first);

void footprints_clear(struct footprints *f);
void footprints_release(struct footprints *f);

#endif
