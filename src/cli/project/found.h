/* found.h: the tests that `fermata init` finds in a project, as text of fermata.toml.
 *
 * The readers of build files (cmake.c, meson.c, rebar.c, mix.c) call found_add_… for each test they
 * understand, and found_note for each they do not, so that a test that is left out is named:
 *
 *     # not taken: add_test(${name}) in tests/CMakeLists.txt: the value of a variable is not known
 */
#ifndef CLI_FOUND_H
#define CLI_FOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"

VEC_TYPE(word_vec, const char *);

struct found {
	struct arena arena;
	struct strbuf options; /* lines of [options] */
	struct strbuf tests;
	struct strbuf notes; /* comments */
	size_t notes_len;
	struct word_vec names;
	size_t files; /* looked at */
};

/* A program with its arguments. `framework` is the key of a test framework ("gtest") or NULL;
 * `options` are words of `fermata test` or NULL. */
struct found_program {
	const char *name, *path, *framework;
	const struct word_vec *arguments, *options;
	bool is_proved; /* expect = "proved" */
};

/* `where` says where the test is named, for a note: "add_test in tests/CMakeLists.txt". */
void found_add_program(struct found *found, const struct found_program *program, const char *where);

/* `key` is eunit, exunit or ct; `paths` is the value of pa; `config` may be NULL. */
void found_add_module(struct found *found, const char *name, const char *key, const char *paths,
		      const char *config);

void found_note(struct found *found, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- files ---- */

typedef void found_visit(struct found *found, void *ctx, const char *path, const char *name);

/* Visits every file below the current folder, in the order of names; hidden folders are left out. */
void found_walk(struct found *found, found_visit *visit, void *ctx);

/* The text of a file without its comments, each from `comment` to the end of a line. */
bool found_read(const char *path, char comment, struct strbuf *text);

/* The word at *at, quoted or not, in the arena; *at moves behind it. NULL at the end of a call. */
char *found_take_word(struct found *found, const char **at);

bool found_ends_with(const char *text, const char *end);

/* ---- the readers, for a project that has the build file ---- */

void found_read_cmake(struct found *found);
void found_read_meson(struct found *found);
void found_read_rebar(struct found *found);
void found_read_mix(struct found *found);

#endif
