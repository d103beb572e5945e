/* digest.h: cryptographic hashes (digest.def), for the module crypto.
 *
 * A struct digest is plain memory without pointers: a program may hold one in a binary, copy it
 * and go on from either copy. Not hardened against side channels; for tests, not for secrets.
 */
#ifndef VM_BIFS_DIGEST_H
#define VM_BIFS_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_MAX_SIZE 64u
#define DIGEST_MAX_BLOCK 144u

enum digest_kind {
#define DIGEST(name, family, size, block, nid) DIGEST_##name,
#include "vm/bifs/digest.def"
#undef DIGEST
	DIGEST_COUNT
};

struct digest {
	uint32_t kind;
	uint32_t filled; /* bytes in block */
	uint64_t len;    /* bytes so far */
	union {
		uint32_t w32[8];
		uint64_t w64[25];
	} state;
	uint8_t block[DIGEST_MAX_BLOCK];
};

/* The hash of this Erlang name, or DIGEST_COUNT. */
enum digest_kind digest_find(const char *name);
size_t digest_size(enum digest_kind kind);
size_t digest_block(enum digest_kind kind);
int digest_nid(enum digest_kind kind);

void digest_init(struct digest *digest, enum digest_kind kind);
void digest_update(struct digest *digest, const void *bytes, size_t len);
/* digest_size bytes; the digest is used up. */
void digest_final(struct digest *digest, uint8_t *out);

/* HMAC (RFC 2104) with any of the hashes. */
struct hmac {
	struct digest inner;
	struct digest outer;
};

void hmac_init(struct hmac *hmac, enum digest_kind kind, const void *key, size_t len);
void hmac_update(struct hmac *hmac, const void *bytes, size_t len);
void hmac_final(struct hmac *hmac, uint8_t *out);

#endif
