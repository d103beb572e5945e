/* Objects that a running thread initialises for itself, or before it hands them over, or again after
 * all others have left: initialising them is not a step, so there are no more executions than with
 * static initialisers (-DSTATIC). Beside the last object lies a variable of another thread. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int done;
};

static struct {
	int neighbour;
	pthread_spinlock_t spin;
} pair;

static void *work(void *arg)
{
	struct task *task = arg;

	pthread_mutex_lock(&task->mutex);
	task->done++;
	pthread_cond_signal(&task->cond);
	pthread_mutex_unlock(&task->mutex);
	pthread_spin_lock(&pair.spin);
	pthread_spin_unlock(&pair.spin);
	return NULL;
}

static struct task *make_task(void)
{
	static const struct task fresh = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
	struct task *task = malloc(sizeof(*task));

#ifdef STATIC
	*task = fresh;
#else
	pthread_mutex_init(&task->mutex, NULL);
	pthread_cond_init(&task->cond, NULL);
	task->done = fresh.done;
#endif
	return task;
}

static void *middle(void *arg)
{
	for (int i = 0; i < 2; i++) {
		struct task *task = make_task();
		pthread_t thread;

#ifndef STATIC
		pthread_spin_init(&pair.spin, PTHREAD_PROCESS_PRIVATE);
#endif
		pthread_create(&thread, NULL, work, task);
		pthread_mutex_lock(&task->mutex);
		while (!task->done)
			pthread_cond_wait(&task->cond, &task->mutex);
		pthread_mutex_unlock(&task->mutex);
		pthread_join(thread, NULL);
		free(task);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_spin_init(&pair.spin, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&thread, NULL, middle, NULL);
	pair.neighbour = 1;
	pthread_join(thread, NULL);
	return 0;
}
