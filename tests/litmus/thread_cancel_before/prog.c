/* A waiter is cancelled before it is given what it waits for. In the run that comes first the post
 * and the cancel have both come before the waiter goes on, and it seems to need the post. */
#include "litmus.h"

#include <poll.h>

static sem_t sem;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static int ends[2];
static pthread_t waiter_id, giver_id;
static atomic_int has_gone;

static void go(void *unused)
{
	atomic_store(&has_gone, 1);
#ifdef COND
	pthread_mutex_unlock(&lock);
#endif
}

static void wait_for_it(void)
{
#if defined READ
	char byte;

	read(ends[0], &byte, 1);
#elif defined POLL
	poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1);
#elif defined JOIN
	pthread_join(giver_id, NULL);
#elif defined COND
	pthread_cond_wait(&given, &lock);
#else
	sem_wait(&sem);
#endif
}

THREAD(waiter)
{
#ifdef COND
	pthread_mutex_lock(&lock);
#endif
	pthread_cleanup_push(go, NULL);
	wait_for_it();
	pthread_cleanup_pop(0);
#ifdef COND
	pthread_mutex_unlock(&lock);
#endif
	return NULL;
}

THREAD(giver)
{
	assert(!atomic_load(&has_gone));
#if defined READ || defined POLL
	write(ends[1], "a", 1);
#elif defined COND
	pthread_cond_signal(&given);
#elif !defined JOIN
	sem_post(&sem);
#endif
	return NULL;
}

THREAD(canceller)
{
	pthread_cancel(waiter_id);
	return NULL;
}

int main(void)
{
	pthread_t canceller_id;

	OK(sem_init(&sem, 0, 0));
	OK(pipe(ends));
	giver_id = start(giver);
	waiter_id = start(waiter);
	canceller_id = start(canceller);
	join(canceller_id); /* while the waiter still has an identity */
#ifdef JOIN
	if (join(waiter_id) == PTHREAD_CANCELED)
		join(giver_id);
#else
	join(waiter_id);
	join(giver_id);
#endif
	return 0;
}
