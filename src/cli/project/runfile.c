#include "cli/project/runfile.h"

#include <ctype.h>
#include <glob.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "cli/code_path.h"
#include "cli/nearest.h"
#include "cli/test.h"

static const char *const kinds[RUN_KINDS] = {
	[RUN_PROGRAM] = "program",
	[RUN_FUNCTION] = "function",
	[RUN_EUNIT] = "eunit",
	[RUN_EXUNIT] = "exunit",
	[RUN_CT] = "ct",
};

const char *runfile_kind_text(enum run_kind kind)
{
	return kinds[kind];
}

/* Keys that do not change the result of a test. */
static bool is_outside(const char *key)
{
	static const char *const names[] = {"json", "junit", "sarif", "html", "quiet", "out", "name",
					    "expect", "baseline", "max-time", "jobs", "resume",
					    "fleet", "secret-file",
					    "full"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], key) == 0)
			return true;
	return false;
}

static void add_hash(struct run_test *test, const char *key, const char *value)
{
	if (is_outside(key))
		return;
	test->hash = hash_combine(test->hash, hash_bytes(key, strlen(key)));
	test->hash = hash_combine(test->hash, hash_bytes(value, strlen(value)));
}

/* ---- values ---- */

/* The value as the command line would have it: arrays with commas, true as "". NULL: false. */
static const char *text_of(struct runfile *f, const json_t *value)
{
	struct strbuf list = {0};
	const char *text;

	if (json_is_string(value))
		return arena_strdup(&f->arena, json_string_value(value));
	if (json_is_integer(value))
		return arena_printf(&f->arena, "%lld", (long long)json_integer_value(value));
	if (json_is_real(value))
		return arena_printf(&f->arena, "%g", json_real_value(value));
	if (json_is_boolean(value))
		return json_is_true(value) ? "" : NULL;
	for (size_t i = 0; i < json_array_size(value); i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", json_string_value(json_array_get(value, i)));
	text = arena_strdup(&f->arena, strbuf_text(&list));
	strbuf_release(&list);
	return text;
}

/* A string or an array of strings as words with NULL at the end; NULL with err if it is neither. */
static char **words_of(struct runfile *f, const struct toml_entry *e, struct err *err)
{
	size_t len = json_is_string(e->value) ? 1 : json_array_size(e->value);
	char **words = arena_zalloc(&f->arena, (len + 1) * sizeof(*words));

	if (!len) {
		err_set(err, "%s:%u: %s takes a string or an array of strings", f->path, e->line,
			e->key);
		return NULL;
	}
	for (size_t i = 0; i < len; i++) {
		const char *word = json_is_string(e->value)
					   ? json_string_value(e->value)
					   : json_string_value(json_array_get(e->value, i));

		words[i] = arena_strdup(&f->arena, word);
	}
	return words;
}

/* Options that choose the tests, or name files that the whole run writes. `number`: of the [[test]],
 * which may name the framework of its program; 0: of [options]. */
static bool is_of_command(const char *key, unsigned number)
{
	static const char *const names[] = {
		"eunit", "exunit", "ct", "json", "junit", "sarif", "html",
		"gtest", "catch2", "doctest", "check", "cmocka", "filter", /* of frameworks */
	};
	enum { OF_FRAMEWORKS = 6 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) - (number ? OF_FRAMEWORKS : 0); i++)
		if (strcmp(key, names[i]) == 0)
			return true;
	return false;
}

static bool refuse_key(const struct runfile *f, const struct toml_entry *e, const char *where,
		       struct err *err)
{
	static const char *const own[] = {"name", "program", "function", "eunit", "exunit", "ct",
					  "pa", "expect"};
	struct nearest nearest = {.typed = e->key};

	if (is_of_command(e->key, e->number))
		return err_set(err, "%s:%u: '%s' is an option of the command line and not a key of %s",
			       f->path, e->line, e->key, where);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]) && e->number; i++)
		nearest_offer(&nearest, own[i]);
	for (size_t i = 0; option_name(i); i++)
		nearest_offer(&nearest, option_name(i));
	if (nearest.best[0])
		return err_set(err, "%s:%u: %s has no key '%s'; did you mean '%s'?", f->path, e->line,
			       where, e->key, nearest.best);
	return err_set(err, "%s:%u: %s has no key '%s'", f->path, e->line, where, e->key);
}

static bool set_option(struct runfile *f, struct test_options *options, const struct toml_entry *e,
		       struct err *err)
{
	const char *value = text_of(f, e->value);

	if (value && !option_set(options, e->key, json_is_boolean(e->value) ? NULL : value, err))
		return err_prefix(err, "%s:%u: ", f->path, e->line);
	return true;
}

static bool is_option(const struct toml_entry *e)
{
	for (size_t i = 0; option_name(i); i++)
		if (strcmp(option_name(i), e->key) == 0)
			return !is_of_command(e->key, e->number);
	return false;
}

/* ---- one test ---- */

static bool set_expect(struct run_test *test, const struct toml_entry *e, const char *path,
		       struct err *err)
{
	static const char *const words[] = {"no-bug", "proved", "bug"};
	const char *word = json_string_value(e->value);

	for (size_t i = 0; word && i < 3; i++)
		if (strcmp(words[i], word) == 0) {
			test->expect = (enum run_expect)i;
			return true;
		}
	return err_set(err, "%s:%u: expect takes \"proved\", \"no-bug\" or \"bug\"", path, e->line);
}

/* The folders that the patterns match ("_build/test/lib/" and any name and "/ebin"). A pattern that
 * matches none stays, so that the warning about a missing folder names it. */
static const char *const *find_folders(struct runfile *f, char **patterns)
{
	VEC(const char *) found = {0};
	const char **folders;

	for (char **pattern = patterns; pattern && *pattern; pattern++) {
		glob_t names;

		if (glob(*pattern, GLOB_NOCHECK, NULL, &names) != 0)
			continue;
		for (size_t i = 0; i < names.gl_pathc; i++) {
			*vec_push(&found) = arena_strdup(&f->arena, names.gl_pathv[i]);
			code_path_check(names.gl_pathv[i]);
		}
		globfree(&names);
	}
	folders = arena_zalloc(&f->arena, (found.len + 1) * sizeof(*folders));
	if (found.len)
		memcpy(folders, found.items, found.len * sizeof(*folders));
	vec_release(&found);
	return patterns ? folders : NULL;
}

static bool set_key(struct runfile *f, struct run_test *test, const struct toml_entry *e,
		    struct err *err)
{
	const char *value = text_of(f, e->value);

	add_hash(test, e->key, value ? value : "false");
	if (strcmp(e->key, "name") == 0) {
		test->name = json_string_value(e->value);
		return (test->name && test->name[0]) ||
		       err_set(err, "%s:%u: name takes a string", f->path, e->line);
	}
	if (strcmp(e->key, "expect") == 0)
		return set_expect(test, e, f->path, err);
	if (strcmp(e->key, "pa") == 0)
		return (test->paths = find_folders(f, words_of(f, e, err))) != NULL;
	for (int kind = 0; kind < RUN_KINDS; kind++) {
		if (strcmp(e->key, kinds[kind]) != 0)
			continue;
		if (test->words)
			return err_set(err, "%s:%u: a test has one of program, function, eunit, "
				       "exunit and ct; this one has %s already", f->path, e->line,
				       kinds[test->kind]);
		test->kind = (enum run_kind)kind;
		return (test->words = words_of(f, e, err)) != NULL;
	}
	if (!is_option(e))
		return refuse_key(f, e, "[[test]]", err);
	return set_option(f, &test->options, e, err);
}

static bool parse_command_line(struct run_test *test, int argc, char **argv, struct err *err)
{
	for (int at = 0; at < argc;) {
		int before = at;
		char name[64];

		if (!option_parse(&test->options, argc, argv, &at, err))
			return false;
		BUG_ON(at == before, "the command line was checked before");
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(argv[before] + 2, "="),
			 argv[before] + 2);
		add_hash(test, name, argv[at - 1]);
	}
	return true;
}

/* The line of the key that a message about an option ("--memory tso needs …") names first; that of
 * the test if it names none. Of a key in both tables the later line counts: it wins. */
static unsigned find_line(const struct runfile *f, unsigned number, const char *message,
			  unsigned line)
{
	const char *first = NULL;

	for (size_t i = 0; i < f->entries.len; i++) {
		const struct toml_entry *e = &f->entries.items[i];
		char option[80];
		const char *at;

		if (!e->key || (e->number != number && strcmp(e->table, "options") != 0))
			continue;
		snprintf(option, sizeof(option), "--%s", e->key);
		at = strstr(message, option);
		while (at && (isalnum((unsigned char)at[strlen(option)]) ||
			      at[strlen(option)] == '-'))
			at = strstr(at + 1, option);
		if (at && (!first || at <= first)) {
			first = at;
			line = e->line;
		}
	}
	return line;
}

/* Is the option that the message names first one of the command line? */
static bool is_of_command_line(const char *message, int argc, char **argv)
{
	const char *named = strstr(message, "--");
	size_t len = named ? strcspn(named, " ,;=") : 0;

	for (int i = 0; i < argc && named; i++)
		if (strncmp(argv[i], named, len) == 0 && (!argv[i][len] || argv[i][len] == '='))
			return true;
	return false;
}

static bool finish_test(struct runfile *f, struct run_test *test, unsigned number, int argc,
			char **argv, struct err *err)
{
	static const char *const none[] = {NULL};

	if (!test->words)
		return err_set(err, "%s:%u: the test has no program, function, eunit, exunit or ct",
			       f->path, test->line);
	if (!test->name)
		test->name = test->words[0];
	if (!test->paths)
		test->paths = none;
	for (size_t i = 0; i + 1 < f->tests.len; i++)
		if (strcmp(f->tests.items[i].name, test->name) == 0)
			return err_set(err, "%s:%u: two tests have the name '%s'", f->path, test->line,
				       test->name);
	test->options.eunit = test->kind == RUN_EUNIT;
	test->options.exunit = test->kind == RUN_EXUNIT;
	test->options.ct = test->kind == RUN_CT;
	if (!test_prepare(&test->options, test->kind != RUN_PROGRAM, err))
		return !is_of_command_line(err->message, argc, argv) &&
		       err_prefix(err, "%s:%u: ", f->path,
				  find_line(f, number, err->message, test->line));
	return true;
}

static bool read_test(struct runfile *f, unsigned number, unsigned line, int argc, char **argv,
		      struct err *err)
{
	struct run_test *test = vec_push(&f->tests);

	*test = (struct run_test){.line = line};
	option_defaults(&test->options);
	if (!option_read_environment(&test->options, err))
		return false;
	for (size_t i = 0; i < f->entries.len; i++) {
		const struct toml_entry *e = &f->entries.items[i];

		if (e->key && strcmp(e->table, "options") == 0) {
			const char *value = text_of(f, e->value);

			add_hash(test, e->key, value ? value : "false");
			if (!set_option(f, &test->options, e, err))
				return false;
		}
	}
	/* An option of [options] may be for one kind of test only; one of [[test]] must fit. */
	memset(test->options.given, 0, sizeof(test->options.given));
	for (size_t i = 0; i < f->entries.len; i++) {
		const struct toml_entry *e = &f->entries.items[i];

		if (e->key && strcmp(e->table, "test") == 0 && e->number == number &&
		    !set_key(f, test, e, err))
			return false;
	}
	return parse_command_line(test, argc, argv, err) && finish_test(f, test, number, argc, argv, err);
}

/* ---- the file ---- */

static bool set_root(struct runfile *f, const struct toml_entry *e, struct err *err)
{
	if (strcmp(e->key, "budget") != 0)
		return err_set(err, "%s:%u: '%s' is not known here: before the first table there is "
			       "only budget; options of all tests belong under [options]", f->path,
			       e->line, e->key);
	f->budget = json_number_value(e->value);
	return f->budget > 0 || err_set(err, "%s:%u: budget takes a number of seconds above 0", f->path,
					e->line);
}

static bool check_entry(struct runfile *f, const struct toml_entry *e, struct err *err)
{
	bool is_options = strcmp(e->table, "options") == 0;

	if (!e->table[0])
		return set_root(f, e, err);
	if ((is_options && e->number) || (!is_options && strcmp(e->table, "test") != 0) ||
	    (!is_options && !e->number))
		return err_set(err, "%s:%u: the tables are [options] and [[test]], not %s%s%s", f->path,
			       e->line, e->number ? "[[" : "[", e->table, e->number ? "]]" : "]");
	if (is_options && e->key && !is_option(e))
		return refuse_key(f, e, "[options]", err);
	return !is_options || !e->key || set_option(f, &f->options, e, err);
}

static bool read_entries(struct runfile *f, int argc, char **argv, struct err *err)
{
	for (size_t i = 0; i < f->entries.len; i++)
		if (!check_entry(f, &f->entries.items[i], err))
			return false;
	for (int at = 0; at < argc;)
		if (!option_parse(&f->options, argc, argv, &at, err))
			return false;
	for (size_t i = 0; i < f->entries.len; i++) {
		const struct toml_entry *e = &f->entries.items[i];

		if (!e->key && e->number && !read_test(f, e->number, e->line, argc, argv, err))
			return false;
	}
	return f->tests.len || err_set(err, "%s has no [[test]]", f->path);
}

bool runfile_read(struct runfile *f, const char *path, int argc, char **argv, struct err *err)
{
	*f = (struct runfile){.path = path};
	option_defaults(&f->options);
	return option_read_environment(&f->options, err) &&
	       toml_read(path, &f->entries, &f->arena, err) && read_entries(f, argc, argv, err);
}

void runfile_release(struct runfile *f)
{
	toml_release(&f->entries);
	vec_release(&f->tests);
	arena_release(&f->arena);
}
