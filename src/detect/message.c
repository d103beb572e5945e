#include "detect/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"

enum { KEPT = 512 };

static bool ends_with(const char *text, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len >= end_len && memcmp(text + len - end_len, end, end_len) == 0;
}

/* Moves past the number at text: digits, points between digits, 0x and hexadecimal digits. */
static const char *skip_number(const char *text)
{
	bool is_hex = text[0] == '0' && text[1] == 'x';

	text += is_hex ? 2 : 0;
	while (is_hex ? isxdigit((unsigned char)*text)
		      : isdigit((unsigned char)*text) ||
				(*text == '.' && isdigit((unsigned char)text[1])))
		text++;
	return text;
}

uint64_t message_hash(const char *message)
{
	char kept[KEPT];
	size_t len = 0;

	while (*message && len < sizeof(kept)) {
		bool is_status = ends_with(kept, len, "status ");

		if (isdigit((unsigned char)*message) && !is_status) {
			kept[len++] = '#';
			message = skip_number(message);
			continue;
		}
		do
			kept[len++] = *message++;
		while (is_status && isdigit((unsigned char)*message) && len < sizeof(kept));
	}
	return hash_bytes(kept, len);
}

/* "/home/a/bank.c:12: main: …" without the folder. */
static const char *skip_folder(const char *message)
{
	size_t len = strcspn(message, ": ");
	const char *base = message;

	if (message[len] != ':' || !isdigit((unsigned char)message[len + 1]))
		return message;
	for (size_t i = 0; i < len; i++)
		if (message[i] == '/')
			base = message + i + 1;
	return base;
}

/* Is the number from `at` to `end` a small term, or an element of one? `kept` is the text before
 * it. */
static bool is_term(const char *at, const char *end, const char *kept, size_t len)
{
	enum { DIGITS = 4 };

	if (end - at > DIGITS || memchr(at, '.', (size_t)(end - at)) ||
	    ends_with(kept, len, "{line,"))
		return false;
	if (len && kept[len - 1] == '-')
		len--;
	if (ends_with(kept, len, "with ") || ends_with(kept, len, "=> "))
		return *end == '\0' || strchr(" ,;)}]", *end);
	return len && strchr("{[,|", kept[len - 1]) && *end && strchr(",}]|", *end);
}

uint64_t message_reason_hash(const char *message)
{
	char kept[KEPT];
	size_t len = 0;
	bool is_quoted = false;

	for (message = skip_folder(message); *message && len < sizeof(kept);) {
		const char *end = message + 1;

		if (isdigit((unsigned char)*message)) {
			end = skip_number(message);
			if (!is_quoted && !ends_with(kept, len, "status ") &&
			    !is_term(message, end, kept, len)) {
				kept[len++] = '#';
				message = end;
			}
		} else if (*message == '`') {
			is_quoted = true;
		} else if (*message == '\'') {
			is_quoted = false;
		}
		while (message < end && len < sizeof(kept))
			kept[len++] = *message++;
	}
	return hash_bytes(kept, len);
}
