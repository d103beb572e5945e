/*
 * A thread manager of the shape of Thrift's concurrency library: monitors over a mutex and a
 * condition, tasks in a bounded queue, workers that are added and removed while the manager runs,
 * and its stress test with N workers and 5 tasks each. Two locks: the manager's guards the queue
 * and the counts, the crew's is there to wait until as many workers live as should.
 *
 * A worker that retires takes the crew's lock while it holds the manager's; the owner who removes
 * workers holds the crew's and looks at the counts under the manager's (deadlock). -DFIXED: the
 * worker gives up the manager's lock first.
 */
#include "threads.h"

#define TASKS_PER_WORKER 5

/* ---- monitors ---- */

struct monitor {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
};

#define MONITOR { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }

static void monitor_enter(struct monitor *m)
{
	pthread_mutex_lock(&m->mutex);
}

static void monitor_leave(struct monitor *m)
{
	pthread_mutex_unlock(&m->mutex);
}

static void monitor_wait(struct monitor *m)
{
	pthread_cond_wait(&m->condition, &m->mutex);
}

static void monitor_notify(struct monitor *m)
{
	pthread_cond_signal(&m->condition);
}

static void monitor_notify_all(struct monitor *m)
{
	pthread_cond_broadcast(&m->condition);
}

/* ---- tasks ---- */

enum task_state { TASK_WAITING, TASK_EXECUTING, TASK_COMPLETE };

struct task {
	void (*run)(void *arg);
	void *arg;
	enum task_state state;
	struct task *next;
};

struct queue {
	struct task *head, **tail;
	int len, max;
};

static void queue_push(struct queue *q, struct task *task)
{
	task->next = NULL;
	*q->tail = task;
	q->tail = &task->next;
	q->len++;
}

static struct task *queue_pop(struct queue *q)
{
	struct task *task = q->head;

	q->head = task->next;
	if (!q->head)
		q->tail = &q->head;
	q->len--;
	return task;
}

/* ---- the manager ---- */

enum manager_state { MANAGER_STARTED, MANAGER_JOINING, MANAGER_STOPPED };

struct manager {
	struct monitor monitor; /* guards all below but threads */
	struct monitor room;    /* its mutex is not used: the room of the queue is the monitor's */
	struct monitor crew;
	struct queue queue;
	enum manager_state state;
	int workers, workers_max, idle;
	int completed;
	struct threads threads;
};

static struct manager manager = {
	.monitor = MONITOR,
	.room = MONITOR,
	.crew = MONITOR,
	.queue = { .tail = &manager.queue.head },
};

/* Is this worker one of those that should live? Called in the monitor. */
static int is_needed(const struct manager *m)
{
	return m->workers <= m->workers_max || (m->state == MANAGER_JOINING && m->queue.len > 0);
}

/* The next task, or NULL when the worker is to retire. Called in the monitor. */
static struct task *take_task(struct manager *m)
{
	struct task *task;

	while (is_needed(m) && m->queue.len == 0) {
		m->idle++;
		monitor_wait(&m->monitor);
		m->idle--;
	}
	if (!is_needed(m))
		return NULL;
	task = queue_pop(&m->queue);
	task->state = TASK_EXECUTING;
	if (m->queue.len == m->queue.max - 1)
		pthread_cond_signal(&m->room.condition);
	return task;
}

static void complete(struct manager *m, struct task *task)
{
	task->state = TASK_COMPLETE;
	m->completed++;
}

static void tell_crew(struct manager *m)
{
	monitor_enter(&m->crew);
	monitor_notify(&m->crew);
	monitor_leave(&m->crew);
}

/* Called in the monitor, which it leaves. */
static void retire(struct manager *m)
{
	m->workers--;
#ifdef FIXED
	monitor_leave(&m->monitor);
	tell_crew(m);
#else
	tell_crew(m);
	monitor_leave(&m->monitor);
#endif
}

static void *work(void *arg)
{
	struct manager *m = &manager;
	struct task *task;

	(void)arg;
	monitor_enter(&m->monitor);
	while ((task = take_task(m))) {
		monitor_leave(&m->monitor);
		task->run(task->arg);
		monitor_enter(&m->monitor);
		complete(m, task);
	}
	retire(m);
	do_chores();
	return NULL;
}

static void add_workers(struct manager *m, int count)
{
	monitor_enter(&m->monitor);
	m->workers_max += count;
	m->workers += count;
	monitor_leave(&m->monitor);
	threads_start_many(&m->threads, work, count);
}

static int count_surplus(struct manager *m)
{
	int surplus;

	monitor_enter(&m->monitor);
	surplus = m->workers - m->workers_max;
	monitor_leave(&m->monitor);
	return surplus;
}

/* Returns when the workers that are too many have retired. */
static void remove_workers(struct manager *m, int count)
{
	monitor_enter(&m->monitor);
	m->workers_max -= count;
	monitor_notify_all(&m->monitor);
	monitor_leave(&m->monitor);
	monitor_enter(&m->crew);
	while (count_surplus(m) > 0)
		monitor_wait(&m->crew);
	monitor_leave(&m->crew);
}

/* Waits while the queue is full. */
static void add_task(struct manager *m, struct task *task)
{
	monitor_enter(&m->monitor);
	assert(m->state == MANAGER_STARTED);
	while (m->queue.len == m->queue.max)
		pthread_cond_wait(&m->room.condition, &m->monitor.mutex);
	queue_push(&m->queue, task);
	if (m->idle > 0)
		monitor_notify(&m->monitor);
	monitor_leave(&m->monitor);
}

/* Lets the workers finish the queue, then retire. */
static void stop(struct manager *m)
{
	int workers;

	monitor_enter(&m->monitor);
	m->state = MANAGER_JOINING;
	workers = m->workers_max;
	monitor_leave(&m->monitor);
	remove_workers(m, workers);
	threads_join(&m->threads);
	m->state = MANAGER_STOPPED;
}

/* ---- the stress test ---- */

struct count {
	struct monitor monitor;
	int left;
};

static struct count pending = { .monitor = MONITOR };

static void count_down(void *arg)
{
	struct count *c = arg;

	monitor_enter(&c->monitor);
	if (--c->left == 0)
		monitor_notify(&c->monitor);
	monitor_leave(&c->monitor);
}

static void count_wait(struct count *c)
{
	monitor_enter(&c->monitor);
	while (c->left > 0)
		monitor_wait(&c->monitor);
	monitor_leave(&c->monitor);
}

int main(int argc, char **argv)
{
	static struct task tasks[MAX_THREADS * TASKS_PER_WORKER];
	int workers = arg_number(argc, argv, 1, 2);
	int tasks_len = workers * arg_number(argc, argv, 2, TASKS_PER_WORKER);

	manager.queue.max = tasks_len / 2 + 1;
	pending.left = tasks_len;
	add_workers(&manager, workers);
	for (int i = 0; i < tasks_len; i++) {
		tasks[i] = (struct task){ .run = count_down, .arg = &pending };
		add_task(&manager, &tasks[i]);
	}
	count_wait(&pending);
	stop(&manager);
	assert(manager.completed == tasks_len && manager.workers == 0);
	return 0;
}
