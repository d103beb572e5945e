/* One thread calls a function that changes a variable of the C library, another one uses that variable itself. */
#define _GNU_SOURCE
#include <getopt.h>
#include <time.h>
#include <unistd.h>

#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef FIXED
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#else
#define LOCK()
#define UNLOCK()
#endif

#if WHICH == 1
#define CALL() setenv("FERMATA_LITMUS", "1", 1)
#define LOOK() (environ[0] != NULL)
#elif WHICH == 2
static char *words[] = {(char *)"prog", (char *)"-a", NULL};
#define CALL() getopt(2, words, "a")
#define LOOK() optind
#elif WHICH == 3
#define CALL() tzset()
#define LOOK() (timezone == 0)
#elif WHICH == 4
#define CALL() printf("\n")
#define LOOK() (stdout = stderr)
#elif WHICH == 5
#define CALL() perror("it")
#define LOOK() (stderr = stdout)
#endif

THREAD(call)
{
	LOCK();
	CALL();
	UNLOCK();
	return NULL;
}

THREAD(look)
{
	bool seen;

	LOCK();
	seen = LOOK();
	UNLOCK();
	return seen ? &lock : NULL;
}

int main(void)
{
	RUN(call, look);
	return 0;
}
