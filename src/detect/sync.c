#include "detect/sync.h"

#include <string.h>
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <immintrin.h>
#include <sys/platform/x86.h>
#define CAN_ASK_FOR_AVX2
#endif

#include "core/object.h"
#include "core/vclock.h"

enum { CLOCK, FENCE_RELEASE, FENCE_ACQUIRE, CLOCKS_PER_ACTOR };
enum { WIDE = 32 }; /* actors; with fewer a plain loop is as fast */
enum { BY_WRITERS, BY_READERS, CLOCKS_PER_OBJECT };

static uint32_t *actor_clock(struct sync *s, uint32_t actor, int which)
{
	return s->clocks.items + ((size_t)actor * CLOCKS_PER_ACTOR + (size_t)which) * s->width;
}

static uint32_t *object_clock(struct sync *s, uint64_t object, int which)
{
	bool is_new;
	uint64_t *index = map_put(&s->object_index, object, &is_new);
	size_t bytes = (size_t)CLOCKS_PER_OBJECT * s->width;

	if (is_new) {
		*index = s->objects.len;
		vec_reserve(&s->objects, s->objects.len + bytes);
		memset(s->objects.items + s->objects.len, 0, bytes * sizeof(uint32_t));
		s->objects.len += bytes;
	}
	return s->objects.items + *index + (size_t)which * s->width;
}

/* ---- changes, which can be taken back ---- */

/* In `undo`: the clock is one of `objects`, not of `clocks`. */
#define OF_OBJECT 0x80000000u

/* The place of a clock: its index among the clocks of actors, or of objects. */
static uint32_t place_of(const struct sync *s, const uint32_t *clock)
{
	bool is_object = clock >= s->objects.items && clock < s->objects.items + s->objects.len;

	return is_object ? (uint32_t)(clock - s->objects.items) | OF_OBJECT
			 : (uint32_t)(clock - s->clocks.items);
}

/* To be called before the clock changes for the first time in an event. */
static uint32_t *keep(struct sync *s, uint32_t *clock)
{
	if (s->is_final)
		return clock;
	vec_append(&s->undo, clock, s->width);
	*vec_push(&s->undo) = place_of(s, clock);
	return clock;
}

void sync_back(struct sync *s, size_t events)
{
	size_t len;

	if (events >= s->steps.len)
		return;
	len = s->steps.items[events];
	while (s->undo.len > len) {
		uint32_t place = vec_pop(&s->undo);
		uint32_t *clock = place & OF_OBJECT ? s->objects.items + (place & ~OF_OBJECT)
						    : s->clocks.items + place;

		s->undo.len -= s->width;
		memcpy(clock, s->undo.items + s->undo.len, s->width * sizeof(*clock));
	}
	s->steps.len = events;
}

#ifdef CAN_ASK_FOR_AVX2
/* With hundreds of actors most of the time goes here. */
__attribute__((target("avx2"))) static void join_wide(uint32_t *into, const uint32_t *from,
						      uint32_t width)
{
	uint32_t a = 0;

	for (; a + 8 <= width; a += 8) {
		__m256i x = _mm256_loadu_si256((const __m256i *)(into + a));
		__m256i y = _mm256_loadu_si256((const __m256i *)(from + a));

		_mm256_storeu_si256((__m256i *)(into + a), _mm256_max_epu32(x, y));
	}
	vclock_join(into + a, from + a, width - a);
}

/* The C library knows. The compiler's builtin asks the processor at each start of the tool, which takes
 * long in a virtual machine. */
static bool can_join_wide(void)
{
	return CPU_FEATURE_ACTIVE(AVX2);
}
#else
static void join_wide(uint32_t *into, const uint32_t *from, uint32_t width)
{
	vclock_join(into, from, width);
}

static bool can_join_wide(void)
{
	return false;
}
#endif

static void join(const struct sync *s, uint32_t *into, const uint32_t *from)
{
	if (s->is_wide)
		join_wide(into, from, s->width);
	else
		vclock_join(into, from, s->width);
}

static void copy(const struct sync *s, uint32_t *into, const uint32_t *from)
{
	vclock_copy(into, from, s->width);
}

/* ---- the rules ---- */

static bool acquires(uint32_t order)
{
	return order == MEMORY_ORDER_ACQUIRE || order == MEMORY_ORDER_ACQ_REL || order == MEMORY_ORDER_SEQ_CST;
}

static bool releases(uint32_t order)
{
	return order == MEMORY_ORDER_RELEASE || order == MEMORY_ORDER_ACQ_REL || order == MEMORY_ORDER_SEQ_CST;
}

/* A load, or the load in an update. */
static void load(struct sync *s, const struct event *e, const uint32_t *released)
{
	if (acquires(e->memory_order))
		join(s, actor_clock(s, e->actor, CLOCK), released);
	else
		join(s, keep(s, actor_clock(s, e->actor, FENCE_ACQUIRE)), released);
}

static void take_atomic(struct sync *s, const struct event *e, const struct access *access)
{
	uint32_t *released = object_clock(s, access->object, BY_WRITERS);
	const uint32_t *given = actor_clock(s, e->actor,
					    releases(e->memory_order) ? CLOCK : FENCE_RELEASE);

	if (e->kind == EVENT_LOAD || access->mode == ACCESS_READ) {
		load(s, e, released);
	} else if (e->kind == EVENT_STORE) {
		copy(s, keep(s, released), given); /* begins a new release sequence */
	} else {
		load(s, e, released);
		/* An update continues the sequence. If it acquires, it knows all of it by now. */
		if (acquires(e->memory_order) && releases(e->memory_order))
			copy(s, keep(s, released), given);
		else
			join(s, keep(s, released), given);
	}
}

/* The key of the clock that a write releases, if the write is known by its event. */
static uint64_t write_key(uint32_t source, uint32_t ordinal)
{
	return OBJECT(OBJECT_MEMORY, (uint64_t)source << 32 | ordinal);
}

/* Under a weak memory model a read synchronises with the write that it read, which need not be the
 * last one of the trace. */
static void take_sourced(struct sync *s, const struct event *e)
{
	uint64_t source = write_key(e->weak.source, e->weak.source_ordinal);
	uint64_t own = write_key(source_of_actor(e->actor), e->ordinal);
	bool reads = e->kind != EVENT_STORE && e->weak.source != SOURCE_INITIAL;
	bool writes = e->kind != EVENT_LOAD && !(e->flags & EVENT_FAILED);

	if (reads)
		load(s, e, object_clock(s, source, BY_WRITERS));
	if (!writes)
		return;
	copy(s, keep(s, object_clock(s, own, BY_WRITERS)),
	     actor_clock(s, e->actor, releases(e->memory_order) ? CLOCK : FENCE_RELEASE));
	if (reads) /* both clocks exist by now, so neither moves */
		join(s, object_clock(s, own, BY_WRITERS), object_clock(s, source, BY_WRITERS));
}

static void take_fence(struct sync *s, const struct event *e)
{
	uint32_t *clock = actor_clock(s, e->actor, CLOCK);

	if (acquires(e->memory_order))
		join(s, clock, actor_clock(s, e->actor, FENCE_ACQUIRE));
	if (releases(e->memory_order))
		copy(s, keep(s, actor_clock(s, e->actor, FENCE_RELEASE)), clock);
}

static void take_access(struct sync *s, const struct event *e, const struct access *access)
{
	uint32_t *clock = actor_clock(s, e->actor, CLOCK);

	switch (access->mode) {
	case ACCESS_ACQUIRE:
		join(s, clock, object_clock(s, access->object, BY_READERS));
		join(s, clock, object_clock(s, access->object, BY_WRITERS));
		break;
	case ACCESS_SHARE:
		join(s, clock, object_clock(s, access->object, BY_WRITERS));
		break;
	case ACCESS_TAKE:
	case ACCESS_JOIN:
		if (!(e->flags & EVENT_FAILED))
			join(s, clock, object_clock(s, access->object, BY_WRITERS));
		break;
	case ACCESS_RELEASE:
	case ACCESS_GIVE:
	case ACCESS_FINISH:
		join(s, keep(s, object_clock(s, access->object, BY_WRITERS)), clock);
		break;
	case ACCESS_UNSHARE:
		join(s, keep(s, object_clock(s, access->object, BY_READERS)), clock);
		break;
	default:
		break;
	}
}

/* Destroying a condition or a barrier waits until all who were woken have left it. */
static void take_end_of_wait(struct sync *s, const struct event *e)
{
	uint64_t object = e->access_len ? object_of_all_rounds(e->accesses[0].object) : 0;
	enum object_class class = OBJECT_CLASS(object);
	uint32_t *clock = actor_clock(s, e->actor, CLOCK);

	if (class != OBJECT_COND && class != OBJECT_BARRIER)
		return;
	if (e->kind == EVENT_DESTROY)
		join(s, clock, object_clock(s, object, BY_READERS));
	else
		join(s, keep(s, object_clock(s, object, BY_READERS)), clock);
}

static bool is_atomic(const struct event *e)
{
	return e->kind == EVENT_LOAD || e->kind == EVENT_STORE || e->kind == EVENT_RMW ||
	       e->kind == EVENT_CAS;
}

void sync_take(struct sync *s, const struct event *e)
{
	uint32_t *clock = actor_clock(s, e->actor, CLOCK);

	*vec_push(&s->steps) = s->undo.len;
	keep(s, clock);
	if (e->kind == EVENT_FENCE)
		take_fence(s, e);
	if (is_atomic(e) && event_has_source(e))
		take_sourced(s, e);
	for (uint32_t a = 0; a < e->access_len && !(is_atomic(e) && event_has_source(e)); a++)
		if (is_atomic(e))
			take_atomic(s, e, &e->accesses[a]);
		else
			take_access(s, e, &e->accesses[a]);
	if (e->kind == EVENT_COND_WAKE || e->kind == EVENT_BARRIER_LEAVE ||
	    e->kind == EVENT_DESTROY)
		take_end_of_wait(s, e);
	if (e->kind == EVENT_CREATE && event_created(e) < s->width)
		join(s, keep(s, actor_clock(s, event_created(e), CLOCK)), clock);
	if (event_joined(e) < s->width)
		join(s, clock, actor_clock(s, event_joined(e), CLOCK));
	clock[e->actor]++; /* what follows is later than what was just given away */
}

void sync_start(struct sync *s, uint32_t actors_len)
{
	size_t words = (size_t)actors_len * CLOCKS_PER_ACTOR * actors_len;

	s->width = actors_len;
	s->is_wide = actors_len >= WIDE && can_join_wide();
	s->objects.len = s->undo.len = s->steps.len = 0;
	map_clear(&s->object_index);
	vec_reserve(&s->clocks, words);
	memset(s->clocks.items, 0, words * sizeof(uint32_t));
	for (uint32_t a = 0; a < actors_len; a++)
		actor_clock(s, a, CLOCK)[a] = 1;
}

void sync_release(struct sync *s)
{
	vec_release(&s->clocks);
	vec_release(&s->objects);
	vec_release(&s->undo);
	vec_release(&s->steps);
	map_release(&s->object_index);
}
