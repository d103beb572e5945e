/* An event: the waiter tests the flag outside of the lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct event {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	atomic_int is_set;
};

static void event_set(struct event *e)
{
	atomic_store(&e->is_set, 1);
	pthread_cond_broadcast(&e->cond);
}

static void event_wait(struct event *e)
{
	if (atomic_load(&e->is_set))
		return;
	pthread_mutex_lock(&e->lock);
	pthread_cond_wait(&e->cond, &e->lock);
	pthread_mutex_unlock(&e->lock);
}

static void *producer(void *arg)
{
	event_set(arg);
	return NULL;
}

int main(void)
{
	struct event *e = malloc(sizeof(*e));
	pthread_t t;

	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->cond, NULL);
	atomic_init(&e->is_set, 0);
	pthread_create(&t, NULL, producer, e);
	event_wait(e);
	pthread_join(t, NULL);
	free(e);
	return 0;
}
