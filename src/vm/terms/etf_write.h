/* etf_write.h: terms to bytes: the external term format of the release that is emulated.
 *
 * What differs: how atoms are written (Latin-1 by default up to OTP 25, UTF-8 from 26 on and with
 * minor_version 2), and how floats are (as text with minor_version 0). Walks with a stack of
 * its own: terms of any depth are fine. Reading is in etf.h.
 */
#ifndef VM_TERMS_ETF_WRITE_H
#define VM_TERMS_ETF_WRITE_H

#include "vm/terms/binary.h"

struct etf_style {
	bool utf8_atoms;
	bool text_floats;
	bool sorted_maps; /* large maps in term order, not in hash order */
};

/* The default style of this release. */
struct etf_style etf_style_default(void);

/* Appends the bytes of t, without the leading 131. */
void etf_write(term t, struct etf_style style, struct bytes *out);

#endif
