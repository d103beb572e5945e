/* A counter with two ways to count: bump() loses updates, add() does not. */
#ifndef COUNTER_H
#define COUNTER_H

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *bump(void *unused)
{
	int seen;

	pthread_mutex_lock(&counter_lock);
	seen = counter;
	pthread_mutex_unlock(&counter_lock);
	pthread_mutex_lock(&counter_lock);
	counter = seen + 1;
	pthread_mutex_unlock(&counter_lock);
	return unused;
}

static void *add(void *unused)
{
	pthread_mutex_lock(&counter_lock);
	counter++;
	pthread_mutex_unlock(&counter_lock);
	return unused;
}

static void *crash(void *unused)
{
	int *volatile nowhere = NULL;

	*nowhere = 1;
	return unused;
}

static int count_twice(void *(*way)(void *))
{
	pthread_t one, two;

	counter = 0;
	pthread_create(&one, NULL, way, NULL);
	pthread_create(&two, NULL, way, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return counter;
}

#endif
