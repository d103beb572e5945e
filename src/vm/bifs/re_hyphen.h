/* re_hyphen.h: hyphens that PCRE 8 takes for themselves and PCRE2 refuses.
 *
 * In [\d-z] the hyphen cannot make a range. PCRE 8, which OTP has up to release 27, reads it as a
 * hyphen; PCRE2 reports an invalid range. With a backslash before the hyphen both agree. The same holds
 * for the z of [\z], with no backslash before it, for the digit of \8 where
 * there is no group 8, and for \c before a character that cannot be printed. */
#ifndef VM_BIFS_RE_HYPHEN_H
#define VM_BIFS_RE_HYPHEN_H

#include "base/vec.h"
#include "vm/terms/text.h"

/* Copies the expression with and without those backslashes. */
void re_escape_hyphens(const uint8_t *text, size_t len, struct bytes *out);

#endif
