/* Both threads spin. With relaxed stores of the flag nothing is lost: a loop that reads for ever
 * reads the last value in the end. Without the answer it is a hang.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * sc -DNO_ANSWER: livelock
 * tso -DNO_ANSWER: livelock
 * rc11 -DNO_ANSWER: livelock
 */
#include "weak.h"

atomic_int asked, answered;

static void *ask(void *unused)
{
	STORE_TO(asked, 1, relaxed);
	while (LOAD_FROM(answered, relaxed) != 1)
		;
	return unused;
}

static void *answer(void *unused)
{
	while (LOAD_FROM(asked, relaxed) != 1)
		;
#ifndef NO_ANSWER
	STORE_TO(answered, 1, relaxed);
#endif
	return unused;
}

MAIN(ask, answer)
