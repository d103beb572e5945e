/* hapset_news.h: which choice at a state could show an order of statements that no good run has
 * shown? For searches that do not reverse races themselves (bounded.c).
 *
 * A pair is news if its events e and f conflict, f came after e and need not, and no good run has
 * shown their statements the other way round. The choice to run another actor before event i can
 * show it if e is event i or a later one, and f is a step of that actor or needs its next step:
 * then f may go first. f need not be the next step of the actor:
 *
 *     worker:   i  load queue        main:  join writer, f  queue = NULL
 *     writer:   finish
 *
 * Here the choice of the writer before event i lets main join it and overtake the worker.
 */
#ifndef STRATEGY_HAPSET_NEWS_H
#define STRATEGY_HAPSET_NEWS_H

#include "core/causality.h"
#include "strategy/hapset.h"

struct hapset_news_pair {
	uint32_t e, f; /* f: an event, or after the events one that is pending */
};

struct hapset_news {
	struct causality causality;
	VEC(struct hapset_news_pair) pairs; /* of the trace looked at last */
};

/* Finds the pairs of a trace that are news. The trace must live as long as they are asked for. */
void hapset_news_find(struct hapset_news *news, struct hapset *set, const struct trace *trace);

bool hapset_news_of(const struct hapset_news *news, uint32_t i, uint32_t actor);

void hapset_news_release(struct hapset_news *news);

#endif
