/* toml.h: reads the part of TOML that fermata.toml needs, with the line of every value, so that each
 * complaint can name it.
 *
 *     budget = 60                       # whole numbers, decimals, true, false
 *     [options]                         # a table
 *     strategy = "auto"                 # strings: "with \n and \" escapes", 'as they are'
 *     [[test]]                          # a table of an array of tables
 *     program = ["./queue", "3"]        # arrays of strings, over several lines if wanted
 *
 * Dotted and quoted keys, tables in tables, inline tables, dates and multi-line strings are refused
 * with a line that says so. The file is a list of entries in the order of its lines: TOML forbids
 * that a key or a table occurs twice, and so does this reader.
 */
#ifndef CLI_TOML_H
#define CLI_TOML_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct toml_entry {
	const char *table; /* "" before the first table */
	unsigned number;   /* of an array of tables: 1 for the first [[table]]; else 0 */
	const char *key;   /* NULL: the heading of the table */
	json_t *value;     /* owned; NULL for a heading */
	unsigned line;
};

VEC_TYPE(toml_entry_vec, struct toml_entry);

/* Texts of the entries live in the arena. False with err "FILE:LINE: …". */
bool toml_read(const char *path, struct toml_entry_vec *entries, struct arena *arena,
	       struct err *err);
void toml_release(struct toml_entry_vec *entries);

#endif
