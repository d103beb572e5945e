/* text.h: UTF-8 encoding of characters, and chardata (deep lists of code points and binaries). */
#ifndef VM_TERMS_TEXT_H
#define VM_TERMS_TEXT_H

#include "vm/terms/binary.h"

void bytes_add(struct bytes *out, const void *from, size_t len);
void bytes_add_byte(struct bytes *out, uint8_t byte);
void bytes_release(struct bytes *out);

/* Whether c is a character: at most 0x10ffff and not a surrogate. */
static inline bool char_is_valid(int64_t c)
{
	return c >= 0 && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

/* Encodes c; out has room for 4. Returns the number of bytes. */
size_t utf8_encode(uint32_t c, uint8_t *out);
/* Decodes one character of at most len bytes. Returns its length, or 0 when it is not valid. */
size_t utf8_decode(const uint8_t *bytes, size_t len, uint32_t *c);

/* Chardata as UTF-8. False when t is not chardata. Binaries inside must be UTF-8. */
bool text_flatten_utf8(term t, struct bytes *out);

#endif
