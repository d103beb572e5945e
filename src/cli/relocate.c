#include "cli/relocate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

/* Does the path lie in the folder? Then the part behind it, with its slash, or "". */
static const char *part_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (len && strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0'))
		return path + len;
	return NULL;
}

struct roots {
	const char *old_root; /* where the test was started */
	char new_root[PATH_MAX];
};

static void cut_last_part(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
}

/* False if the finding is where it was saved, or if it was not saved below the old root. */
static bool find_roots(const struct saved *saved, const char *finding_path, struct roots *roots)
{
	const char *saved_in = json_string_value(json_object_get(saved->root, "saved_in"));
	const char *suffix;
	size_t len;

	roots->old_root = json_string_value(json_object_get(saved->root, "started_in"));
	if (!roots->old_root || !saved_in || !realpath(finding_path, roots->new_root))
		return false;
	cut_last_part(roots->new_root);
	suffix = part_below(saved_in, roots->old_root);
	if (!suffix || strcmp(saved_in, roots->new_root) == 0)
		return false;
	len = strlen(roots->new_root);
	if (len < strlen(suffix) || strcmp(roots->new_root + len - strlen(suffix), suffix) != 0)
		return false;
	roots->new_root[len - strlen(suffix)] = '\0';
	return true;
}

/* The path below the new root, if it exists there; a new value, or NULL. */
static json_t *move_path(const struct roots *roots, const json_t *path)
{
	const char *text = json_string_value(path);
	const char *below = text ? part_below(text, roots->old_root) : NULL;
	char moved[2 * PATH_MAX];

	if (!below)
		return NULL;
	snprintf(moved, sizeof(moved), "%s%s", roots->new_root, below);
	return access(moved, F_OK) == 0 ? json_string(moved) : NULL;
}

/* Each part of a list of folders ("a:b") below the new root, if it exists there; a new value. */
static json_t *move_list(const struct roots *roots, const char *list)
{
	struct strbuf text = {0};
	json_t *result;

	while (*list) {
		size_t len = strcspn(list, ":");
		json_t *part = json_stringn(list, len), *moved = move_path(roots, part);

		strbuf_adds(&text, json_string_value(moved ? moved : part));
		json_decref(moved);
		json_decref(part);
		list += len;
		if (*list == ':')
			strbuf_addc(&text, *list++);
	}
	result = json_string(strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static void move_all(json_t *setup, const struct roots *roots)
{
	static const char *const keys[] = {"program", "folder", "stdin", "config"};
	json_t *paths = json_object_get(setup, "paths"), *moved, *value;
	json_t *environment = json_object_get(setup, "environment");
	const char *name;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		moved = move_path(roots, json_object_get(setup, keys[i]));
		if (moved)
			json_object_set_new(setup, keys[i], moved);
	}
	for (size_t i = 0; i < json_array_size(paths); i++) {
		moved = move_path(roots, json_array_get(paths, i));
		if (moved)
			json_array_set_new(paths, i, moved);
	}
	json_object_foreach(environment, name, value)
		if (json_is_string(value))
			json_object_set_new(environment, name,
					    move_list(roots, json_string_value(value)));
}

static void set_program(json_t *setup, char **argv)
{
	char resolved[PATH_MAX];
	json_t *words = json_array();

	for (char **word = argv; *word; word++)
		json_array_append_new(words, json_string(*word));
	json_object_set_new(setup, "program",
			    json_string(realpath(argv[0], resolved) ? resolved : argv[0]));
	json_object_set_new(setup, "argv", words);
}

static void set_paths(json_t *setup, const char *const *paths)
{
	json_t *list = json_array();

	for (; *paths; paths++) {
		char resolved[PATH_MAX];

		json_array_append_new(list,
				      json_string(realpath(*paths, resolved) ? resolved : *paths));
	}
	json_object_set_new(setup, "paths", list);
}

void relocate(struct saved *saved, const char *finding_path, const struct relocate_options *o)
{
	json_t *setup = json_object_get(saved->root, "setup");
	struct roots roots;

	if (find_roots(saved, finding_path, &roots))
		move_all(setup, &roots);
	if (o->argv)
		set_program(setup, o->argv);
	if (o->paths)
		set_paths(setup, o->paths);
}

/* A path that does not exist runs nothing. A folder that does not exist any more has no inside. */
static bool is_path_outside(const char *path, const char *folder)
{
	char resolved[PATH_MAX], root[PATH_MAX];

	if (!path || !realpath(path, resolved))
		return false;
	if (!realpath(folder, root))
		return true;
	return strcmp(root, "/") != 0 && !part_below(resolved, root);
}

bool relocate_is_outside(const struct saved *saved, const char *folder, const char **program)
{
	const json_t *machine = json_object_get(saved->setup, "machine");
	const json_t *paths = json_object_get(saved->setup, "paths");

	*program = json_string_value(json_object_get(saved->setup, "program"));
	if (is_path_outside(*program, folder))
		return true;
	/* Erlang code runs in a machine of our own, which writes files only if it is allowed to. */
	for (size_t i = 0; json_is_true(json_object_get(machine, "allow_io")) &&
			   i < json_array_size(paths); i++) {
		*program = json_string_value(json_array_get(paths, i));
		if (is_path_outside(*program, folder))
			return true;
	}
	return false;
}
