/* interp.h: one function under abstract interpretation. Private to interp.c and call.c.
 *
 * interp.c walks the instructions from label to label, lowest first, and keeps registers;
 * whatever is a call goes to call.c, which collects the accesses of that call (an *event*)
 * in `reads` and `writes`, pairs the writes with all reads that happened before, and gives
 * back the value returned.
 */
#ifndef STATIC_INTERP_H
#define STATIC_INTERP_H

#include "static/analysis.h"
#include "static/state.h"

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

/* Others may get hold of the value. */
void call_escape(struct interp *in, uint32_t value);

#endif
