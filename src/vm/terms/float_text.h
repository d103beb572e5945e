/* float_text.h: floats to text (the shortest text that reads back as the same float, scientific,
 * fixed decimals) and text to floats. */
#ifndef VM_TERMS_FLOAT_TEXT_H
#define VM_TERMS_FLOAT_TEXT_H

#include "base/strbuf.h"
#include "vm/terms/term.h"

/* options as of float_to_list/2; NIL: 20 digits, scientific. False: bad options. */
bool float_format(double value, term options, struct strbuf *out);
/* The shortest text that reads back, as io_lib:format("~p") shows it. */
void float_shortest(double value, struct strbuf *out);
/* Digits, a point, digits, maybe an exponent; nothing else. */
bool float_parse(const char *text, size_t len, double *value);

#endif
