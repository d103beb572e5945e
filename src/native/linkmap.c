#include "native/linkmap.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "native/merged.h"

static const struct {
	const char *name;
	bool is_ours;
} modelled[] = {
#define MODELLED(name) {name, false},
#define FRAMEWORK(name) {name, false},
#define OURS(name) {name, true},
#include "native/modelled.def"
#undef MODELLED
#undef FRAMEWORK
#undef OURS
};

/* Where the system keeps its own libraries. */
static const char *const system_folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/",
					     "/usr/libexec/"};

static bool is_in_system_folder(const char *path)
{
	char real[PATH_MAX];

	if (!realpath(path, real) && !strstr(path, ".."))
		snprintf(real, sizeof(real), "%s", path);
	for (size_t i = 0; i < sizeof(system_folders) / sizeof(system_folders[0]); i++)
		if (strncmp(real, system_folders[i], strlen(system_folders[i])) == 0)
			return true;
	return false;
}

/* "libm" is called libm.a, libm.so, libm.so.6, libm-2.36.a or libm-2.36.so; "crt1" crt1.o. */
static bool is_name_of(const char *file, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(file, name, len) != 0)
		return false;
	file += len;
	if (*file == '-' && file[1] >= '0' && file[1] <= '9')
		file += 1 + strspn(file + 1, "0123456789.");
	else if (*file == '.')
		file++;
	else
		return false;
	if (strcmp(file, "a") == 0 || strcmp(file, "o") == 0)
		return true;
	if (strncmp(file, "so", 2) != 0)
		return false;
	return file[2 + strspn(file + 2, ".0123456789")] == '\0';
}

bool linkmap_is_modelled(const char *path)
{
	const char *paren = strchr(path, '('), *name = path;
	char file[PATH_MAX];

	snprintf(file, sizeof(file), "%.*s", paren ? (int)(paren - path) : (int)strlen(path), path);
	for (const char *at = file; *at; at++)
		if (*at == '/')
			name = path + (at + 1 - file);
	name = file + (name - path);
	if (strncmp(name, "linux-vdso.so.", 14) == 0)
		return strchr(file, '/') == NULL;
	for (size_t i = 0; i < sizeof(modelled) / sizeof(modelled[0]); i++)
		if (is_name_of(name, modelled[i].name))
			return modelled[i].is_ours || is_in_system_folder(file);
	return false;
}

struct file {
	const char *name;
	bool has_code, has_note;
};

struct reader {
	struct arena arena;
	VEC(struct file) files;
	struct map by_name;
	char section[64]; /* GNU ld breaks the line after a long section name */
};

static struct file *find_file(struct reader *reader, const char *name)
{
	bool is_new;
	uint64_t *index = map_put(&reader->by_name, hash_bytes(name, strlen(name)), &is_new);

	if (is_new) {
		*index = reader->files.len;
		*vec_push(&reader->files) =
			(struct file){.name = arena_strdup(&reader->arena, name)};
	}
	return &reader->files.items[*index];
}

static void note_section(struct reader *reader, const char *section, const char *name)
{
	if (strncmp(section, ".text", 5) == 0)
		find_file(reader, name)->has_code = true;
	else if (strcmp(section, ".note.fermata") == 0)
		find_file(reader, name)->has_note = true;
}

/* " .text  0xaddress  0xsize  file": an input section begins with one blank. */
static void read_gnu_line(struct reader *reader, const char *line)
{
	unsigned long long address, size;
	int used = 0;

	if (line[0] == ' ' && line[1] != ' ' && line[1] != '*') {
		if (sscanf(line, " %63s%n", reader->section, &used) < 1)
			return;
		line += used;
	} else if (line[0] != ' ') {
		reader->section[0] = '\0';
		return;
	}
	if (!reader->section[0] || sscanf(line, " 0x%llx 0x%llx %n", &address, &size, &used) < 2)
		return;
	if (size > 0 && line[used])
		note_section(reader, reader->section, line + used);
	reader->section[0] = '\0';
}

/* "  201120  201120  1c  16  file:(.text.main)" */
static void read_lld_line(struct reader *reader, char *line)
{
	char *colon = strstr(line, ":(."), *close = colon ? strrchr(colon, ')') : NULL;
	unsigned long long address, load, size;
	unsigned align;
	int used = 0;

	if (!close || sscanf(line, "%llx %llx %llx %u %n", &address, &load, &size, &align,
			     &used) < 4 || size == 0 || line + used >= colon)
		return;
	*colon = '\0';
	*close = '\0';
	note_section(reader, colon + 2, line + used);
}

static void read_map(struct reader *reader, FILE *file)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	bool is_lld = false, is_first = true;

	while ((len = getline(&line, &cap, file)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (is_first)
			is_lld = strstr(line, "VMA") && strstr(line, "LMA");
		is_first = false;
		if (is_lld)
			read_lld_line(reader, line);
		else
			read_gnu_line(reader, line);
	}
	free(line);
}

bool linkmap_foreign(const char *map_path, struct strbuf *out, struct err *err)
{
	struct reader reader = {0};
	FILE *file = fopen(map_path, "re");

	if (!file)
		return err_set_errno(err, "%s", map_path);
	read_map(&reader, file);
	fclose(file);
	for (size_t i = 0; i < reader.files.len; i++) {
		const struct file *one = &reader.files.items[i];

		if (one->has_code && !linkmap_is_modelled(one->name) &&
		    (!one->has_note || merged_has_foreign_code(one->name)))
			strbuf_add(out, one->name, strlen(one->name) + 1);
	}
	vec_release(&reader.files);
	map_release(&reader.by_name);
	arena_release(&reader.arena);
	return true;
}
