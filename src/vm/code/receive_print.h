/* receive_print.h: the patterns of a receive, from abstract code, as Erlang writes them. */
#ifndef VM_CODE_RECEIVE_PRINT_H
#define VM_CODE_RECEIVE_PRINT_H

#include "base/strbuf.h"
#include "beamfile/etf.h"

/* Appends "{answer, Ref} when Ref > 1; stop", at most about `limit` bytes. Parts that are not known
 * here are printed as "...". */
void receive_print_clauses(const struct etf_term *clauses, struct strbuf *out, size_t limit);

#endif
