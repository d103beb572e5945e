/* hash.h: hashing of bytes, for fingerprints and tables (XXH3, 64 bits).
 * The value is part of file names and saved files: it must never change. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t len);
uint64_t hash_combine(uint64_t a, uint64_t b);

#endif
