/* Plain stores over an object of the C library that another thread uses: the lock that is held is
 * lost, and the function of pthread_once() runs twice. OBJECT 5 copies a mutex in use. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, copy;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
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
#endif
}

static void *user(void *arg)
{
#if OBJECT == 0 || OBJECT == 5
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#elif OBJECT == 1
	pthread_cond_broadcast(&cond);
#elif OBJECT == 2
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
#elif OBJECT == 3
	pthread_once(&once, nothing);
#elif OBJECT == 4
	sem_post(&sem);
#endif
	return arg;
}

int main(void)
{
	pthread_t thread;

	sem_init(&sem, 0, 0);
	nothing();
	pthread_create(&thread, NULL, user, NULL);
	overwrite();
	pthread_join(thread, NULL);
	return copy.__align != 0;
}
