#include "cli/replay/relocate.h"

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

/* How a project moved. */
struct move {
	const char *saved_in; /* the folder of the finding when it was saved */
	char old_root[PATH_MAX], new_root[PATH_MAX];
	bool is_known; /* the two folders of the finding end alike; else it was moved alone */
	struct strbuf *warnings; /* NULL: do not warn */
};

static void cut_last_part(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
}

/* Takes the common end of the two folders away, in whole parts: /a/bank/found and /b/copy/found
 * become /a/bank and /b/copy. A root that is / becomes "". */
static void cut_common_end(struct move *move)
{
	for (;;) {
		char *old_part = strrchr(move->old_root, '/');
		char *new_part = strrchr(move->new_root, '/');

		if (!old_part || !new_part || !old_part[1] || strcmp(old_part, new_part) != 0)
			return;
		*old_part = *new_part = '\0';
		move->is_known = true;
	}
}

/* False if the finding is where it was saved. */
static bool find_move(const struct saved *saved, const char *finding_path, struct move *move)
{
	*move = (struct move){
		.saved_in = json_string_value(json_object_get(saved->root, "saved_in"))};
	if (!move->saved_in || !realpath(finding_path, move->new_root))
		return false;
	cut_last_part(move->new_root);
	if (strcmp(move->saved_in, move->new_root) == 0)
		return false;
	snprintf(move->old_root, sizeof(move->old_root), "%s", move->saved_in);
	cut_common_end(move);
	return true;
}

/* Have the two paths more in common than the root of the file system? */
static bool are_together(const char *path, const char *other)
{
	size_t len = path[0] == '/' ? 1 + strcspn(path + 1, "/") : 0;

	return len > 1 && strncmp(path, other, len) == 0 && (other[len] == '/' || !other[len]);
}

/* Did the path belong to the tree that was moved? *below is then its part below the old root, NULL
 * if the finding was moved alone. */
static bool is_moved(const struct move *move, const char *path, const char **below)
{
	*below = NULL;
	if (!move->is_known)
		return are_together(path, move->saved_in);
	*below = move->old_root[0] ? part_below(path, move->old_root) : path;
	return *below;
}

/* The path below the new root, if it exists there; a new value, or NULL. *stays: the path belongs
 * to the tree that was moved, but it does not exist there, only in the old place. */
static json_t *move_path(const struct move *move, const char *path, bool *stays)
{
	char moved[2 * PATH_MAX] = "";
	const char *below;

	*stays = false;
	if (!path || !path[0] || !is_moved(move, path, &below))
		return NULL;
	if (below)
		snprintf(moved, sizeof(moved), "%s%s", move->new_root, below);
	if (moved[0] && access(moved, F_OK) == 0)
		return json_string(moved);
	*stays = access(path, F_OK) == 0;
	if (*stays && move->warnings)
		strbuf_addf(move->warnings,
			    "the finding was moved without %s: the original is used%s%s\n", path,
			    moved[0] ? ", because there is no " : "", moved);
	return NULL;
}

/* Each part of a list of folders ("a:b") below the new root, if it exists there; a new value. */
static json_t *move_list(const struct move *move, const char *list)
{
	struct strbuf text = {0};
	json_t *result;

	while (*list) {
		size_t len = strcspn(list, ":");
		json_t *part = json_stringn(list, len), *moved;
		bool stays;

		moved = move_path(move, json_string_value(part), &stays);
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

static void move_environment(json_t *environment, const struct move *move)
{
	struct move quiet = *move;
	const char *name;
	json_t *value;

	quiet.warnings = NULL; /* a value is not always a path */
	json_object_foreach(environment, name, value)
		if (json_is_string(value))
			json_object_set_new(environment, name,
					    move_list(&quiet, json_string_value(value)));
}

/* Moves setup[key]; returns whether the path stays the original's. */
static bool move_member(json_t *setup, const char *key, const struct move *move)
{
	bool stays;
	json_t *moved = move_path(move, json_string_value(json_object_get(setup, key)), &stays);

	if (moved)
		json_object_set_new(setup, key, moved);
	return stays;
}

/* Returns the first program or folder of modules that stays. */
static const char *move_code(json_t *setup, const struct move *move)
{
	json_t *paths = json_object_get(setup, "paths");
	const char *staying = NULL;

	if (move_member(setup, "program", move))
		staying = json_string_value(json_object_get(setup, "program"));
	for (size_t i = 0; i < json_array_size(paths); i++) {
		const char *path = json_string_value(json_array_get(paths, i));
		bool stays;
		json_t *moved = move_path(move, path, &stays);

		if (moved)
			json_array_set_new(paths, i, moved);
		if (stays && !staying)
			staying = path;
	}
	return staying;
}

static void move_rest(json_t *setup, const struct move *move)
{
	struct move quiet = *move;

	quiet.warnings = NULL; /* a program that runs elsewhere is named already */
	move_member(setup, "folder", &quiet);
	move_member(setup, "stdin", move);
	move_member(setup, "config", move);
	move_environment(json_object_get(setup, "environment"), move);
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

const char *relocate(struct saved *saved, const char *finding_path,
		     const struct relocate_options *o, struct strbuf *warnings)
{
	json_t *setup = json_object_get(saved->root, "setup");
	const char *staying = NULL;
	struct move move;

	if (find_move(saved, finding_path, &move)) {
		move.warnings = warnings;
		move_rest(setup, &move);
		if (o->argv || o->paths)
			move.warnings = NULL;
		staying = move_code(setup, &move);
	}
	if (o->argv)
		set_program(setup, o->argv);
	if (o->paths)
		set_paths(setup, o->paths);
	return o->argv || o->paths ? NULL : staying;
}

/* A path that does not exist runs nothing. */
bool relocate_is_path_outside(const char *path, const char *folder)
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
	if (relocate_is_path_outside(*program, folder))
		return true;
	/* Erlang code runs in a machine of our own, which writes files only if it is allowed to. */
	for (size_t i = 0; json_is_true(json_object_get(machine, "allow_io")) &&
			   i < json_array_size(paths); i++) {
		*program = json_string_value(json_array_get(paths, i));
		if (relocate_is_path_outside(*program, folder))
			return true;
	}
	return false;
}

static bool is_below(const char *path, const char *folder)
{
	char resolved[PATH_MAX], root[PATH_MAX];

	return path && realpath(path, resolved) && realpath(folder, root) &&
	       part_below(resolved, root);
}

const char *relocate_outside_input(const struct saved *saved, const char *here)
{
	const char *input = json_string_value(json_object_get(saved->setup, "stdin"));
	const char *folder = json_string_value(json_object_get(saved->setup, "folder"));
	char path[PATH_MAX];

	if (!input || !input[0] || strcmp(input, "/dev/null") == 0)
		return NULL;
	snprintf(path, sizeof(path), "%s/%s", input[0] == '/' || !folder ? "" : folder, input);
	return relocate_is_path_outside(path, here) ? input : NULL;
}

const char *relocate_outside_folder(const struct saved *saved, const char *finding_path,
				    const char *here)
{
	const char *folder = json_string_value(json_object_get(saved->setup, "folder"));
	const char *program = json_string_value(json_object_get(saved->setup, "program"));

	if (!relocate_is_path_outside(folder, here) || is_below(program, folder) ||
	    is_below(finding_path, folder))
		return NULL;
	return folder;
}
