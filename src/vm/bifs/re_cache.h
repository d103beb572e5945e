/* re_cache.h: compiled regular expressions, by source and options.
 *
 * A compiled expression that a program holds is plain data (the source and the options, see
 * re_source_write). The code that PCRE2 compiled from it is kept here, outside the region, in a
 * cache that a run cannot see. The cache has a fixed number of places; a new expression replaces
 * the one that had its place.
 */
#ifndef VM_BIFS_RE_CACHE_H
#define VM_BIFS_RE_CACHE_H

#include "base/strbuf.h"
#include "vm/bifs/re_options.h"
#include "vm/terms/binary.h"

struct re_source {
	uint32_t options; /* PCRE2 bits */
	uint32_t newline; /* PCRE2_NEWLINE_... */
	uint32_t bsr;
	const uint8_t *text;
	size_t len;
};

struct re_compiled {
	pcre2_code *code;
	pcre2_match_data *match;
	int error; /* code == NULL: PCRE2's number and where */
	size_t error_offset;
};

/* Never NULL; valid until the next call. */
const struct re_compiled *re_cache_get(const struct re_source *source);

/* Releases the cache of the entered machine. */
void re_cache_close(void);

/* The text of a compile error as the real VM gives it, and the offset that the real VM reports. */
void re_error_text(const struct re_compiled *compiled, struct strbuf *text, size_t *offset);

/* The limits of one match. Valid until the next call. */
pcre2_match_context *re_match_context(const struct re_options *options);

/* An expression as bytes for {re_pattern, ...}, and back; reading borrows the bytes. */
void re_source_write(const struct re_source *source, struct bytes *out);
bool re_source_read(struct re_source *source, const uint8_t *bytes, size_t len);

#endif
