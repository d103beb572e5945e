/* assertion.h: failed assertions, distinguished from crashes and put into words.
 *
 * EUnit's macros raise {assertEqual, [{module, M}, {line, L}, {expression, Text}, …]} and the like;
 * ExUnit raises a struct 'Elixir.ExUnit.AssertionError'. Printed as terms, both begin with details.
 * The expected and the actual value, which matter most, come late.
 */
#ifndef BEAM_ASSERTION_H
#define BEAM_ASSERTION_H

#include "base/strbuf.h"
#include "vm/terms/term.h"

/* error: what was raised, without its stack trace. */
bool assertion_is(term error);

/* One line: "assertEqual fails: f(X) is 1, expected 2"; also for exceptions of Elixir. False, and
 * nothing printed, when it is neither. */
bool assertion_print(term error, struct strbuf *out);

#endif
