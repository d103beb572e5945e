/* pthread_once beside relaxed atomics: who returns from it has seen what the routine did.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * rc11 -DCALLS_EXIT: proved
 * rc11 -DBEFORE: race
 */
#include "weak.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
atomic_int count;
int made;

static void make(void)
{
	made = 42;
	ADD_TO(count, 1, relaxed);
}

static void *use(void *unused)
{
#ifdef BEFORE
	if (LOAD_FROM(count, relaxed))
		assert(made == 42);
#endif
	pthread_once(&once, make);
	assert(made == 42);
	assert(LOAD_FROM(count, relaxed) == 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, use, NULL);
	pthread_create(&threads[1], NULL, use, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#ifdef CALLS_EXIT
	exit(0);
#endif
	return 0;
}
