#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * The bug: between taking a task out of the queue and being counted as busy a worker
 * gives up the lock. A drain that looks in between sees an empty queue and nobody at work.
 * It is seldom seen, because whoever drains sleeps until a worker wakes it, and that
 * worker must be another one, at that very moment. -DFIXED: counted at once.
 */

struct task {
	struct task *next;
	pool_task *run;
	void *arg;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t has_task;
	pthread_cond_t is_idle;
	struct task *head;
	struct task **tail;
	size_t busy;
	bool is_stopping;
	size_t threads_len;
	pthread_t threads[];
};

static struct task *dequeue(struct pool *pool)
{
	struct task *task = pool->head;

	pool->head = task->next;
	if (pool->head == NULL)
		pool->tail = &pool->head;
	return task;
}

/* Returns the next task, the worker counted as busy; NULL when the pool stops. */
static struct task *take_task(struct pool *pool)
{
	struct task *task = NULL;

	pthread_mutex_lock(&pool->lock);
	while (pool->head == NULL && !pool->is_stopping)
		pthread_cond_wait(&pool->has_task, &pool->lock);
	if (pool->head != NULL)
		task = dequeue(pool);
#ifdef FIXED
	if (task != NULL)
		pool->busy++;
	pthread_mutex_unlock(&pool->lock);
#else
	pthread_mutex_unlock(&pool->lock);
	if (task != NULL) {
		pthread_mutex_lock(&pool->lock);
		pool->busy++;
		pthread_mutex_unlock(&pool->lock);
	}
#endif
	return task;
}

static void finish_task(struct pool *pool, struct task *task)
{
	free(task);
	pthread_mutex_lock(&pool->lock);
	pool->busy--;
	if (pool->busy == 0 && pool->head == NULL)
		pthread_cond_broadcast(&pool->is_idle);
	pthread_mutex_unlock(&pool->lock);
}

static void *work(void *arg)
{
	struct pool *pool = arg;
	struct task *task;

	while ((task = take_task(pool)) != NULL) {
		task->run(task->arg);
		finish_task(pool, task);
	}
	return NULL;
}

/* Stops and joins the first threads_len threads. */
static void stop_threads(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->is_stopping = true;
	pthread_cond_broadcast(&pool->has_task);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->threads_len; i++)
		pthread_join(pool->threads[i], NULL);
}

static void release(struct pool *pool)
{
	pthread_cond_destroy(&pool->is_idle);
	pthread_cond_destroy(&pool->has_task);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

struct pool *pool_new(size_t threads)
{
	struct pool *pool = calloc(1, sizeof(*pool) + threads * sizeof(pool->threads[0]));

	if (pool == NULL)
		return NULL;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->has_task, NULL);
	pthread_cond_init(&pool->is_idle, NULL);
	pool->tail = &pool->head;
	for (size_t i = 0; i < threads; i++) {
		if (pthread_create(&pool->threads[i], NULL, work, pool) != 0) {
			stop_threads(pool);
			release(pool);
			return NULL;
		}
		pool->threads_len++;
	}
	return pool;
}

int pool_submit(struct pool *pool, pool_task *run, void *arg)
{
	struct task *task = malloc(sizeof(*task));

	if (task == NULL)
		return -1;
	task->next = NULL;
	task->run = run;
	task->arg = arg;
	pthread_mutex_lock(&pool->lock);
	*pool->tail = task;
	pool->tail = &task->next;
	pthread_cond_signal(&pool->has_task);
	pthread_mutex_unlock(&pool->lock);
	return 0;
}

void pool_drain(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	while (pool->head != NULL || pool->busy > 0)
		pthread_cond_wait(&pool->is_idle, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

void pool_destroy(struct pool *pool)
{
	pool_drain(pool);
	stop_threads(pool);
	release(pool);
}
