/* Lazily made by whoever comes first; if both come first, one block is lost. */
#include "litmus.h"

static void *_Atomic cache;

THREAD(get)
{
	if (cache == NULL) {
		void *mine = malloc(32);

#ifdef FIXED
		void *none = NULL;

		if (!atomic_compare_exchange_strong(&cache, &none, mine))
			free(mine);
#else
		cache = mine;
#endif
	}
	return NULL;
}

int main(void)
{
	RUN(get, get);
	free(cache);
	return 0;
}
