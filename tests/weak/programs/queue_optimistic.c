/* A part of a queue for one producer and many consumers, as moodycamel's queue has one per producer.
 * A consumer first takes a ticket, hoping that an item is there, and gives back with a second counter
 * the tickets that found none. Each item must be got at most once, and none may be lost.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DFILL=relaxed: race
 * rc11 -DFILL=relaxed suggests: store filled: release instead of relaxed
 * rc11 -DLOOK=relaxed: race
 * rc11 -DLOOK=relaxed suggests: load filled: acquire instead of relaxed
 * rc11 -DEMPTY=relaxed: race
 * rc11 by pos -DEMPTY=relaxed: race
 */
#include "weak.h"

#ifndef FILL
#define FILL release
#endif
#ifndef LOOK
#define LOOK acquire
#endif
#ifndef EMPTY
#define EMPTY release
#endif

enum { ITEMS = 2 };

atomic_uint filled;   /* items that were put in */
atomic_uint hopes;    /* tickets of consumers */
atomic_uint vain;     /* tickets that found nothing */
atomic_uint taken;    /* items that were taken out */
atomic_uint emptied;  /* slots that nobody reads any more */
int slots[ITEMS];
atomic_int got[ITEMS + 1];

static int take(void)
{
	unsigned in_vain = LOAD_FROM(vain, relaxed), ticket, slot;
	int item;

	if ((int)(LOAD_FROM(hopes, relaxed) - in_vain - LOAD_FROM(filled, relaxed)) >= 0)
		return 0;
	FENCE(acquire);
	ticket = ADD_TO(hopes, 1, relaxed);
	if ((int)(ticket - in_vain - LOAD_FROM(filled, LOOK)) >= 0) {
		ADD_TO(vain, 1, release);
		return 0;
	}
	slot = ADD_TO(taken, 1, acq_rel);
	item = slots[slot];
	ADD_TO(emptied, 1, EMPTY);
	return item;
}

static void *produces(void *unused)
{
	for (unsigned i = 0; i < ITEMS; i++) {
		slots[i] = (int)i + 1;
		STORE_TO(filled, i + 1, FILL);
	}
	/* When all slots are empty they are used again. */
	if (LOAD_FROM(emptied, acquire) == ITEMS)
		slots[0] = slots[1] = 0;
	return unused;
}

static void *consumes(void *unused)
{
	int item = take();

	assert(item >= 0 && item <= ITEMS);
	if (item)
		assert(ADD_TO(got[item], 1, relaxed) == 0);
	return unused;
}

MAIN(produces, consumes, consumes)
