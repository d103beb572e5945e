/* linkmap.h: which code in a linked program was not instrumented.
 *
 * The linker's own map file tells for every input section where it came from. A file
 * (or archive member) that gave code but no note (.note.fermata) is foreign, unless
 * it belongs to a library that the runtime models (modelled.def). Reads the maps of
 * GNU ld and gold ("section address size file") and of lld ("file:(section)").
 *
 * Inline assembler is not instrumented either. What fermata-note.h knows of it leaves a
 * section (.fermata.asm) in the object, and the file is foreign by that.
 */
#ifndef NATIVE_LINKMAP_H
#define NATIVE_LINKMAP_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Appends the name of each foreign file, NUL-terminated each, in the order of the map; to
 * `assembler` of each that is so for its inline assembler only. */
bool linkmap_foreign(const char *map_path, struct strbuf *out, struct strbuf *assembler,
		     struct err *err);

/* Is this file (a path; for an archive member the archive's path) modelled? */
bool linkmap_is_modelled(const char *path);

#endif
