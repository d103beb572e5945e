/*
 * One thread takes an item out; another takes one out and puts new ones in, which recycles
 * nodes. Every item must come out at most once.
 */
#include "queue.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ITEMS 4

static struct queue queue;
static atomic_int times_seen[ITEMS + 1];

static void note(int value)
{
	assert(value >= 1 && value <= ITEMS);
	assert(atomic_fetch_add(&times_seen[value], 1) == 0);
}

static void *take(void *arg)
{
	int value;

	(void)arg;
	if (queue_dequeue(&queue, &value))
		note(value);
	return NULL;
}

static void *take_and_refill(void *arg)
{
	int value;

	if (queue_dequeue(&queue, &value))
		note(value);
	queue_enqueue(&queue, 3);
	queue_enqueue(&queue, 4);
	return arg;
}

int main(void)
{
	pthread_t taker, refiller;
	int value;

	queue_init(&queue);
	queue_enqueue(&queue, 1);
	queue_enqueue(&queue, 2);
	if (pthread_create(&taker, NULL, take, NULL) != 0 ||
	    pthread_create(&refiller, NULL, take_and_refill, NULL) != 0)
		return 1;
	pthread_join(taker, NULL);
	pthread_join(refiller, NULL);
	while (queue_dequeue(&queue, &value))
		note(value);
	puts("done");
	return 0;
}
