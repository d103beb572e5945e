/* symbols.h: addresses of a program in words, from its debug information (libdw).
 *
 * The tool, not the program, does this: modules are read from their files, at the
 * addresses where the runtime says they were mapped. Nothing is fetched from the
 * network. Names that are not known are left out, never guessed: a module without debug
 * information still gives function names from its symbol table, and a module that
 * cannot be read gives nothing.
 *
 * Code: inlined functions are frames of their own, innermost first. Data: a global is
 * named with the members and array elements that its type has at that place:
 * "counter", "queue.lock", "slots[3].owner".
 *
 * All strings live as long as the struct symbols. Paths under the current folder are
 * given relative to it.
 */
#ifndef NATIVE_SYMBOLS_H
#define NATIVE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct symbols;

struct symbols_frame {
	const char *function; /* NULL if not known */
	const char *file;     /* NULL if not known */
	uint32_t line;
	const char *module;   /* path of the program or library */
	bool is_inlined;      /* into the frame that follows */
};

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/* The module at `path` is mapped with this load bias (address in memory = address in the
 * file + bias). All modules are added before the first question. False if the file cannot
 * be read as ELF; then its addresses stay unknown. */
bool symbols_add_module(struct symbols *symbols, const char *path, uint64_t bias);

/* Fills in the frames of one code address, at most frames_max, and returns how many (0: no
 * module is there). A return address is looked up one byte before, in the call. */
uint32_t symbols_code(struct symbols *symbols, uint64_t address, bool is_return,
		      struct symbols_frame *frames, uint32_t frames_max);

/* Which of the frames is the user's: the first that is not in a header of the system (an
 * atomic's operator is inlined into the line that matters). 0 if there is none. */
uint32_t symbols_user_frame(const struct symbols_frame *frames, uint32_t len);

/* Appends the name of what lies at a data address; false, and nothing is appended, if it is not a
 * global. `is_inside` as for variable_add_name, or NULL. */
bool symbols_data(struct symbols *symbols, uint64_t address, struct strbuf *out, bool *is_inside);

/* Appends "pool.mutex_": the local variable at an address in the frame of the function that `site`, a
 * return address, is in; `base` is its frame pointer. False if none is known to be there. */
bool symbols_local(struct symbols *symbols, uint64_t site, uint64_t base, uint64_t address,
		   struct strbuf *out, bool *is_inside);

/* Appends "task.next": the type of a heap block, and the member at an offset in it. The type is that
 * of the pointers to structures of the block's size that are local variables of the function that
 * allocated it, or its result, if these agree; false if they do not. A number above 0 is put behind the type: "task#2.next". */
bool symbols_block(struct symbols *symbols, uint64_t site, uint64_t size, uint64_t offset,
		   uint32_t number, struct strbuf *out);

#endif
