#include "native/uses.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "native/asm_scan.h"

/* fermata-note.h: three numbers, the name in eight bytes, a version. */
enum { NOTE_SIZE = 24, NOTE_INSTRUMENTED = 1 };

/* ---- one section of a file ---- */

static bool find_section(const unsigned char *file, size_t size, const char *name,
			 struct strbuf *out)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	const Elf64_Shdr *sections, *names;

	if (size < sizeof(*header) || memcmp(file, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shoff > size ||
	    header->e_shnum > (size - header->e_shoff) / sizeof(*sections) ||
	    header->e_shstrndx >= header->e_shnum)
		return false;
	sections = (const Elf64_Shdr *)(file + header->e_shoff);
	names = &sections[header->e_shstrndx];
	if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
		return false;
	for (size_t i = 0; i < header->e_shnum; i++) {
		const Elf64_Shdr *one = &sections[i];

		if (one->sh_name + strlen(name) >= names->sh_size || one->sh_type == SHT_NOBITS ||
		    strcmp((const char *)file + names->sh_offset + one->sh_name, name) != 0)
			continue;
		if (one->sh_offset > size || one->sh_size > size - one->sh_offset)
			return false;
		strbuf_add(out, (const char *)file + one->sh_offset, one->sh_size);
		return true;
	}
	return false;
}

bool uses_read_section(const char *path, const char *section, struct strbuf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *file;
	bool found;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) != 0 || status.st_size <= 0) {
		close(fd);
		return false;
	}
	file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return false;
	found = find_section(file, (size_t)status.st_size, section, out);
	munmap(file, (size_t)status.st_size);
	return found;
}

/* ---- facts ---- */

/* Cuts a fact into its fields in place; those that are missing are "". */
static void cut(char *fact, char *fields[3])
{
	for (int i = 0; i < 3; i++) {
		fields[i] = fact;
		fact += strcspn(fact, "\t");
		if (*fact)
			*fact++ = '\0';
	}
}

/* The hidden names that a file defines: its own calls of them need nothing else. */
static void find_hidden(const struct strbuf *text, struct map *hidden)
{
	for (size_t at = 0; at < text->len;) {
		const char *fact = text->text + at;
		size_t len = strnlen(fact, text->len - at);

		if (len > 2 && fact[0] == 'H')
			map_put(hidden, hash_bytes(fact + 2, len - 2), NULL);
		at += len + 1;
	}
}

static void add_fact(struct uses *uses, const struct map *hidden, char *fact)
{
	char *fields[3];
	char kind = fact[0];
	struct use one = {.kind = kind};
	uint64_t *index;
	bool is_new;

	cut(fact, fields);
	if (kind == 'O' || kind == 'H' || kind == 'L' ||
	    map_get(hidden, hash_bytes(fields[1], strlen(fields[1]))))
		return;
	if (kind == 'D' || kind == 'W') {
		map_put(kind == 'D' ? &uses->defined : &uses->covered,
			hash_bytes(fields[1], strlen(fields[1])), NULL);
		return;
	}
	one.name = kind == 'I' || kind == 'S' ? fields[2] : fields[1];
	one.place = kind == 'I' || kind == 'S' ? fields[1] : fields[2];
	index = map_put(&uses->seen, hash_combine(hash_bytes(one.name, strlen(one.name)),
						  kind == 'C' ? 'A' : (uint64_t)kind), &is_new);
	if (is_new) {
		*index = uses->items.len;
		*vec_push(&uses->items) = one;
	} else if (kind == 'C' && uses->items.items[*index].kind == 'A') {
		uses->items.items[*index] = one;
	}
}

bool uses_add(struct uses *uses, const char *path)
{
	struct map hidden = {0};
	struct strbuf *text;
	size_t at = 0;

	if (uses->texts_len == sizeof(uses->texts) / sizeof(uses->texts[0]))
		return false;
	text = mem_zalloc(sizeof(*text));
	if (!uses_read_section(path, ASM_USES_SECTION, text)) {
		strbuf_release(text);
		mem_free(text);
		return false;
	}
	uses->texts[uses->texts_len++] = text;
	find_hidden(text, &hidden);
	while (at < text->len) {
		size_t len = strnlen(text->text + at, text->len - at);

		if (len)
			add_fact(uses, &hidden, text->text + at);
		at += len + 1;
	}
	map_release(&hidden);
	return true;
}

size_t uses_missing(const char *path)
{
	struct strbuf notes = {0}, facts = {0};
	size_t noted = 0, listed = 0, len;

	uses_read_section(path, ".note.fermata", &notes);
	uses_read_section(path, ASM_USES_SECTION, &facts);
	for (size_t at = 0; at + NOTE_SIZE <= notes.len; at += NOTE_SIZE) {
		uint32_t words[3];

		memcpy(words, notes.text + at, sizeof(words));
		noted += words[2] == NOTE_INSTRUMENTED;
	}
	for (size_t at = 0; at < facts.len; at += len + 1) {
		len = strnlen(facts.text + at, facts.len - at);
		listed += len == 1 && facts.text[at] == 'O';
	}
	strbuf_release(&notes);
	strbuf_release(&facts);
	return noted > listed ? noted - listed : 0;
}

bool uses_defines(const struct uses *uses, const char *name)
{
	return map_get(&uses->defined, hash_bytes(name, strlen(name))) != NULL;
}

bool uses_covers(const struct uses *uses, const char *name)
{
	return map_get(&uses->covered, hash_bytes(name, strlen(name))) != NULL;
}

void uses_release(struct uses *uses)
{
	for (size_t i = 0; i < uses->texts_len; i++) {
		strbuf_release(uses->texts[i]);
		mem_free(uses->texts[i]);
	}
	vec_release(&uses->items);
	map_release(&uses->defined);
	map_release(&uses->seen);
	map_release(&uses->covered);
	*uses = (struct uses){0};
}
