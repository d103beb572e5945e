/* An object of the C library is initialised again while another thread may use it: the lock that is
 * held is lost, the count that was posted, the thread that waits. */
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static sem_t sem;
static pthread_barrier_t barrier;
static mtx_t mtx;
static cnd_t cnd;

static void init(void)
{
#if OBJECT == 0
	pthread_mutex_init(&mutex, NULL);
#elif OBJECT == 1
	pthread_cond_init(&cond, NULL);
#elif OBJECT == 2
	pthread_rwlock_init(&rwlock, NULL);
#elif OBJECT == 3
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
#elif OBJECT == 4
	sem_init(&sem, 0, 1);
#elif OBJECT == 5
	pthread_barrier_init(&barrier, NULL, 1);
#elif OBJECT == 6
	mtx_init(&mtx, mtx_plain);
#elif OBJECT == 7
	cnd_init(&cnd);
#endif
}

static void use(void)
{
#if OBJECT == 0
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#elif OBJECT == 1
	pthread_cond_signal(&cond);
#elif OBJECT == 2
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
#elif OBJECT == 3
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
#elif OBJECT == 4
	sem_post(&sem);
#elif OBJECT == 5
	pthread_barrier_wait(&barrier);
#elif OBJECT == 6
	mtx_lock(&mtx);
	mtx_unlock(&mtx);
#elif OBJECT == 7
	cnd_signal(&cnd);
#endif
}

static void *user(void *arg)
{
	use();
	return arg;
}

int main(void)
{
	pthread_t thread;

	init();
	pthread_create(&thread, NULL, user, NULL);
	init();
	pthread_join(thread, NULL);
	return 0;
}
