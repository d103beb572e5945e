/* uses.h: the facts that the wrapper left in an object, a library or a program (asm_scan.h).
 *
 * A name that one instrumented object calls may be defined by another: the facts of everything
 * that was linked or loaded together are collected before they are asked.
 */
#ifndef NATIVE_USES_H
#define NATIVE_USES_H

#include <stdbool.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct use {
	char kind;         /* C, A, I, S, N: asm_scan.h */
	const char *name;  /* of C, A and N; the instruction of I and S */
	const char *place; /* file:line */
};

struct uses {
	struct strbuf *texts[64]; /* the sections read */
	size_t texts_len;
	VEC(struct use) items;    /* without repetitions of a name */
	struct map defined;       /* hashes of the names of D */
	struct map seen;          /* hashes of names to their places in items */
	struct map covered;       /* hashes of names that have a stand-in (cc_stub.h) */
};

/* Appends the contents of a section of an ELF file; false if the file does not have it. */
bool uses_read_section(const char *path, const char *section, struct strbuf *out);

/* Adds the facts of a file; false if the file has none. */
bool uses_add(struct uses *uses, const char *path);

/* Of how many objects that carry our note is the list of uses missing? (`ld -r` and stripping
 * do not lose any; an assembler that is not ours does.) */
size_t uses_missing(const char *path);

/* Does an instrumented object define the name? */
bool uses_defines(const struct uses *uses, const char *name);

/* Does a call of the name reach a stand-in? */
bool uses_covers(const struct uses *uses, const char *name);

void uses_release(struct uses *uses);

#endif
