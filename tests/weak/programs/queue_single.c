/* A ring for one producer and one consumer with two indices, as folly's ProducerConsumerQueue. It has
 * room for one item, so the second one reuses the slot of the first.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * rc11 -DPUT=relaxed: race
 * rc11 -DPUT=relaxed suggests: store back: release instead of relaxed
 * rc11 -DGOT=relaxed: race
 * rc11 -DGOT=relaxed suggests: store front: release instead of relaxed
 * rc11 -DIS_FULL=relaxed: race
 * rc11 -DIS_FULL=relaxed suggests: load front: acquire instead of relaxed
 * rc11 -DIS_EMPTY=relaxed: race
 * rc11 by random -DIS_EMPTY=relaxed: race
 */
#include "weak.h"

#ifndef PUT
#define PUT release
#endif
#ifndef GOT
#define GOT release
#endif
#ifndef IS_FULL
#define IS_FULL acquire
#endif
#ifndef IS_EMPTY
#define IS_EMPTY acquire
#endif

enum { SIZE = 2, ITEMS = 3 };

atomic_uint front, back;
int slots[SIZE];

static _Bool put(int item)
{
	unsigned at = LOAD_FROM(back, relaxed), next = (at + 1) % SIZE;

	if (next == LOAD_FROM(front, IS_FULL))
		return 0;
	slots[at] = item;
	STORE_TO(back, next, PUT);
	return 1;
}

static _Bool get(int *item)
{
	unsigned at = LOAD_FROM(front, relaxed);

	if (at == LOAD_FROM(back, IS_EMPTY))
		return 0;
	*item = slots[at];
	STORE_TO(front, (at + 1) % SIZE, GOT);
	return 1;
}

static void *produces(void *unused)
{
	int item = 1;

	for (int i = 0; i < ITEMS; i++)
		item += put(item);
	return unused;
}

static void *consumes(void *unused)
{
	int item, wanted = 1;

	for (int i = 0; i < ITEMS; i++)
		if (get(&item))
			assert(item == wanted++);
	return unused;
}

MAIN(produces, consumes)
