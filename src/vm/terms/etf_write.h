/* etf_write.h: writes terms in the external term format of the OTP release that is installed.
 *
 * Releases differ in how atoms are written (Latin-1 by default up to OTP 25, UTF-8 from 26 on and
 * with minor_version 2) and how floats are written (as text with minor_version 0). Writing uses a
 * stack of its own, so terms may have any depth. Reading is in etf.h.
 */
#ifndef VM_TERMS_ETF_WRITE_H
#define VM_TERMS_ETF_WRITE_H

#include "vm/terms/binary.h"

struct etf_style {
	bool utf8_atoms;
	bool text_floats;
	bool sorted_maps; /* large maps in term order, not in hash order */
	bool *has_numbers; /* set if a pid, port or reference of this machine is written; or NULL */
};

/* The default style of this release. */
struct etf_style etf_style_default(void);

/* Appends the bytes of t, without the leading 131. */
void etf_write(term t, struct etf_style style, struct bytes *out);

#endif
