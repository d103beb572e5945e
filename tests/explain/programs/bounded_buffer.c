/* A buffer with one condition for both sides, and `if` where `while` is needed. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct buffer {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int *slots;
	int len, cap;
};

static struct buffer *buffer_new(int cap)
{
	struct buffer *b = calloc(1, sizeof(*b));

	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	b->slots = calloc((size_t)cap, sizeof(int));
	b->cap = cap;
	return b;
}

static void put(struct buffer *b, int value)
{
	pthread_mutex_lock(&b->lock);
	if (b->len == b->cap)
		pthread_cond_wait(&b->changed, &b->lock);
	assert(b->len < b->cap);
	b->slots[b->len++] = value;
	pthread_cond_signal(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

static int take(struct buffer *b)
{
	int value;

	pthread_mutex_lock(&b->lock);
	if (b->len == 0)
		pthread_cond_wait(&b->changed, &b->lock);
	value = b->slots[--b->len];
	pthread_cond_signal(&b->changed);
	pthread_mutex_unlock(&b->lock);
	return value;
}

static void *producer(void *b)
{
	put(b, 1);
	put(b, 2);
	return NULL;
}

static void *consumer(void *b)
{
	take(b);
	return NULL;
}

int main(void)
{
	struct buffer *b = buffer_new(1);
	pthread_t threads[4];

	pthread_create(&threads[0], NULL, producer, b);
	pthread_create(&threads[1], NULL, producer, b);
	pthread_create(&threads[2], NULL, consumer, b);
	pthread_create(&threads[3], NULL, consumer, b);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
