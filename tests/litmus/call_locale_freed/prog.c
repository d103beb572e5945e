/* A thread frees a locale that another may still use. FIXED: it waits for that. */
#include "litmus.h"

#include <locale.h>
#include <wctype.h>

static locale_t shared;
static sem_t done;

THREAD(give_back)
{
#ifdef FIXED
	OK(sem_wait(&done));
#endif
	freelocale(shared);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	OK(sem_init(&done, 0, 0));
	shared = newlocale(LC_ALL_MASK, "C.UTF-8", NULL);
	assert(shared);
	OK(pthread_create(&thread, NULL, give_back, NULL));
	assert(towupper_l(0xe9, shared) == 0xc9);
	OK(sem_post(&done));
	OK(pthread_join(thread, NULL));
	return 0;
}
