/* etf.h: external terms (literals, attributes) as a tree, without a VM.
 *
 * The VM decodes literals into its own heap; the disassembler and the static
 * analysis only want to look. etf_read() accepts any bytes: it checks lengths and
 * nesting and never allocates more than a fixed multiple of what it was given.
 * Pids, ports, references and local funs cannot be written down in source code and
 * are kept as ETF_OTHER, skipped but not taken apart.
 *
 * Terms and their parts live in the arena given; texts and bytes may point into the
 * input, which must live as long.
 */
#ifndef BEAMFILE_ETF_H
#define BEAMFILE_ETF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"

enum etf_kind {
	ETF_INT,    /* value */
	ETF_BIG,    /* bytes, len: magnitude, little endian; value: -1 or 1 */
	ETF_FLOAT,  /* number */
	ETF_ATOM,   /* bytes, len: UTF-8 */
	ETF_NIL,
	ETF_LIST,   /* items, len; the last item is the tail, so len is at least 2 */
	ETF_STRING, /* bytes, len: a list of small integers */
	ETF_TUPLE,  /* items, len */
	ETF_MAP,    /* items, len: keys and values by turns */
	ETF_BINARY, /* bytes, len; value: bits used of the last byte, 8 for a binary */
	ETF_EXPORT, /* items: module, function, arity */
	ETF_OTHER,
};

struct etf_term {
	enum etf_kind kind;
	uint32_t len;
	union {
		const uint8_t *bytes;
		const struct etf_term *items;
		double number;
	};
	int64_t value;
};

/* Reads one whole external term, the version byte 131 first. */
bool etf_read(struct arena *arena, const uint8_t *bytes, size_t len, struct etf_term *out,
	      struct err *err);

bool etf_is_atom(const struct etf_term *term, const char *text);

/* Appends the term as Erlang would write it, on one line. */
void etf_print(struct strbuf *out, const struct etf_term *term);

/* Appends an atom, quoted where the language demands it. */
void etf_print_atom(struct strbuf *out, const char *text, size_t len);

#endif
