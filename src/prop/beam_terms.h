/* beam_terms.h: Erlang terms kept outside the machine, as interned handles.
 *
 * Every restore of the machine also restores its heaps, but states, calls and results of a
 * property test must outlive it. Here they are kept in the external term format. Equal terms have
 * equal handles, numbers from 1. Process identifiers and references keep their meaning: their
 * names are the same in every run.
 */
#ifndef PROP_BEAM_TERMS_H
#define PROP_BEAM_TERMS_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "vm/terms/binary.h"

struct beam_terms {
	struct bytes bytes; /* of all terms, one after the other */
	VEC(size_t) ends;   /* where each ends; handle h is items[h - 1] */
	struct map index;   /* hash -> handle */
};

/* The handle of a term. */
uint32_t beam_terms_put(struct beam_terms *terms, term t);
/* The same from bytes of the external term format, without the leading 131. */
uint32_t beam_terms_put_bytes(struct beam_terms *terms, const uint8_t *bytes, size_t len);

/* A new copy of the term on the heap of p. */
term beam_terms_get(const struct beam_terms *terms, uint32_t handle, struct process *p);
/* Its bytes, valid until the next put. */
const uint8_t *beam_terms_bytes(const struct beam_terms *terms, uint32_t handle, size_t *len);

/* As text for a file, and back: 0 if the text is not a term. The term is built on the heap of p to
 * check it. */
void beam_terms_add_hex(const struct beam_terms *terms, uint32_t handle, struct strbuf *out);
uint32_t beam_terms_put_hex(struct beam_terms *terms, const char *hex, struct process *p);

void beam_terms_clear(struct beam_terms *terms);
void beam_terms_release(struct beam_terms *terms);

#endif
