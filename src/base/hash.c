#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/rng.h"

uint64_t hash_bytes(const void *bytes, size_t len)
{
	return XXH3_64bits(bytes, len);
}

uint64_t hash_combine(uint64_t a, uint64_t b)
{
	return rng_mix(a * 0x9e3779b97f4a7c15u + rng_mix(b + 1));
}
