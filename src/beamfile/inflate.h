/* inflate.h: unpacking of zlib and gzip streams with a limit, so that a small file
 * cannot ask for gigabytes. */
#ifndef BEAMFILE_INFLATE_H
#define BEAMFILE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Unpacks a zlib stream that must give exactly size bytes; the result lives in the arena. */
bool inflate_exact(struct arena *arena, const uint8_t *bytes, size_t len, size_t size,
		   const uint8_t **out, struct err *err);

/* Unpacks a gzip stream of any size up to limit. The caller frees *out with mem_free. */
bool inflate_gzip(const uint8_t *bytes, size_t len, size_t limit, uint8_t **out, size_t *out_len,
		  struct err *err);

#endif
