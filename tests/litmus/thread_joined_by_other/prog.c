/* One thread joins another one, whose identity a third one gives to a call: if the join comes first, the identity belongs
 * to nobody. -DFIXED: the join waits for the third thread. */
#define _GNU_SOURCE
#include "litmus.h"

#include <signal.h>

#ifndef CALL
#define CALL pthread_kill(id, 0)
#endif

static pthread_t id;
static sem_t go;
static atomic_int count;

static void handle(int number)
{
	(void)number;
	count++;
}

THREAD(work)
{
	while (sem_wait(&go))
		;
	return NULL;
}

THREAD(ask)
{
	OK(sem_post(&go));
	count++;
	CALL;
	return NULL;
}

int main(void)
{
	pthread_t other;

	signal(SIGUSR1, handle);
	OK(sem_init(&go, 0, 0));
	id = start(work);
	other = start(ask);
#ifdef FIXED
	join(other);
	join(id);
#else
	join(id);
	join(other);
#endif
	printf("%d\n", (int)count);
	return 0;
}
