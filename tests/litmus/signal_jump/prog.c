/* A handler that leaves by a jump: its signal is not blocked any more, and the next one arrives. */
#include <setjmp.h>

#include "litmus.h"

static sem_t ready, never;
static sigjmp_buf place;

static void handle(int number)
{
	(void)number;
	siglongjmp(place, 1);
}

static void wait_for_signal(void)
{
	if (sigsetjmp(place, 1))
		return;
	sem_post(&ready);
	for (;;)
		sem_wait(&never);
}

THREAD(wait_twice)
{
	wait_for_signal();
	wait_for_signal();
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	pthread_t id;

	OK(sem_init(&ready, 0, 0));
	OK(sem_init(&never, 0, 0));
	OK(sigaction(SIGUSR1, &action, NULL));
	id = start(wait_twice);
	for (int i = 0; i < 2; i++) {
		OK(sem_wait(&ready));
		OK(pthread_kill(id, SIGUSR1));
	}
	join(id);
	return 0;
}
