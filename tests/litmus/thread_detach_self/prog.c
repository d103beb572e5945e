/* Threads born detached or detaching themselves need no join. */
#include "litmus.h"

static sem_t done;

THREAD(detach_self)
{
	OK(pthread_detach(pthread_self()));
	sem_post(&done);
	return NULL;
}

THREAD(born_detached)
{
	sem_post(&done);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t id;

	sem_init(&done, 0, 0);
	OK(pthread_attr_init(&attr));
	OK(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED));
	OK(pthread_create(&id, &attr, born_detached, NULL));
	OK(pthread_attr_destroy(&attr));
	start(detach_self);
	sem_wait(&done);
	sem_wait(&done);
	pthread_exit(NULL);
}
