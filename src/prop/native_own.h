/* native_own.h: the structures that the two files of the native back end share. */
#ifndef PROP_NATIVE_OWN_H
#define PROP_NATIVE_OWN_H

#include "fermata/model.h"
#include "prop/intern.h"
#include "prop/native_model.h"

/* A sequence of calls, when the object is its own model: the one before, and one more. */
struct sequence {
	uint32_t before; /* number of a sequence; 0 is the empty one's */
	uint32_t call;
	uint32_t value;  /* what that call returns there: a handle, or one of below */
};

enum { SEQUENCE_NOT_RUN = 0, SEQUENCE_FAILS = 0xffffffffu };

struct native_model {
	struct model base;
	struct target *target; /* owned */
	const char *program;
	struct fermata_area *area;
	bool has_steps;     /* else the object is its own model */
	bool needs_states;  /* a generator or a precondition looks at them */
	bool has_initial;   /* below */
	unsigned char initial[FERMATA_STATE_MAX];
	struct prop_test installed; /* len 0: none */

	/* By handle. A state is the model's bytes, or a struct sequence without a value. */
	struct intern calls;  /* struct fermata_area_call, branch 0 */
	struct intern values; /* int64_t */
	struct intern states;
	VEC(struct sequence) sequences; /* of the object that is its own model */
	struct map sequence_steps;      /* before << 32 | call -> number */
	struct map steps; /* answers that were given before: see key_of() */
};

static inline const struct fermata_area_call *native_call(const struct native_model *m,
							  uint32_t handle)
{
	return intern_get(&m->calls, handle);
}

/* native_words.c */
void native_print_call(struct model *self, uint32_t call, struct strbuf *out);
void native_print_value(struct model *self, uint32_t value, struct strbuf *out);
uint32_t native_likely_value(struct model *self, uint32_t nth);
void native_print_source(struct model *self, const struct prop_test *test, struct strbuf *out);
json_t *native_save(struct model *self, const struct prop_test *test);
bool native_load(struct model *self, const json_t *json, struct prop_test *test, struct err *err);

#endif
