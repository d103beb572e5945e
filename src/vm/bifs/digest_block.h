/* digest_block.h: the inner functions of the hashes: one block into the state. For digest.c. */
#ifndef VM_BIFS_DIGEST_BLOCK_H
#define VM_BIFS_DIGEST_BLOCK_H

#include "vm/bifs/digest.h"

/* The initial state, in the array that the hash uses. */
void digest_block_start(enum digest_kind kind, uint32_t *w32, uint64_t *w64);

void digest_block_md5(uint32_t *state, const uint8_t *block);
void digest_block_sha1(uint32_t *state, const uint8_t *block);
void digest_block_sha256(uint32_t *state, const uint8_t *block);
void digest_block_sha512(uint64_t *state, const uint8_t *block);
void digest_block_sha3(uint64_t *state, const uint8_t *block, size_t len);

#endif
