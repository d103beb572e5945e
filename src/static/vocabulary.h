/* vocabulary.h: the library functions that the race analysis knows.
 *
 * Three tables, each in its .def: builtin.def (functions that read or write what processes
 * share), hof.def (functions that run a function given to them), callback.def (behaviours
 * whose callbacks run in one process, and the calls that start such processes). Teaching
 * the analysis a new function is adding a line there.
 */
#ifndef STATIC_VOCABULARY_H
#define STATIC_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum race_kind {
#define KIND(id, name, what, why, fix) RACE_##id,
#define BUILTIN(module, function, arity, kind, role, table, key, argument, flags)
#include "static/builtin.def"
#undef KIND
#undef BUILTIN
	RACE_KINDS,
};

enum builtin_role { ROLE_READ, ROLE_WRITE, ROLE_USE };

enum builtin_key {
	KEY_ARG, KEY_OBJECT, KEY_RECORD, KEY_OID, KEY_PATTERN, KEY_SPEC, KEY_ALL, KEY_EXISTS,
};

enum { BUILTIN_WEAK = 1, BUILTIN_ACTIVITY = 2, BUILTIN_MODES = 4 };

struct builtin {
	const char *module;
	const char *function;
	uint8_t arity;
	uint8_t kind; /* enum race_kind */
	uint8_t role;
	int8_t table; /* argument, or -1 */
	uint8_t key;  /* enum builtin_key */
	uint8_t argument;
	uint8_t flags;
};

enum hof_how {
	HOF_CALL, HOF_CALL_MFA, HOF_SPAWN, HOF_SPAWN_MFA, HOF_TRANSACTION, HOF_DIRTY, HOF_ACTIVITY,
};

struct hof {
	const char *module;
	const char *function;
	uint8_t arity;
	uint8_t argument;
	uint8_t how; /* enum hof_how */
};

struct callback {
	const char *behaviour;
	const char *function; /* "*": any exported one */
	uint8_t arity;
};

struct start {
	const char *module;
	const char *function;
	uint8_t arity;
	int8_t name;
	uint8_t callbacks;
};

extern const struct builtin builtins[];
extern const size_t builtins_len;
extern const struct hof hofs[];
extern const size_t hofs_len;
extern const struct callback callbacks[];
extern const size_t callbacks_len;
extern const struct start starts[];
extern const size_t starts_len;

struct race_kind_info {
	const char *name; /* as in reports: "ets" */
	const char *what; /* "an ETS table" */
	const char *why;
	const char *fix;
};

const struct race_kind_info *race_kind_info(enum race_kind kind);

/* Is it made by a process, which may keep it to itself? */
bool race_kind_is_confinable(enum race_kind kind);

#endif
