#include "vm/bifs/re_hyphen.h"

#include <string.h>

/* Letters after a backslash that stand for a set of characters. */
static bool is_set_letter(uint8_t c)
{
	return c && strchr("dDsSwWhHvVRNpP", c) != NULL;
}

/* Letters after a backslash that stand for a place in the text: in a class, for themselves. */
static bool is_place_letter(uint8_t c)
{
	return c && strchr("AzZGCK", c) != NULL;
}

/* The length of the set that begins here inside of a class: \d, \p{Lu}, [:digit:]; or 0. */
static size_t set_len(const uint8_t *text, size_t len)
{
	const uint8_t *end;

	if (len >= 2 && text[0] == '\\' && is_set_letter(text[1])) {
		end = len > 2 && text[2] == '{' ? memchr(text, '}', len) : NULL;
		return end && (text[1] | 32) == 'p' ? (size_t)(end - text) + 1 : 2;
	}
	if (len >= 4 && text[0] == '[' && text[1] == ':') {
		end = memmem(text + 2, len - 2, ":]", 2);
		return end ? (size_t)(end - text) + 2 : 0;
	}
	return 0;
}

/* Copies a class, which begins at text[at] behind its bracket; returns where it ends. */
static size_t copy_class(const uint8_t *text, size_t len, size_t at, struct bytes *out)
{
	bool is_first = true, follows_set = false;

	if (at < len && text[at] == '^')
		bytes_add(out, text + at++, 1);
	for (; at < len && (text[at] != ']' || is_first); is_first = false) {
		size_t n = set_len(text + at, len - at);
		bool is_literal = text[at] == '-' && follows_set && at + 1 < len &&
				  text[at + 1] != ']';

		follows_set = n != 0;
		if (!n)
			n = text[at] == '\\' && at + 1 < len ? 2 : 1;
		if (is_literal)
			bytes_add(out, "\\", 1);
		if (n == 2 && !follows_set && is_place_letter(text[at + 1]))
			bytes_add(out, text + at + 1, 1);
		else
			bytes_add(out, text + at, n);
		at += n;
	}
	return at;
}

void re_escape_hyphens(const uint8_t *text, size_t len, struct bytes *out)
{
	size_t at = 0;

	while (at < len) {
		size_t n = text[at] == '\\' && at + 1 < len ? 2 : 1;

		bytes_add(out, text + at, n);
		at += n;
		if (n == 1 && text[at - 1] == '[')
			at = copy_class(text, len, at, out);
	}
}
