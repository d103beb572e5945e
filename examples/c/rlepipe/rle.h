/* Run-length encoding: pairs of a count (1 to 255) and a byte. */
#ifndef RLE_H
#define RLE_H

#include <stddef.h>

/* out must hold 2 * len bytes. Returns how many were used. */
size_t rle_pack(const unsigned char *in, size_t len, unsigned char *out);

/* Returns the number of bytes written to out, or 0 if they are more than out_max or the
 * input is no such encoding. */
size_t rle_unpack(const unsigned char *in, size_t len, unsigned char *out, size_t out_max);

#endif
