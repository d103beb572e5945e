/* container.h: taking .beam files apart and putting them together again, so that tests can
 * make the files that the installed compiler does not write (other releases, hostile ones).
 * Everything is written in the test's own way, not with the reader under test. */
#ifndef TESTS_BEAMFILE_CONTAINER_H
#define TESTS_BEAMFILE_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

VEC_TYPE(byte_vec, uint8_t);

struct byte_vec file_bytes(const char *path);

/* The body of a chunk inside a container; empty when the container lacks it. Borrows from file. */
const uint8_t *chunk_find(const struct byte_vec *file, const char *id, size_t *len);

/* A new container like file with the chunk's body replaced (or removed, when body is NULL). */
struct byte_vec chunk_replace(const struct byte_vec *file, const char *id,
			      const struct byte_vec *body);

/* A new gzip stream of the bytes. */
struct byte_vec gzip_bytes(const struct byte_vec *plain);

void push_u32(struct byte_vec *out, uint32_t value);

#endif
