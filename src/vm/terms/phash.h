/* phash.h: the two portable hashes of Erlang, with the same values as on the real VM, because
 * programs store these values and depend on them (phash2 in sets, dict, shard keys). The hash for
 * the VM's own tables is term_hash (compare.h). */
#ifndef VM_TERMS_PHASH_H
#define VM_TERMS_PHASH_H

#include "vm/terms/term.h"

/* erlang:phash2 before it is cut to a range; all 32 bits. */
uint32_t phash2(term t);
/* erlang:phash before it is cut to a range. */
uint32_t phash(term t);
/* The hash of an atom, for both; it depends on the text only. */
uint32_t phash_atom(term atom);

#endif
