/* The MD5 of a module, as module_info(md5) returns it. */
#include <string.h>

#include "vm/code/load.h"
#include "vm/terms/md5.h"

/* The MD5 is computed over these chunks, in this order; the old unique numbers of funs (the last
 * word of each entry) count as zero. */
static const char *const md5_chunks[] = {"AtU8", "Code", "StrT", "ImpT",
					 "ExpT", "FunT", "LitT", "Meta"};

static uint32_t read_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static void add_chunk(struct md5 *md5, const char *name, const uint8_t *bytes, size_t len)
{
	static const uint8_t zeros[4];

	if (strcmp(name, "FunT") != 0 || len < 4) {
		md5_update(md5, bytes, len);
		return;
	}
	md5_update(md5, bytes, 4);
	for (size_t at = 4; at + 24 <= len; at += 24) {
		md5_update(md5, bytes + at, 20);
		md5_update(md5, zeros, 4);
	}
}

void code_md5(const void *file, size_t len, uint8_t digest[16])
{
	const uint8_t *bytes = file;
	struct md5 md5;

	md5_init(&md5);
	for (size_t i = 0; i < sizeof(md5_chunks) / sizeof(*md5_chunks); i++) {
		for (size_t at = 12; at + 8 <= len;) {
			size_t size = read_u32(bytes + at + 4);

			if (size > len - at - 8)
				break;
			if (memcmp(bytes + at, md5_chunks[i], 4) == 0) {
				add_chunk(&md5, md5_chunks[i], bytes + at + 8, size);
				break;
			}
			at += 8 + ((size + 3) & ~(size_t)3);
		}
	}
	md5_final(&md5, digest);
}
