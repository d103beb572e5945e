/* linkmap.h: which code in a linked program was not instrumented.
 *
 * The linker's own map file names for every input section the file it came from. A file (or
 * archive member) that gave code but no note (.note.fermata) is foreign, unless it belongs to a
 * library that the runtime models (modelled.def); so is a file with code that its note does not
 * cover (merged.h). Reads the maps of GNU ld and gold ("section address size file") and of lld
 * ("file:(section)").
 */
#ifndef NATIVE_LINKMAP_H
#define NATIVE_LINKMAP_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Appends the name of each foreign file, NUL-terminated each, in the order of the map. */
bool linkmap_foreign(const char *map_path, struct strbuf *out, struct err *err);

/* Is this file (a path; for an archive member the archive's path) modelled? A library of the
 * system is known by its exact name and by the folder that it is in: a user's own libutil.a or
 * libm-x.so is code like any other. */
bool linkmap_is_modelled(const char *path);

#endif
