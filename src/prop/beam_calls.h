/* beam_calls.h: the calls of tests in Erlang, by handle (prop.h).
 *
 * A call is a command as fermata_prop makes them: {Imm, Call, Text, Variables}. It stands for one
 * symbolic variable, {var, N}, by which later calls use its result. N is its handle, with one
 * exception: a variant of a call (a simpler one, or one that uses another's result) keeps the
 * variable of the call it came from. So calls that use that variable need not change. For readers
 * variables are numbered by the place of their call in the test.
 */
#ifndef PROP_BEAM_CALLS_H
#define PROP_BEAM_CALLS_H

#include "prop/beam_terms.h"
#include "prop/prop.h"

/* Terms are those of struct beam_calls. */
struct beam_call {
	uint32_t var;
	uint32_t command; /* {Imm, Call, Text, Variables} */
	uint32_t call;    /* the second of these */
	uint32_t state;   /* where it was generated */
	char *text;       /* owned */
	uint32_t uses_first, uses_len;       /* variables, in numbers */
	uint32_t simpler_first, simpler_len; /* handles, one after the other; if is_simplified */
	bool is_simplified;
};

struct beam_calls {
	struct beam_terms terms;
	VEC(struct beam_call) items; /* handle h is items[h - 1] */
	VEC(uint32_t) numbers;
};

/* A new call; var 0: its own. */
uint32_t beam_calls_add(struct beam_calls *calls, term command, uint32_t state, uint32_t var);
void beam_calls_clear(struct beam_calls *calls);
void beam_calls_release(struct beam_calls *calls);

/* Valid until the next is added. */
static inline const struct beam_call *beam_call_of(const struct beam_calls *calls, uint32_t handle)
{
	return &calls->items.items[handle - 1];
}

bool beam_call_uses(const struct beam_calls *calls, uint32_t handle, uint32_t var);

/* As one writes it in this test: with its variable if another call uses that. */
void beam_call_print(const struct beam_calls *calls, const struct prop_test *test, uint32_t handle,
		     struct strbuf *out);

/* A test for the finding's file, and back; p has room for terms while they are checked. */
json_t *beam_calls_save(const struct beam_calls *calls, const struct prop_test *test);
bool beam_calls_load(struct beam_calls *calls, const json_t *json, struct process *p,
		     struct prop_test *test, struct err *err);

#endif
