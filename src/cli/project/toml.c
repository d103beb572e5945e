#include "cli/project/toml.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* Some editors write it at the beginning of every UTF-8 file. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct reader {
	const char *path, *at;
	unsigned line;
	struct toml_entry_vec *entries;
	struct arena *arena;
	struct err *err;
	const char *table; /* the current one */
	unsigned number;
};

static bool refuse(struct reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool refuse(struct reader *r, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return err_set(r->err, "%s:%u: %s", r->path, r->line, text);
}

/* ---- blanks and names ---- */

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t')
		r->at++;
	if (*r->at == '#')
		r->at += strcspn(r->at, "\n");
}

/* Blanks, comments and ends of lines. */
static void skip_lines(struct reader *r)
{
	for (;;) {
		skip_blanks(r);
		if (*r->at == '\r' && r->at[1] == '\n')
			r->at++;
		if (*r->at != '\n')
			return;
		r->at++;
		r->line++;
	}
}

static bool end_line(struct reader *r)
{
	skip_blanks(r);
	if (*r->at == '\r')
		r->at++;
	if (*r->at && *r->at != '\n')
		return refuse(r, "unexpected '%.*s' at the end of the line",
			      (int)strcspn(r->at, " \t\r\n"), r->at);
	return true;
}

/* A bare key or the name of a table; NULL with err. */
static const char *read_name(struct reader *r)
{
	size_t len = 0;
	const char *name;

	skip_blanks(r);
	while (isalnum((unsigned char)r->at[len]) || r->at[len] == '_' || r->at[len] == '-')
		len++;
	if (!len) {
		refuse(r, *r->at == '"' || *r->at == '\'' ? "quoted keys are not supported"
							  : "a key or a [table] is expected here");
		return NULL;
	}
	name = arena_printf(r->arena, "%.*s", (int)len, r->at);
	r->at += len;
	skip_blanks(r);
	if (*r->at == '.') {
		refuse(r, "dotted keys and tables in tables are not supported");
		return NULL;
	}
	return name;
}

/* ---- values ---- */

static bool read_escape(struct reader *r, struct strbuf *out)
{
	static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
	const char *found = *r->at ? strchr(from, *r->at) : NULL;

	if (!found)
		return refuse(r, "\\%c is not an escape that is supported", *r->at ? *r->at : ' ');
	strbuf_addc(out, to[found - from]);
	r->at++;
	return true;
}

static json_t *read_string(struct reader *r)
{
	char quote = *r->at++;
	struct strbuf text = {0};
	json_t *value = NULL;
	bool ok = true;

	if (r->at[0] == quote && r->at[1] == quote)
		ok = refuse(r, "strings over several lines are not supported");
	while (ok && *r->at && *r->at != '\n' && *r->at != quote) {
		if (*r->at != '\\' || quote == '\'') {
			strbuf_addc(&text, *r->at++);
		} else {
			r->at++;
			ok = read_escape(r, &text);
		}
	}
	if (ok && *r->at != quote)
		ok = refuse(r, "the string does not end on its line");
	if (ok) {
		r->at++;
		value = json_string(strbuf_text(&text));
		if (!value)
			refuse(r, "the string is not UTF-8");
	}
	strbuf_release(&text);
	return value;
}

static json_t *read_word(struct reader *r)
{
	size_t len = strcspn(r->at, " \t\r\n,]#");
	char word[64], *end;
	json_t *value = NULL;

	snprintf(word, sizeof(word), "%.*s", (int)len, r->at);
	errno = 0;
	if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
		value = json_boolean(word[0] == 't');
	} else if (isdigit((unsigned char)word[0]) || word[0] == '-' || word[0] == '+') {
		long long number = strtoll(word, &end, 10);

		if (!*end && !errno)
			value = json_integer(number);
		else if (*end == '.') {
			double real = strtod(word, &end);

			value = *end || errno ? NULL : json_real(real);
		}
	}
	if (!value)
		refuse(r, "'%s' is not a value: strings need quotes; numbers, true and false do not",
		       word);
	r->at += len;
	return value;
}

static json_t *read_value(struct reader *r)
{
	if (*r->at == '"' || *r->at == '\'')
		return read_string(r);
	if (*r->at == '{') {
		refuse(r, "inline tables are not supported");
		return NULL;
	}
	return read_word(r);
}

static json_t *read_array(struct reader *r)
{
	json_t *array = json_array(), *value;
	unsigned opened = r->line;

	r->at++;
	for (;;) {
		skip_lines(r);
		if (*r->at == ']') {
			r->at++;
			return array;
		}
		if (!*r->at) {
			r->line = opened;
			refuse(r, "the array is not closed");
			break;
		}
		if (*r->at != '"' && *r->at != '\'') {
			refuse(r, "arrays have strings only");
			break;
		}
		value = read_string(r);
		if (!value)
			break;
		json_array_append_new(array, value);
		skip_lines(r);
		if (*r->at && *r->at != ',' && *r->at != ']') {
			refuse(r, "a comma or ] is expected in the array");
			break;
		}
		r->at += *r->at == ',';
	}
	json_decref(array);
	return NULL;
}

/* ---- lines ---- */

static bool occurs(const struct reader *r, const char *table, unsigned number, const char *key)
{
	for (size_t i = 0; i < r->entries->len; i++) {
		const struct toml_entry *e = &r->entries->items[i];

		if (strcmp(e->table, table) == 0 && e->number == number &&
		    (key ? e->key && strcmp(e->key, key) == 0 : !e->key))
			return true;
	}
	return false;
}

static bool read_heading(struct reader *r)
{
	bool is_array = r->at[1] == '[';
	const char *name;

	r->at += is_array ? 2 : 1;
	name = read_name(r);
	if (!name)
		return false;
	if (strncmp(r->at, is_array ? "]]" : "]", is_array ? 2 : 1) != 0)
		return refuse(r, "the heading of the table is not closed");
	r->at += is_array ? 2 : 1;
	r->table = name;
	r->number = 0;
	if (is_array ? occurs(r, name, 0, NULL) : occurs(r, name, 1, NULL))
		return refuse(r, "[%s] and [[%s]] cannot both be tables", name, name);
	if (is_array)
		do
			r->number++;
		while (occurs(r, name, r->number, NULL));
	else if (occurs(r, name, 0, NULL))
		return refuse(r, "the table [%s] is there twice", name);
	*vec_push(r->entries) = (struct toml_entry){.table = r->table, .number = r->number,
						    .line = r->line};
	return end_line(r);
}

static bool read_pair(struct reader *r)
{
	const char *key = read_name(r);
	unsigned line = r->line;
	json_t *value;

	if (!key)
		return false;
	if (*r->at != '=')
		return refuse(r, "= is expected after '%s'", key);
	if (occurs(r, r->table, r->number, key))
		return refuse(r, "'%s' is there twice", key);
	r->at++;
	skip_blanks(r);
	value = *r->at == '[' ? read_array(r) : read_value(r);
	if (!value)
		return false;
	*vec_push(r->entries) = (struct toml_entry){.table = r->table, .number = r->number,
						    .key = key, .value = value, .line = line};
	return end_line(r);
}

bool toml_read(const char *path, struct toml_entry_vec *entries, struct arena *arena,
	       struct err *err)
{
	struct reader r = {.path = path, .line = 1, .entries = entries, .arena = arena, .err = err,
			   .table = ""};
	struct strbuf text = {0};
	char block[4096];
	FILE *file = fopen(path, "r");
	bool ok = true;
	size_t n;

	if (!file)
		return err_set_errno(err, "cannot read %s", path);
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		strbuf_add(&text, block, n);
	fclose(file);
	if (strlen(strbuf_text(&text)) != text.len)
		ok = err_set(err, "%s is not a text", path);
	r.at = strbuf_text(&text);
	if (strncmp(r.at, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
		r.at += strlen(BYTE_ORDER_MARK);
	for (skip_lines(&r); ok && *r.at; skip_lines(&r))
		ok = *r.at == '[' ? read_heading(&r) : read_pair(&r);
	strbuf_release(&text);
	return ok;
}

void toml_release(struct toml_entry_vec *entries)
{
	for (size_t i = 0; i < entries->len; i++)
		json_decref(entries->items[i].value);
	vec_release(entries);
}
