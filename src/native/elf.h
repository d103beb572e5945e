/* elf.h: the facts about a program that the tool must know before it starts the
 * program.
 *
 * Bad input gets one clear line here (a missing file, a script, an object file …), with
 * the error kind that leads to the right exit status. A good program is described: how
 * it was linked, whether it carries our runtime and the notes of the compiler wrapper,
 * and which code in it was not instrumented (the wrapper recorded that).
 *
 * The notes (name "Fermata", in .note.fermata, so in a PT_NOTE segment that survives
 * stripping): type 1 in every instrumented object, type 2 in the runtime.
 */
#ifndef NATIVE_ELF_H
#define NATIVE_ELF_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

enum { ELF_NOTE_INSTRUMENTED = 1, ELF_NOTE_RUNTIME = 2, ELF_BUILD_ID_TEXT = 129 };

struct elf_program {
	bool is_static;       /* no dynamic loader: nothing can be preloaded */
	bool is_pie;
	bool is_library;      /* a shared library, not a program */
	bool is_instrumented; /* at least one object was compiled by the wrapper */
	bool has_runtime;     /* linked by the wrapper */
	char build_id[ELF_BUILD_ID_TEXT]; /* hexadecimal; "" if it has none */
	struct strbuf foreign; /* names of uninstrumented inputs, NUL-terminated each */
};

/* Finds the file of a command as the shell would: as it is when there is a slash in it,
 * else along PATH. Appends the path to out. */
bool elf_find_program(const char *name, struct strbuf *out, struct err *err);

/* Reads what is to be known; the file need not be executable (it may be a library).
 * Give back with elf_program_release, also after failure. */
bool elf_program_read(struct elf_program *out, const char *path, struct err *err);
void elf_program_release(struct elf_program *program);

/* As above, and the file must be a program that fermata can run. An unwrapped static one is
 * unsupported; everything else wrong with it is bad input. */
bool elf_program_check(struct elf_program *out, const char *path, struct err *err);

/* Appends the code in this module that was not instrumented: what the wrapper recorded, or
 * the module itself; nothing for the libraries that the runtime models. Names are separated
 * by ", ". */
void elf_add_foreign_code(const char *path, struct strbuf *out);

#endif
