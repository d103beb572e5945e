/*
 * A bounded buffer between threads: a ring of pointers, a lock, two conditions.
 *
 * buffer_push() waits for room, buffer_pop() for an item. After buffer_close() a push
 * fails, and a pop fails once what is left has been taken. Signals are sent only if
 * somebody waits, since a signal nobody needs is a system call for nothing.
 */
#ifndef BUFFER_H
#define BUFFER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct buffer {
	pthread_mutex_t lock;
	pthread_cond_t not_empty;
	pthread_cond_t not_full;
	atomic_int waiting_to_pop;
	atomic_int waiting_to_push;
	bool is_closed;
	size_t head;
	size_t len;
	size_t capacity;
	void **items;
};

/* Returns 0, or -1 without memory. */
int buffer_init(struct buffer *buffer, size_t capacity);

/* Nobody may be in a call any more. */
void buffer_release(struct buffer *buffer);

/* Returns false if the buffer is closed; the item then still belongs to the caller. */
bool buffer_push(struct buffer *buffer, void *item);

/* Returns false if the buffer is closed and empty. */
bool buffer_pop(struct buffer *buffer, void **item);

void buffer_close(struct buffer *buffer);

#endif
