#include "explore/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "explore/sqlite.h"

/* The seal is a row of the values, too. */
enum { SEAL = STORE_VALUES };

struct seal {
	struct {
		uint64_t is_there, hash;
	} values[STORE_VALUES];
	struct {
		uint64_t len, hash;
	} lists[STORE_LISTS];
};

struct store {
	struct sqlite sqlite;
	sqlite3 *db;
	char *path;
	struct seal seal; /* of the values and lists as they are now */
	bool is_changed;  /* since the last commit */
};

static const char *const lists[STORE_LISTS] = {[STORE_RUNS] = "runs", [STORE_CLASSES] = "classes"};

static bool fail_damaged(struct store *s, struct err *err)
{
	return err_set(err, "%s: the saved search is damaged; remove the file to begin anew", s->path);
}

static bool fail(struct store *s, struct err *err)
{
	switch (s->sqlite.errcode(s->db)) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, "%s: another fermata uses this saved search", s->path);
	case SQLITE_ERROR: /* a table or a column is not there */
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
	case SQLITE_TOOBIG:
		return fail_damaged(s, err);
	default:
		return err_set(err, "%s: %s", s->path, s->sqlite.errmsg(s->db));
	}
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

/* ---- rows of the values ---- */

static void bind_blob(struct store *s, sqlite3_stmt *statement, int place,
		      const struct strbuf *value)
{
	s->sqlite.bind_blob64(statement, place, strbuf_text(value), value->len, SQLITE_STATIC);
}

static bool write_row(struct store *s, int row, const struct strbuf *value, struct err *err)
{
	sqlite3_stmt *statement = prepare(s, "INSERT OR REPLACE INTO state VALUES (?, ?)", err);

	if (!statement)
		return false;
	s->sqlite.bind_int(statement, 1, row);
	bind_blob(s, statement, 2, value);
	return finish(s, statement, err);
}

/* False without err: the row does not exist. */
static bool read_row(struct store *s, int row, struct strbuf *value, struct err *err)
{
	sqlite3_stmt *statement = prepare(s, "SELECT value FROM state WHERE id = ?", err);
	int step;

	if (!statement)
		return false;
	s->sqlite.bind_int(statement, 1, row);
	step = s->sqlite.step(statement);
	if (step == SQLITE_ROW)
		bytes_put(value, s->sqlite.column_blob(statement, 0),
			  (size_t)s->sqlite.column_bytes(statement, 0));
	else if (step != SQLITE_DONE)
		fail(s, err);
	s->sqlite.finalize(statement);
	return step == SQLITE_ROW;
}

/* ---- the seal ---- */

static bool write_seal(struct store *s, struct err *err)
{
	struct strbuf text = {0};
	bool ok;

	bytes_put(&text, &s->seal, sizeof(s->seal));
	bytes_put_u64(&text, hash_bytes(&s->seal, sizeof(s->seal)));
	ok = write_row(s, SEAL, &text, err);
	strbuf_release(&text);
	return ok;
}

static bool read_seal(struct store *s, struct err *err)
{
	struct strbuf text = {0};
	bool ok = read_row(s, SEAL, &text, err);
	struct bytes_in in = {.at = strbuf_text(&text), .len = text.len};

	bytes_get(&in, &s->seal, sizeof(s->seal));
	ok = ok && bytes_u64(&in) == hash_bytes(&s->seal, sizeof(s->seal)) && !in.is_short && !in.len;
	strbuf_release(&text);
	return ok || err->message[0] ? ok : fail_damaged(s, err);
}

/* ---- the file ---- */

/* The first column of the first row, as a text that the caller frees; NULL with err. */
static char *ask(struct store *s, const char *sql, struct err *err)
{
	sqlite3_stmt *statement = prepare(s, sql, err);
	char *answer = NULL;

	if (!statement)
		return NULL;
	if (s->sqlite.step(statement) == SQLITE_ROW && s->sqlite.column_text(statement, 0))
		answer = mem_strdup((const char *)s->sqlite.column_text(statement, 0));
	else
		fail(s, err);
	s->sqlite.finalize(statement);
	return answer;
}

static bool make_tables(struct store *s, struct err *err)
{
	return store_begin(s, err) &&
	       execute(s, "CREATE TABLE state (id INTEGER PRIMARY KEY, value BLOB);"
			  "CREATE TABLE runs (id INTEGER PRIMARY KEY, hash INTEGER, value BLOB);"
			  "CREATE TABLE classes (id INTEGER PRIMARY KEY, hash INTEGER, value BLOB)",
		       err) &&
	       write_seal(s, err) && store_commit(s, err);
}

static bool is_answer(struct store *s, const char *sql, const char *expected, struct err *err)
{
	char *answer = ask(s, sql, err);
	bool ok = answer && strcmp(answer, expected) == 0;

	mem_free(answer);
	return ok;
}

static bool prepare_file(struct store *s, struct err *err)
{
	/* An exclusive transaction gives a new file its first page. */
	if (!execute(s, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
			"PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=FULL;"
			"BEGIN EXCLUSIVE; COMMIT", err))
		return false;
	if (!is_answer(s, "PRAGMA quick_check(1)", "ok", err))
		return err->message[0] ? false : fail_damaged(s, err);
	if (is_answer(s, "PRAGMA page_count", "1", err) &&
	    is_answer(s, "SELECT count(*) FROM sqlite_master", "0", err))
		return make_tables(s, err);
	return !err->message[0] && read_seal(s, err);
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
	s->sqlite.close(s->db);
	mem_free(s->path);
	mem_free(s);
}

void store_remove(struct store *s)
{
	static const char *const of_a_killed_tool[] = {"-journal", "-wal", "-shm"};

	s->sqlite.close(s->db);
	s->db = NULL;
	unlink(s->path);
	for (size_t i = 0; i < sizeof(of_a_killed_tool) / sizeof(of_a_killed_tool[0]); i++) {
		struct strbuf path = {0};

		strbuf_addf(&path, "%s%s", s->path, of_a_killed_tool[i]);
		unlink(strbuf_text(&path));
		strbuf_release(&path);
	}
	store_close(s);
}

/* ---- values ---- */

bool store_begin(struct store *s, struct err *err)
{
	return execute(s, "BEGIN", err);
}

bool store_commit(struct store *s, struct err *err)
{
	if ((!s->is_changed || write_seal(s, err)) && execute(s, "COMMIT", err)) {
		s->is_changed = false;
		return true;
	}
	s->sqlite.exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

bool store_put(struct store *s, enum store_value which, const struct strbuf *value, struct err *err)
{
	s->seal.values[which].is_there = 1;
	s->seal.values[which].hash = hash_bytes(strbuf_text(value), value->len);
	s->is_changed = true;
	return write_row(s, which, value, err);
}

bool store_get(struct store *s, enum store_value which, struct strbuf *value, struct err *err)
{
	size_t before = value->len;

	if (!s->seal.values[which].is_there)
		return false;
	if (read_row(s, which, value, err) &&
	    hash_bytes(strbuf_text(value) + before, value->len - before) ==
		    s->seal.values[which].hash)
		return true;
	return err->message[0] ? false : fail_damaged(s, err);
}

/* ---- lists ---- */

static uint64_t hash_onto(uint64_t hash, const void *value, size_t len)
{
	return hash_combine(hash, hash_bytes(value, len));
}

bool store_append(struct store *s, enum store_list list, const struct strbuf *value,
		  struct err *err)
{
	uint64_t hash = hash_onto(s->seal.lists[list].hash, strbuf_text(value), value->len);
	sqlite3_stmt *statement;
	char sql[64];

	snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?, ?, ?)", lists[list]);
	statement = prepare(s, sql, err);
	if (!statement)
		return false;
	s->seal.lists[list].hash = hash;
	s->is_changed = true;
	s->sqlite.bind_int64(statement, 1, (int64_t)s->seal.lists[list].len++);
	s->sqlite.bind_int64(statement, 2, (int64_t)hash);
	bind_blob(s, statement, 3, value);
	return finish(s, statement, err);
}

bool store_clear(struct store *s, enum store_list list, struct err *err)
{
	char sql[64];

	s->seal.lists[list].len = s->seal.lists[list].hash = 0;
	s->is_changed = true;
	snprintf(sql, sizeof(sql), "DELETE FROM %s", lists[list]);
	return execute(s, sql, err);
}

bool store_each(struct store *s, enum store_list list,
		bool (*each)(void *ctx, struct bytes_in value, struct err *err), void *ctx,
		struct err *err)
{
	uint64_t hash = 0, len = 0;
	sqlite3_stmt *statement;
	bool ok = true;
	char sql[64];
	int step = SQLITE_DONE;

	snprintf(sql, sizeof(sql), "SELECT hash, value FROM %s ORDER BY id", lists[list]);
	statement = prepare(s, sql, err);
	if (!statement)
		return false;
	while (ok && (step = s->sqlite.step(statement)) == SQLITE_ROW) {
		struct bytes_in value = {.at = s->sqlite.column_blob(statement, 1),
					 .len = (size_t)s->sqlite.column_bytes(statement, 1)};

		hash = hash_onto(hash, value.at, value.len);
		len++;
		ok = hash == (uint64_t)s->sqlite.column_int64(statement, 0) ? each(ctx, value, err)
									  : fail_damaged(s, err);
	}
	if (ok && step != SQLITE_DONE)
		ok = fail(s, err);
	if (ok && (len != s->seal.lists[list].len || hash != s->seal.lists[list].hash))
		ok = fail_damaged(s, err);
	s->sqlite.finalize(statement);
	return ok;
}
