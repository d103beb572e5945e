/* RFC 1321. */
#include "vm/terms/md5.h"

#include <string.h>

static const uint8_t shifts[4][4] = {
	{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21},
};

static const uint32_t sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee,
	0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
	0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,
	0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
	0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
	0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039,
	0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static void mix_block(struct md5 *md5, const uint8_t *block)
{
	uint32_t words[16];
	uint32_t a = md5->state[0], b = md5->state[1], c = md5->state[2], d = md5->state[3];

	memcpy(words, block, 64);
	for (unsigned i = 0; i < 64; i++) {
		uint32_t f, sum;
		unsigned g, s = shifts[i / 16][i % 4];

		switch (i / 16) {
		case 0: f = (b & c) | (~b & d); g = i; break;
		case 1: f = (d & b) | (~d & c); g = (5 * i + 1) % 16; break;
		case 2: f = b ^ c ^ d; g = (3 * i + 5) % 16; break;
		default: f = c ^ (b | ~d); g = 7 * i % 16; break;
		}
		sum = a + f + sines[i] + words[g];
		a = d;
		d = c;
		c = b;
		b += sum << s | sum >> (32 - s);
	}
	md5->state[0] += a;
	md5->state[1] += b;
	md5->state[2] += c;
	md5->state[3] += d;
}

void md5_init(struct md5 *md5)
{
	*md5 = (struct md5){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void md5_update(struct md5 *md5, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	while (len > 0) {
		size_t have = md5->len % 64, n = 64 - have < len ? 64 - have : len;

		memcpy(md5->block + have, from, n);
		md5->len += n;
		from += n;
		len -= n;
		if (md5->len % 64 == 0)
			mix_block(md5, md5->block);
	}
}

void md5_final(struct md5 *md5, uint8_t digest[16])
{
	uint64_t bits = md5->len * 8;
	uint8_t one = 0x80, zero = 0;

	md5_update(md5, &one, 1);
	while (md5->len % 64 != 56)
		md5_update(md5, &zero, 1);
	md5_update(md5, &bits, 8);
	memcpy(digest, md5->state, 16);
}
