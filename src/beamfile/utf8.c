#include "beamfile/utf8.h"

size_t utf8_count_chars(const uint8_t *bytes, size_t len)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t chars = 0;

	for (size_t i = 0; i < len; chars++) {
		uint8_t b = bytes[i];
		size_t n = b < 0x80 ? 1 : b >> 5 == 6 ? 2 : b >> 4 == 14 ? 3 : b >> 3 == 30 ? 4 : 0;
		uint32_t c = n == 1 ? b : b & (0x7fu >> n);

		if (n == 0 || n > len - i)
			return SIZE_MAX;
		for (size_t k = 1; k < n; k++) {
			if (bytes[i + k] >> 6 != 2)
				return SIZE_MAX;
			c = c << 6 | (bytes[i + k] & 0x3f);
		}
		if (c < smallest[n] || c > 0x10ffff || c >> 11 == 0xd800 >> 11)
			return SIZE_MAX;
		i += n;
	}
	return chars;
}

char *utf8_from_latin1(struct arena *arena, const uint8_t *bytes, size_t len, uint32_t *out_len)
{
	char *text = arena_alloc(arena, 2 * len + 1);
	char *at = text;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] >= 0x80)
			*at++ = (char)(0xc0 | bytes[i] >> 6);
		*at++ = (char)(bytes[i] < 0x80 ? bytes[i] : 0x80 | (bytes[i] & 0x3f));
	}
	*at = '\0';
	*out_len = (uint32_t)(at - text);
	return text;
}
