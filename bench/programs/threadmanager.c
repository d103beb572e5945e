/*
 * A thread manager with N workers and 5 tasks each, after the kind of deadlock known from
 * pool libraries: a worker that finishes its last task takes the manager's lock while it
 * holds the monitor of its queue; the manager, asked to add a task to a full queue, takes
 * them in the other order. -DFIXED: the worker gives up the monitor first.
 */
#include "threads.h"

#define TASKS_PER_WORKER 5
#define QUEUE_MAX 2

struct manager {
	pthread_mutex_t lock;		/* guards workers, done */
	pthread_mutex_t monitor;	/* guards queued, left */
	pthread_cond_t not_empty;
	pthread_cond_t not_full;
	int queued;
	int left;			/* tasks not yet queued */
	int workers;
	int done;
};

static struct manager manager = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.monitor = PTHREAD_MUTEX_INITIALIZER,
	.not_empty = PTHREAD_COND_INITIALIZER,
	.not_full = PTHREAD_COND_INITIALIZER,
};

/* Takes one task out; returns 0 when there will be no more. Called with the monitor held. */
static int take_task(struct manager *m)
{
	while (m->queued == 0 && m->left > 0)
		pthread_cond_wait(&m->not_empty, &m->monitor);
	if (m->queued == 0)
		return 0;
	m->queued--;
	pthread_cond_signal(&m->not_full);
	return 1;
}

static void retire(struct manager *m, int tasks)
{
	pthread_mutex_lock(&m->lock);
	m->workers--;
	m->done += tasks;
	pthread_mutex_unlock(&m->lock);
}

static void *work(void *arg)
{
	struct manager *m = &manager;
	int tasks = 0;

	(void)arg;
	for (;;) {
		pthread_mutex_lock(&m->monitor);
		if (!take_task(m))
			break;
		pthread_mutex_unlock(&m->monitor);
		tasks++;
	}
#ifdef FIXED
	pthread_mutex_unlock(&m->monitor);
	retire(m, tasks);
#else
	retire(m, tasks);
	pthread_mutex_unlock(&m->monitor);
#endif
	do_chores();
	return NULL;
}

static void add_task(struct manager *m)
{
	pthread_mutex_lock(&m->lock);
	assert(m->workers > 0);
	pthread_mutex_lock(&m->monitor);
	pthread_mutex_unlock(&m->lock);
	while (m->queued == QUEUE_MAX)
		pthread_cond_wait(&m->not_full, &m->monitor);
	m->queued++;
	m->left--;
	if (m->left > 0)
		pthread_cond_signal(&m->not_empty);
	else
		pthread_cond_broadcast(&m->not_empty);
	pthread_mutex_unlock(&m->monitor);
}

/* How many are still at work; asked by the owner while tasks drain. */
static int count_busy(struct manager *m)
{
	int busy;

	pthread_mutex_lock(&m->lock);
	pthread_mutex_lock(&m->monitor);
	busy = m->workers > 0 || m->queued > 0;
	pthread_mutex_unlock(&m->monitor);
	pthread_mutex_unlock(&m->lock);
	return busy;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int workers = arg_number(argc, argv, 1, 2);
	int tasks = workers * arg_number(argc, argv, 2, TASKS_PER_WORKER);

	manager.workers = workers;
	manager.left = tasks;
	threads_start_many(&threads, work, workers);
	for (int n = 0; n < tasks; n++)
		add_task(&manager);
	(void)count_busy(&manager);
	threads_join(&threads);
	assert(manager.done == tasks);
	return 0;
}
