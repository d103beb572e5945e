/* Plain stores over an object of the C library that another thread uses: the lock that is held is
 * lost, and the function of pthread_once() runs twice. OBJECT 5 copies a mutex in use.
 * From 6 on only the last bytes of the object are written. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, copy;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;

static void nothing(void)
{
}

static void overwrite(void)
{
#if OBJECT == 0
	memset(&mutex, 0, sizeof(mutex));
#elif OBJECT == 1
	cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
#elif OBJECT == 2
	memset(&rwlock, 0, sizeof(rwlock));
#elif OBJECT == 3
	once = PTHREAD_ONCE_INIT;
#elif OBJECT == 4
	memset(&sem, 0, sizeof(sem));
#elif OBJECT == 5
	copy = mutex;
#elif OBJECT == 6
	memset((char *)&mutex + 8, 0, sizeof(mutex) - 8);
#elif OBJECT == 7
	memset((char *)&cond + 40, 1, 4);
#elif OBJECT == 8
	memset((char *)&rwlock + 44, 0, 4);
#elif OBJECT == 9
	memset((char *)&sem + 8, 0, 8);
#elif OBJECT == 10
	memset((char *)&barrier + 16, 0, 8);
#endif
}

static void *user(void *arg)
{
#if OBJECT == 0 || OBJECT == 5 || OBJECT == 6
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#elif OBJECT == 1 || OBJECT == 7
	pthread_cond_broadcast(&cond);
#elif OBJECT == 2 || OBJECT == 8
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
#elif OBJECT == 3
	pthread_once(&once, nothing);
#elif OBJECT == 4 || OBJECT == 9
	sem_post(&sem);
#elif OBJECT == 10
	pthread_barrier_wait(&barrier);
#endif
	return arg;
}

int main(void)
{
	pthread_t thread;

	sem_init(&sem, 0, 0);
	pthread_barrier_init(&barrier, NULL, 1);
	nothing();
	pthread_create(&thread, NULL, user, NULL);
	overwrite();
	pthread_join(thread, NULL);
	return copy.__align != 0;
}
