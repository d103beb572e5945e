#include "rle.h"

#include <string.h>

static size_t run_length(const unsigned char *in, size_t len)
{
	size_t run = 1;

	while (run < len && run < 255 && in[run] == in[0])
		run++;
	return run;
}

size_t rle_pack(const unsigned char *in, size_t len, unsigned char *out)
{
	size_t used = 0;

	for (size_t at = 0; at < len;) {
		size_t run = run_length(in + at, len - at);

		out[used++] = (unsigned char)run;
		out[used++] = in[at];
		at += run;
	}
	return used;
}

size_t rle_unpack(const unsigned char *in, size_t len, unsigned char *out, size_t out_max)
{
	size_t used = 0;

	if (len % 2 != 0)
		return 0;
	for (size_t at = 0; at < len; at += 2) {
		if (in[at] == 0 || used + in[at] > out_max)
			return 0;
		memset(out + used, in[at + 1], in[at]);
		used += in[at];
	}
	return used;
}
