/* Reads CMakeLists.txt as far as tests need it: variables that `set` sets, loops over lists, targets
 * and where their programs are. It does not evaluate conditions: a test in an `if` is taken. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cli/project/found.h"

static const char FILE_NAME[] = "CMakeLists.txt", BUILD[] = "build-fermata";

struct variable {
	const char *folder, *name, *value; /* a list has ; between its items */
};

struct target {
	const char *name, *folder;
	const char *output, *directory; /* OUTPUT_NAME, RUNTIME_OUTPUT_DIRECTORY; NULL: not set */
	const char *framework;          /* NULL: none is linked */
};

struct cmake {
	struct found *found;
	VEC(struct variable) variables;
	VEC(struct target) targets;
	const char *path, *folder; /* of the file that is read; the folder ends with / or is "" */
	bool wants_tests;          /* the second pass, when all targets are known */
};

/* ---- variables ---- */

static const char *without_slash(struct cmake *c, const char *before, const char *folder)
{
	size_t len = strlen(folder);

	if (!len)
		return before;
	return arena_printf(&c->found->arena, "%s%s%.*s", before, before[0] ? "/" : "", (int)len - 1,
			    folder);
}

/* NULL if it is not known. The last value of the nearest folder counts. */
static const char *value_of(struct cmake *c, const char *name, const char *folder)
{
	const struct variable *best = NULL;

	if (strcmp(name, "CMAKE_BINARY_DIR") == 0 || strcmp(name, "PROJECT_BINARY_DIR") == 0)
		return BUILD;
	if (strcmp(name, "CMAKE_CURRENT_BINARY_DIR") == 0)
		return without_slash(c, BUILD, folder);
	if (strcmp(name, "CMAKE_SOURCE_DIR") == 0 || strcmp(name, "PROJECT_SOURCE_DIR") == 0)
		return ".";
	if (strcmp(name, "CMAKE_CURRENT_SOURCE_DIR") == 0)
		return folder[0] ? without_slash(c, "", folder) : ".";
	for (size_t i = 0; i < c->variables.len; i++) {
		const struct variable *one = &c->variables.items[i];

		if (strcmp(one->name, name) == 0 &&
		    strncmp(one->folder, folder, strlen(one->folder)) == 0 &&
		    (!best || strlen(one->folder) >= strlen(best->folder)))
			best = one;
	}
	return best ? best->value : NULL;
}

/* The word with the values of its variables; those that are not known stay. */
static const char *expand(struct cmake *c, const char *word)
{
	struct strbuf out = {0};
	const char *text;

	while (*word) {
		size_t len = strcspn(word, "$"), name_len;
		const char *value = NULL;

		strbuf_add(&out, word, len);
		word += len;
		if (!*word)
			break;
		name_len = word[1] == '{' ? strcspn(word + 2, "}") : 0;
		if (name_len && word[2 + name_len])
			value = value_of(c, arena_printf(&c->found->arena, "%.*s", (int)name_len,
							 word + 2), c->folder);
		if (value)
			strbuf_adds(&out, value);
		else
			strbuf_addc(&out, *word);
		word += value ? name_len + 3 : 1;
	}
	text = arena_strdup(&c->found->arena, strbuf_text(&out));
	strbuf_release(&out);
	return text;
}

static void set_variable(struct cmake *c, const char *name, const struct word_vec *values)
{
	struct strbuf list = {0};

	for (size_t i = 0; i < values->len; i++) {
		if (strcmp(values->items[i], "CACHE") == 0 ||
		    strcmp(values->items[i], "PARENT_SCOPE") == 0)
			break;
		strbuf_addf(&list, "%s%s", i ? ";" : "", values->items[i]);
	}
	*vec_push(&c->variables) = (struct variable){c->folder, name,
						     arena_strdup(&c->found->arena, strbuf_text(&list))};
	strbuf_release(&list);
}

/* ---- targets ---- */

static struct target *find_target(struct cmake *c, const char *name)
{
	for (size_t i = 0; i < c->targets.len; i++)
		if (strcmp(c->targets.items[i].name, name) == 0)
			return &c->targets.items[i];
	return NULL;
}

static void set_properties(struct cmake *c, const struct word_vec *words)
{
	size_t from = 0;

	while (from < words->len && strcmp(words->items[from], "PROPERTIES") != 0)
		from++;
	for (size_t t = 0; t < from; t++) {
		struct target *target = find_target(c, words->items[t]);

		for (size_t i = from + 1; target && i + 1 < words->len; i += 2) {
			if (strcmp(words->items[i], "OUTPUT_NAME") == 0)
				target->output = words->items[i + 1];
			if (strcmp(words->items[i], "RUNTIME_OUTPUT_DIRECTORY") == 0)
				target->directory = words->items[i + 1];
		}
	}
}

/* The key of the run file for a library of a test framework. */
static const char *framework_of(const char *library)
{
	static const char *const libraries[][2] = {
		{"gtest", "gtest"},    {"GTest::", "gtest"},     {"gmock", "gtest"},
		{"Catch2", "catch2"},  {"doctest", "doctest"},   {"cmocka", "cmocka"},
		{"check", "check"},    {"Check::", "check"},
	};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (strncmp(library, libraries[i][0], strlen(libraries[i][0])) == 0)
			return libraries[i][1];
	return NULL;
}

static void link_libraries(struct cmake *c, const struct word_vec *words)
{
	struct target *target = words->len ? find_target(c, words->items[0]) : NULL;

	for (size_t i = 1; target && i < words->len; i++)
		if (framework_of(words->items[i]))
			target->framework = framework_of(words->items[i]);
}

static const char *path_of(struct cmake *c, const struct target *target)
{
	const char *directory = target->directory
					? target->directory
					: value_of(c, "CMAKE_RUNTIME_OUTPUT_DIRECTORY", target->folder);

	if (!directory)
		directory = without_slash(c, BUILD, target->folder);
	return arena_printf(&c->found->arena, "%s/%s", directory,
			    target->output ? target->output : target->name);
}

/* ---- tests ---- */

static bool is_keyword(const char *word)
{
	return word[0] && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(word);
}

/* $<TARGET_FILE:x> is the program of the target x. */
static const char *target_name(struct cmake *c, const char *command)
{
	static const char begin[] = "$<TARGET_FILE:";

	if (strncmp(command, begin, strlen(begin)) != 0)
		return command;
	command += strlen(begin);
	return arena_printf(&c->found->arena, "%.*s", (int)strcspn(command, ">"), command);
}

static void add_test(struct cmake *c, const char *name, const char *command,
		     struct found_program *program)
{
	const struct target *target = find_target(c, target_name(c, command));

	program->name = name;
	if (target) {
		program->path = path_of(c, target);
		program->framework = program->arguments->len ? NULL : target->framework;
	} else if (strchr(command, '/')) {
		program->path = command;
	} else {
		found_note(c->found, "%s (%s): %s is not a target of add_executable", name, c->path,
			   command);
		return;
	}
	found_add_program(c->found, program, c->path);
}

/* add_test(NAME x COMMAND y …), add_test(x y …) and
 * fermata_add_test(NAME x TARGET y ARGS … OPTIONS … PROVE). */
static void read_test(struct cmake *c, const struct word_vec *words)
{
	const char *name = NULL, *command = NULL, *key = "";
	struct word_vec arguments = {0}, options = {0};
	struct found_program program = {.arguments = &arguments, .options = &options};

	for (size_t i = 0; i < words->len; i++) {
		const char *word = words->items[i];
		bool is_program = strcmp(key, "COMMAND") == 0 || strcmp(key, "TARGET") == 0;

		if (is_keyword(word)) {
			key = word;
			program.is_proved = program.is_proved || strcmp(word, "PROVE") == 0;
		} else if (!name && (!*key || strcmp(key, "NAME") == 0)) {
			name = word;
		} else if (!command && (!*key || is_program)) {
			command = word;
		} else if (!*key || strcmp(key, "COMMAND") == 0 || strcmp(key, "ARGS") == 0) {
			*vec_push(&arguments) = word;
		} else if (strcmp(key, "OPTIONS") == 0) {
			*vec_push(&options) = word;
		}
	}
	if (name && command)
		add_test(c, name, command, &program);
	vec_release(&arguments);
	vec_release(&options);
}

/* gtest_discover_tests(x …), gtest_add_tests(TARGET x …) and those of other frameworks. */
static void discover_tests(struct cmake *c, const struct word_vec *words)
{
	struct word_vec none = {0};
	struct found_program program = {.arguments = &none};
	size_t at = words->len > 1 && strcmp(words->items[0], "TARGET") == 0;

	if (at < words->len)
		add_test(c, words->items[at], words->items[at], &program);
}

/* ---- files ---- */

static void read_call(struct cmake *c, const char *command, const struct word_vec *words)
{
	const char *first = words->len ? words->items[0] : NULL;
	struct word_vec rest = {0};

	if (words->len > 1) /* borrowed */
		rest = (struct word_vec){.items = words->items + 1, .len = words->len - 1};

	if (c->wants_tests && found_ends_with(command, "add_test"))
		read_test(c, words);
	else if (c->wants_tests && (found_ends_with(command, "_discover_tests") ||
				    strcmp(command, "gtest_add_tests") == 0))
		discover_tests(c, words);
	if (first && strcmp(command, "set") == 0)
		set_variable(c, first, &rest);
	if (c->wants_tests || !first)
		return;
	if (strcmp(command, "project") == 0)
		*vec_push(&c->variables) = (struct variable){c->folder, "PROJECT_NAME", first};
	else if (strcmp(command, "add_executable") == 0)
		*vec_push(&c->targets) = (struct target){.name = first, .folder = c->folder};
	else if (strcmp(command, "set_target_properties") == 0)
		set_properties(c, words);
	else if (strcmp(command, "target_link_libraries") == 0)
		link_libraries(c, words);
}

/* The words of a call; *at is behind its opening parenthesis and moves to the closing one. */
static void take_words(struct cmake *c, const char **at, struct word_vec *words)
{
	const char *word;

	for (;;) {
		*at += strspn(*at, " \t\n,");
		if (!**at || **at == ')')
			return;
		if (**at == '(') { /* of a condition */
			++*at;
			continue;
		}
		word = found_take_word(c->found, at);
		if (word)
			*vec_push(words) = expand(c, word);
	}
}

static void read_text(struct cmake *c, const char *at, const char *end);

/* The body of foreach(x a b), foreach(x IN ITEMS a b) or foreach(x IN LISTS l) for each item.
 * Returns the end of the loop. */
static const char *read_loop(struct cmake *c, const struct word_vec *words, const char *body,
			     const char *end)
{
	const char *last = strstr(body, "endforeach");
	bool is_in = words->len > 1 && strcmp(words->items[1], "IN") == 0;
	bool is_of_lists = is_in && words->len > 2 && strcmp(words->items[2], "LISTS") == 0;

	last = last && last < end ? last : end;
	for (size_t i = is_in ? 3 : 1; i < words->len; i++) {
		const char *items = words->items[i];

		if (is_of_lists)
			items = value_of(c, items, c->folder);
		while (items && *items) {
			size_t len = strcspn(items, ";");

			*vec_push(&c->variables) = (struct variable){
				c->folder, words->items[0],
				arena_printf(&c->found->arena, "%.*s", (int)len, items)};
			read_text(c, body, last);
			items += len + (items[len] == ';');
		}
	}
	return last;
}

static void read_text(struct cmake *c, const char *at, const char *end)
{
	while (at < end && *at) {
		struct word_vec words = {0};
		char command[64];
		size_t len = 0, blanks;

		while (isalnum((unsigned char)at[len]) || at[len] == '_')
			len++;
		blanks = strspn(at + len, " \t\n");
		if (!len || at[len + blanks] != '(' || len >= sizeof(command)) {
			at += len ? len : 1;
			continue;
		}
		for (size_t i = 0; i < len; i++)
			command[i] = (char)tolower((unsigned char)at[i]);
		command[len] = '\0';
		at += len + blanks + 1;
		take_words(c, &at, &words);
		if (strcmp(command, "foreach") == 0 && words.len)
			at = read_loop(c, &words, at, end);
		else
			read_call(c, command, &words);
		vec_release(&words);
	}
}

static void visit_file(struct found *found, void *ctx, const char *path, const char *name)
{
	struct cmake *c = ctx;
	struct strbuf text = {0};

	if (strcmp(name, FILE_NAME) == 0 && strncmp(path, BUILD, strlen(BUILD)) != 0 &&
	    found_read(path, '#', &text)) {
		c->path = path;
		c->folder = arena_printf(&found->arena, "%.*s",
					 (int)(strlen(path) - strlen(FILE_NAME)), path);
		read_text(c, strbuf_text(&text), strbuf_text(&text) + text.len);
	}
	strbuf_release(&text);
}

void found_read_cmake(struct found *found)
{
	struct cmake c = {.found = found};

	found_walk(found, visit_file, &c);
	c.wants_tests = true;
	found_walk(found, visit_file, &c);
	vec_release(&c.variables);
	vec_release(&c.targets);
}
