/* Packs two blocks with two workers, unpacks them again, and compares. */
#include "pipeline.h"
#include "rle.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	static const unsigned char text[] = "aaaabbbbccccdddd";
	unsigned char packed[2 * sizeof(text)], unpacked[sizeof(text)];
	size_t len = sizeof(text) - 1;
	size_t packed_len = pipeline_pack(text, len, 2, packed);
	size_t unpacked_len = rle_unpack(packed, packed_len, unpacked, sizeof(unpacked));

	assert(unpacked_len == len);
	assert(memcmp(text, unpacked, len) == 0);
	printf("%zu bytes packed into %zu\n", len, packed_len);
	return 0;
}
