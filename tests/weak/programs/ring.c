/* A bounded queue of cells with sequence numbers (after Vyukov), two producers and one consumer.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DFILL=relaxed: race
 * rc11 -DFILL=relaxed suggests: turn: release instead of relaxed
 * rc11 -DSEE=relaxed: race
 */
#include <stdbool.h>

#include "weak.h"

#ifndef FILL
#define FILL release
#endif
#ifndef SEE
#define SEE acquire
#endif

enum { SIZE = 2 };

struct cell {
	atomic_uint turn;
	int value;
};

struct cell cells[SIZE] = {{0, 0}, {1, 0}};
atomic_uint write_at, read_at;

static bool put(int value)
{
	unsigned at = LOAD_FROM(write_at, relaxed);

	for (;;) {
		struct cell *cell = &cells[at % SIZE];
		unsigned turn = LOAD_FROM(cell->turn, SEE);

		if (turn < at)
			return false;
		if (turn > at) {
			at = LOAD_FROM(write_at, relaxed);
			continue;
		}
		if (CAS(write_at, at, at + 1, relaxed, relaxed)) {
			cell->value = value;
			STORE_TO(cell->turn, at + 1, FILL);
			return true;
		}
	}
}

static int get(void)
{
	unsigned at = LOAD_FROM(read_at, relaxed);
	struct cell *cell = &cells[at % SIZE];
	int value;

	if (LOAD_FROM(cell->turn, SEE) != at + 1)
		return 0;
	STORE_TO(read_at, at + 1, relaxed);
	value = cell->value;
	STORE_TO(cell->turn, at + SIZE, FILL);
	return value;
}

static void *put_one(void *unused)
{
	put(1);
	return unused;
}

static void *put_two(void *unused)
{
	put(2);
	return unused;
}

static void *get_both(void *unused)
{
	int first = get(), second = get();

	assert(!first || !second || first != second);
	return unused;
}

MAIN(put_one, put_two, get_both)
