#include "vm/bifs/digest_block.h"

#include <string.h>

#include "vm/terms/md5.h"

static uint32_t rotate_left32(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }
static uint32_t rotate32(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }
static uint64_t rotate64(uint64_t x, unsigned n) { return x >> n | x << (64 - n); }

static uint32_t big32(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint64_t big64(const uint8_t *b)
{
	return (uint64_t)big32(b) << 32 | big32(b + 4);
}

/* ---- where they start ---- */

static const uint32_t start_sha1[] = {
	0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
};
static const uint32_t start_sha224[] = {
	0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511,
	0x64f98fa7, 0xbefa4fa4,
};
static const uint32_t start_sha256[] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
	0x1f83d9ab, 0x5be0cd19,
};
static const uint64_t start_sha384[] = {
	0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
	0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};
static const uint64_t start_sha512[] = {
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

void digest_block_start(enum digest_kind kind, uint32_t *w32, uint64_t *w64)
{
	switch (kind) {
	case DIGEST_md5:
		memcpy(w32, start_sha1, 4 * sizeof(*w32)); /* the first four are the same */
		break;
	case DIGEST_sha:
		memcpy(w32, start_sha1, sizeof(start_sha1));
		break;
	case DIGEST_sha224:
		memcpy(w32, start_sha224, sizeof(start_sha224));
		break;
	case DIGEST_sha256:
		memcpy(w32, start_sha256, sizeof(start_sha256));
		break;
	case DIGEST_sha384:
		memcpy(w64, start_sha384, sizeof(start_sha384));
		break;
	case DIGEST_sha512:
		memcpy(w64, start_sha512, sizeof(start_sha512));
		break;
	default: /* SHA-3 starts with zeros */
		break;
	}
}

/* ---- MD5, done by md5.c ---- */

void digest_block_md5(uint32_t *state, const uint8_t *block)
{
	struct md5 md5;

	memset(&md5, 0, sizeof(md5));
	memcpy(md5.state, state, sizeof(md5.state));
	md5_update(&md5, block, 64);
	memcpy(state, md5.state, sizeof(md5.state));
}

/* ---- SHA-1 ---- */

static uint32_t choose_sha1(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
	switch (round / 20) {
	case 0:
		return ((b & c) | (~b & d)) + 0x5a827999;
	case 1:
		return (b ^ c ^ d) + 0x6ed9eba1;
	case 2:
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
	default:
		return (b ^ c ^ d) + 0xca62c1d6;
	}
}

void digest_block_sha1(uint32_t *state, const uint8_t *block)
{
	uint32_t w[80], s[5];

	for (unsigned i = 0; i < 16; i++)
		w[i] = big32(block + 4 * i);
	for (unsigned i = 16; i < 80; i++)
		w[i] = rotate_left32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	memcpy(s, state, sizeof(s));
	for (unsigned i = 0; i < 80; i++) {
		uint32_t next = rotate_left32(s[0], 5) + choose_sha1(i, s[1], s[2], s[3]) + s[4] +
				w[i];

		s[4] = s[3];
		s[3] = s[2];
		s[2] = rotate_left32(s[1], 30);
		s[1] = s[0];
		s[0] = next;
	}
	for (unsigned i = 0; i < 5; i++)
		state[i] += s[i];
}

/* ---- SHA-2: the same twice, for two sizes of words ---- */

static const uint32_t keys32[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint64_t keys64[80] = {
	0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
	0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
	0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
	0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
	0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
	0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
	0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
	0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
	0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
	0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
	0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
	0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
	0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
	0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
	0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
	0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
	0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
	0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
	0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
	0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

#define SHA2_BLOCK(word, rotate, big, keys, rounds, r)                         \
	word w[rounds], s[8];                                                  \
									       \
	for (unsigned i = 0; i < 16; i++)                                      \
		w[i] = big(block + sizeof(word) * i);                          \
	for (unsigned i = 16; i < (rounds); i++) {                             \
		word a = w[i - 15], b = w[i - 2];                              \
									       \
		a = rotate(a, r[0]) ^ rotate(a, r[1]) ^ a >> r[2];             \
		b = rotate(b, r[3]) ^ rotate(b, r[4]) ^ b >> r[5];             \
		w[i] = w[i - 16] + a + w[i - 7] + b;                           \
	}                                                                      \
	memcpy(s, state, sizeof(s));                                           \
	for (unsigned i = 0; i < (rounds); i++) {                              \
		word e = rotate(s[4], r[6]) ^ rotate(s[4], r[7]) ^ rotate(s[4], r[8]); \
		word a = rotate(s[0], r[9]) ^ rotate(s[0], r[10]) ^ rotate(s[0], r[11]); \
		word choice = (s[4] & s[5]) ^ (~s[4] & s[6]);                  \
		word majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]); \
		word first = s[7] + e + choice + keys[i] + w[i];               \
									       \
		memmove(s + 1, s, 7 * sizeof(word));                           \
		s[4] += first;                                                 \
		s[0] = first + a + majority;                                   \
	}                                                                      \
	for (unsigned i = 0; i < 8; i++)                                       \
		state[i] += s[i]

void digest_block_sha256(uint32_t *state, const uint8_t *block)
{
	static const uint8_t r[] = {7, 18, 3, 17, 19, 10, 6, 11, 25, 2, 13, 22};

	SHA2_BLOCK(uint32_t, rotate32, big32, keys32, 64, r);
}

void digest_block_sha512(uint64_t *state, const uint8_t *block)
{
	static const uint8_t r[] = {1, 8, 7, 19, 61, 6, 14, 18, 41, 28, 34, 39};

	SHA2_BLOCK(uint64_t, rotate64, big64, keys64, 80, r);
}

/* ---- SHA-3: Keccak-f[1600] ---- */

static const uint64_t keccak_keys[24] = {
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static void permute_keccak(uint64_t *s)
{
	static const uint8_t turns[] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
					27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
	static const uint8_t places[] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
					 15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
	uint64_t c[5], moved;

	for (unsigned round = 0; round < 24; round++) {
		for (unsigned x = 0; x < 5; x++)
			c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
		for (unsigned i = 0; i < 25; i++)
			s[i] ^= c[(i + 4) % 5] ^ rotate64(c[(i + 1) % 5], 63);
		moved = s[1];
		for (unsigned i = 0; i < 24; i++) {
			uint64_t next = s[places[i]];

			s[places[i]] = rotate64(moved, 64u - turns[i]);
			moved = next;
		}
		for (unsigned y = 0; y < 25; y += 5) {
			memcpy(c, s + y, sizeof(c));
			for (unsigned x = 0; x < 5; x++)
				s[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
		}
		s[0] ^= keccak_keys[round];
	}
}

void digest_block_sha3(uint64_t *state, const uint8_t *block, size_t len)
{
	for (size_t i = 0; i < len; i++)
		state[i / 8] ^= (uint64_t)block[i] << (8 * (i % 8));
	permute_keccak(state);
}
