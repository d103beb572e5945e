/* bytes.c: binaries of Erlang as the program writes them.
 *
 * The virtual machine prints <<111,110,101>>; the source has <<"one">> or "one". */
#include <stdlib.h>
#include <string.h>

#include "explain/parts.h"

static const char OPEN[] = "<<", CLOSE[] = ">>";

/* Behind the binary at `at`, whose text is appended; NULL, and nothing is appended, if it is not printable text. */
static const char *add_text(const char *at, struct strbuf *out)
{
	struct strbuf text = {0};
	bool is_text = false;

	for (at += strlen(OPEN); *at >= '0' && *at <= '9'; at++) {
		char *end;
		unsigned long byte = strtoul(at, &end, 10);

		at = end;
		if (byte < ' ' || byte > '~')
			break;
		if (byte == '"' || byte == '\\')
			strbuf_addc(&text, '\\');
		strbuf_addc(&text, (char)byte);
		is_text = strncmp(at, CLOSE, strlen(CLOSE)) == 0;
		if (*at != ',')
			break;
	}
	if (is_text)
		strbuf_addf(out, "%s\"%s\"%s", OPEN, strbuf_text(&text), CLOSE);
	strbuf_release(&text);
	return is_text ? at + strlen(CLOSE) : NULL;
}

const char *explain_bytes(const char *text, struct arena *arena)
{
	struct strbuf out = {0};
	const char *at, *end, *result;

	if (!strstr(text, OPEN))
		return text;
	for (; (at = strstr(text, OPEN)); text = end) {
		strbuf_add(&out, text, (size_t)(at - text));
		end = add_text(at, &out);
		if (!end) {
			strbuf_adds(&out, OPEN);
			end = at + strlen(OPEN);
		}
	}
	strbuf_adds(&out, text);
	result = arena_strdup(arena, strbuf_text(&out));
	strbuf_release(&out);
	return result;
}
