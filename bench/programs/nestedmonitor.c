/*
 * A thread waits on a condition with the inner lock while it still holds the outer one that
 * the signaller needs (nested monitor deadlock). -DFIXED: the outer is given up first.
 */
#include "threads.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int messages;

static void *receive(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
#ifdef FIXED
	pthread_mutex_unlock(&outer);
#endif
	while (messages == 0)
		pthread_cond_wait(&arrived, &inner);
	messages--;
	pthread_mutex_unlock(&inner);
#ifndef FIXED
	pthread_mutex_unlock(&outer);
#endif
	do_chores();
	return NULL;
}

static void *post(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	messages++;
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	do_chores();
	return NULL;
}

int main(void)
{
	static struct threads threads;

	threads_start(&threads, post, 0);
	threads_start(&threads, receive, 0);
	threads_join(&threads);
	assert(messages == 0);
	return 0;
}
