#include "vm/process/pdict.h"

#include <stdlib.h>

#include "base/mem.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/terms/compare.h"

/* The mark that an erased key leaves; its value is not a term. */
#define ERASED ((term)4)

/* The place of the key, or of the free entry at the end of its cluster. */
static term *find_entry(const struct pdict *dict, term key)
{
	uint32_t i = (uint32_t)term_hash(key) & (dict->cap - 1);

	for (;;) {
		term *entry = dict->entries + 2 * (size_t)i;

		if (entry[0] == TERM_NONE || (entry[0] != ERASED && term_equal(entry[0], key)))
			return entry;
		i = (i + 1) & (dict->cap - 1);
	}
}

term pdict_get(const struct process *p, term key)
{
	term *entry;

	if (!p->dictionary.len)
		return TERM_NONE;
	entry = find_entry(&p->dictionary, key);
	return entry[0] == TERM_NONE ? TERM_NONE : entry[1];
}

static void grow(struct pdict *dict)
{
	struct pdict old = *dict;

	dict->cap = old.len * 4 < 8 ? 8 : 1;
	while (dict->cap < old.len * 4)
		dict->cap *= 2;
	if (dict->cap < 8)
		dict->cap = 8;
	dict->entries = region_zalloc((size_t)dict->cap * 2 * sizeof(term));
	dict->used = old.len;
	for (uint32_t i = 0; i < old.cap; i++) {
		term *from = old.entries + 2 * (size_t)i, *to;

		if (from[0] == TERM_NONE || from[0] == ERASED)
			continue;
		to = find_entry(dict, from[0]);
		to[0] = from[0];
		to[1] = from[1];
	}
	region_free(old.entries, (size_t)old.cap * 2 * sizeof(term));
}

term pdict_put(struct process *p, term key, term value)
{
	struct pdict *dict = &p->dictionary;
	term *entry, old;

	if (dict->used * 2 >= dict->cap)
		grow(dict);
	entry = find_entry(dict, key);
	old = entry[0] == TERM_NONE ? TERM_NONE : entry[1];
	if (entry[0] == TERM_NONE) {
		dict->len++;
		dict->used++;
	}
	entry[0] = key;
	entry[1] = value;
	return old;
}

term pdict_erase(struct process *p, term key)
{
	term *entry, old;

	if (!p->dictionary.len)
		return TERM_NONE;
	entry = find_entry(&p->dictionary, key);
	if (entry[0] == TERM_NONE)
		return TERM_NONE;
	old = entry[1];
	entry[0] = ERASED;
	entry[1] = NIL;
	p->dictionary.len--;
	return old;
}

void pdict_clear(struct process *p)
{
	struct pdict *dict = &p->dictionary;

	region_free(dict->entries, (size_t)dict->cap * 2 * sizeof(term));
	*dict = (struct pdict){0};
}

static int compare_keys(const void *a, const void *b)
{
	return term_compare_exact(*(const term *)a, *(const term *)b);
}

term pdict_list(const struct process *p, struct process *on)
{
	const struct pdict *dict = &p->dictionary;
	term *pairs = mem_alloc(((size_t)dict->len * 2 + 1) * sizeof(term));
	size_t n = 0;
	term list = NIL;

	for (uint32_t i = 0; i < dict->cap; i++) {
		const term *entry = dict->entries + 2 * (size_t)i;

		if (entry[0] == TERM_NONE || entry[0] == ERASED)
			continue;
		pairs[2 * n] = entry[0];
		pairs[2 * n++ + 1] = entry[1];
	}
	qsort(pairs, n, 2 * sizeof(term), compare_keys);
	while (n-- > 0) {
		term key = p == on ? pairs[2 * n] : heap_import(on, pairs[2 * n]);
		term value = p == on ? pairs[2 * n + 1] : heap_import(on, pairs[2 * n + 1]);

		list = heap_cons(on, heap_tuple2(on, key, value), list);
	}
	mem_free(pairs);
	return list;
}
