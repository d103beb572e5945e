/* task.c: tasks of OpenMP. A task that is not run at once is put into a list of its team.
 * Threads that wait at a barrier, for their children or for a group take tasks from the list.
 * They always take the first one that is ready, so tasks begin in the order of their creation
 * (other orders are not explored). A task with dependences is ready when no earlier task of the
 * same parent that touches the same place is left. Everything here is under the lock of the
 * team. */
#include <stdlib.h>

#include "runtime/openmp/openmp.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

#define ENTRY __attribute__((visibility("default"), weak))

enum {
	FINAL = 1 << 1, DEPEND = 1 << 3, UP = 1 << 8, GRAINSIZE = 1 << 9, IF = 1 << 10,
	NOGROUP = 1 << 11, REDUCTION = 1 << 12, DETACH = 1 << 13,
};

struct omp_group {
	struct omp_group *outer;
	uint32_t tasks; /* unfinished */
};

struct omp_task {
	struct omp_task *next;       /* of all unfinished ones of the team, oldest first */
	struct omp_task *parent;     /* NULL: the region of some thread */
	uint32_t *siblings;          /* number of unfinished children of the parent */
	struct omp_group *group;
	void (*body)(void *);
	void *data;
	bool is_taken, is_done, is_final;
	uint32_t children;
	uint32_t places_len, outs_len; /* places that it depends on; the first are written */
	void **places;
};

bool omp_has_tasks(void)
{
	return !rt_active() || RT->channel->openmp_tasks;
}

/* Barriers are other steps in a program with tasks, so the runs before do not count. */
static void note_tasks(void)
{
	if (!rt_running() || RT->channel->openmp_tasks)
		return;
	RT->channel->openmp_tasks = 1;
	rt_relearn();
}

static uint32_t *children_of(struct omp_thread *self)
{
	return self->task ? &self->task->children : &self->children;
}

/* ---- which one next ---- */

static bool depends(const struct omp_task *a, const struct omp_task *b)
{
	for (uint32_t i = 0; i < a->places_len; i++)
		for (uint32_t j = 0; j < b->places_len; j++)
			if (a->places[i] == b->places[j] &&
			    (i < a->outs_len || j < b->outs_len))
				return true;
	return false;
}

static bool is_ready(const struct omp_team *team, const struct omp_task *task)
{
	if (task->is_taken)
		return false;
	for (const struct omp_task *other = team->first; other != task; other = other->next)
		if (other->siblings == task->siblings && depends(other, task))
			return false;
	return true;
}

/* The first that is ready, of all or of those that `siblings` or `group` counts. */
static struct omp_task *find_task(const struct omp_team *team, const uint32_t *siblings,
				  const struct omp_group *group)
{
	for (struct omp_task *task = team->first; task; task = task->next)
		if ((!siblings || task->siblings == siblings) && (!group || task->group == group) &&
		    is_ready(team, task))
			return task;
	return NULL;
}

/* ---- running ---- */

static void free_task(struct omp_task *task)
{
	free(task->places);
	free(task);
}

static void unlink_task(struct omp_team *team, struct omp_task *task)
{
	struct omp_task **at = &team->first;

	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	if (team->last == &task->next)
		team->last = at;
}

/* A task is kept as long as its children are there. */
static void finish_task(struct omp_team *team, struct omp_task *task)
{
	struct omp_task *parent = task->parent;

	unlink_task(team, task);
	team->tasks--;
	task->is_done = true;
	--*task->siblings;
	if (task->group)
		task->group->tasks--;
	if (!task->children)
		free_task(task);
	if (parent && parent->is_done && !parent->children)
		free_task(parent);
}

static void run_body(struct omp_thread *self, struct omp_task *task)
{
	struct omp_task *before = self->task;
	struct omp_group *group = self->group;

	self->task = task;
	self->group = task->group;
	task->body(task->data);
	self->task = before;
	self->group = group;
}

/* Called and returns with the lock. */
static void run_task(struct omp_thread *self, struct omp_task *task)
{
	struct omp_team *team = self->team;

	task->is_taken = true;
	pthread_mutex_unlock(&team->lock);
	run_body(self, task);
	pthread_mutex_lock(&team->lock);
	finish_task(team, task);
	pthread_cond_broadcast(&team->changed);
}

/* Runs tasks until the counter is 0. */
static void wait_for(struct omp_thread *self, const uint32_t *counter, const uint32_t *siblings,
		     const struct omp_group *group)
{
	struct omp_team *team = self->team;

	pthread_mutex_lock(&team->lock);
	while (*counter) {
		struct omp_task *task = find_task(team, siblings, group);

		if (task)
			run_task(self, task);
		else
			pthread_cond_wait(&team->changed, &team->lock);
	}
	pthread_mutex_unlock(&team->lock);
}

void omp_task_barrier(struct omp_thread *self)
{
	struct omp_team *team = self->team;
	uint32_t generation;

	if (team->len == 1 && !team->tasks)
		return;
	pthread_mutex_lock(&team->lock);
	generation = team->generation;
	team->waiting++;
	while (generation == team->generation) {
		struct omp_task *task = find_task(team, NULL, NULL);

		if (task) {
			run_task(self, task);
		} else if (team->waiting == team->len && !team->tasks) {
			team->waiting = 0;
			team->generation++;
			pthread_cond_broadcast(&team->changed);
		} else {
			pthread_cond_wait(&team->changed, &team->lock);
		}
	}
	pthread_mutex_unlock(&team->lock);
}

/* ---- making them ---- */

static void read_places(struct omp_task *task, void **depend)
{
	uintptr_t len = (uintptr_t)depend[0], outs = (uintptr_t)depend[1];
	void **from = depend + 2;

	if (!len) { /* the newer form: outputs, then those that exclude each other, then inputs */
		len = (uintptr_t)depend[1];
		outs = (uintptr_t)depend[2] + (uintptr_t)depend[3];
		from = depend + 5;
	}
	task->places = malloc(len * sizeof(*task->places));
	if (!task->places)
		abort();
	rt_memcpy(task->places, from, len * sizeof(*task->places));
	task->places_len = (uint32_t)len;
	task->outs_len = (uint32_t)outs;
}

/* The task with a copy of its data, which lies behind it. */
static struct omp_task *new_task(void (*body)(void *), void *data, void (*copy)(void *, void *),
				 long size, long align)
{
	struct omp_task *task = calloc(1, sizeof(*task) + (size_t)(size + align));
	uintptr_t at = (uintptr_t)(task + 1);

	if (!task)
		abort();
	at = (at + (uintptr_t)align - 1) & ~((uintptr_t)align - 1);
	task->body = body;
	task->data = (void *)at;
	if (copy)
		copy(task->data, data);
	else
		rt_memcpy(task->data, data, (size_t)size);
	return task;
}

static void add_task(struct omp_thread *self, struct omp_task *task)
{
	struct omp_team *team = self->team;

	task->parent = self->task;
	task->siblings = children_of(self);
	task->group = self->group;
	pthread_mutex_lock(&team->lock);
	*team->last = task;
	team->last = &task->next;
	team->tasks++;
	++*task->siblings;
	if (task->group)
		task->group->tasks++;
	pthread_cond_broadcast(&team->changed);
	pthread_mutex_unlock(&team->lock);
}

/* Is there no other thread that could run it, or must the creator do so at once? */
static bool is_undeferred(const struct omp_thread *self, bool if_clause, unsigned flags)
{
	return !if_clause || flags & FINAL || (self->task && self->task->is_final) ||
	       self->team->level == 0;
}

static void run_at_once(struct omp_thread *self, struct omp_task *task)
{
	task->group = self->group;
	task->parent = self->task;
	run_body(self, task);
	if (task->children)
		wait_for(self, &task->children, &task->children, NULL);
	free_task(task);
}

ENTRY void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
		     long align, bool if_clause, unsigned flags, void **depend, int priority,
		     void *detach);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
	       long align, bool if_clause, unsigned flags, void **depend, int priority,
	       void *detach)
{
	struct omp_thread *self = omp_self();
	struct omp_task *task;

	if (flags & DETACH && rt_active())
		rt_lost("an OpenMP task with the clause detach");
	note_tasks();
	task = new_task(body, data, copy, size, align);
	task->is_final = flags & FINAL;
	if (!is_undeferred(self, if_clause, flags)) {
		if (flags & DEPEND)
			read_places(task, depend);
		add_task(self, task);
		return;
	}
	if (flags & DEPEND && *children_of(self)) /* what it depends on is among the children */
		wait_for(self, children_of(self), children_of(self), NULL);
	run_at_once(self, task);
}

ENTRY void GOMP_taskwait(void);
void GOMP_taskwait(void)
{
	struct omp_thread *self = omp_self();

	if (omp_has_tasks() && self->team->level)
		wait_for(self, children_of(self), children_of(self), NULL);
}

ENTRY void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend(void **depend)
{
	GOMP_taskwait();
}

ENTRY void GOMP_taskyield(void);
void GOMP_taskyield(void)
{
}

ENTRY void GOMP_taskgroup_start(void);
void GOMP_taskgroup_start(void)
{
	struct omp_thread *self = omp_self();
	struct omp_group *group = calloc(1, sizeof(*group));

	if (!group)
		abort();
	group->outer = self->group;
	self->group = group;
}

ENTRY void GOMP_taskgroup_end(void);
void GOMP_taskgroup_end(void)
{
	struct omp_thread *self = omp_self();
	struct omp_group *group = self->group;

	if (omp_has_tasks() && self->team->level)
		wait_for(self, &group->tasks, NULL, group);
	self->group = group->outer;
	free(group);
}

/* ---- loops of tasks ---- */

static unsigned long count_tasks(const struct omp_thread *self, unsigned long iterations,
				 unsigned long wanted, unsigned flags)
{
	unsigned long tasks = wanted ? wanted : self->team->len;

	if (flags & GRAINSIZE)
		tasks = iterations / (wanted ? wanted : 1);
	if (tasks > iterations)
		tasks = iterations;
	return tasks ? tasks : 1;
}

ENTRY void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
			 long align, unsigned flags, unsigned long wanted, int priority, long start,
			 long end, long step);
void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
		   long align, unsigned flags, unsigned long wanted, int priority, long start,
		   long end, long step)
{
	struct omp_thread *self = omp_self();
	long left = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
	unsigned long tasks;

	if (flags & REDUCTION && rt_active())
		rt_lost("an OpenMP taskloop with a reduction");
	note_tasks();
	if (left <= 0)
		return;
	if (!(flags & NOGROUP))
		GOMP_taskgroup_start();
	for (tasks = count_tasks(self, (unsigned long)left, wanted, flags); tasks; tasks--) {
		struct omp_task *task = new_task(body, data, copy, size, align);
		long len = (left + (long)tasks - 1) / (long)tasks;

		((long *)task->data)[0] = start;
		((long *)task->data)[1] = start + len * step;
		start += len * step;
		left -= len;
		if (is_undeferred(self, flags & IF, flags))
			run_at_once(self, task);
		else
			add_task(self, task);
	}
	if (!(flags & NOGROUP))
		GOMP_taskgroup_end();
}
