/* view.h: the bytes of a binary as a pointer and a length, as most native functions need them.
 *
 * Nearly always the pointer leads into the binary itself; only a part that starts in the middle of
 * a byte is copied. view_open accepts any term and returns false when the term is not a binary of
 * whole bytes.
 *
 *     struct view view;
 *     if (!view_open(&view, args[0]))
 *             return bif_badarg(p);
 *     ... view.bytes, view.len ...
 *     view_close(&view);
 */
#ifndef VM_TERMS_VIEW_H
#define VM_TERMS_VIEW_H

#include "vm/terms/binary.h"

struct view {
	const uint8_t *bytes;
	size_t len;
	uint8_t *copy; /* NULL: bytes point into the binary */
};

bool view_open(struct view *view, term t);

/* The same for an iolist; a binary is not copied. */
bool view_open_iolist(struct view *view, term t);

void view_close(struct view *view);

#endif
