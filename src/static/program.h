/* program.h: all modules under analysis, linked together.
 *
 * Atoms are renumbered so that one number means one text in every module; functions get
 * one number across modules. Every import is resolved once: to a function of the
 * program, to an entry of the vocabulary, or to one of the few functions that the
 * interpreter knows by itself. A *site* is an instruction: the module's base plus its
 * index, so a site says module, function and line without a table.
 *
 *     program_init(&p);
 *     program_add(&p, "a.beam", &err) ...
 *     program_link(&p);          once, after the last add
 *     ...
 *     program_release(&p);
 */
#ifndef STATIC_PROGRAM_H
#define STATIC_PROGRAM_H

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "beamfile/beamfile.h"
#include "static/value.h"
#include "static/vocabulary.h"

#define PROGRAM_NONE UINT32_MAX

/* Functions whose meaning the interpreter has built in. */
enum special {
	SPECIAL_NONE,
	SPECIAL_RAISE,      /* does not return */
	SPECIAL_ELEMENT,    /* element(N, Tuple) */
	SPECIAL_SETELEMENT, /* setelement(N, Tuple, V) */
	SPECIAL_SELF,
	SPECIAL_UNIQUE,     /* a term that no other call returns */
	SPECIAL_CONVERT,    /* different arguments give different results */
	SPECIAL_SAME,       /* =:= */
	SPECIAL_NOT_SAME,   /* =/= */
	SPECIAL_HD,
	SPECIAL_TL,
	SPECIAL_ETS_NEW,
	SPECIAL_ARRAY_NEW,   /* atomics:new and the like */
	SPECIAL_ETS_WHEREIS,
	SPECIAL_MEMBER,      /* lists:member(X, List) */
	SPECIAL_SERVER_CALL, /* gen_server:call(Server, Request) */
	SPECIAL_PURE,        /* looks at its arguments and lets none of them go */
};

/* The meanings of a call of an import; several may hold at once. */
struct target {
	uint32_t fn; /* PROGRAM_NONE: no function of the program */
	int16_t builtin; /* -1: none; so for the others */
	int16_t hof;
	int16_t start;
	uint8_t special; /* enum special */
};

struct module {
	struct beamfile bf;
	const char *path;
	uint32_t name;    /* atom */
	uint32_t *atoms;  /* of the file -> of the program */
	uint32_t *literals; /* of the file -> value + 1, 0 = not converted yet */
	struct target *targets; /* one per import */
	uint32_t fns_base;
	uint32_t sites_base;
	bool is_server;       /* has callbacks that run in one process */
	bool is_started_named;
	bool is_started_unnamed;
	VEC(uint32_t) behaviours; /* atoms */
	VEC(uint32_t) quiet;      /* function indices that -fermata({no_race, ...}) names */
};

struct fn {
	uint32_t module;
	uint32_t index; /* in the module's functions */
	bool is_callback;
	bool is_closure;    /* the code of a fun */
	uint32_t fun_arity; /* arguments when called as a fun: without free variables */
};

struct atom_text {
	const char *text;
	uint32_t len;
};

struct program {
	struct arena arena;
	struct values vs;
	VEC(struct atom_text) atoms;
	struct map atom_numbers;   /* hash of text -> atom + 1 */
	VEC(struct module) modules;
	struct map module_numbers; /* atom -> module + 1 */
	VEC(struct fn) fns;
	struct map fn_numbers;     /* hash of module, name, arity -> fn + 1 */
	struct map server_names;   /* atom a server is registered as -> module + 1 */
	uint32_t sites_len;
};

void program_init(struct program *p);
void program_release(struct program *p);

/* Reads one .beam file. A module that is there already is passed over. */
bool program_add(struct program *p, const char *path, struct err *err);

void program_link(struct program *p);

uint32_t program_atom(struct program *p, const char *text, size_t len);
uint32_t program_atom_named(struct program *p, const char *text);

/* PROGRAM_NONE if the program does not have it. */
uint32_t program_find_fn(const struct program *p, uint32_t module, uint32_t name, uint32_t arity);
uint32_t program_find_module(const struct program *p, uint32_t name);

uint32_t program_module_of_site(const struct program *p, uint32_t site);
uint32_t program_fn_of_site(const struct program *p, uint32_t site);

/* Marks module as a server of this behaviour (unless it names its own), started under a name or
 * not. */
void program_note_start(struct program *p, uint32_t module, const char *behaviour,
			uint32_t name_or_none, bool is_named);

static inline const struct beam_function *program_function(const struct program *p, uint32_t fn)
{
	const struct fn *f = &p->fns.items[fn];

	return &p->modules.items[f->module].bf.functions[f->index];
}

/* The value of a literal of a module. */
uint32_t program_literal(struct program *p, struct module *m, uint32_t index);

#endif
