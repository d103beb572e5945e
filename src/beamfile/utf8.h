/* utf8.h: the two functions that reading names needs: is a text UTF-8, and Latin-1 as
 * UTF-8. */
#ifndef BEAMFILE_UTF8_H
#define BEAMFILE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* The number of characters of well-formed UTF-8, or SIZE_MAX. */
size_t utf8_count_chars(const uint8_t *bytes, size_t len);

/* A new NUL-terminated text in the arena; *out_len is its length in bytes. */
char *utf8_from_latin1(struct arena *arena, const uint8_t *bytes, size_t len, uint32_t *out_len);

#endif
