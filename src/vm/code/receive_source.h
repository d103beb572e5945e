/* receive_source.h: where a receive stands in the source, and which patterns it has.
 *
 * The compiler gives no line to a receive, only to calls, so a process that waits seemed to stand in
 * the call before:
 *
 *     Ref = make_ref(),             <- the place that the line table of the .beam file has
 *     Server ! {ask, Ref},
 *     receive {answer, Ref} -> ok end
 *
 * A module compiled with debug_info carries its abstract code. The third receive in the code of a
 * function is the third receive in its abstract code. Functions made of funs are called -f/1-fun-0-;
 * their number is the order in which the compiler comes to their ends. A module without abstract
 * code, or another language, has no entries; the place is then that of the line table.
 */
#ifndef VM_CODE_RECEIVE_SOURCE_H
#define VM_CODE_RECEIVE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct receive_source {
	const char *function; /* pat/0, -pat/0-fun-1- */
	uint32_t index;       /* among the receives of that function */
	uint32_t line;
	const char *patterns; /* "{answer, Ref}; stop" */
};

struct receive_sources {
	const void *image; /* the code that they belong to */
	struct arena arena;
	VEC(struct receive_source) items;
};

/* Reads the receives of a .beam file; none if it has no abstract code or cannot be read. */
void receive_sources_read(struct receive_sources *sources, const char *path);
/* The index-th receive of a compiled function that has `count` of them. NULL if it is not known: the
 * source has another number of receives there, because the compiler has put code elsewhere. */
const struct receive_source *receive_sources_find(const struct receive_sources *sources,
						  const char *function, uint32_t index,
						  uint32_t count);
void receive_sources_release(struct receive_sources *sources);

#endif
