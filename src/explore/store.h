/* store.h: a saved search on disk: an SQLite file with some values, and with lists that only grow.
 *
 * All changes between store_begin() and store_commit() are there together or not at all, also after
 * kill -9 or a power failure. The file is locked as long as it is open, so two searches cannot use
 * one file.
 *
 * A reader can rely on every value. SQLite notices a damaged page only if the structure of the page
 * is wrong. One bit of a number that the disk has changed would make a search count wrongly. So a
 * hash of each value, and the length and a hash of each list, are in one more value, the *seal*,
 * which every commit writes. A file that does not fit its seal is refused as damaged before it is
 * used, also if a value or a row is missing. Each row of a list carries the hash of the list up to
 * it.
 *
 *     store = store_open(path, &err);
 *     if (store_begin(store, &err) && store_put(store, STORE_SUMS, text, &err) && …)
 *             store_commit(store, &err);
 */
#ifndef EXPLORE_STORE_H
#define EXPLORE_STORE_H

#include "base/bytes.h"
#include "base/err.h"

struct store;

/* The identity of the search (cli/search/saved_search.h), then its state (resume.h). */
enum store_value {
	STORE_TOOL,
	STORE_PROGRAM,
	STORE_OPTIONS,
	STORE_STRATEGY,
	STORE_SUMS,
	STORE_FINDINGS,
	STORE_KNOWLEDGE,
	STORE_WALL,
	STORE_VALUES
};

enum store_list { STORE_RUNS, STORE_CLASSES, STORE_LISTS };

/* NULL with err if the file cannot be opened, is locked, or is damaged. */
struct store *store_open(const char *path, struct err *err);
void store_close(struct store *store);
/* Closes it and removes the file. */
void store_remove(struct store *store);

bool store_begin(struct store *store, struct err *err);
bool store_commit(struct store *store, struct err *err);

bool store_put(struct store *store, enum store_value which, const struct strbuf *value,
	       struct err *err);
/* False without err: the value does not exist. */
bool store_get(struct store *store, enum store_value which, struct strbuf *value, struct err *err);

bool store_append(struct store *store, enum store_list list, const struct strbuf *value,
		  struct err *err);
bool store_clear(struct store *store, enum store_list list, struct err *err);
/* Calls each() for the values of the list in their order until it returns false. */
bool store_each(struct store *store, enum store_list list,
		bool (*each)(void *ctx, struct bytes_in value, struct err *err), void *ctx,
		struct err *err);

#endif
