/* Two threads meet: the last to arrive lets both go. With a counter that loses an arrival both wait
 * for ever; the data is atomic, so that no data race is reported first.
 *
 * tso: proved
 * rc11: proved
 * rc11 -DARRIVE=relaxed: assertion
 * tso -DAPART: livelock
 * rc11 -DAPART -DARRIVE=relaxed: assertion
 */
#include "weak.h"

#ifndef ARRIVE
#define ARRIVE acq_rel
#endif

atomic_int arrived, is_open, data[2];

static void meet(void)
{
#ifdef APART
	int before = LOAD_FROM(arrived, relaxed);

	STORE_TO(arrived, before + 1, seq_cst);
#else
	int before = ADD_TO(arrived, 1, ARRIVE);
#endif
	if (before == 1)
		STORE_TO(is_open, 1, release);
	while (!LOAD_FROM(is_open, acquire))
		;
}

static void *left(void *unused)
{
	STORE_TO(data[0], 1, relaxed);
	meet();
	assert(LOAD_FROM(data[1], relaxed) == 1);
	return unused;
}

static void *right(void *unused)
{
	STORE_TO(data[1], 1, relaxed);
	meet();
	assert(LOAD_FROM(data[0], relaxed) == 1);
	return unused;
}

MAIN(left, right)
