#include "static/collect.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_FOLDERS_DEEP = 40 };

static bool ends_in_beam(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && strcmp(name + len - 5, ".beam") == 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void walk_folder(struct arena *arena, const char *path, struct path_vec *out, int depth)
{
	DIR *folder = depth ? opendir(path) : NULL;
	struct dirent *entry;
	struct stat st;

	while (folder && (entry = readdir(folder))) {
		const char *child;

		if (entry->d_name[0] == '.')
			continue;
		child = arena_printf(arena, "%s/%s", path, entry->d_name);
		if (stat(child, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode))
			walk_folder(arena, child, out, depth - 1);
		else if (ends_in_beam(child))
			*vec_push(out) = child;
	}
	if (folder)
		closedir(folder);
}

bool collect_beam_files(struct arena *arena, const char *path, struct path_vec *out,
			struct err *err)
{
	size_t before = out->len;
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set_errno(err, "%s", path);
	if (!S_ISDIR(st.st_mode)) {
		*vec_push(out) = arena_strdup(arena, path);
		return true;
	}
	walk_folder(arena, path, out, MAX_FOLDERS_DEEP);
	if (out->len == before)
		return err_set(err, "%s: the folder has no .beam files", path);
	qsort(out->items + before, out->len - before, sizeof(*out->items), compare_paths);
	return true;
}
