#include "base/harmless.h"

#include <stdint.h>
#include <string.h>

/* U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069: they change the direction of text. */
static bool is_direction(const unsigned char *c, size_t len)
{
	if (len >= 2 && c[0] == 0xd8 && c[1] == 0x9c)
		return true;
	if (len < 3 || c[0] != 0xe2)
		return false;
	return (c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xaa && c[2] <= 0xae))) ||
	       (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
}

/* How many bytes the UTF-8 character at c has; 1 if it is not UTF-8. A character that could have
 * been shorter, a surrogate and a number above U+10FFFF are not. */
static size_t character_length(const unsigned char *c, size_t len)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t wanted = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : *c >= 0xc0 ? 2 : 1;
	uint32_t number = wanted == 1 ? *c : *c & (0x7fu >> wanted);

	for (size_t i = 1; i < wanted; i++) {
		if (i >= len || (c[i] & 0xc0) != 0x80)
			return 1;
		number = number << 6 | (c[i] & 0x3f);
	}
	if (*c >= 0xf8 || number < least[wanted] || number > 0x10ffff ||
	    (number >= 0xd800 && number < 0xe000))
		return 1;
	return wanted;
}

/* Is the character at c one that a terminal obeys, or not one at all? A terminal shows bytes that
 * are not UTF-8 in its own way, and obeys some of them. */
static bool is_control(const unsigned char *c, size_t len, bool keeps_lines)
{
	if (keeps_lines && (*c == '\n' || *c == '\t'))
		return false;
	if (*c < 0x20 || *c == 0x7f || (*c >= 0x80 && character_length(c, len) == 1))
		return true;
	return (len >= 2 && c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) || /* U+0080 to U+009F */
	       is_direction(c, len);
}

void harmless_add(struct strbuf *out, const char *text, size_t len, bool keeps_lines)
{
	const unsigned char *c = (const unsigned char *)text;

	for (size_t i = 0, n; i < len; i += n) {
		n = character_length(c + i, len - i);
		if (is_control(c + i, len - i, keeps_lines))
			strbuf_addc(out, '?');
		else
			strbuf_add(out, text + i, n);
	}
}

bool harmless_is(const char *text, size_t len, bool keeps_lines)
{
	const unsigned char *c = (const unsigned char *)text;

	for (size_t i = 0, n; i < len; i += n) {
		n = character_length(c + i, len - i);
		if (is_control(c + i, len - i, keeps_lines))
			return false;
	}
	return true;
}

void harmless_add_json(struct strbuf *out, const char *json)
{
	const unsigned char *c = (const unsigned char *)json;
	size_t len = strlen(json);

	for (size_t i = 0, n; i < len; i += n) {
		n = character_length(c + i, len - i);
		if (!is_control(c + i, len - i, true))
			strbuf_add(out, json + i, n);
		else if (n < 3)
			strbuf_addf(out, "\\u%04x", n == 1 ? c[i] : (c[i] & 0x1fu) << 6 | (c[i + 1] & 0x3f));
		else
			strbuf_addf(out, "\\u%04x", (c[i] & 0xfu) << 12 | (c[i + 1] & 0x3fu) << 6 |
							     (c[i + 2] & 0x3f));
	}
}
