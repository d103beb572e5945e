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
