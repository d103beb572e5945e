#include "native/merged.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "native/asm_scan.h"

struct bytes {
	const unsigned char *at;
	size_t size;
};

/* ---- finding the object ---- */

static struct bytes map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct bytes file = {NULL, 0};
	struct stat status;
	void *memory;

	if (fd < 0)
		return file;
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (memory != MAP_FAILED)
			file = (struct bytes){memory, (size_t)status.st_size};
	}
	close(fd);
	return file;
}

/* Names longer than fifteen bytes are in a member of their own, called "//". */
static bool is_called(const struct ar_hdr *header, struct bytes long_names, const char *name)
{
	size_t len = strlen(name), at;

	if (header->ar_name[0] == '/' && header->ar_name[1] >= '0' && header->ar_name[1] <= '9') {
		at = (size_t)atol(header->ar_name + 1);
		return at + len < long_names.size && long_names.at[at + len] == '/' &&
		       memcmp(long_names.at + at, name, len) == 0;
	}
	return len < sizeof(header->ar_name) && header->ar_name[len] == '/' &&
	       memcmp(header->ar_name, name, len) == 0;
}

static struct bytes find_member(struct bytes archive, const char *name)
{
	struct bytes long_names = {NULL, 0}, none = {NULL, 0};
	size_t at = SARMAG;

	if (archive.size < SARMAG || memcmp(archive.at, ARMAG, SARMAG) != 0)
		return none;
	while (at + sizeof(struct ar_hdr) <= archive.size) {
		const struct ar_hdr *header = (const void *)(archive.at + at);
		size_t size = (size_t)atol(header->ar_size);

		at += sizeof(*header);
		if (size > archive.size - at)
			return none;
		if (header->ar_name[0] == '/' && header->ar_name[1] == '/')
			long_names = (struct bytes){archive.at + at, size};
		else if (is_called(header, long_names, name))
			return (struct bytes){archive.at + at, size};
		at += size + (size & 1);
	}
	return none;
}

/* ---- its symbols ---- */

static const Elf64_Shdr *sections_of(struct bytes file, size_t *len)
{
	const Elf64_Ehdr *header = (const void *)file.at;

	if (file.size < sizeof(*header) || memcmp(file.at, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shoff > file.size ||
	    header->e_shnum > (file.size - header->e_shoff) / sizeof(Elf64_Shdr) ||
	    header->e_shstrndx >= header->e_shnum)
		return NULL;
	*len = header->e_shnum;
	return (const void *)(file.at + header->e_shoff);
}

static struct bytes contents_of(struct bytes file, const Elf64_Shdr *section)
{
	if (section->sh_type == SHT_NOBITS || section->sh_offset > file.size ||
	    section->sh_size > file.size - section->sh_offset)
		return (struct bytes){NULL, 0};
	return (struct bytes){file.at + section->sh_offset, section->sh_size};
}

static const char *text_at(struct bytes texts, size_t at)
{
	return at < texts.size && texts.at[texts.size - 1] == '\0' ? (const char *)texts.at + at
								    : "";
}

/* The hashes of all names that the list of the object has as its own. */
static void read_defined(struct bytes facts, struct map *defined)
{
	for (size_t at = 0; at < facts.size;) {
		const char *fact = (const char *)facts.at + at;
		size_t len = strnlen(fact, facts.size - at);

		if (len > 2 && (fact[0] == 'D' || fact[0] == 'H' || fact[0] == 'L'))
			map_put(defined, hash_bytes(fact + 2, len - 2), NULL);
		at += len + 1;
	}
}

static bool is_unlisted(const Elf64_Sym *symbol, const Elf64_Shdr *sections, size_t len,
			const char *name, const struct map *defined)
{
	int type = ELF64_ST_TYPE(symbol->st_info);

	if ((type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) || !*name ||
	    symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= len ||
	    !(sections[symbol->st_shndx].sh_flags & SHF_EXECINSTR))
		return false;
	return map_get(defined, hash_bytes(name, strlen(name))) == NULL;
}

static bool has_unlisted(struct bytes file)
{
	struct bytes symbols = {NULL, 0}, names = {NULL, 0}, titles, facts = {NULL, 0};
	struct map defined = {0};
	size_t len = 0;
	const Elf64_Shdr *sections = sections_of(file, &len);
	bool found = false;

	if (!sections)
		return false;
	titles = contents_of(file, &sections[((const Elf64_Ehdr *)file.at)->e_shstrndx]);
	for (size_t i = 0; i < len; i++) {
		if (strcmp(text_at(titles, sections[i].sh_name), ASM_USES_SECTION) == 0)
			facts = contents_of(file, &sections[i]);
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < len) {
			symbols = contents_of(file, &sections[i]);
			names = contents_of(file, &sections[sections[i].sh_link]);
		}
	}
	read_defined(facts, &defined);
	for (size_t at = 0; !found && at + sizeof(Elf64_Sym) <= symbols.size;
	     at += sizeof(Elf64_Sym)) {
		const Elf64_Sym *symbol = (const void *)(symbols.at + at);

		found = is_unlisted(symbol, sections, len, text_at(names, symbol->st_name),
				    &defined);
	}
	map_release(&defined);
	return found;
}

bool merged_has_foreign_code(const char *name)
{
	const char *open = strrchr(name, '('), *close = open ? strrchr(open, ')') : NULL;
	char path[PATH_MAX], member[NAME_MAX + 1];
	struct bytes file;
	bool found;

	snprintf(path, sizeof(path), "%.*s", close ? (int)(open - name) : (int)strlen(name), name);
	file = map_file(path);
	if (!file.at)
		return false;
	if (close)
		snprintf(member, sizeof(member), "%.*s", (int)(close - open - 1), open + 1);
	found = has_unlisted(close ? find_member(file, member) : file);
	munmap((void *)file.at, file.size);
	return found;
}
