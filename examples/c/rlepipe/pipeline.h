/*
 * A compressor in parallel: the input is cut into blocks, workers pack them in any order,
 * a writer puts the packed blocks together in the order of the input.
 *
 *     input -> next block number -> workers -> packed blocks -> writer -> output
 *
 * Workers fetch block numbers from a counter, so there is no queue in front of them. The
 * writer waits until the block it needs is there, or until no worker is left.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stddef.h>

enum { PIPELINE_BLOCK = 8, PIPELINE_BLOCKS_MAX = 8, PIPELINE_WORKERS_MAX = 4 };

/* Packs len bytes with that many workers; out must hold 2 * len bytes. Returns how many
 * bytes were written, 0 if threads could not be made or the input is too long. */
size_t pipeline_pack(const unsigned char *in, size_t len, size_t workers, unsigned char *out);

#endif
