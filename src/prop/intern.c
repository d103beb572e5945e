#include "prop/intern.h"

uint32_t intern_put(struct intern *in, const void *bytes)
{
	bool is_new;
	uint64_t *first = map_put(&in->by_hash, hash_bytes(bytes, in->size), &is_new);

	for (uint32_t n = (uint32_t)*first; n; n = in->next.items[n - 1])
		if (memcmp(intern_get(in, n), bytes, in->size) == 0)
			return n;
	vec_append(&in->bytes, bytes, in->size);
	*vec_push(&in->next) = (uint32_t)*first;
	*first = in->next.len;
	return (uint32_t)in->next.len;
}

void intern_clear(struct intern *in)
{
	vec_clear(&in->bytes);
	vec_clear(&in->next);
	map_clear(&in->by_hash);
}

void intern_release(struct intern *in)
{
	vec_release(&in->bytes);
	vec_release(&in->next);
	map_release(&in->by_hash);
}
