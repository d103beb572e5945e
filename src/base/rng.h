/* rng.h: a small deterministic random number generator (splitmix64).
 * Allocates nothing and calls nothing, so that the follower may use it inside the
 * tested program. The same seed gives the same numbers on every machine. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline struct rng rng_seeded(uint64_t seed)
{
	return (struct rng){rng_mix(seed + 0x9e3779b97f4a7c15u)};
}

static inline uint64_t rng_next(struct rng *rng)
{
	return rng_mix(rng->state += 0x9e3779b97f4a7c15u);
}

/* The generator after so many numbers. */
static inline struct rng rng_after(struct rng rng, uint64_t numbers)
{
	return (struct rng){rng.state + numbers * 0x9e3779b97f4a7c15u};
}

/* Uniform enough in 0 .. n-1; n must not be 0. */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)rng_next(rng) * n) >> 64);
}

#endif
