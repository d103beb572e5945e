#include "explore/store.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "explore/sqlite.h"

struct store {
	struct sqlite sqlite;
	sqlite3 *db;
	char *path;
};

static const char *const lists[STORE_LISTS] = {[STORE_RUNS] = "runs", [STORE_CLASSES] = "classes"};

static bool fail(struct store *s, struct err *err)
{
	int code = s->sqlite.errcode(s->db);

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return err_set(err, "%s: another fermata uses this saved search", s->path);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return err_set(err, "%s: the saved search is damaged; remove the file to begin anew",
			       s->path);
	return err_set(err, "%s: %s", s->path, s->sqlite.errmsg(s->db));
}

static bool execute(struct store *s, const char *sql, struct err *err)
{
	return s->sqlite.exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(s, err);
}

/* One statement with a blob behind its other values; NULL with err. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, struct err *err)
{
	sqlite3_stmt *statement;

	if (s->sqlite.prepare_v2(s->db, sql, -1, &statement, NULL) == SQLITE_OK)
		return statement;
	fail(s, err);
	return NULL;
}

static bool finish(struct store *s, sqlite3_stmt *statement, struct err *err)
{
	bool ok = s->sqlite.step(statement) == SQLITE_DONE || fail(s, err);

	s->sqlite.finalize(statement);
	return ok;
}

/* ---- the file ---- */

static bool quick_check(struct store *s, struct err *err)
{
	sqlite3_stmt *statement = prepare(s, "PRAGMA quick_check(1)", err);
	bool ok;

	if (!statement)
		return false;
	ok = s->sqlite.step(statement) == SQLITE_ROW &&
	     s->sqlite.stricmp((const char *)s->sqlite.column_text(statement, 0), "ok") == 0;
	s->sqlite.finalize(statement);
	return ok || err_set(err, "%s: the saved search is damaged; remove the file to begin anew",
			     s->path);
}

static bool prepare_file(struct store *s, struct err *err)
{
	return execute(s, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=FULL;"
			  "BEGIN EXCLUSIVE; COMMIT", err) &&
	       quick_check(s, err) &&
	       execute(s, "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value BLOB);"
			  "CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, value BLOB);"
			  "CREATE TABLE IF NOT EXISTS classes (id INTEGER PRIMARY KEY, value BLOB)",
		       err);
}

struct store *store_open(const char *path, struct err *err)
{
	struct store *s = mem_zalloc(sizeof(*s));

	s->path = mem_strdup(path);
	if (!sqlite_load(&s->sqlite, err)) {
		store_close(s);
		return NULL;
	}
	if (s->sqlite.open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
	    SQLITE_OK)
		fail(s, err);
	else if (prepare_file(s, err))
		return s;
	store_close(s);
	return NULL;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->db)
		s->sqlite.close(s->db);
	mem_free(s->path);
	mem_free(s);
}

void store_remove(struct store *s)
{
	struct strbuf journal = {0};

	s->sqlite.close(s->db);
	s->db = NULL;
	unlink(s->path);
	strbuf_addf(&journal, "%s-journal", s->path); /* of a tool that was killed */
	unlink(strbuf_text(&journal));
	strbuf_release(&journal);
	store_close(s);
}

/* ---- values ---- */

bool store_begin(struct store *s, struct err *err)
{
	return execute(s, "BEGIN", err);
}

bool store_commit(struct store *s, struct err *err)
{
	if (execute(s, "COMMIT", err))
		return true;
	s->sqlite.exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

static void bind_blob(struct store *s, sqlite3_stmt *statement, int place,
		      const struct strbuf *value)
{
	s->sqlite.bind_blob64(statement, place, strbuf_text(value), value->len, SQLITE_STATIC);
}

bool store_put(struct store *s, const char *name, const struct strbuf *value, struct err *err)
{
	sqlite3_stmt *statement =
		prepare(s, "INSERT OR REPLACE INTO state VALUES (?, ?)", err);

	if (!statement)
		return false;
	s->sqlite.bind_text(statement, 1, name, -1, SQLITE_STATIC);
	bind_blob(s, statement, 2, value);
	return finish(s, statement, err);
}

bool store_get(struct store *s, const char *name, struct strbuf *value, struct err *err)
{
	sqlite3_stmt *statement = prepare(s, "SELECT value FROM state WHERE name = ?", err);
	int step;

	if (!statement)
		return false;
	s->sqlite.bind_text(statement, 1, name, -1, SQLITE_STATIC);
	step = s->sqlite.step(statement);
	if (step == SQLITE_ROW)
		bytes_put(value, s->sqlite.column_blob(statement, 0),
			  (size_t)s->sqlite.column_bytes(statement, 0));
	else if (step != SQLITE_DONE)
		fail(s, err);
	s->sqlite.finalize(statement);
	return step == SQLITE_ROW;
}

/* ---- lists ---- */

bool store_append(struct store *s, enum store_list list, const struct strbuf *value,
		  struct err *err)
{
	sqlite3_stmt *statement;
	char sql[64];

	snprintf(sql, sizeof(sql), "INSERT INTO %s (value) VALUES (?)", lists[list]);
	statement = prepare(s, sql, err);
	if (!statement)
		return false;
	bind_blob(s, statement, 1, value);
	return finish(s, statement, err);
}

bool store_clear(struct store *s, enum store_list list, struct err *err)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "DELETE FROM %s", lists[list]);
	return execute(s, sql, err);
}

bool store_each(struct store *s, enum store_list list,
		bool (*each)(void *ctx, struct bytes_in value, struct err *err), void *ctx,
		struct err *err)
{
	sqlite3_stmt *statement;
	bool ok = true;
	char sql[64];
	int step;

	snprintf(sql, sizeof(sql), "SELECT value FROM %s ORDER BY id", lists[list]);
	statement = prepare(s, sql, err);
	if (!statement)
		return false;
	while ((step = s->sqlite.step(statement)) == SQLITE_ROW && ok)
		ok = each(ctx,
			  (struct bytes_in){.at = s->sqlite.column_blob(statement, 0),
					    .len = (size_t)s->sqlite.column_bytes(statement, 0)},
			  err);
	if (ok && step != SQLITE_DONE)
		ok = fail(s, err);
	s->sqlite.finalize(statement);
	return ok;
}
