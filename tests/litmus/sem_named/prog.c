/* A named semaphore is a semaphore; two opens of one name are one. */
#include "litmus.h"

#include <fcntl.h>

static int value;

THREAD(use)
{
	sem_t *sem = sem_open("/fermata-litmus", O_CREAT, 0600, 1);

	assert(sem != SEM_FAILED);
	sem_wait(sem);
	value++;
	sem_post(sem);
	OK(sem_close(sem));
	return NULL;
}

int main(void)
{
	sem_t *sem = sem_open("/fermata-litmus", O_CREAT, 0600, 1);

	assert(sem != SEM_FAILED);
	RUN(use, use);
	assert(value == 2);
	OK(sem_close(sem));
	OK(sem_unlink("/fermata-litmus"));
	return 0;
}
