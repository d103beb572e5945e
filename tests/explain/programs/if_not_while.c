/* A bounded queue: if instead of while around the wait. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SIZE 2

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty;
	int items[SIZE];
	int len;
};

static void put(struct queue *q, int item)
{
	pthread_mutex_lock(&q->lock);
	q->items[q->len++] = item;
	pthread_cond_signal(&q->not_empty);
	pthread_mutex_unlock(&q->lock);
}

static int take(struct queue *q)
{
	int item;

	pthread_mutex_lock(&q->lock);
	if (q->len == 0)
		pthread_cond_wait(&q->not_empty, &q->lock);
	assert(q->len > 0);
	item = q->items[--q->len];
	pthread_mutex_unlock(&q->lock);
	return item;
}

static void *consumer(void *arg)
{
	take(arg);
	return NULL;
}

int main(void)
{
	struct queue *q = calloc(1, sizeof(*q));
	pthread_t a, b;

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->not_empty, NULL);
	pthread_create(&a, NULL, consumer, q);
	pthread_create(&b, NULL, consumer, q);
	put(q, 1);
	put(q, 2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(q);
	return 0;
}
