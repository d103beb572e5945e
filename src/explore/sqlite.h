/* sqlite.h: SQLite, loaded when a search is to be saved.
 *
 * Few searches are saved. A tool that is linked with SQLite prepares 1,600 addresses of that library
 * at each start, which takes a quarter of a millisecond: more than a small search.
 *
 *     struct sqlite sqlite;
 *     if (!sqlite_load(&sqlite, err)) …
 *     sqlite.open_v2(path, &db, flags, NULL);
 *
 * To call another function, add a line to sqlite.def.
 */
#ifndef EXPLORE_SQLITE_H
#define EXPLORE_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/err.h"

struct sqlite {
#define CALL(name) __typeof__(&sqlite3_##name) name;
#include "explore/sqlite.def"
#undef CALL
};

/* The library stays loaded. Fails if it is not installed. */
bool sqlite_load(struct sqlite *sqlite, struct err *err);

#endif
