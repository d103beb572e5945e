/* openmp.h: OpenMP as gcc compiles it, on the threads of this runtime.
 *
 * The threads of libgomp wait for each other by system calls and instructions that are not steps,
 * so a program that uses them is beyond control. This folder takes the place of the library: gcc's
 * entry points (GOMP_…) and the functions of omp.h. It is written like a program: it uses
 * pthread_create, pthread_mutex_lock, malloc and their kin, whose steps are those of the rest of
 * this runtime, and its state is in memory of the program, which goes back with it. So it also
 * works outside fermata.
 *
 *   team.c    parallel regions and barriers: each region creates its threads and joins them
 *   share.c   the work that the threads of a team share: loops, sections, single, ordered
 *   task.c    tasks, taken up in the order of their creation by any thread that waits
 *   lock.c    critical sections and the locks of omp.h
 *   api.c     the rest of omp.h
 *
 * A team has as many threads as num_threads, omp_set_num_threads or OMP_NUM_THREADS say, otherwise
 * two. A region inside a region has one thread, as in libgomp.
 *
 * Two kinds of steps are its own. An *arrival* adds to a counter without looking at the result, so
 * two arrivals commute. A thread that *awaits* a counter is enabled when the counter has a certain
 * value.
 */
#ifndef RUNTIME_OPENMP_OPENMP_H
#define RUNTIME_OPENMP_OPENMP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { OMP_ROUNDS = 8, OMP_SHARES = 256, OMP_DEFAULT_THREADS = 2, OMP_MAX_THREADS = 256 };

/* Work that is handed out. The counter has the number of the construct, which makes an old value
 * 0, in its upper half. */
struct omp_share {
	uint64_t taken;   /* pieces */
	uint64_t turn;    /* of the ordered loop: the piece whose turn it is */
	void *copy;       /* of single with copyprivate */
};

/* A loop as one thread sees it; numbers as unsigned, the arithmetic is the same. */
struct omp_loop {
	uint64_t start, step, count; /* of iterations */
	uint64_t chunk;
	uint32_t schedule;           /* enum omp_schedule */
	bool ordered;
	uint64_t piece, next_piece;  /* taken last; of a static loop the next one */
	bool has_piece;
};

enum omp_schedule { OMP_STATIC, OMP_DYNAMIC, OMP_GUIDED };

struct omp_task;

struct omp_thread {
	struct omp_team *team;
	struct omp_thread *outer;    /* what the same thread was before this region */
	uint32_t number;
	uint32_t round;              /* barriers passed */
	uint32_t shares;             /* constructs entered */
	struct omp_share *share;
	struct omp_loop loop;
	struct omp_task *task;       /* that it runs; NULL: the region itself */
	struct omp_group *group;     /* innermost taskgroup */
	uint32_t children;           /* unfinished tasks of the region itself */
	pthread_t id;
};

struct omp_team {
	uint32_t len;
	uint32_t level, active_level;
	void (*body)(void *);
	void *data;
	uint64_t arrived[OMP_ROUNDS];
	struct omp_share shares[OMP_SHARES];
	/* Tasks, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct omp_task *first, **last;
	uint32_t tasks;              /* unfinished */
	uint32_t waiting;            /* threads at a barrier */
	uint32_t generation;         /* of barriers */
	struct omp_thread threads[];
};

/* The current thread as a member of its team; a team of one outside of parallel regions. */
struct omp_thread *omp_self(void);

uint32_t omp_threads_wanted(void); /* of the next region */
bool omp_may_fork(const struct omp_thread *self);

void omp_barrier(struct omp_thread *self, uint64_t site);

/* Steps (team.c). `passes` says whether the awaited condition holds; it must only read. */
void omp_arrive(uint64_t *counter, uint64_t site);
void omp_await(uint64_t *counter, uint64_t value, uint64_t site);

/* The next construct that shares work (share.c), and the region's first loop. */
struct omp_share *omp_share_enter(struct omp_thread *self);
void omp_run_region(void (*body)(void *), void *data, unsigned threads,
		    const struct omp_loop *loop);

/* Runs tasks until all threads have come and no task is left (task.c). */
void omp_task_barrier(struct omp_thread *self);
/* Are there tasks in this program? Without them a barrier is two steps. */
bool omp_has_tasks(void);

#endif
