#include "prop/beam_terms.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "vm/terms/etf.h"
#include "vm/terms/etf_write.h"
#include "vm/terms/text.h"

const uint8_t *beam_terms_bytes(const struct beam_terms *terms, uint32_t handle, size_t *len)
{
	size_t start = handle > 1 ? terms->ends.items[handle - 2] : 0;

	BUG_ON(!handle || handle > terms->ends.len, "term %u of %zu", handle, terms->ends.len);
	*len = terms->ends.items[handle - 1] - start;
	return terms->bytes.items + start;
}

static bool is_same(const struct beam_terms *terms, uint32_t handle, const uint8_t *bytes,
		    size_t len)
{
	size_t known_len;
	const uint8_t *known = beam_terms_bytes(terms, handle, &known_len);

	return known_len == len && memcmp(known, bytes, len) == 0;
}

uint32_t beam_terms_put_bytes(struct beam_terms *terms, const uint8_t *bytes, size_t len)
{
	uint64_t hash = hash_bytes(bytes, len);
	uint64_t *handle;
	bool is_new;

	for (;; hash++) {
		handle = map_put(&terms->index, hash, &is_new);
		if (is_new)
			break;
		if (is_same(terms, (uint32_t)*handle, bytes, len))
			return (uint32_t)*handle;
	}
	bytes_add(&terms->bytes, bytes, len);
	*vec_push(&terms->ends) = terms->bytes.len;
	*handle = terms->ends.len;
	return (uint32_t)terms->ends.len;
}

/* Large maps in term order: equal ones must look equal. */
uint32_t beam_terms_put(struct beam_terms *terms, term t)
{
	struct etf_style style = etf_style_default();
	struct bytes bytes = {0};
	uint32_t handle;

	style.sorted_maps = true;
	etf_write(t, style, &bytes);
	handle = beam_terms_put_bytes(terms, bytes.items, bytes.len);
	bytes_release(&bytes);
	return handle;
}

/* The term of these bytes on the heap of p, or TERM_NONE. */
static term build(const uint8_t *bytes, size_t len, struct process *p)
{
	struct etf_size size;
	term *hp;

	if (!etf_measure(bytes, len, false, &size) || size.bytes != len)
		return TERM_NONE;
	hp = heap_alloc(p, size.words);
	return etf_build(bytes, len, &hp, &p->off_heap, false);
}

term beam_terms_get(const struct beam_terms *terms, uint32_t handle, struct process *p)
{
	size_t len;
	const uint8_t *bytes = beam_terms_bytes(terms, handle, &len);
	term t = build(bytes, len, p);

	BUG_ON(t == TERM_NONE, "a term of ours cannot be read");
	return t;
}

void beam_terms_add_hex(const struct beam_terms *terms, uint32_t handle, struct strbuf *out)
{
	size_t len;
	const uint8_t *bytes = beam_terms_bytes(terms, handle, &len);

	for (size_t i = 0; i < len; i++)
		strbuf_addf(out, "%02x", bytes[i]);
}

static bool read_hex(const char *hex, struct bytes *out)
{
	unsigned value;

	for (; hex[0]; hex += 2) {
		if (!isxdigit((unsigned char)hex[0]) || !isxdigit((unsigned char)hex[1]) ||
		    sscanf(hex, "%2x", &value) != 1)
			return false;
		bytes_add_byte(out, (uint8_t)value);
	}
	return true;
}

/* From a file, so anything may be in it. */
uint32_t beam_terms_put_hex(struct beam_terms *terms, const char *hex, struct process *p)
{
	struct bytes bytes = {0};
	uint32_t handle = 0;

	if (read_hex(hex, &bytes) && build(bytes.items, bytes.len, p) != TERM_NONE)
		handle = beam_terms_put_bytes(terms, bytes.items, bytes.len);
	bytes_release(&bytes);
	return handle;
}

void beam_terms_clear(struct beam_terms *terms)
{
	terms->bytes.len = 0;
	terms->ends.len = 0;
	map_clear(&terms->index);
}

void beam_terms_release(struct beam_terms *terms)
{
	bytes_release(&terms->bytes);
	vec_release(&terms->ends);
	map_release(&terms->index);
}
