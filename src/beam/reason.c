#include "beam/reason.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '@';
}

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t' || *at == '\n')
		at++;
	return at;
}

/* Behind the quoted text that begins here; at its end if the quote is not closed. */
static const char *skip_quoted(const char *at)
{
	char quote = *at++;

	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

static bool is_arrow(const char *at)
{
	return at[0] == '=' && at[1] == '>';
}

/* Behind the term that begins here: the next comma, bar, semicolon, arrow or closing bracket that
 * is not within it. */
static const char *skip_term(const char *at)
{
	int depth = 0;

	while (*at && (depth || (!strchr(",|;)]}>", *at) && !is_arrow(at)))) {
		if (*at == '\'' || *at == '"') {
			at = skip_quoted(at);
			continue;
		}
		if (is_arrow(at))
			at++;
		else if (strchr("([{<", *at))
			depth++;
		else if (strchr(")]}>", *at))
			depth--;
		at++;
	}
	return at;
}

static const char *skip_name(const char *at)
{
	while (is_name(*at))
		at++;
	return at;
}

/* To the bracket that closes the list: the rest of [a,b,c] for [_|_]. */
static const char *skip_rest(const char *at)
{
	while (*at == ',')
		at = skip_term(at + 1);
	return at;
}

static bool is_variable(const char *at)
{
	return *at == '_' || isupper((unsigned char)*at);
}

/* The pattern <<"ab">> and the term as it is printed, <<97,98>>: behind the bytes, or NULL if they
 * are others. Escapes in the pattern are not known. */
static const char *match_bytes(const char *pattern, const char *text)
{
	if (strncmp(text, "<<", 2) != 0)
		return NULL;
	text += 2;
	for (pattern += strlen("<<\""); *pattern && *pattern != '"'; pattern++) {
		char *end;

		if (strtoul(text, &end, 10) != (unsigned char)*pattern || end == text)
			return NULL;
		text = end + (*end == ',' && pattern[1] != '"');
	}
	return text;
}

/* Does one pattern, which ends at a semicolon or NUL, fit? */
static bool fits(const char *pattern, const char *text)
{
	bool is_inside = false; /* within a name or number */

	for (;;) {
		if (!is_inside || *pattern == ' ')
			pattern = skip_blanks(pattern);
		if (!is_inside || *text == ' ')
			text = skip_blanks(text);
		if (!*pattern || *pattern == ';')
			return !*text;
		if (!is_inside && is_variable(pattern)) {
			const char *end = skip_term(text);

			if (end == text)
				return false;
			pattern = skip_name(pattern);
			text = end;
			continue;
		}
		if (strncmp(pattern, "<<\"", strlen("<<\"")) == 0) {
			text = match_bytes(pattern, text);
			if (!text)
				return false;
			pattern = skip_quoted(pattern + 2);
			continue;
		}
		if (*pattern == '\'' || *pattern == '"') {
			size_t len = (size_t)(skip_quoted(pattern) - pattern);

			if (strncmp(pattern, text, len) != 0)
				return false;
			pattern += len;
			text += len;
			continue;
		}
		if (*pattern == '|' && is_variable(skip_blanks(pattern + 1)) &&
		    (*text == ',' || *text == ']')) {
			pattern = skip_name(skip_blanks(pattern + 1));
			text = skip_rest(text);
			continue;
		}
		if (*pattern != *text)
			return false;
		is_inside = is_name(*pattern);
		pattern++;
		text++;
	}
}

/* The pattern behind this one; NULL if it is the last. */
static const char *next_pattern(const char *pattern)
{
	while (*pattern && *pattern != ';')
		pattern = *pattern == '\'' || *pattern == '"' ? skip_quoted(pattern) : pattern + 1;
	return *pattern ? pattern + 1 : NULL;
}

bool reason_fits(const char *patterns, const char *text)
{
	for (; patterns; patterns = next_pattern(patterns))
		if (fits(patterns, text))
			return true;
	return false;
}

bool reason_is_pattern(const char *patterns)
{
	char open[64];
	size_t depth = 0, len = 0; /* of the pattern so far, without blanks */

	for (const char *at = patterns; *at;) {
		if (*at == '\'' || *at == '"') {
			const char *end = skip_quoted(at);

			if (end - at < 2 || end[-1] != *at)
				return false;
			at = end;
			len++;
			continue;
		}
		if (*at == ';' && (depth || !len))
			return false;
		len = *at == ';' ? 0 : len + (*at != ' ');
		if (strchr("([{", *at)) {
			if (depth == sizeof(open))
				return false;
			open[depth++] = *at == '(' ? ')' : *at == '[' ? ']' : '}';
		} else if (strchr(")]}", *at) && (!depth || open[--depth] != *at)) {
			return false;
		}
		at++;
	}
	return !depth && len;
}
