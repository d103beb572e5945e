/* receive_source.h: where a receive stands in the source, and which patterns it has.
 *
 * The compiler gives no line to a receive, only to calls, so a process that waits seemed to stand in
 * the call before:
 *
 *     Ref = make_ref(),             <- the place that the line table of the .beam file has
 *     Server ! {ask, Ref},
 *     receive {answer, Ref} -> ok end
 *
 * A module compiled with debug_info carries its source: Erlang's abstract code, or the expanded code of
 * Elixir. A receive of the compiled code (receive_code.h) is the one of the same function of the source
 * that looks for the same values, and that lies between the same calls; among equal ones the order
 * decides. Functions made of funs are called -f/1-fun-0-; in Erlang their number is the order in which
 * the compiler comes to their ends. A module without debug_info, or of another language, has no entries;
 * the place is then that of the line table.
 */
#ifndef VM_CODE_RECEIVE_SOURCE_H
#define VM_CODE_RECEIVE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "vm/code/receive_code.h"

enum { RECEIVE_PATTERNS_LIMIT = 200 };

struct receive_source {
	const char *outer;    /* the function of the source: pat/0 */
	const char *function; /* pat/0, -pat/0-fun-1-; "" or NULL: a fun or comprehension without a known name */
	bool is_inner;        /* in a fun or comprehension */
	uint32_t line;
	const char *patterns; /* "{answer, Ref}; stop" */
	struct literal_vec literals; /* of the patterns and guards */
};

struct clause_source {
	const char *function; /* pat/0 */
	uint32_t line;
};

struct receive_sources {
	const void *image; /* the code that they belong to */
	struct arena arena;
	VEC(struct clause_source) clauses; /* of functions of Erlang */
	VEC(struct receive_source) items;
	struct receive_code_vec codes;
};

/* Reads the receives of a .beam file; none if it has no source or cannot be read. */
void receive_sources_read(struct receive_sources *sources, const char *path);
/* The receive of the source for the index-th one in the code of a function; NULL if it is not known. */
const struct receive_source *receive_sources_find(const struct receive_sources *sources,
						  const char *function, uint32_t index);
/* The line at which the clause of a function begins that has this line inside; line 0: its only clause. 0: not known. */
uint32_t receive_sources_clause(const struct receive_sources *sources, const char *function, uint32_t line);
void receive_sources_release(struct receive_sources *sources);

#endif
