#include "vm/bifs/re_hyphen.h"

#include <stdio.h>
#include <string.h>

/* Letters after a backslash that stand for a set of characters. */
static bool is_set_letter(uint8_t c)
{
	return c && strchr("dDsSwWhHvVNpP", c) != NULL;
}

/* Letters after a backslash that stand for a place in the text, or for more than one character: in a
 * class, for themselves. */
static bool is_place_letter(uint8_t c)
{
	return c && strchr("AzZGCKRXB", c) != NULL;
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

/* Whether a group with a number begins here: (, (?<name>, (?'name', (?P<name>. */
static bool begins_group(const uint8_t *text, size_t len)
{
	if (len < 2 || text[0] != '(' || text[1] == '*')
		return false;
	if (text[1] != '?')
		return true;
	if (len > 3 && text[2] == 'P')
		return text[3] == '<';
	return len > 3 && (text[2] == '\'' || (text[2] == '<' && text[3] != '=' && text[3] != '!'));
}

/* \8 and \9 stand for the digit unless there are so many groups before: PCRE2 takes them for a
 * reference in any case. */
static bool is_plain_digit(const uint8_t *text, size_t len, uint64_t groups)
{
	uint64_t number = 0;

	if (text[0] != '8' && text[0] != '9')
		return false;
	for (size_t i = 0; i < len && text[i] >= '0' && text[i] <= '9' && number < 100000; i++)
		number = number * 10 + text[i] - '0';
	return number > groups;
}

/* \c takes any character below 128 in PCRE 8, and one that can be printed in PCRE2. */
static bool is_odd_control(const uint8_t *text, size_t len)
{
	return len >= 3 && text[0] == '\\' && text[1] == 'c' && (text[2] < 32 || text[2] == 127);
}

static void add_code(struct bytes *out, uint8_t code)
{
	char escape[8];

	snprintf(escape, sizeof(escape), "\\x%02x", code);
	bytes_add(out, escape, 4);
}

void re_escape_hyphens(const uint8_t *text, size_t len, struct bytes *out)
{
	size_t at = 0;
	uint64_t groups = 0; /* that begin before */

	while (at < len) {
		size_t n = text[at] == '\\' && at + 1 < len ? 2 : 1;

		groups += begins_group(text + at, len - at);
		if (is_odd_control(text + at, len - at)) {
			add_code(out, (uint8_t)(text[at + 2] ^ 64));
			at += 3;
			continue;
		}
		if (n == 2 && is_plain_digit(text + at + 1, len - at - 1, groups))
			bytes_add(out, text + at + 1, 1);
		else
			bytes_add(out, text + at, n);
		at += n;
		if (n == 1 && text[at - 1] == '[')
			at = copy_class(text, len, at, out);
	}
}
