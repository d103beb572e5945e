/* phash.h: the two portable hashes of Erlang, bit for bit: programs save their values and
 * choose by them (phash2 in sets, dict, shard keys). Not term_hash (compare.h), which is ours. */
#ifndef VM_TERMS_PHASH_H
#define VM_TERMS_PHASH_H

#include "vm/terms/term.h"

/* erlang:phash2 before it is cut to a range; all 32 bits. */
uint32_t phash2(term t);
/* erlang:phash before it is cut to a range. */
uint32_t phash(term t);
/* What both make of an atom: of its text only. */
uint32_t phash_atom(term atom);

#endif
