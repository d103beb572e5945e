/* suite.h: the tests of a framework's module: which there are, and the way to one of them.
 *
 * EUnit, ExUnit and Common Test decide what a test is by running code: generators, fixtures,
 * callbacks. That code runs here on the machine, not explored, driven by fermata_eunit,
 * fermata_exunit and fermata_ct (src/vm/erlang): list/1 names every test, enter/2 runs the set-ups up to one of them and
 * stops where it begins. The state that the set-ups have left, waiting processes included, is the
 * one from which that test is explored.
 *
 * A test is named by a path: for EUnit its place in the tree ("1.3.2"), for ExUnit its name, for
 * Common Test its groups and its name ("group/case").
 */
#ifndef BEAM_SUITE_H
#define BEAM_SUITE_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "vm/vm.h"

enum suite_kind {
#define SUITE(name, text, driver, needs) SUITE_##name,
#include "beam/suite.def"
#undef SUITE
	SUITES
};

const char *suite_text(enum suite_kind kind); /* "eunit" */
/* SUITES for an unknown name. */
enum suite_kind suite_named(const char *text);

enum suite_item_kind {
	SUITE_TEST,
	SUITE_BROKEN, /* a set-up or generator that fails: text says how */
	SUITE_SKIPPED, /* a test that is not to be run: the tag "skip" says why */
	SUITE_NOTE,   /* something that is not done as the framework does it */
};

struct suite_item {
	enum suite_item_kind kind;
	char *path; /* owned */
	char *text; /* owned: a name for people, or what is wrong */
	char *tags; /* owned: a line "name:value" for each tag of an ExUnit test */
};

VEC_TYPE(suite_items, struct suite_item);

/* All of a module, in the framework's order. The machine is open; what ran stays in it. */
bool suite_list(enum suite_kind kind, const char *module, struct suite_items *items,
		struct err *err);
void suite_items_release(struct suite_items *items);

/* Runs up to the beginning of one test: vm->test is its process, and goes on with it when it
 * is stepped. */
bool suite_enter(enum suite_kind kind, const char *module, const char *path, struct err *err);

#endif
