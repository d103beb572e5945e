/* The last user of a record says so and then still uses an object of the C library in it; the
 * owner frees the record as soon as it was said. With -DAFTER the use always comes too late. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct record {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	sem_t sem;
	pthread_barrier_t barrier;
	pthread_once_t once;
};

static struct record *record;
static atomic_int said, freed;

static void nothing(void)
{
}

static void use(void)
{
#if OBJECT == 1
	pthread_mutex_lock(&record->mutex);
	pthread_mutex_unlock(&record->mutex);
#elif OBJECT == 2
	pthread_cond_signal(&record->cond);
#elif OBJECT == 3
	pthread_rwlock_rdlock(&record->rwlock);
	pthread_rwlock_unlock(&record->rwlock);
#elif OBJECT == 4
	pthread_spin_lock(&record->spin);
	pthread_spin_unlock(&record->spin);
#elif OBJECT == 5
	sem_post(&record->sem);
#elif OBJECT == 6
	pthread_barrier_wait(&record->barrier);
#elif OBJECT == 7
	pthread_once(&record->once, nothing);
#else
	pthread_mutex_unlock(&record->mutex);
#endif
}

static void *user(void *arg)
{
#if OBJECT == 0
	pthread_mutex_lock(&record->mutex);
#endif
	atomic_store(&said, 1);
#ifdef AFTER
	while (!atomic_load(&freed))
		;
#endif
	use();
	return arg;
}

int main(void)
{
	pthread_once_t fresh = PTHREAD_ONCE_INIT;
	pthread_t thread;

	record = malloc(sizeof(*record));
	pthread_mutex_init(&record->mutex, NULL);
	pthread_cond_init(&record->cond, NULL);
	pthread_rwlock_init(&record->rwlock, NULL);
	pthread_spin_init(&record->spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&record->sem, 0, 0);
	pthread_barrier_init(&record->barrier, NULL, 1);
	record->once = fresh;
	nothing();
	pthread_create(&thread, NULL, user, NULL);
	while (!atomic_load(&said))
		;
	free(record);
	atomic_store(&freed, 1);
	pthread_join(thread, NULL);
	return 0;
}
