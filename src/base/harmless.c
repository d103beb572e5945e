#include "base/harmless.h"

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

/* How many bytes of UTF-8 begin at c, as its first byte says; 1 if they are not UTF-8. A lone byte
 * from 0x80 to 0x9f is a control character of terminals that do not use UTF-8. */
static size_t character_length(const unsigned char *c, size_t len)
{
	size_t wanted = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : *c >= 0xc0 ? 2 : 1;

	for (size_t i = 1; i < wanted; i++)
		if (i >= len || (c[i] & 0xc0) != 0x80)
			return 1;
	return wanted;
}

/* Is the character at c one that a terminal obeys? */
static bool is_control(const unsigned char *c, size_t len, bool keeps_lines)
{
	if (keeps_lines && (*c == '\n' || *c == '\t'))
		return false;
	if (*c < 0x20 || (*c >= 0x7f && *c < 0xa0))
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
