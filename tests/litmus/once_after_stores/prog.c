/* Three threads call pthread_once, two of them after a store. A call that found the routine done
 * comes first in another run, and then the others wait for it. */
#include "litmus.h"

atomic_int x; /* not static: clang would leave out the stores */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void routine(void)
{
}

THREAD(call)
{
	pthread_once(&once, routine);
	return NULL;
}

THREAD(store_and_call)
{
	atomic_store(&x, 2);
	pthread_once(&once, routine);
	return NULL;
}

int main(void)
{
	pthread_t ids[] = {start(call), start(store_and_call), start(store_and_call)};

	for (int i = 0; i < 3; i++)
		join(ids[i]);
	return 0;
}
