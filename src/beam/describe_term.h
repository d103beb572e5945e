/* describe_term.h: terms in the syntax of Elixir, for reports about Elixir programs. */
#ifndef BEAM_DESCRIBE_TERM_H
#define BEAM_DESCRIBE_TERM_H

#include "base/strbuf.h"
#include "vm/terms/term.h"

/* "Counter" for the atom 'Elixir.Counter', ":ok" for ok. */
void describe_elixir_atom(term atom, struct strbuf *out);

/* At most about so many characters, followed by "..." when the text is longer. */
void describe_elixir_term(term t, struct strbuf *out, size_t limit);

/* Replaces 'Elixir.Counter' by Counter in words that have been written before. */
void describe_elixir_names(struct strbuf *text);

#endif
