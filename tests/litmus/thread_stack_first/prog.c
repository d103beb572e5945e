/* A thread uses a local variable of main, which may have been left by then. WHICH 1: main ends with pthread_exit, and
 * a destructor of a key writes over its frame; 2: the destructor waits for the use, which is still too late; 3: main returns.
 * FIXED: main waits for the use (1, 3), or the thread uses the arguments of the program (2), which stay. */
#include "litmus.h"

static pthread_key_t key;
static sem_t left, used;

static void overwrite(void *value)
{
	volatile char more[512];

	for (unsigned i = 0; i < sizeof(more); i++)
		more[i] = 1;
	sem_post(&left);
#if WHICH == 2
	OK(sem_wait(&used));
#endif
}

THREAD(user)
{
#if WHICH == 2
	OK(sem_wait(&left));
#endif
	if (!*(volatile char *)arg)
		abort();
	sem_post(&used);
	return NULL;
}

int main(int argc, char **argv)
{
	volatile char local = 1;
	char *lent = (char *)&local;
	pthread_t thread;

#if defined(FIXED) && WHICH == 2
	lent = argv[0];
#endif
	OK(sem_init(&left, 0, 0));
	OK(sem_init(&used, 0, 0));
	OK(pthread_key_create(&key, overwrite));
	OK(pthread_setspecific(key, &key));
	OK(pthread_create(&thread, NULL, user, lent));
	OK(pthread_detach(thread));
#if defined(FIXED) && WHICH != 2
	OK(sem_wait(&used));
#endif
	if (WHICH == 3)
		return 0;
	pthread_exit(NULL);
}
