/* The search path: the folders of -pa first, then every application of the installed OTP. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "vm/bifs/open_file.h"
#include "vm/code/code.h"
#include "vm/code/embedded.h"
#include "vm/machine.h"
#include "vm/vm.h"

static const struct embedded_module *embedded_find(const char *name)
{
	for (const struct embedded_module *m = embedded_modules; m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

void code_path_add(const char *dir)
{
	struct code_path *path = &machine.path;
	char *copy = mem_strdup(dir), **own_end;

	vec_push(&path->dirs);
	own_end = path->dirs.items + path->own_len;
	memmove(own_end + 1, own_end, (path->dirs.len - 1 - path->own_len) * sizeof(char *));
	*own_end = copy;
	path->own_len++;
	map_clear(&path->images_by_name);
}

void code_path_close(void)
{
	struct code_path *path = &machine.path;

	for (size_t i = 0; i < path->dirs.len; i++)
		mem_free(path->dirs.items[i]);
	vec_release(&path->dirs);
	mem_free(path->otp_root);
	map_release(&path->images_by_name);
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds LIB/APP/ebin for every application, in name order. */
static void add_applications(const char *lib)
{
	DIR *folder = opendir(lib);
	struct dirent *entry;
	struct dir_vec *dirs = &machine.path.dirs;
	size_t first = dirs->len;

	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		struct strbuf path = {0};

		if (entry->d_name[0] == '.')
			continue;
		strbuf_addf(&path, "%s/%s/ebin", lib, entry->d_name);
		if (is_dir(strbuf_text(&path)))
			*vec_push(dirs) = strbuf_detach(&path);
		strbuf_release(&path);
	}
	closedir(folder);
	if (dirs->len > first)
		qsort(dirs->items + first, dirs->len - first, sizeof(char *), compare_text);
}

static unsigned read_release(const char *root)
{
	char path[4096];
	DIR *folder;
	struct dirent *entry;
	unsigned best = 0;

	snprintf(path, sizeof(path), "%s/releases", root);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		unsigned n = (unsigned)strtoul(entry->d_name, NULL, 10);

		if (n > best)
			best = n;
	}
	if (folder)
		closedir(folder);
	return best;
}

/* The folder above the one that a command lies in, links resolved: /usr/lib/erlang for
 * /usr/lib/erlang/bin/erl. NULL when PATH does not have the command; the caller frees. */
static char *find_root_of(const char *command)
{
	const char *path = getenv("PATH");
	char file[4096], *real = NULL;

	while (path && *path && !real) {
		size_t len = strcspn(path, ":");

		snprintf(file, sizeof(file), "%.*s/%s", (int)len, path, command);
		if (len && access(file, X_OK) == 0)
			real = realpath(file, NULL);
		path += len + (path[len] == ':');
	}
	for (int i = 0; i < 2 && real; i++) {
		char *slash = strrchr(real, '/');

		*slash = 0;
	}
	return real;
}

static bool try_elixir(const char *root, const char *lib)
{
	size_t before = machine.path.dirs.len;
	char path[4096], *real;

	snprintf(path, sizeof(path), "%s%s", root, lib);
	real = realpath(path, NULL);
	if (real)
		add_applications(real);
	free(real);
	return machine.path.dirs.len > before;
}

/* Elixir's own modules: beside OTP's folder, where PATH has elixir, or where distributions put
 * them. */
static void add_elixir(const char *otp_root)
{
	static const char *const usual[] = {"/usr/lib/elixir", "/usr/local/lib/elixir",
					    "/opt/homebrew/lib/elixir"};
	char *root = find_root_of("elixir");
	bool found = try_elixir(otp_root, "/../elixir/lib") || (root && try_elixir(root, "/lib"));

	free(root);
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual) && !found; i++)
		found = try_elixir(usual[i], "/lib");
}

/* A folder lib without kernel belongs to something else, /usr/local/lib for one. */
static bool has_kernel(const char *lib)
{
	DIR *folder = opendir(lib);
	struct dirent *entry;
	bool found = false;

	while (folder && !found && (entry = readdir(folder)))
		found = strncmp(entry->d_name, "kernel-", 7) == 0 ||
			strcmp(entry->d_name, "kernel") == 0;
	if (folder)
		closedir(folder);
	return found;
}

static bool try_root(const char *root)
{
	char lib[4096];

	if (!root)
		return false;
	snprintf(lib, sizeof(lib), "%s/lib", root);
	if (!has_kernel(lib))
		return false;
	mem_free(machine.path.otp_root);
	machine.path.otp_root = mem_strdup(root);
	machine.path.otp_release = read_release(root);
	add_applications(lib);
	if (machine.path.dirs.len == machine.path.own_len)
		return false;
	add_elixir(root);
	return true;
}

bool code_path_add_otp(const char *otp_dir, struct err *err)
{
	static const char *const usual[] = {"/usr/lib/erlang", "/usr/local/lib/erlang",
					    "/opt/homebrew/lib/erlang", "/usr/lib64/erlang",
					    "/opt/erlang"};
	char *root;
	bool found;

	if (otp_dir)
		return try_root(otp_dir) || err_set(err, "%s does not contain Erlang/OTP", otp_dir);
	if (try_root(getenv("FERMATA_OTP")))
		return true;
	root = find_root_of("erl");
	found = try_root(root);
	free(root);
	if (found)
		return true;
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (try_root(usual[i]))
			return true;
	return err_set_unsupported(err, "Erlang/OTP was not found; give its folder with --otp DIR");
}

const char *code_otp_dir(void)
{
	return machine.path.otp_root ? machine.path.otp_root : "";
}

unsigned code_otp_release(void)
{
	return machine.path.otp_release ? machine.path.otp_release : 25;
}

static const char *path_of(struct vm *vm, term name)
{
	struct module *module = code_find_module(vm, name);

	return module && module->current ? module->current->path : NULL;
}

bool code_path_is_of_otp(const char *path)
{
	const char *root = machine.path.otp_root;

	return root && strncmp(path, root, strlen(root)) == 0;
}

bool code_is_of_otp(struct vm *vm, term name)
{
	const char *path = path_of(vm, name);

	return path && code_path_is_of_otp(path);
}

/* Whether the path is in /…/lib/elixir/ebin or one of its neighbours. */
static bool is_of_elixir(const char *path)
{
	static const char *const folders[] = {"/lib/elixir/ebin/", "/lib/ex_unit/ebin/",
					      "/lib/logger/ebin/", "/lib/eex/ebin/",
					      "/lib/iex/ebin/",    "/lib/mix/ebin/"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (strstr(path, folders[i]))
			return true;
	return false;
}

bool code_path_is_of_library(const char *path, const char *module)
{
	return path ? code_path_is_of_otp(path) || is_of_elixir(path) : embedded_find(module) != NULL;
}

bool code_is_of_library(struct vm *vm, term name)
{
	return code_path_is_of_library(path_of(vm, name), atom_text(name));
}

/* ---- folders that the program itself adds: state of the run ---- */

struct run_path {
	struct run_path *next;
	bool is_last; /* behind all others */
	char dir[];
};

void code_path_add_in_run(struct vm *vm, const char *dir, bool is_last)
{
	size_t bytes = strlen(dir) + 1;
	struct run_path *added = region_alloc(sizeof(*added) + bytes), **link = &vm->paths;

	while (is_last && *link)
		link = &(*link)->next;
	added->next = *link;
	added->is_last = is_last;
	memcpy(added->dir, dir, bytes);
	*link = added;
}

bool code_path_remove_in_run(struct vm *vm, const char *dir)
{
	struct run_path **link = &vm->paths;

	while (*link && strcmp((*link)->dir, dir) != 0)
		link = &(*link)->next;
	if (!*link)
		return false;
	*link = (*link)->next;
	return true;
}

static size_t count_run_paths(bool is_last)
{
	size_t n = 0;

	for (const struct run_path *path = vm_get()->paths; path; path = path->next)
		n += path->is_last == is_last;
	return n;
}

static const char *run_path_dir(bool is_last, size_t i)
{
	for (const struct run_path *path = vm_get()->paths; path; path = path->next)
		if (path->is_last == is_last && i-- == 0)
			return path->dir;
	return NULL;
}

/* A program that may write files finds the modules that it compiles into the current folder, as on
 * the real VM. For other programs the files there have no meaning. */
static bool has_current_folder(void)
{
	return open_file_may_write();
}

size_t code_path_len(void)
{
	return count_run_paths(false) + machine.path.dirs.len + has_current_folder() +
	       count_run_paths(true);
}

const char *code_path_dir(size_t i)
{
	const struct dir_vec *dirs = &machine.path.dirs;
	size_t first = count_run_paths(false);

	if (i < first)
		return run_path_dir(false, i);
	i -= first;
	if (has_current_folder() && i == machine.path.own_len)
		return ".";
	i -= has_current_folder() && i > machine.path.own_len;
	return i < dirs->len ? dirs->items[i] : run_path_dir(true, i - dirs->len);
}

char *code_path_find(const char *module)
{
	struct stat st;

	for (size_t i = 0; i < code_path_len(); i++) {
		struct strbuf path = {0};

		strbuf_addf(&path, "%s/%s.beam", code_path_dir(i), module);
		if (stat(strbuf_text(&path), &st) == 0)
			return strbuf_detach(&path);
		strbuf_release(&path);
	}
	return NULL;
}

static struct code_image *read_image(const char *path, struct err *err)
{
	struct strbuf bytes = {0};
	struct code_image *image = NULL;

	if (file_read(path, &bytes, err))
		image = code_image_decode(strbuf_text(&bytes), bytes.len, path, err);
	strbuf_release(&bytes);
	return image;
}

static struct code_image *read_embedded(const char *name, struct err *err)
{
	const struct embedded_module *m = embedded_find(name);

	if (m)
		return code_image_decode(m->bytes, m->len, NULL, err);
	err_set(err, "module %s is not on the code path%s", name,
		isupper((unsigned char)name[0]) && strncmp(name, "Elixir.", 7) != 0
			? " (of Elixir: Module.function)" : "");
	return NULL;
}

/* Whether the program may have written another file of the module since the image was read. */
static bool may_change(const struct code_image *image)
{
	const char *root = machine.path.otp_root;

	return open_file_may_write() && image->path && root &&
	       strncmp(image->path, root, strlen(root)) != 0;
}

struct code_image *code_find_image(term name, struct err *err)
{
	uint64_t *known = map_get(&machine.path.images_by_name, name);
	struct code_image *image;
	char *path;

	if (known && !vm_get()->paths && !may_change((struct code_image *)*known))
		return (struct code_image *)*known;
	path = code_path_find(atom_text(name));
	image = path ? read_image(path, err) : read_embedded(atom_text(name), err);
	if (image && !vm_get()->paths)
		*map_put(&machine.path.images_by_name, name, NULL) = (uint64_t)image;
	mem_free(path);
	return image;
}

bool code_load_embedded(struct vm *vm, term name)
{
	struct code_image *image = read_embedded(atom_text(name), &(struct err){0});

	if (!image)
		return false;
	*map_put(&machine.path.images_by_name, name, NULL) = (uint64_t)image;
	code_activate(vm, image);
	return true;
}

bool code_load_module(struct vm *vm, term name, struct err *err)
{
	struct err refused = {0};
	struct code_image *image = code_find_image(name, &refused);
	char *path;

	if (image) {
		code_activate(vm, image);
		return true;
	}
	path = code_path_find(atom_text(name));
	/* The file exists, but its code was refused: that must not look like undef. */
	if (path)
		vm_unsupported(vm, "%s: %s", path, refused.message);
	mem_free(path);
	return err_set(err, "%s", refused.message);
}
