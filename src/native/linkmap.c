#include "native/linkmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

static const char *const modelled[] = {
#define MODELLED(name) name,
#include "native/modelled.def"
#undef MODELLED
};

bool linkmap_is_modelled(const char *path)
{
	const char *paren = strchr(path, '('), *name = path;

	for (const char *at = path; *at && at != paren; at++)
		if (*at == '/')
			name = at + 1;
	for (size_t i = 0; i < sizeof(modelled) / sizeof(modelled[0]); i++) {
		size_t len = strlen(modelled[i]);

		if (strncmp(name, modelled[i], len) == 0 &&
		    (name[len] == '\0' || name[len] == '.' || name[len] == '-'))
			return true;
	}
	return false;
}

struct file {
	const char *name;
	bool has_code, has_note, has_assembler;
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
	else if (strcmp(section, ".fermata.asm") == 0)
		find_file(reader, name)->has_assembler = true;
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

bool linkmap_foreign(const char *map_path, struct strbuf *out, struct strbuf *assembler,
		     struct err *err)
{
	struct reader reader = {0};
	FILE *file = fopen(map_path, "re");

	if (!file)
		return err_set_errno(err, "%s", map_path);
	read_map(&reader, file);
	fclose(file);
	for (size_t i = 0; i < reader.files.len; i++) {
		const struct file *one = &reader.files.items[i];

		if (!one->has_code || linkmap_is_modelled(one->name))
			continue;
		if (!one->has_note)
			strbuf_add(out, one->name, strlen(one->name) + 1);
		else if (one->has_assembler)
			strbuf_add(assembler, one->name, strlen(one->name) + 1);
	}
	vec_release(&reader.files);
	map_release(&reader.by_name);
	arena_release(&reader.arena);
	return true;
}
