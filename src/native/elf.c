#include "native/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/linkmap.h"

#if defined(__x86_64__)
enum { OUR_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { OUR_MACHINE = EM_AARCH64 };
#endif

/* ---- finding ---- */

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool search_path(const char *name, struct strbuf *out)
{
	const char *at = getenv("PATH");
	struct strbuf path = {0};
	bool found = false;

	while (at && *at && !found) {
		size_t len = strcspn(at, ":");

		strbuf_clear(&path);
		strbuf_addf(&path, "%.*s/%s", len ? (int)len : 1, len ? at : ".", name);
		found = is_file(strbuf_text(&path)) && access(strbuf_text(&path), X_OK) == 0;
		at += len + (at[len] == ':');
	}
	if (found)
		strbuf_adds(out, strbuf_text(&path));
	strbuf_release(&path);
	return found;
}

bool elf_find_program(const char *name, struct strbuf *out, struct err *err)
{
	if (!*name)
		return err_set(err, "the program's name is empty");
	if (strchr(name, '/')) {
		strbuf_adds(out, name);
		return true;
	}
	if (search_path(name, out))
		return true;
	if (is_file(name))
		return err_set(err, "%s: not found in PATH; did you mean ./%s?", name, name);
	return err_set(err, "%s: no such program", name);
}

/* ---- reading ---- */

static void read_one_note(struct elf_program *out, const GElf_Nhdr *note, const char *name,
			  const unsigned char *contents)
{
	if (note->n_namesz == 8 && memcmp(name, "Fermata", 8) == 0) {
		out->is_instrumented |= note->n_type == ELF_NOTE_INSTRUMENTED;
		out->has_runtime |= note->n_type == ELF_NOTE_RUNTIME;
	}
	if (note->n_namesz != 4 || memcmp(name, "GNU", 4) != 0 || note->n_type != NT_GNU_BUILD_ID)
		return;
	for (size_t i = 0; i < note->n_descsz && i * 2 + 2 < sizeof(out->build_id); i++) {
		static const char digits[] = "0123456789abcdef";

		out->build_id[i * 2] = digits[contents[i] >> 4];
		out->build_id[i * 2 + 1] = digits[contents[i] & 15];
		out->build_id[i * 2 + 2] = '\0';
	}
}

static void read_notes(struct elf_program *out, Elf *elf, const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
					      segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, name_at, contents_at;
	GElf_Nhdr note;

	while (data && at < data->d_size &&
	       (at = gelf_getnote(data, at, &note, &name_at, &contents_at)) > 0)
		read_one_note(out, &note, (const char *)data->d_buf + name_at,
			      (const unsigned char *)data->d_buf + contents_at);
}

/* A static PIE looks like a library but for this flag. */
static bool says_pie(Elf *elf, const GElf_Phdr *dynamic)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)dynamic->p_offset, dynamic->p_filesz,
					      ELF_T_DYN);
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == DT_FLAGS_1)
			return entry.d_un.d_val & DF_1_PIE;
	return false;
}

static bool read_segments(struct elf_program *out, Elf *elf, const GElf_Ehdr *header)
{
	bool has_loader = false, has_pie_flag = false;
	size_t len;

	if (elf_getphdrnum(elf, &len) != 0)
		return false;
	for (size_t i = 0; i < len; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(elf, (int)i, &segment))
			return false;
		has_loader |= segment.p_type == PT_INTERP;
		if (segment.p_type == PT_DYNAMIC)
			has_pie_flag = says_pie(elf, &segment);
		if (segment.p_type == PT_NOTE)
			read_notes(out, elf, &segment);
	}
	out->is_static = !has_loader;
	out->is_pie = header->e_type == ET_DYN;
	out->is_library = out->is_pie && !has_loader && !has_pie_flag;
	return true;
}

static void read_foreign(struct elf_program *out, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		data = name && strcmp(name, ".fermata.foreign") == 0 ? elf_getdata(section, NULL)
								     : NULL;
		if (data && data->d_size && ((char *)data->d_buf)[data->d_size - 1] == '\0')
			strbuf_add(&out->foreign, data->d_buf, data->d_size);
	}
}

static bool read_elf(struct elf_program *out, Elf *elf, const char *path, struct err *err)
{
	GElf_Ehdr header;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return err_set(err, "%s: not an ELF program", path);
	if (header.e_machine != OUR_MACHINE || header.e_ident[EI_CLASS] != ELFCLASS64)
		return err_set(err, "%s: compiled for another kind of machine", path);
	if (header.e_type == ET_REL)
		return err_set(err, "%s: an object file, not a linked program", path);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return err_set(err, "%s: not a program (a core dump?)", path);
	if (!read_segments(out, elf, &header))
		return err_set(err, "%s: damaged ELF file", path);
	read_foreign(out, elf);
	return true;
}

static bool open_file(const char *path, int *fd, struct err *err)
{
	char start[4] = "";
	struct stat status;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0 && errno == ENOENT)
		return err_set(err, "%s: no such program", path);
	if (*fd < 0)
		return err_set_errno(err, "%s", path);
	if (fstat(*fd, &status) != 0)
		return err_set_errno(err, "%s", path);
	if (S_ISDIR(status.st_mode))
		return err_set(err, "%s: a folder, not a program", path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, "%s: not a regular file", path);
	if (pread(*fd, start, sizeof(start), 0) < 0)
		return err_set_errno(err, "%s", path);
	if (start[0] == '#' && start[1] == '!')
		return err_set(err, "%s: a script; give the compiled program that it starts", path);
	if (memcmp(start, ELFMAG, SELFMAG) != 0)
		return err_set(err, "%s: not an ELF program", path);
	return true;
}

bool elf_program_read(struct elf_program *out, const char *path, struct err *err)
{
	Elf *elf = NULL;
	bool ok = false;
	int fd = -1;

	*out = (struct elf_program){0};
	if (!open_file(path, &fd, err))
		goto out;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	ok = elf ? read_elf(out, elf, path, err) : err_set(err, "%s: %s", path, elf_errmsg(-1));
out:
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return ok;
}

void elf_program_release(struct elf_program *program)
{
	strbuf_release(&program->foreign);
}

bool elf_program_check(struct elf_program *out, const char *path, struct err *err)
{
	*out = (struct elf_program){0};
	if (is_file(path) && access(path, X_OK) != 0)
		return err_set(err, "%s: not executable", path);
	if (!elf_program_read(out, path, err))
		return false;
	if (out->is_library)
		return err_set(err, "%s: a shared library, not a program", path);
	if (out->is_static && !out->has_runtime)
		return err_set_unsupported(err,
					   "%s: linked statically and not by fermata cc, so "
					   "nothing in it can be controlled", path);
	return true;
}

static void add_name(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "%s%s", out->len ? ", " : "", name);
}

void elf_add_foreign_code(const char *path, struct strbuf *out)
{
	const char *slash = strrchr(path, '/');
	struct elf_program program;
	bool is_readable;

	if (linkmap_is_modelled(path))
		return;
	is_readable = elf_program_read(&program, path, NULL);
	if (!is_readable || (!program.is_instrumented && program.foreign.len == 0))
		add_name(out, slash ? slash + 1 : path);
	else
		for (size_t at = 0; at < program.foreign.len;
		     at += strlen(program.foreign.text + at) + 1)
			add_name(out, program.foreign.text + at);
	elf_program_release(&program);
}
