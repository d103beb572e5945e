/* print.h: terms as text for erlang:display, reports and errors. This is written in C and quick;
 * the pretty printer is OTP's io_lib, run on the VM itself. */
#ifndef VM_TERMS_PRINT_H
#define VM_TERMS_PRINT_H

#include "base/strbuf.h"
#include "vm/terms/term.h"

/* An atom, quoted where Erlang needs quotes. */
void print_atom(term atom, struct strbuf *out);
void print_term(term t, struct strbuf *out);
/* As erlang:display/1 does: floats with six digits, binaries of printable ASCII as text. */
void print_display(term t, struct strbuf *out);
/* Chardata as its characters, anything else as a term. */
void print_chars(term t, struct strbuf *out);
/* At most so many characters, followed by "..." when the text is longer. */
void print_term_limited(term t, struct strbuf *out, size_t limit);

#endif
