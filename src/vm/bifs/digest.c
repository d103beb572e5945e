/* FIPS 180-4 (SHA-1, SHA-2), FIPS 202 (SHA-3), RFC 1321 (MD5). This file has the
 * parts that all share: collecting bytes into blocks, padding, and the table of hashes. */
#include "vm/bifs/digest.h"

#include <string.h>

#include "vm/bifs/digest_block.h"

enum family { MD5, SHA1, SHA2_32, SHA2_64, SHA3 };

static const struct {
	const char *name;
	enum family family;
	size_t size;
	size_t block;
	int nid;
} kinds[] = {
#define DIGEST(name, family, size, block, nid) {#name, family, size, block, nid},
#include "vm/bifs/digest.def"
#undef DIGEST
};

enum digest_kind digest_find(const char *name)
{
	for (int i = 0; i < DIGEST_COUNT; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return (enum digest_kind)i;
	return DIGEST_COUNT;
}

size_t digest_size(enum digest_kind kind)
{
	return kinds[kind].size;
}

size_t digest_block(enum digest_kind kind)
{
	return kinds[kind].block;
}

int digest_nid(enum digest_kind kind)
{
	return kinds[kind].nid;
}

void digest_init(struct digest *digest, enum digest_kind kind)
{
	memset(digest, 0, sizeof(*digest));
	digest->kind = kind;
	digest_block_start(kind, digest->state.w32, digest->state.w64);
}

static void take_block(struct digest *digest, const uint8_t *block)
{
	switch (kinds[digest->kind].family) {
	case MD5:
		digest_block_md5(digest->state.w32, block);
		break;
	case SHA1:
		digest_block_sha1(digest->state.w32, block);
		break;
	case SHA2_32:
		digest_block_sha256(digest->state.w32, block);
		break;
	case SHA2_64:
		digest_block_sha512(digest->state.w64, block);
		break;
	case SHA3:
		digest_block_sha3(digest->state.w64, block, kinds[digest->kind].block);
		break;
	}
}

void digest_update(struct digest *digest, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;
	size_t block = kinds[digest->kind].block;

	digest->len += len;
	while (len) {
		size_t room = block - digest->filled, n = len < room ? len : room;

		memcpy(digest->block + digest->filled, from, n);
		digest->filled += (uint32_t)n;
		from += n;
		len -= n;
		if (digest->filled == block) {
			take_block(digest, digest->block);
			digest->filled = 0;
		}
	}
}

/* A one bit, zeros, and the length in bits at the end of a block. */
static void pad_with_length(struct digest *digest, bool is_little)
{
	size_t block = kinds[digest->kind].block, length_bytes = block / 8;
	uint64_t bits = digest->len * 8;
	uint8_t *end = digest->block + block;

	digest->block[digest->filled++] = 0x80;
	if (digest->filled > block - length_bytes) {
		memset(digest->block + digest->filled, 0, block - digest->filled);
		take_block(digest, digest->block);
		digest->filled = 0;
	}
	memset(digest->block + digest->filled, 0, block - digest->filled);
	for (int i = 0; i < 8; i++)
		end[is_little ? i - 8 : -1 - i] = (uint8_t)(bits >> (8 * i));
	take_block(digest, digest->block);
}

static void pad_sha3(struct digest *digest)
{
	size_t block = kinds[digest->kind].block;

	memset(digest->block + digest->filled, 0, block - digest->filled);
	digest->block[digest->filled] = 0x06;
	digest->block[block - 1] |= 0x80;
	take_block(digest, digest->block);
}

static uint8_t state_byte(const struct digest *digest, size_t i)
{
	switch (kinds[digest->kind].family) {
	case MD5:
		return (uint8_t)(digest->state.w32[i / 4] >> (8 * (i % 4)));
	case SHA1:
	case SHA2_32:
		return (uint8_t)(digest->state.w32[i / 4] >> (24 - 8 * (i % 4)));
	case SHA2_64:
		return (uint8_t)(digest->state.w64[i / 8] >> (56 - 8 * (i % 8)));
	default:
		return (uint8_t)(digest->state.w64[i / 8] >> (8 * (i % 8)));
	}
}

void digest_final(struct digest *digest, uint8_t *out)
{
	enum family family = kinds[digest->kind].family;

	if (family == SHA3)
		pad_sha3(digest);
	else
		pad_with_length(digest, family == MD5);
	for (size_t i = 0; i < kinds[digest->kind].size; i++)
		out[i] = state_byte(digest, i);
}

/* ---- HMAC ---- */

void hmac_init(struct hmac *hmac, enum digest_kind kind, const void *key, size_t len)
{
	size_t block = kinds[kind].block;
	uint8_t pad[DIGEST_MAX_BLOCK] = {0};

	if (len > block) {
		digest_init(&hmac->inner, kind);
		digest_update(&hmac->inner, key, len);
		digest_final(&hmac->inner, pad);
	} else if (len) {
		memcpy(pad, key, len);
	}
	digest_init(&hmac->inner, kind);
	digest_init(&hmac->outer, kind);
	for (size_t i = 0; i < block; i++)
		pad[i] ^= 0x36;
	digest_update(&hmac->inner, pad, block);
	for (size_t i = 0; i < block; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	digest_update(&hmac->outer, pad, block);
}

void hmac_update(struct hmac *hmac, const void *bytes, size_t len)
{
	digest_update(&hmac->inner, bytes, len);
}

void hmac_final(struct hmac *hmac, uint8_t *out)
{
	uint8_t inner[DIGEST_MAX_SIZE];

	digest_final(&hmac->inner, inner);
	digest_update(&hmac->outer, inner, kinds[hmac->outer.kind].size);
	digest_final(&hmac->outer, out);
}
