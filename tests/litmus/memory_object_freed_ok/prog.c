/* Objects in a record that is freed when nobody can use it any more: whoever drops the last
 * reference under the lock frees it, a waiter frees the semaphore it was posted, the owner frees
 * a condition whose waiters have been woken and a barrier that everyone has reached. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct record {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	sem_t sem;
	int users, done;
};

static struct record *record;

static void drop(struct record *r)
{
	int left;

	pthread_mutex_lock(&r->mutex);
	left = --r->users;
	pthread_mutex_unlock(&r->mutex);
	if (left)
		return;
	pthread_mutex_destroy(&r->mutex);
	free(r);
}

static void *user(void *arg)
{
	struct record *r = record;

#if SHAPE == 0
	drop(r);
#elif SHAPE == 1
	sem_post(&r->sem);
#elif SHAPE == 2
	pthread_mutex_lock(&r->mutex);
	r->done = 1;
	pthread_cond_signal(&r->cond);
	pthread_mutex_unlock(&r->mutex);
#else
	if (pthread_barrier_wait(&r->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		pthread_barrier_destroy(&r->barrier);
		free(r);
	}
#endif
	return arg;
}

static void own(struct record *r)
{
#if SHAPE == 0
	drop(r);
#elif SHAPE == 1
	sem_wait(&r->sem);
	sem_destroy(&r->sem);
	free(r);
#elif SHAPE == 2
	pthread_mutex_lock(&r->mutex);
	while (!r->done)
		pthread_cond_wait(&r->cond, &r->mutex);
	pthread_mutex_unlock(&r->mutex);
	pthread_cond_destroy(&r->cond);
	pthread_mutex_destroy(&r->mutex);
	free(r);
#else
	user(NULL);
#endif
}

int main(void)
{
	pthread_t thread;

	record = calloc(1, sizeof(*record));
	record->users = 2;
	pthread_mutex_init(&record->mutex, NULL);
	pthread_cond_init(&record->cond, NULL);
	pthread_barrier_init(&record->barrier, NULL, 2);
	sem_init(&record->sem, 0, 0);
	pthread_create(&thread, NULL, user, NULL);
	own(record);
	pthread_join(thread, NULL);
	return 0;
}
