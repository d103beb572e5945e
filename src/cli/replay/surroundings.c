#include "cli/replay/surroundings.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "cli/exits.h"
#include "native/program.h"
#include "vm/bifs/environment.h"

enum { NAME_LIMIT = 256 };

/* ---- which variables matter ---- */

/* A variable of this process. */
struct variable {
	char name[NAME_LIMIT];
	size_t len;        /* of the name */
	const char *value; /* in environ */
	bool is_named;     /* by the program's file */
};

VEC_TYPE(variable_vec, struct variable);

static void list_variables(struct variable_vec *variables)
{
	for (char **at = environ; *at; at++) {
		const char *equals = strchr(*at, '=');
		size_t len = equals ? (size_t)(equals - *at) : 0;
		struct variable *variable;

		if (!len || len >= NAME_LIMIT)
			continue;
		variable = vec_push(variables);
		*variable = (struct variable){.len = len, .value = equals + 1};
		memcpy(variable->name, *at, len);
	}
}

/* Marks those whose name is the end of the string that ends at text[end]: a linker lets one string
 * be the end of another. */
static void mark_ending(struct variable_vec *variables, const char *text, size_t end)
{
	for (size_t i = 0; i < variables->len; i++) {
		struct variable *v = &variables->items[i];

		if (v->len <= end && text[end - 1] == v->name[v->len - 1] &&
		    memcmp(text + end - v->len, v->name, v->len) == 0)
			v->is_named = true;
	}
}

/* Marks those whose name is a string of the file. */
static void mark_named(struct variable_vec *variables, const char *path)
{
	int fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	struct stat status;
	const char *text, *end;

	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		for (end = text; text != MAP_FAILED &&
				 (end = memchr(end, 0, (size_t)(text + status.st_size - end)));
		     end++)
			if (end > text && (isalnum((unsigned char)end[-1]) || end[-1] == '_'))
				mark_ending(variables, text, (size_t)(end - text));
		if (text != MAP_FAILED)
			munmap((void *)text, (size_t)status.st_size);
	}
	close(fd);
}

/* Variables that the C library and the loader read by themselves. */
static bool is_of_system(const char *name)
{
	static const char *const names[] = {"LANG", "LANGUAGE", "TZ", "TZDIR", "TMPDIR",
					    "LD_LIBRARY_PATH", "POSIXLY_CORRECT"};
	static const char *const beginnings[] = {"LC_", "MALLOC_", "OMP_", "GOMP_"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

/* Variables that the tool sets or reads itself, and those that load code into the tool as well. */
static bool is_of_tool(const char *name)
{
	if (strcmp(name, "FERMATA_CASE") == 0) /* the test of a suite (framework.h) */
		return false;
	return strncmp(name, "FERMATA_", 8) == 0 || strcmp(name, "LD_PRELOAD") == 0 ||
	       strcmp(name, "LD_AUDIT") == 0 || strcmp(name, "GLIBC_TUNABLES") == 0 ||
	       strcmp(name, "_") == 0;
}

static bool is_secret(const char *name)
{
	static const char *const parts[] = {"TOKEN", "SECRET", "PASSW", "CREDENTIAL", "_KEY",
					    "COOKIE"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcasestr(name, parts[i]))
			return true;
	return false;
}

static bool matters(const struct variable *v)
{
	return !is_of_tool(v->name) && (is_of_system(v->name) || v->is_named);
}

/* ---- recording ---- */

static json_t *hash_json(const char *value)
{
	char text[24];

	snprintf(text, sizeof(text), "%016" PRIx64, hash_bytes(value, strlen(value)));
	return json_pack("{s:s}", "hash", text);
}

/* A value that is not UTF-8 is left out. */
static void record(json_t *into, const char *name, const char *value)
{
	if (!value)
		json_object_set_new(into, name, json_null());
	else
		json_object_set_new(into, name, is_secret(name) ? hash_json(value)
								: json_string(value));
}

static void record_asked(void *ctx, const char *name)
{
	if (!is_of_tool(name))
		record(ctx, name, getenv(name));
}

void surroundings_record(json_t *setup, bool is_whole)
{
	const char *program = json_string_value(json_object_get(setup, "program"));
	struct variable_vec variables = {0};
	json_t *recorded = json_object();

	is_whole |= !program && environment_list_asked(record_asked, recorded);
	list_variables(&variables);
	mark_named(&variables, program);
	for (size_t i = 0; i < variables.len; i++) {
		const struct variable *v = &variables.items[i];

		if (is_whole ? !is_of_tool(v->name) : program && matters(v))
			record(recorded, v->name, v->value);
	}
	vec_release(&variables);
	json_object_set_new(setup, "environment", recorded);
	json_object_set_new(setup, "environment_is_whole", json_boolean(is_whole));
}

/* ---- putting it back ---- */

static void restore_variable(const char *name, const json_t *value)
{
	const char *now = getenv(name), *hash = json_string_value(json_object_get(value, "hash"));
	char text[24] = "";

	if (json_is_null(value)) {
		unsetenv(name);
	} else if (json_is_string(value)) {
		setenv(name, json_string_value(value), 1);
	} else if (hash) {
		if (now)
			snprintf(text, sizeof(text), "%016" PRIx64, hash_bytes(now, strlen(now)));
		if (strcmp(text, hash) != 0)
			exits_warn("the variable %s had another value; the finding does not record "
				   "values of that sort", name);
	}
}

/* Removes the variables that matter and were not set when the finding was found. */
static void remove_others(const json_t *recorded, const char *program, bool is_whole)
{
	struct variable_vec variables = {0};

	list_variables(&variables);
	mark_named(&variables, program);
	for (size_t i = 0; i < variables.len; i++) {
		const struct variable *v = &variables.items[i];

		if ((is_whole ? !is_of_tool(v->name) : matters(v)) &&
		    !json_object_get(recorded, v->name))
			unsetenv(v->name);
	}
	vec_release(&variables);
}

void surroundings_restore(const json_t *setup)
{
	json_t *recorded = json_object_get(setup, "environment"), *value;
	const char *program = json_string_value(json_object_get(setup, "program")), *name;
	bool is_whole = json_is_true(json_object_get(setup, "environment_is_whole"));

	if (!json_is_object(recorded))
		return;
	if (program || is_whole)
		remove_others(recorded, program, is_whole);
	json_object_foreach(recorded, name, value)
		if (name[0] && !strchr(name, '=') && !is_of_tool(name))
			restore_variable(name, value);
}

/* ---- limits ---- */

static const struct {
	const char *word;
	int resource;
} limits_known[] = {
	{"stack", RLIMIT_STACK},      {"memory", RLIMIT_AS},   {"data", RLIMIT_DATA},
	{"open_files", RLIMIT_NOFILE}, {"file_size", RLIMIT_FSIZE},
};

enum { LIMITS = sizeof(limits_known) / sizeof(limits_known[0]) };

_Static_assert((int)LIMITS <= (int)PROGRAM_LIMITS, "more limits than a program can be given");

json_t *surroundings_limits(void)
{
	json_t *json = json_object();

	for (size_t i = 0; i < LIMITS; i++) {
		struct rlimit limit;

		if (getrlimit((__rlimit_resource_t)limits_known[i].resource, &limit) == 0)
			json_object_set_new(json, limits_known[i].word,
					    limit.rlim_cur == RLIM_INFINITY
						    ? json_null()
						    : json_integer((json_int_t)limit.rlim_cur));
	}
	return json;
}

void surroundings_read_limits(const json_t *setup, struct program_limits *limits)
{
	const json_t *json = json_object_get(setup, "limits");

	limits->len = 0;
	for (size_t i = 0; i < LIMITS; i++) {
		const json_t *value = json_object_get(json, limits_known[i].word);

		if (!json_is_integer(value) && !json_is_null(value))
			continue;
		limits->items[limits->len].resource = limits_known[i].resource;
		limits->items[limits->len++].soft = json_is_null(value)
							    ? RLIM_INFINITY
							    : (rlim_t)json_integer_value(value);
	}
}

static const char *limit_word(int resource)
{
	size_t i = 0;

	while (i + 1 < LIMITS && limits_known[i].resource != resource)
		i++;
	return limits_known[i].word;
}

void surroundings_warn_of_limits(const struct program_limits *limits)
{
	for (size_t i = 0; i < limits->len; i++) {
		rlim_t wanted = limits->items[i].soft;
		struct rlimit now;

		if (getrlimit((__rlimit_resource_t)limits->items[i].resource, &now) != 0 ||
		    wanted <= now.rlim_max)
			continue;
		exits_warn(wanted == RLIM_INFINITY
				   ? "the finding was found without a limit of %s; here it is %lu"
				   : "the finding was found with another limit of %s; here at most "
				     "%lu is allowed", limit_word(limits->items[i].resource),
			   (unsigned long)now.rlim_max);
	}
}

/* ---- trust ---- */

/* Does each part of a list of folders lie in the folder? A relative part counts as inside only if
 * it stays inside. */
static bool are_inside(const char *list, const char *root)
{
	char part[PATH_MAX], resolved[PATH_MAX];
	size_t root_len = strlen(root);

	while (*list) {
		size_t len = strcspn(list, ":");

		if (len >= sizeof(part))
			return false;
		memcpy(part, list, len);
		part[len] = '\0';
		if (len && realpath(part, resolved) &&
		    (strncmp(resolved, root, root_len) != 0 ||
		     (resolved[root_len] != '/' && resolved[root_len] != '\0')))
			return false;
		list += len + (list[len] == ':');
	}
	return true;
}

bool surroundings_is_outside(const struct saved *saved, const char *folder,
			     const char **variable)
{
	json_t *recorded = json_object_get(saved->setup, "environment"), *value;
	char root[PATH_MAX];
	const char *name;

	if (!json_is_object(recorded))
		return false;
	if (!realpath(folder, root))
		snprintf(root, sizeof(root), "//"); /* nothing is inside */
	if (strcmp(root, "/") == 0)
		return false;
	json_object_foreach(recorded, name, value) {
		const char *then = json_string_value(value), *now = getenv(name);

		if (!then || (!strstr(name, "PATH") && strncmp(name, "LD_", 3) != 0) ||
		    (now && strcmp(now, then) == 0) || are_inside(then, root))
			continue;
		*variable = name;
		return true;
	}
	return false;
}
