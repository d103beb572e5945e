/* A large block is freed by one thread, and another thread uses an atomic variable, a semaphore or a
 * condition in it. That one comes first to its step and takes it last: when it came there, the block was not freed. */
#include <stdatomic.h>
#include <semaphore.h>
#include "litmus.h"

static struct {
	atomic_int count;
	sem_t posted;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	pthread_mutex_t lock;
	char more[4000];
} *block;

static pthread_t user;

THREAD(use)
{
#if WHICH == 1
	atomic_fetch_add(&block->count, 1);
#elif WHICH == 2
	sem_post(&block->posted);
#elif WHICH == 3
	sem_wait(&block->posted);
#elif WHICH == 4
	pthread_cond_signal(&block->cond);
#elif WHICH == 5
	pthread_barrier_wait(&block->barrier);
#elif WHICH == 6
	pthread_mutex_lock(&block->lock);
	pthread_mutex_unlock(&block->lock);
#elif WHICH == 7
	sem_trywait(&block->posted);
#elif WHICH == 8
	atomic_load(&block->count);
#endif
	return NULL;
}

THREAD(drop)
{
#ifdef FIXED
	join(user);
#endif
	free(block);
	return NULL;
}

int main(void)
{
	pthread_t dropper;

	block = malloc(sizeof(*block));
	sem_init(&block->posted, 0, 1);
	pthread_cond_init(&block->cond, NULL);
	pthread_barrier_init(&block->barrier, NULL, 1);
	pthread_mutex_init(&block->lock, NULL);
	atomic_init(&block->count, 0);
	user = start(use);
	dropper = start(drop);
#ifndef FIXED
	join(user);
#endif
	join(dropper);
	return 0;
}
