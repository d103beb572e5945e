/* random.c: random numbers that are the same in every run.
 *
 * rand() and its relatives are deterministic already; but their state is shared by all
 * threads, so the order of the draws matters: drawing is a step on that state.
 * Randomness from the system comes from the seed of the exploration, in a stream per
 * thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/rng.h"
#include "runtime/calls/effects.h"
#include "runtime/calls/io.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

enum generator { GENERATOR_RANDOM = 1, GENERATOR_RAND48 = 2 };

/* The step in which a thread draws from, or seeds, a shared generator. */
static struct event *use_generator(enum generator generator, uint64_t site)
{
	struct event event = rt_event(EVENT_RMW, site);

	if (!rt_running())
		return NULL;
	event.memory_order = MEMORY_ORDER_RELAXED;
	rt_access_object(&event, OBJECT(OBJECT_TERM, generator), ACCESS_WRITE);
	return rt_step(&event, NULL, NULL);
}

#define DRAW(type, name, params, args, generator) \
	INTERCEPT(type, name, params) \
	{ \
		struct event *did = use_generator(generator, RT_SITE); \
		type value = REAL(name) args; \
\
		if (did) \
			did->value = (uint64_t)value; \
		return value; \
	}

#define SEED(name, params, args, generator) \
	INTERCEPT(void, name, params) \
	{ \
		use_generator(generator, RT_SITE); \
		REAL(name) args; \
	}

DRAW(int, rand, (void), (), GENERATOR_RANDOM)
DRAW(long, random, (void), (), GENERATOR_RANDOM)
SEED(srand, (unsigned seed), (seed), GENERATOR_RANDOM)
SEED(srandom, (unsigned seed), (seed), GENERATOR_RANDOM)
DRAW(double, drand48, (void), (), GENERATOR_RAND48)
DRAW(long, lrand48, (void), (), GENERATOR_RAND48)
DRAW(long, mrand48, (void), (), GENERATOR_RAND48)
SEED(srand48, (long seed), (seed), GENERATOR_RAND48)

INTERCEPT(int, rand_r, (unsigned *seed))
{
	rt_plain(seed, sizeof(*seed), true, RT_SITE);
	return REAL(rand_r)(seed);
}

/* ---- from the system ---- */

void rt_random_fill(void *to, size_t size)
{
	struct rt_actor *self = rt_self();
	uint64_t seed = RT->channel->options.seed ^ rng_mix(self->index + 1);
	struct rng rng = rng_seeded(seed + self->randoms++);
	char *at = to;

	rt_assume(ASSUMED_CHANCE);
	while (size) {
		uint64_t word = rng_next(&rng);
		size_t part = size < sizeof(word) ? size : sizeof(word);

		rt_memcpy(at, &word, part);
		at += part;
		size -= part;
	}
	rt_turn_wrote();
}

INTERCEPT(ssize_t, getrandom, (void *to, size_t size, unsigned flags))
{
	if (!rt_active())
		return REAL(getrandom)(to, size, flags);
	rt_cancel_point(RT_SITE);
	rt_plain(to, size, true, RT_SITE);
	rt_random_fill(to, size);
	return (ssize_t)size;
}

INTERCEPT(int, getentropy, (void *to, size_t size))
{
	if (!rt_active())
		return REAL(getentropy)(to, size);
	rt_plain(to, size, true, RT_SITE);
	rt_random_fill(to, size);
	return 0;
}

/* libc has these from 2.36 on; an older one does not declare them. */
uint32_t arc4random(void);
void arc4random_buf(void *to, size_t size);
uint32_t arc4random_uniform(uint32_t bound);

INTERCEPT_OPTIONAL(uint32_t, arc4random, (void))
{
	uint32_t value;

	if (!rt_active())
		return REAL(arc4random)();
	rt_random_fill(&value, sizeof(value));
	return value;
}

INTERCEPT_OPTIONAL(void, arc4random_buf, (void *to, size_t size))
{
	if (!rt_active()) {
		REAL(arc4random_buf)(to, size);
		return;
	}
	rt_plain(to, size, true, RT_SITE);
	rt_random_fill(to, size);
}

INTERCEPT_OPTIONAL(uint32_t, arc4random_uniform, (uint32_t bound))
{
	uint64_t value;

	if (!rt_active())
		return REAL(arc4random_uniform)(bound);
	rt_random_fill(&value, sizeof(value));
	return bound ? (uint32_t)(value % bound) : 0;
}

/* std::random_device::_M_getval(), which may use instructions that cannot be
 * intercepted. */
unsigned _ZNSt13random_device9_M_getvalEv(void *self);

INTERCEPT_OPTIONAL(unsigned, _ZNSt13random_device9_M_getvalEv, (void *self))
{
	unsigned value;

	if (!rt_active())
		return REAL(_ZNSt13random_device9_M_getvalEv)(self);
	rt_random_fill(&value, sizeof(value));
	return value;
}
