#include "vm/bifs/search.h"

#include "base/mem.h"
#include "vm/terms/atom.h"

static bool add_pattern(struct search *search, term t)
{
	struct view view;

	if (!view_open(&view, t))
		return false;
	*vec_push(&search->patterns) = view;
	return view.len > 0;
}

static bool add_patterns(struct search *search, term t)
{
	if (term_is_tuple_of(t, 2)) {
		term kind = tuple_element(t, 0);

		t = tuple_element(t, 1);
		if (!(kind == A_bm && term_is_bitstring(t)) && !(kind == A_ac && term_is_cons(t)))
			return false;
	}
	if (!term_is_cons(t))
		return add_pattern(search, t);
	for (; term_is_cons(t); t = cons_tail(t))
		if (!add_pattern(search, cons_head(t)))
			return false;
	return t == NIL;
}

bool search_open(struct search *search, term t)
{
	memset(search, 0, sizeof(*search));
	if (!add_patterns(search, t)) {
		search_close(search);
		return false;
	}
	search->next = mem_zalloc(search->patterns.len * sizeof(*search->next));
	for (size_t i = 0; i < search->patterns.len; i++) {
		uint8_t byte = search->patterns.items[i].bytes[0];

		search->next[i] = search->first[byte];
		search->first[byte] = (uint32_t)i + 1;
	}
	return true;
}

void search_close(struct search *search)
{
	for (size_t i = 0; i < search->patterns.len; i++)
		view_close(&search->patterns.items[i]);
	vec_release(&search->patterns);
	mem_free(search->next);
	search->next = NULL;
}

static bool find_one(const struct view *pattern, const uint8_t *bytes, size_t from, size_t to,
		     struct slice *found)
{
	const uint8_t *at = memmem(bytes + from, to - from, pattern->bytes, pattern->len);

	if (!at)
		return false;
	found->start = (size_t)(at - bytes);
	found->len = pattern->len;
	return true;
}

/* The longest pattern that begins here; 0: none does. */
static size_t match_at(const struct search *search, const uint8_t *at, size_t room)
{
	size_t longest = 0;

	for (uint32_t i = search->first[*at]; i; i = search->next[i - 1]) {
		const struct view *pattern = &search->patterns.items[i - 1];

		if (pattern->len > longest && pattern->len <= room &&
		    memcmp(pattern->bytes, at, pattern->len) == 0)
			longest = pattern->len;
	}
	return longest;
}

bool search_next(const struct search *search, const uint8_t *bytes, size_t from, size_t to,
		 struct slice *found)
{
	if (search->patterns.len == 1)
		return find_one(&search->patterns.items[0], bytes, from, to, found);
	for (size_t at = from; at < to; at++) {
		size_t len = match_at(search, bytes + at, to - at);

		if (len) {
			*found = (struct slice){at, len};
			return true;
		}
	}
	return false;
}
