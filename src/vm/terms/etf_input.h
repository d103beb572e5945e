/* etf_input.h: reads bytes of the external term format, and the terms in it that do not contain
 * other terms.
 *
 * Both passes of decoding (etf.h) read with these functions. They never read past the end:
 * missing or wrong bytes set `failed`, and from then on every function returns zero or TERM_NONE.
 * So a pass may check the flag once, at its end.
 *
 * With `safe`, an atom that does not exist yet is a failure.
 */
#ifndef VM_TERMS_ETF_INPUT_H
#define VM_TERMS_ETF_INPUT_H

#include "vm/terms/remote.h"
#include "vm/terms/term.h"

struct etf_input {
	const uint8_t *bytes;
	size_t len;
	size_t at;
	bool safe;
	bool failed;
};

/* The place of the next n bytes. */
static inline size_t etf_take(struct etf_input *in, size_t n)
{
	size_t at = in->at;

	if (n > in->len - in->at) {
		in->failed = true;
		return 0;
	}
	in->at += n;
	return at;
}

/* The next n bytes as a number, the most significant first. */
static inline uint64_t etf_take_number(struct etf_input *in, unsigned n)
{
	size_t at = etf_take(in, n);
	uint64_t value = 0;

	for (unsigned i = 0; i < n && !in->failed; i++)
		value = value << 8 | in->bytes[at + i];
	return value;
}

/* An atom whose tag was read; an atom with its tag; a number with its tag. */
bool etf_is_atom_tag(unsigned tag);
term etf_take_atom(struct etf_input *in, unsigned tag);
term etf_expect_atom(struct etf_input *in);
int64_t etf_expect_int(struct etf_input *in);

double etf_take_float(struct etf_input *in);
double etf_take_old_float(struct etf_input *in); /* as text */

/* Whether the tag is that of a pid, port or reference; and one whose tag was read. It is a term of
 * this machine if its node is A_nohost with creation 0, or if its creation is that of the flags of a
 * reference (etf_tags.h). */
bool etf_is_remote_tag(unsigned tag);
struct remote etf_take_remote(struct etf_input *in, unsigned tag);

/* The words that it takes, and building it at *hp, which moves behind it. */
size_t etf_remote_words(const struct remote *parts);
term etf_build_remote(const struct remote *parts, term **hp);

struct etf_fun {
	struct fun_entry *entry;
	uint64_t num_free;
};

/* A fun up to its free variables, which are terms. */
struct etf_fun etf_take_fun(struct etf_input *in);

#endif
