/* print.h: terms as text for erlang:display, reports and errors; quick and native, not the
 * pretty printer (that is io_lib, run on the VM itself). */
#ifndef VM_TERMS_PRINT_H
#define VM_TERMS_PRINT_H

#include "base/strbuf.h"
#include "vm/terms/term.h"

/* Quoted where Erlang wants it. */
void print_atom(term atom, struct strbuf *out);
void print_term(term t, struct strbuf *out);
/* At most so many characters, then "...". */
void print_term_limited(term t, struct strbuf *out, size_t limit);

#endif
