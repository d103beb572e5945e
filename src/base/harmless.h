/* harmless.h: text of a tested program or of a finding from elsewhere, fit for a terminal.
 *
 * A terminal obeys some characters instead of showing them: escape sequences recolour, clear or
 * retitle it, and bidirectional controls let a line read as another one:
 *
 *     "pass\u202edeliaf" is shown as "passfailed"
 *
 * Each such character, and each byte that is not UTF-8, becomes "?". Files (JSON, SARIF …) keep
 * the text as it was, quoted by their own rules. The rules of JSON do not quote all of these
 * characters. harmless_add_json() quotes them all, because JSON can be printed to a terminal.
 */
#ifndef BASE_HARMLESS_H
#define BASE_HARMLESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Appends the text without control characters. `keeps_lines`: newlines and tabs stay. */
void harmless_add(struct strbuf *out, const char *text, size_t len, bool keeps_lines);

/* Appends JSON text, in which each such character can only be part of a string: as "\u009b". */
void harmless_add_json(struct strbuf *out, const char *json);

/* Is the text without them? */
bool harmless_is(const char *text, size_t len, bool keeps_lines);

#endif
