/* api.c: the functions of omp.h about teams and settings. */
#include <stdlib.h>
#include <time.h>

#include "runtime/openmp/openmp.h"

#define ENTRY __attribute__((visibility("default"), weak))
#define OMP(ret, name, params) \
	ENTRY ret name params; \
	ret name params

enum { SCHEDULE_DYNAMIC = 2, PROCESSORS = 4 };

/* Settings of the program, in its own memory. */
static int threads_wanted, levels_wanted = 1, is_dynamic;

uint32_t omp_threads_wanted(void)
{
	const char *text = getenv("OMP_NUM_THREADS");
	long number = threads_wanted ? threads_wanted : text ? strtol(text, NULL, 10) : 0;

	return number > 0 ? (uint32_t)number : OMP_DEFAULT_THREADS;
}

bool omp_may_fork(const struct omp_thread *self)
{
	return self->team->active_level < (uint32_t)levels_wanted;
}

OMP(int, omp_get_thread_num, (void))
{
	return (int)omp_self()->number;
}

OMP(int, omp_get_num_threads, (void))
{
	return (int)omp_self()->team->len;
}

OMP(int, omp_get_max_threads, (void))
{
	return (int)omp_threads_wanted();
}

OMP(void, omp_set_num_threads, (int number))
{
	threads_wanted = number > 0 ? number : 1;
}

OMP(int, omp_get_num_procs, (void))
{
	return PROCESSORS;
}

OMP(int, omp_in_parallel, (void))
{
	return omp_self()->team->active_level > 0;
}

OMP(int, omp_get_level, (void))
{
	return (int)omp_self()->team->level;
}

OMP(int, omp_get_active_level, (void))
{
	return (int)omp_self()->team->active_level;
}

/* The same thread as a member of the team at that level, or NULL. */
static const struct omp_thread *member_at(int level)
{
	const struct omp_thread *self = omp_self();

	if (level < 0 || (uint32_t)level > self->team->level)
		return NULL;
	while (self && self->team->level > (uint32_t)level)
		self = self->outer;
	return self;
}

OMP(int, omp_get_ancestor_thread_num, (int level))
{
	const struct omp_thread *member = member_at(level);

	return member ? (int)member->number : level == 0 ? 0 : -1;
}

OMP(int, omp_get_team_size, (int level))
{
	const struct omp_thread *member = member_at(level);

	return member ? (int)member->team->len : level == 0 ? 1 : -1;
}

OMP(int, omp_get_thread_limit, (void))
{
	return OMP_MAX_THREADS;
}

OMP(void, omp_set_max_active_levels, (int levels))
{
	levels_wanted = levels < 0 ? levels_wanted : levels;
}

OMP(int, omp_get_max_active_levels, (void))
{
	return levels_wanted;
}

OMP(void, omp_set_nested, (int nested))
{
	levels_wanted = nested ? OMP_MAX_THREADS : 1;
}

OMP(int, omp_get_nested, (void))
{
	return levels_wanted > 1;
}

OMP(void, omp_set_dynamic, (int dynamic))
{
	is_dynamic = dynamic != 0;
}

OMP(int, omp_get_dynamic, (void))
{
	return is_dynamic;
}

OMP(int, omp_get_cancellation, (void))
{
	return 0;
}

OMP(int, omp_in_final, (void))
{
	return 0;
}

OMP(void, omp_set_schedule, (int kind, int chunk))
{
}

OMP(void, omp_get_schedule, (int *kind, int *chunk))
{
	*kind = SCHEDULE_DYNAMIC;
	*chunk = 1;
}

OMP(double, omp_get_wtime, (void))
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

OMP(double, omp_get_wtick, (void))
{
	return 1e-9;
}

OMP(int, omp_get_num_teams, (void))
{
	return 1;
}

OMP(int, omp_get_team_num, (void))
{
	return 0;
}

OMP(int, omp_is_initial_device, (void))
{
	return 1;
}

OMP(int, omp_get_num_devices, (void))
{
	return 0;
}
