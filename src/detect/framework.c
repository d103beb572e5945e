#include "detect/framework.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A part of the output. */
struct text {
	const char *at;
	size_t len;
};

enum { DETAILS_MAX = 12 };

/* ---- lines ---- */

static struct text trim(struct text text)
{
	while (text.len && isspace((unsigned char)text.at[0]))
		text.at++, text.len--;
	while (text.len && isspace((unsigned char)text.at[text.len - 1]))
		text.len--;
	return text;
}

/* Takes the next line from the rest of the output. */
static bool take_line(struct text *rest, struct text *line)
{
	const char *end;

	if (!rest->len)
		return false;
	end = memchr(rest->at, '\n', rest->len);
	line->at = rest->at;
	line->len = end ? (size_t)(end - rest->at) : rest->len;
	rest->at += line->len + (end != NULL);
	rest->len -= line->len + (end != NULL);
	return true;
}

static bool begins_with(struct text text, const char *word)
{
	return text.len >= strlen(word) && memcmp(text.at, word, strlen(word)) == 0;
}

/* Splits "FILE:LINE" + `mark` + rest: the first `mark` that a number and a colon come before. */
static bool split_place(struct text line, const char *mark, struct text *place, struct text *rest)
{
	for (size_t i = 1; i + strlen(mark) <= line.len; i++) {
		size_t digits = i;

		if (memcmp(line.at + i, mark, strlen(mark)) != 0)
			continue;
		while (digits > 0 && isdigit((unsigned char)line.at[digits - 1]))
			digits--;
		if (digits == i || digits < 2 || line.at[digits - 1] != ':')
			continue;
		*place = trim((struct text){line.at, i});
		*rest = trim((struct text){line.at + i + strlen(mark),
					   line.len - i - strlen(mark)});
		return place->len > 0;
	}
	return false;
}

/* ---- the message ---- */

struct message {
	char *out;
	size_t len, room;
};

static void add(struct message *message, struct text text)
{
	size_t left = message->room - message->len - 1;
	size_t len = text.len < left ? text.len : left;

	memcpy(message->out + message->len, text.at, len);
	message->len += len;
	message->out[message->len] = '\0';
}

static void adds(struct message *message, const char *text)
{
	add(message, (struct text){text, strlen(text)});
}

static bool ends_with_any(const struct message *message, const char *characters)
{
	return !message->len || strchr(characters, message->out[message->len - 1]);
}

/* The lines that follow up to an empty one: "Expected equality of these values: c.value, Which is: 1,
 * 2". GoogleTest ends with a line that begins with "[", Catch2 with a ruler. */
static void add_details(struct message *message, struct text rest)
{
	struct text line;

	for (int i = 0; i < DETAILS_MAX && take_line(&rest, &line); i++) {
		struct text part = trim(line);

		if (!part.len || line.at[0] == '[' || begins_with(part, "====") ||
		    begins_with(part, "Google Test trace:") || begins_with(part, "...."))
			break;
		adds(message, ends_with_any(message, ":!, ") ? "" : ",");
		adds(message, ends_with_any(message, " ") ? "" : " ");
		add(message, part);
	}
}

static void begin(struct message *message, struct text place, struct text first)
{
	add(message, place);
	adds(message, ": ");
	add(message, first);
}

/* ---- the frameworks ---- */

/* "c.cc:13: Failure", and "unknown file: Failure" for an exception. */
static bool is_gtest(struct text line, struct text rest, struct message *message)
{
	static const char unknown[] = "unknown file: Failure";
	struct text place, first;

	if (begins_with(line, unknown)) {
		add_details(message, rest);
		return true;
	}
	if (!split_place(line, ": Failure", &place, &first) || first.len)
		return false;
	begin(message, place, first);
	add_details(message, rest);
	return true;
}

/* "c.cc:8: FAILED:" */
static bool is_catch2(struct text line, struct text rest, struct message *message)
{
	struct text place, first;

	if (!split_place(line, ": FAILED:", &place, &first) || first.len)
		return false;
	begin(message, place, first);
	add_details(message, rest);
	return true;
}

/* "c.cc:8: ERROR: CHECK( x == 2 ) is NOT correct!" */
static bool is_doctest(struct text line, struct text rest, struct message *message)
{
	struct text place, first;

	if (!split_place(line, ": FATAL ERROR: ", &place, &first) &&
	    !split_place(line, ": ERROR: ", &place, &first))
		return false;
	begin(message, place, first);
	add_details(message, rest);
	return true;
}

/* "c.c:10:F:core:loses_an_update:0: Assertion 'value == 2' failed" */
static bool is_check(struct text line, struct text rest, struct message *message)
{
	struct text place, words;

	(void)rest;
	if (!split_place(line, ":F:", &place, &words) && !split_place(line, ":E:", &place, &words))
		return false;
	for (int i = 0; i < 3; i++) {
		const char *colon = memchr(words.at, ':', words.len);

		if (!colon)
			return false;
		words.len -= (size_t)(colon + 1 - words.at);
		words.at = colon + 1;
	}
	begin(message, place, trim(words));
	return true;
}

/* "[  ERROR   ] --- 0x1 != 0x2" and "[   LINE   ] --- c.c:12: error: Failure!" */
static bool is_cmocka(struct text line, struct text rest, struct message *message)
{
	static const char error[] = "[  ERROR   ] --- ", where[] = "[   LINE   ] --- ";
	struct text next, place, last;

	if (!begins_with(line, error))
		return false;
	while (take_line(&rest, &next)) {
		struct text after = next;

		if (!begins_with(next, where))
			continue;
		after.at += strlen(where);
		after.len -= strlen(where);
		if (!split_place(after, ": error:", &place, &last))
			break;
		begin(message, place,
		      trim((struct text){line.at + strlen(error), line.len - strlen(error)}));
		return true;
	}
	return false;
}

bool framework_failure(const char *output, size_t len, char *message, size_t room)
{
	struct text rest = {output, output ? len : 0}, line;
	struct message found = {message, 0, room};

	message[0] = '\0';
	while (take_line(&rest, &line))
		if (is_gtest(line, rest, &found) || is_catch2(line, rest, &found) ||
		    is_doctest(line, rest, &found) || is_check(line, rest, &found) ||
		    is_cmocka(line, rest, &found))
			return found.len > 0;
	return false;
}

bool framework_place(const char *message, size_t *file_len, unsigned *line)
{
	struct text place, rest;
	const char *colon;

	if (!split_place((struct text){message, strlen(message)}, ": ", &place, &rest))
		return false;
	for (colon = place.at + place.len; colon[-1] != ':'; colon--)
		;
	*file_len = (size_t)(colon - 1 - message);
	return sscanf(colon, "%u", line) == 1;
}
