#include "buffer.h"

#include <stdlib.h>

/*
 * The bug: buffer_close() asks whether anybody waits before it takes the lock. One who
 * finds the buffer empty and goes to sleep between the question and the lock is not woken,
 * and nobody will come again. -DFIXED: asked under the lock, where the answer stands.
 */

int buffer_init(struct buffer *buffer, size_t capacity)
{
	*buffer = (struct buffer){ .capacity = capacity };
	buffer->items = calloc(capacity, sizeof(buffer->items[0]));
	if (buffer->items == NULL)
		return -1;
	pthread_mutex_init(&buffer->lock, NULL);
	pthread_cond_init(&buffer->not_empty, NULL);
	pthread_cond_init(&buffer->not_full, NULL);
	return 0;
}

void buffer_release(struct buffer *buffer)
{
	pthread_cond_destroy(&buffer->not_full);
	pthread_cond_destroy(&buffer->not_empty);
	pthread_mutex_destroy(&buffer->lock);
	free(buffer->items);
}

static void wait_for(pthread_cond_t *cond, atomic_int *waiting, pthread_mutex_t *lock)
{
	atomic_fetch_add(waiting, 1);
	pthread_cond_wait(cond, lock);
	atomic_fetch_sub(waiting, 1);
}

static void wake_one(pthread_cond_t *cond, atomic_int *waiting)
{
	if (atomic_load(waiting) > 0)
		pthread_cond_signal(cond);
}

bool buffer_push(struct buffer *buffer, void *item)
{
	bool is_open;

	pthread_mutex_lock(&buffer->lock);
	while (buffer->len == buffer->capacity && !buffer->is_closed)
		wait_for(&buffer->not_full, &buffer->waiting_to_push, &buffer->lock);
	is_open = !buffer->is_closed;
	if (is_open) {
		buffer->items[(buffer->head + buffer->len) % buffer->capacity] = item;
		buffer->len++;
		wake_one(&buffer->not_empty, &buffer->waiting_to_pop);
	}
	pthread_mutex_unlock(&buffer->lock);
	return is_open;
}

bool buffer_pop(struct buffer *buffer, void **item)
{
	bool has_item;

	pthread_mutex_lock(&buffer->lock);
	while (buffer->len == 0 && !buffer->is_closed)
		wait_for(&buffer->not_empty, &buffer->waiting_to_pop, &buffer->lock);
	has_item = buffer->len > 0;
	if (has_item) {
		*item = buffer->items[buffer->head];
		buffer->head = (buffer->head + 1) % buffer->capacity;
		buffer->len--;
		wake_one(&buffer->not_full, &buffer->waiting_to_push);
	}
	pthread_mutex_unlock(&buffer->lock);
	return has_item;
}

static bool is_anybody_waiting(struct buffer *buffer)
{
	return atomic_load(&buffer->waiting_to_pop) > 0 ||
	       atomic_load(&buffer->waiting_to_push) > 0;
}

static void wake_all(struct buffer *buffer)
{
	pthread_cond_broadcast(&buffer->not_empty);
	pthread_cond_broadcast(&buffer->not_full);
}

void buffer_close(struct buffer *buffer)
{
#ifdef FIXED
	pthread_mutex_lock(&buffer->lock);
	buffer->is_closed = true;
	if (is_anybody_waiting(buffer))
		wake_all(buffer);
	pthread_mutex_unlock(&buffer->lock);
#else
	bool must_wake = is_anybody_waiting(buffer);

	pthread_mutex_lock(&buffer->lock);
	buffer->is_closed = true;
	if (must_wake)
		wake_all(buffer);
	pthread_mutex_unlock(&buffer->lock);
#endif
}
