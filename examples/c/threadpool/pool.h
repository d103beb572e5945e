/*
 * A pool of threads that run tasks from one queue.
 *
 * pool_submit() hands over a task and returns at once; pool_drain() returns when every
 * task submitted before has been run to its end; pool_destroy() drains, stops the threads
 * and joins them. Tasks must not submit to the pool they run in once it is being drained.
 */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

struct pool;

typedef void pool_task(void *arg);

/* Returns a new pool with that many threads, NULL if that could not be done. */
struct pool *pool_new(size_t threads);

/* Returns 0, or -1 if the queue has no room and no memory for more. */
int pool_submit(struct pool *pool, pool_task *run, void *arg);

void pool_drain(struct pool *pool);
void pool_destroy(struct pool *pool);

#endif
