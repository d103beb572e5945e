/* share.c: loops, sections, single and ordered: work that the threads of a team divide among
 * themselves. Every thread enters the same constructs in the same order, so the n-th one of a
 * thread is the n-th of the team. A piece of work is taken by one update of the construct's
 * counter. */
#include "runtime/atomic.h"
#include "runtime/openmp/openmp.h"

#define ENTRY __attribute__((visibility("default"), weak))

struct omp_share *omp_share_enter(struct omp_thread *self)
{
	self->share = &self->team->shares[self->shares++ % OMP_SHARES];
	return self->share;
}

/* The number of the next piece that nobody has. */
static uint64_t take_piece(struct omp_thread *self, uint64_t site)
{
	uint64_t construct = (self->shares - 1) / OMP_SHARES, seen, next;
	uint64_t *taken = &self->share->taken;
	struct rt_atomic op;

	rt_atomic_begin(&op, EVENT_RMW, taken, sizeof(*taken), __ATOMIC_SEQ_CST, site);
	seen = __atomic_load_n(taken, __ATOMIC_SEQ_CST);
	do {
		next = seen >> 32 == construct ? seen + 1 : construct << 32 | 1;
	} while (!__atomic_compare_exchange_n(taken, &seen, next, false, __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	rt_atomic_end(&op, seen, true);
	return (uint32_t)next - 1;
}

/* ---- loops ---- */

/* Where piece number `piece` begins and how long it is, in iterations; false if the piece does not exist. */
static bool find_piece(const struct omp_thread *self, uint64_t piece, uint64_t *from, uint64_t *len)
{
	const struct omp_loop *loop = &self->loop;
	uint64_t chunk = loop->chunk ? loop->chunk : 1, at = 0, size = 0;

	if (loop->schedule == OMP_STATIC && !loop->chunk) /* one piece for each thread */
		chunk = (loop->count + self->team->len - 1) / self->team->len;
	if (loop->schedule != OMP_GUIDED) {
		at = piece * chunk;
		size = chunk;
	}
	for (uint64_t i = 0; loop->schedule == OMP_GUIDED && i <= piece; i++) {
		at += size;
		if (at >= loop->count)
			return false;
		size = (loop->count - at) / self->team->len;
		size = size < chunk ? chunk : size;
	}
	if (!size || at >= loop->count)
		return false;
	*from = at;
	*len = loop->count - at < size ? loop->count - at : size;
	return true;
}

/* An ordered piece is over: the next one has its turn. */
static void end_ordered(struct omp_thread *self, uint64_t site)
{
	struct omp_loop *loop = &self->loop;

	if (!loop->ordered || !loop->has_piece)
		return;
	omp_await(&self->share->turn, loop->piece, site);
	omp_arrive(&self->share->turn, site);
	loop->has_piece = false;
}

static bool next_piece(uint64_t *first, uint64_t *end, uint64_t site)
{
	struct omp_thread *self = omp_self();
	struct omp_loop *loop = &self->loop;
	uint64_t from, len;

	end_ordered(self, site);
	if (loop->schedule == OMP_STATIC) {
		loop->piece = loop->next_piece;
		loop->next_piece += self->team->len;
	} else {
		loop->piece = take_piece(self, site);
	}
	loop->has_piece = find_piece(self, loop->piece, &from, &len);
	if (!loop->has_piece)
		return false;
	*first = loop->start + from * loop->step;
	*end = *first + len * loop->step;
	return true;
}

static struct omp_loop loop_of(uint64_t start, uint64_t end, uint64_t step, bool is_up,
			       uint64_t chunk, enum omp_schedule schedule, bool ordered)
{
	uint64_t way = is_up ? end - start : start - end, stride = is_up ? step : -step;
	bool is_empty = (int64_t)way <= 0;

	return (struct omp_loop){.start = start, .step = step, .chunk = chunk,
				 .schedule = schedule, .ordered = ordered,
				 .count = is_empty || !stride ? 0 : (way + stride - 1) / stride};
}

static bool start_loop(struct omp_loop loop, uint64_t *first, uint64_t *end, uint64_t site)
{
	struct omp_thread *self = omp_self();

	omp_share_enter(self);
	if (loop.ordered && self->shares > OMP_SHARES && rt_active())
		rt_lost("an ordered loop after %d other loops of one parallel region", OMP_SHARES);
	self->loop = loop;
	self->loop.next_piece = self->number;
	return next_piece(first, end, site);
}

/* The names of one schedule: for longs and for unsigned long longs. */
#define LOOP(name, schedule, ordered) \
	ENTRY bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, \
					    long *first, long *last); \
	bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long *first, \
				      long *last) \
	{ \
		return start_loop(loop_of((uint64_t)start, (uint64_t)end, (uint64_t)step, \
					  step > 0, (uint64_t)chunk, schedule, ordered), \
				  (uint64_t *)first, (uint64_t *)last, RT_SITE); \
	} \
	ENTRY bool GOMP_loop_##name##_next(long *first, long *last); \
	bool GOMP_loop_##name##_next(long *first, long *last) \
	{ \
		return next_piece((uint64_t *)first, (uint64_t *)last, RT_SITE); \
	} \
	ENTRY bool GOMP_loop_ull_##name##_start( \
		bool is_up, unsigned long long start, unsigned long long end, \
		unsigned long long step, unsigned long long chunk, unsigned long long *first, \
		unsigned long long *last); \
	bool GOMP_loop_ull_##name##_start( \
		bool is_up, unsigned long long start, unsigned long long end, \
		unsigned long long step, unsigned long long chunk, unsigned long long *first, \
		unsigned long long *last) \
	{ \
		return start_loop(loop_of(start, end, step, is_up, chunk, schedule, ordered), \
				  (uint64_t *)first, (uint64_t *)last, RT_SITE); \
	} \
	ENTRY bool GOMP_loop_ull_##name##_next(unsigned long long *first, \
					       unsigned long long *last); \
	bool GOMP_loop_ull_##name##_next(unsigned long long *first, unsigned long long *last) \
	{ \
		return next_piece((uint64_t *)first, (uint64_t *)last, RT_SITE); \
	}

/* Schedules that are decided at run time have no chunk; OMP_SCHEDULE is taken for dynamic. */
#define RUNTIME_LOOP(name, ordered) \
	ENTRY bool GOMP_loop_##name##_start(long start, long end, long step, long *first, \
					    long *last); \
	bool GOMP_loop_##name##_start(long start, long end, long step, long *first, long *last) \
	{ \
		return start_loop(loop_of((uint64_t)start, (uint64_t)end, (uint64_t)step, \
					  step > 0, 1, OMP_DYNAMIC, ordered), \
				  (uint64_t *)first, (uint64_t *)last, RT_SITE); \
	} \
	ENTRY bool GOMP_loop_##name##_next(long *first, long *last); \
	bool GOMP_loop_##name##_next(long *first, long *last) \
	{ \
		return next_piece((uint64_t *)first, (uint64_t *)last, RT_SITE); \
	}

LOOP(static, OMP_STATIC, false)
LOOP(dynamic, OMP_DYNAMIC, false)
LOOP(guided, OMP_GUIDED, false)
LOOP(nonmonotonic_dynamic, OMP_DYNAMIC, false)
LOOP(nonmonotonic_guided, OMP_GUIDED, false)
LOOP(ordered_static, OMP_STATIC, true)
LOOP(ordered_dynamic, OMP_DYNAMIC, true)
LOOP(ordered_guided, OMP_GUIDED, true)
RUNTIME_LOOP(runtime, false)
RUNTIME_LOOP(nonmonotonic_runtime, false)
RUNTIME_LOOP(maybe_nonmonotonic_runtime, false)
RUNTIME_LOOP(ordered_runtime, true)

#define PARALLEL_LOOP(name, schedule) \
	ENTRY void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, \
					     long start, long end, long step, long chunk, \
					     unsigned flags); \
	void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, \
				       long start, long end, long step, long chunk, \
				       unsigned flags) \
	{ \
		struct omp_loop loop = loop_of((uint64_t)start, (uint64_t)end, (uint64_t)step, \
					       step > 0, (uint64_t)chunk, schedule, false); \
\
		omp_run_region(body, data, threads, &loop); \
	}

PARALLEL_LOOP(static, OMP_STATIC)
PARALLEL_LOOP(dynamic, OMP_DYNAMIC)
PARALLEL_LOOP(guided, OMP_GUIDED)
PARALLEL_LOOP(nonmonotonic_dynamic, OMP_DYNAMIC)
PARALLEL_LOOP(nonmonotonic_guided, OMP_GUIDED)

#define PARALLEL_RUNTIME_LOOP(name) \
	ENTRY void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, \
					     long start, long end, long step, unsigned flags); \
	void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, \
				       long start, long end, long step, unsigned flags) \
	{ \
		struct omp_loop loop = loop_of((uint64_t)start, (uint64_t)end, (uint64_t)step, \
					       step > 0, 1, OMP_DYNAMIC, false); \
\
		omp_run_region(body, data, threads, &loop); \
	}

PARALLEL_RUNTIME_LOOP(runtime)
PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

ENTRY void GOMP_loop_end(void);
void GOMP_loop_end(void)
{
	end_ordered(omp_self(), RT_SITE);
	omp_barrier(omp_self(), RT_SITE);
}

ENTRY bool GOMP_loop_end_cancel(void);
bool GOMP_loop_end_cancel(void)
{
	omp_barrier(omp_self(), RT_SITE);
	return false;
}

ENTRY void GOMP_loop_end_nowait(void);
void GOMP_loop_end_nowait(void)
{
	end_ordered(omp_self(), RT_SITE);
}

/* The ordered part of a piece comes when all pieces before it are over. */
ENTRY void GOMP_ordered_start(void);
void GOMP_ordered_start(void)
{
	struct omp_thread *self = omp_self();

	if (self->loop.has_piece && self->team->len > 1)
		omp_await(&self->share->turn, self->loop.piece, RT_SITE);
}

ENTRY void GOMP_ordered_end(void);
void GOMP_ordered_end(void)
{
}

/* ---- sections and single ---- */

ENTRY unsigned GOMP_sections_next(void);
unsigned GOMP_sections_next(void)
{
	struct omp_thread *self = omp_self();
	uint64_t piece = take_piece(self, RT_SITE);

	return piece < self->loop.count ? (unsigned)piece + 1 : 0;
}

ENTRY unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_start(unsigned count)
{
	struct omp_thread *self = omp_self();
	uint64_t piece;

	omp_share_enter(self);
	self->loop = (struct omp_loop){.count = count};
	piece = take_piece(self, RT_SITE);
	return piece < count ? (unsigned)piece + 1 : 0;
}

ENTRY void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads,
				  unsigned count, unsigned flags);
void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads, unsigned count,
			    unsigned flags)
{
	struct omp_loop loop = {.count = count};

	omp_run_region(body, data, threads, &loop);
}

ENTRY void GOMP_sections_end(void);
void GOMP_sections_end(void)
{
	omp_barrier(omp_self(), RT_SITE);
}

ENTRY bool GOMP_sections_end_cancel(void);
bool GOMP_sections_end_cancel(void)
{
	omp_barrier(omp_self(), RT_SITE);
	return false;
}

ENTRY void GOMP_sections_end_nowait(void);
void GOMP_sections_end_nowait(void)
{
}

ENTRY bool GOMP_single_start(void);
bool GOMP_single_start(void)
{
	struct omp_thread *self = omp_self();

	omp_share_enter(self);
	return self->team->len == 1 || take_piece(self, RT_SITE) == 0;
}

ENTRY void *GOMP_single_copy_start(void);
void *GOMP_single_copy_start(void)
{
	struct omp_thread *self = omp_self();
	struct omp_share *share = omp_share_enter(self);

	if (self->team->len == 1 || take_piece(self, RT_SITE) == 0)
		return NULL;
	omp_barrier(self, RT_SITE);
	return share->copy;
}

ENTRY void GOMP_single_copy_end(void *data);
void GOMP_single_copy_end(void *data)
{
	struct omp_thread *self = omp_self();

	self->share->copy = data;
	omp_barrier(self, RT_SITE);
}
