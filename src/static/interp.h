/* interp.h: abstract interpretation of one function. Private to the files named here.
 *
 * interp.c walks the instructions from label to label, lowest first, and keeps registers.
 * Calls are handled by call.c, which collects the accesses of a call (an *event*) in `reads`
 * and `writes` and returns the value of the call. It gets help from apply.c
 * (summaries of callees), event.c (built-ins; writes meet the reads before them) and hof.c
 * (functions that run functions, servers).
 */
#ifndef STATIC_INTERP_H
#define STATIC_INTERP_H

#include "static/analysis.h"
#include "static/state.h"

enum {
	MAX_ARGS = STATE_MAX_REGISTERS,
	FIRST_FUN_ARGUMENT = 16, /* results of a site: arguments a library gives to a fun */
};

/* Which part of a callee's summary counts, and how it changes on the way to the caller. */
struct passage {
	uint8_t add;        /* access flags to set */
	bool only_writes;   /* a new process: what it reads is not before what we do */
	bool is_dirty;      /* ACCESS_ACTIVITY is lifted */
	bool is_transaction; /* accesses under ACCESS_ACTIVITY are protected */
};

struct read_event {
	uint32_t start; /* in past_reads */
	uint32_t len;
};

struct interp {
	struct analysis *a;
	struct program *p;
	struct values *vs;
	struct module *m;
	const struct beam_function *f;
	uint32_t fn;
	struct summary *summary; /* being built */
	struct state now;
	bool is_live;            /* the next instruction can be reached */
	struct state **states;   /* at labels: instruction - f->first -> state, or NULL */
	uint8_t *visits;
	uint64_t *pending;       /* instructions - f->first */
	struct arena arena;
	struct access_vec past_reads;
	VEC(struct read_event) events;
	struct access_vec reads; /* of the current event */
	struct access_vec writes;
	uint64_t returned_reads[BITSET_WORDS(STATE_MAX_READS)];
	uint32_t result;
	bool has_result;
	uint32_t fun_nesting; /* funs given to funs given to ...: bounded */
};

/* A call of an import, of a function of the program, of a fun. Returns the value of the
 * result; VALUE_TOP and in->is_live false when the call cannot return. */
uint32_t call_import(struct interp *in, const struct target *target, const uint32_t *args,
		     uint32_t args_len, uint32_t site);
uint32_t call_function(struct interp *in, uint32_t fn, const uint32_t *args, uint32_t args_len,
		       uint32_t site);
uint32_t call_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
		  uint32_t site);
uint32_t call_by_name(struct interp *in, uint32_t module, uint32_t name, const uint32_t *args,
		      uint32_t args_len, uint32_t site);
void call_send(struct interp *in, uint32_t to, uint32_t message, uint32_t site);

/* The creation of a fun: the pairs inside it that its free variables decide. */
void call_make_fun(struct interp *in, uint32_t fun, uint32_t site);

/* event.c. Others may get hold of the value, of the values. */
void call_escape(struct interp *in, uint32_t value);
/* New processes run the funs of this list. */
void call_spawn_items(struct interp *in, uint32_t list);
void call_escape_all(struct interp *in, const uint32_t *args, uint32_t args_len);

/* Adds the access of a built-in (index into builtins) to the event. */
void call_builtin(struct interp *in, int16_t index, const uint32_t *args, uint32_t args_len,
		  uint32_t site);

/* lists:member(Name, List): looking for one name in all of them is reading that one. */
void call_member(struct interp *in, uint32_t name, uint32_t list);

/* ets:new; returns the value of the table. */
uint32_t call_create_table(struct interp *in, int16_t builtin, const uint32_t *args, uint32_t site);
void call_note_create(struct interp *in, struct create create);

/* The event is complete: writes meet the reads before it, its reads wait for later writes. */
void call_finish_event(struct interp *in);

/* hof.c. A function that runs a function (index into hofs); a call that starts a server; with
 * --calls, a call that asks one. */
void call_hof(struct interp *in, int16_t index, const uint32_t *args, uint32_t site);
void call_note_start(struct interp *in, const struct start *start, const uint32_t *args);
void call_server(struct interp *in, const uint32_t *args, uint32_t site);

/* Remembers a call of a fun that may become known in a caller, or stay unknown. */
void call_defer_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
		    uint32_t site);

/* The function M:F with so many arguments, when both are known, else PROGRAM_NONE. */
uint32_t call_find_named(const struct interp *in, uint32_t module, uint32_t name, uint32_t arity);

/* equal.c. Takes along the tests that held on the way here and make the ends of the pair equal. */
void equal_take(struct interp *in, struct pair *pair);
bool equal_translate(struct interp *in, struct pair *pair, const uint32_t *args, uint32_t args_len,
		     uint32_t site);

/* caught.c. Is the failure of this call handled by a try or catch around it? */
bool caught_is_failure_of(const struct interp *in, const struct builtin *b);

/* apply.c. The summary of a function, of a fun, becomes part of the current event. */
void apply_summary(struct interp *in, uint32_t fn, const uint32_t *args, uint32_t args_len,
		   uint32_t site, struct passage passage);
void apply_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
	       uint32_t site, struct passage passage);
void apply_pairs(struct interp *in, const struct summary *callee, const uint32_t *args,
		 uint32_t args_len, uint32_t site, struct passage passage, uint32_t closure);
void apply_creates(struct interp *in, const struct summary *callee, const uint32_t *args,
		   uint32_t args_len, uint32_t site);

/* Arguments followed by the fun's free variables, as its code takes them. */
uint32_t apply_join_args(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
			 uint32_t *out);

#endif
