/* The post may come before the timer fires, between the timer and the wait's end, or too late. */
#include "litmus.h"

static sem_t sem;

THREAD(wait)
{
	puts(sem_timedwait(&sem, WITHIN_MS(10)) == 0 ? "posted" : "timed out");
	return NULL;
}

THREAD(post)
{
	sem_post(&sem);
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	RUN(wait, post);
	return 0;
}
