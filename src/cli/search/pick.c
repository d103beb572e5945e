#include "cli/search/pick.h"

#include <ctype.h>
#include <string.h>

#include "cli/nearest.h"

struct pick pick_parse(struct arena *arena, const char *asked)
{
	const char *colon = strchr(asked, ':');

	if (!colon || !colon[1])
		return (struct pick){arena_strdup(arena, asked), NULL};
	return (struct pick){arena_strndup(arena, asked, (size_t)(colon - asked)),
			     arena_strdup(arena, colon + 1)};
}

/* ---- names ---- */

struct named {
	const char *path, *name, *tags; /* the name without its module */
};

static struct named read_item(const json_t *item)
{
	struct named named = {"", "", ""};
	const char *colon;

	json_unpack((json_t *)item, "{s:s, s:s, s?s}", "path", &named.path, "text", &named.name,
		    "tags", &named.tags);
	colon = strchr(named.name, ':');
	if (colon)
		named.name = colon + 1 + strspn(colon + 1, " ");
	return named;
}

static bool is_test(const json_t *item)
{
	json_int_t kind = json_integer_value(json_object_get(item, "kind"));

	return kind == SUITE_TEST || kind == SUITE_SKIPPED;
}

/* Whether one of the lines of `tags` is "line:TEXT". */
static bool is_line_in_tags(const char *tags, const char *text)
{
	char wanted[32];
	const char *at;

	snprintf(wanted, sizeof(wanted), "line:%s\n", text);
	at = strstr(tags, wanted);
	return at && (at == tags || at[-1] == '\n');
}

/* "add_test:12 \"title\"" has the name add_test and the line 12. */
static bool is_eunit_name(const char *name, const char *text)
{
	size_t len = strlen(text), function = strcspn(name, ": ");
	const char *line = name[function] == ':' ? name + function + 1 : "";

	return (len == function && strncmp(name, text, len) == 0) ||
	       (isdigit((unsigned char)text[0]) && len == strcspn(line, " ") &&
		strncmp(line, text, len) == 0);
}

/* The path "group/inner/case" has the names of the case and of the groups around it. */
static bool is_ct_name(const char *path, const char *text)
{
	size_t len = strlen(text);

	if (strcmp(path, text) == 0)
		return true;
	for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
		if (strncmp(at, text, len) == 0 && (at[len] == '/' || at[len] == '\0'))
			return true;
	return false;
}

static bool is_exact(enum suite_kind kind, const struct named *named, const char *text)
{
	static const char prefix[] = "test ";

	switch (kind) {
	case SUITE_EUNIT:
		return is_eunit_name(named->name, text);
	case SUITE_CT:
		return is_ct_name(named->path, text);
	default:
		return strcmp(named->path, text) == 0 || is_line_in_tags(named->tags, text) ||
		       (strncmp(named->path, prefix, strlen(prefix)) == 0 &&
			strcmp(named->path + strlen(prefix), text) == 0);
	}
}

/* ---- tags ---- */

/* `tags` has a line "name:value" for each tag of a test. `wanted` is name:value, or only a name; the
 * value must then not be false. */
static bool has_tag(const char *tags, const char *wanted, size_t len)
{
	bool has_value = memchr(wanted, ':', len) != NULL;

	for (const char *line = tags; *line;) {
		size_t line_len = strcspn(line, "\n");

		if (line_len >= len && strncmp(line, wanted, len) == 0) {
			bool is_false = strncmp(line + len, ":false\n", 7) == 0 ||
					strncmp(line + len, ":nil\n", 5) == 0;

			if (has_value ? line[len] == '\n' : line[len] == ':' && !is_false)
				return true;
		}
		line += line_len + (line[line_len] == '\n');
	}
	return false;
}

static bool has_any_tag(const char *tags, const char *words)
{
	for (const char *one = words; *one;) {
		size_t len = strcspn(one, ",");

		if (len && has_tag(tags, one, len))
			return true;
		one += len + (one[len] == ',');
	}
	return false;
}

static bool is_tagged_right(const struct named *named, const struct test_options *o)
{
	return (!o->tag || has_any_tag(named->tags, o->tag)) &&
	       (!o->skip_tag || !has_any_tag(named->tags, o->skip_tag));
}

/* ---- the list ---- */

static bool has_exact(const struct pick *pick, enum suite_kind kind, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		struct named named = read_item(item);

		if (is_test(item) && is_exact(kind, &named, pick->text))
			return true;
	}
	return false;
}

static bool refuse(const struct pick *pick, const struct nearest *nearest, struct err *err)
{
	if (nearest->best[0])
		return err_set(err, "%s has no test '%s'; did you mean '%s'?", pick->module,
			       pick->text, nearest->best);
	return err_set(err, "%s has no test '%s'", pick->module, pick->text);
}

bool pick_apply(const struct pick *pick, enum suite_kind kind, const struct test_options *options,
		json_t *list, struct err *err)
{
	bool exactly = pick->text && has_exact(pick, kind, list);
	struct nearest nearest = {.typed = pick->text ? pick->text : ""};
	size_t tests = 0, i = 0;

	if (!pick->text && !options->tag && !options->skip_tag)
		return true;
	while (i < json_array_size(list)) {
		const json_t *item = json_array_get(list, i);
		struct named named = read_item(item);
		bool is_wanted = is_tagged_right(&named, options);

		if (is_wanted && pick->text)
			is_wanted = exactly ? is_exact(kind, &named, pick->text)
					    : strstr(named.name, pick->text) != NULL;
		nearest_offer(&nearest, named.name);
		tests += is_wanted && is_test(item);
		if (is_wanted)
			i++;
		else
			json_array_remove(list, i);
	}
	return tests || !pick->text || refuse(pick, &nearest, err);
}
