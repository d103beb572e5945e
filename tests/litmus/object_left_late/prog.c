/* A condition or a barrier is freed, or initialised again, when its waiter has been woken: the waiter
 * may still be inside of the call, which uses the object until it returns. With DESTROY it is destroyed
 * before, which waits until the waiter has left it; with JOIN the waiter was joined before. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *cond;
static pthread_barrier_t *barrier;
static int ready;

static void end_cond(void)
{
#ifdef DESTROY
	pthread_cond_destroy(cond);
#endif
#ifdef AGAIN
	pthread_cond_init(cond, NULL);
#else
	free(cond);
#endif
}

static void end_barrier(void)
{
#ifdef DESTROY
	pthread_barrier_destroy(barrier);
#endif
#ifdef AGAIN
	pthread_barrier_init(barrier, NULL, 2);
#else
	free(barrier);
#endif
}

static void *waiter(void *arg)
{
#ifdef BARRIER
	pthread_barrier_wait(barrier);
#else
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(cond, &mutex);
	pthread_mutex_unlock(&mutex);
#endif
	return arg;
}

int main(void)
{
	pthread_t thread;

	cond = malloc(sizeof(*cond));
	pthread_cond_init(cond, NULL);
	barrier = malloc(sizeof(*barrier));
	pthread_barrier_init(barrier, NULL, 2);
	pthread_create(&thread, NULL, waiter, NULL);
#ifdef BARRIER
	pthread_barrier_wait(barrier);
#else
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_broadcast(cond);
	pthread_mutex_unlock(&mutex);
#endif
#ifdef JOIN
	pthread_join(thread, NULL);
#endif
#ifdef BARRIER
	end_barrier();
#else
	end_cond();
#endif
#ifndef JOIN
	pthread_join(thread, NULL);
#endif
	return 0;
}
