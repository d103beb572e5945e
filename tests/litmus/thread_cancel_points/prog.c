/* Blocking calls are cancellation points: here sem_wait; clean-ups run innermost first. */
#include "litmus.h"

static sem_t never;
static int trail;

static void leave_mark(void *mark)
{
	trail = trail * 10 + (int)(intptr_t)mark;
}

THREAD(work)
{
	pthread_cleanup_push(leave_mark, (void *)1);
	pthread_cleanup_push(leave_mark, (void *)2);
	sem_wait(&never);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&never, 0, 0);
	id = start(work);
	OK(pthread_cancel(id));
	assert(join(id) == PTHREAD_CANCELED);
	assert(trail == 21 || trail == 0);
	return 0;
}
