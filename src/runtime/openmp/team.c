#include "runtime/openmp/openmp.h"

#include <sched.h>
#include <stdlib.h>

#include "runtime/atomic.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

#define ENTRY __attribute__((visibility("default"), weak))

/* Each thread's own, in the memory of the program. */
static __thread struct omp_thread *current;
static __thread struct {
	struct omp_thread thread;
	struct omp_team team;
} alone;

struct omp_thread *omp_self(void)
{
	if (current)
		return current;
	if (!alone.thread.team) {
		alone.team.len = 1;
		alone.team.last = &alone.team.first;
		alone.thread.team = &alone.team;
	}
	return &alone.thread;
}

/* ---- steps ---- */

void omp_arrive(uint64_t *counter, uint64_t site)
{
	struct event event = rt_event(EVENT_RMW, site);

	if (rt_running()) {
		event.memory_order = MEMORY_ORDER_ACQ_REL;
		event.flags = EVENT_DISCARDED;
		rt_mem_access(&event, counter, sizeof(*counter), ACCESS_ADD);
		rt_step(&event, NULL, NULL);
	}
	__atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
}

struct awaited {
	const uint64_t *counter;
	uint64_t value;
};

static bool has_come(struct rt_actor *actor, void *thing)
{
	const struct awaited *awaited = thing;

	return *awaited->counter >= awaited->value;
}

void omp_await(uint64_t *counter, uint64_t value, uint64_t site)
{
	struct event event = rt_event(EVENT_LOAD, site);
	struct awaited awaited = {counter, value};

	if (!rt_running()) {
		while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < value)
			sched_yield();
		return;
	}
	event.memory_order = MEMORY_ORDER_ACQUIRE;
	rt_mem_access(&event, counter, sizeof(*counter), ACCESS_AWAIT);
	rt_self()->turn.in_call = true; /* it waits: it is not a look of a loop that goes round */
	rt_step(&event, has_come, &awaited);
	rt_self()->turn.in_call = false;
}

/* A round is over when all have arrived; rounds take turns, so that a thread that arrives for the
 * next one does not depend on a thread that still leaves this one. */
void omp_barrier(struct omp_thread *self, uint64_t site)
{
	struct omp_team *team = self->team;
	uint32_t round = self->round++;
	uint64_t *arrived = &team->arrived[round % OMP_ROUNDS];

	if (omp_has_tasks()) {
		omp_task_barrier(self);
		return;
	}
	if (team->len == 1)
		return;
	omp_arrive(arrived, site);
	omp_await(arrived, (uint64_t)team->len * (round / OMP_ROUNDS + 1), site);
}

/* ---- regions ---- */

static void run_member(struct omp_thread *self)
{
	self->outer = current;
	current = self;
	self->team->body(self->team->data);
	if (omp_has_tasks())
		omp_task_barrier(self);
	current = self->outer;
}

static void *begin_member(void *self)
{
	run_member(self);
	return NULL;
}

static struct omp_team *new_team(uint32_t len, const struct omp_thread *outer)
{
	size_t size = sizeof(struct omp_team) + len * sizeof(struct omp_thread);
	struct omp_team *team = calloc(1, size);

	if (!team)
		abort();
	team->len = len;
	team->level = outer->team->level + 1;
	team->active_level = outer->team->active_level + (len > 1);
	team->last = &team->first;
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->changed, NULL);
	return team;
}

static uint32_t team_size(const struct omp_thread *self, unsigned wanted)
{
	uint32_t len = wanted ? wanted : omp_threads_wanted();

	if (!omp_may_fork(self))
		return 1;
	return len > OMP_MAX_THREADS ? OMP_MAX_THREADS : len;
}

void omp_run_region(void (*body)(void *), void *data, unsigned threads, const struct omp_loop *loop)
{
	struct omp_thread *self = omp_self();
	struct omp_team *team = new_team(team_size(self, threads), self);

	team->body = body;
	team->data = data;
	for (uint32_t i = 0; i < team->len; i++) {
		struct omp_thread *member = &team->threads[i];

		member->team = team;
		member->number = i;
		if (loop) {
			member->share = omp_share_enter(member);
			member->loop = *loop;
			member->loop.next_piece = i;
		}
		if (i && pthread_create(&member->id, NULL, begin_member, member) != 0)
			abort();
	}
	run_member(&team->threads[0]);
	for (uint32_t i = 1; i < team->len; i++)
		pthread_join(team->threads[i].id, NULL);
	free(team);
}

ENTRY void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
	omp_run_region(body, data, threads, NULL);
}

ENTRY void GOMP_barrier(void);
void GOMP_barrier(void)
{
	omp_barrier(omp_self(), RT_SITE);
}

/* Nothing is ever cancelled: OMP_CANCELLATION is false unless it is asked for. */
ENTRY bool GOMP_barrier_cancel(void);
bool GOMP_barrier_cancel(void)
{
	omp_barrier(omp_self(), RT_SITE);
	return false;
}

ENTRY bool GOMP_cancel(int which, bool do_cancel);
bool GOMP_cancel(int which, bool do_cancel)
{
	return false;
}

ENTRY bool GOMP_cancellation_point(int which);
bool GOMP_cancellation_point(int which)
{
	return false;
}
