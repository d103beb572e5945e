#include "vm/ets/persistent.h"

#include "vm/memory/copy_shared.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"
#include "vm/vm.h"

enum { BUCKETS_FIRST = 16 };

static struct persistent_term **find_link(const struct persistent_terms *terms, uint64_t hash,
					  term key)
{
	struct persistent_term **link = &terms->buckets[hash & (terms->buckets_len - 1)];

	while (*link && ((*link)->hash != hash || !term_equal((*link)->key, key)))
		link = &(*link)->next;
	return link;
}

static struct persistent_term *make_entry(term key, term value, uint64_t hash)
{
	struct shared_copy copy = {.takes_literals = true}; /* as on the real VM: memory counts them */
	size_t words = shared_copy_measure(&copy, key) + shared_copy_measure(&copy, value);
	struct persistent_term *entry = region_alloc(sizeof(*entry) + words * sizeof(term));
	term *hp = entry->words;

	*entry = (struct persistent_term){.hash = hash, .words_len = words};
	entry->key = shared_copy_make(&copy, key, &hp, &entry->off_heap);
	entry->value = shared_copy_make(&copy, value, &hp, &entry->off_heap);
	shared_copy_release(&copy);
	return entry;
}

/* Of the ranges that begin at or before this place, how many there are. */
static uint32_t count_ranges(const struct persistent_terms *terms, const void *at)
{
	uint32_t low = 0, high = terms->ranges_len;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((const void *)terms->ranges[middle].from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_range(struct persistent_terms *terms, const struct persistent_term *entry)
{
	uint32_t at = count_ranges(terms, entry->words);

	if (!entry->words_len)
		return;
	if (terms->ranges_len == terms->ranges_cap) {
		uint32_t cap = terms->ranges_cap ? terms->ranges_cap * 2 : 16;

		terms->ranges = region_grow(terms->ranges,
					    terms->ranges_cap * sizeof(*terms->ranges),
					    cap * sizeof(*terms->ranges));
		terms->ranges_cap = cap;
	}
	memmove(terms->ranges + at + 1, terms->ranges + at,
		(terms->ranges_len++ - at) * sizeof(*terms->ranges));
	terms->ranges[at] = (struct persistent_range){entry->words, entry->words + entry->words_len};
	terms->low = (uintptr_t)terms->ranges[0].from;
	terms->span = (uintptr_t)terms->ranges[terms->ranges_len - 1].to - terms->low;
}

bool persistent_find(const struct persistent_terms *terms, const void *at)
{
	uint32_t count = count_ranges(terms, at);

	return count && at < (const void *)terms->ranges[count - 1].to;
}

static void resize(struct persistent_terms *terms, uint32_t buckets_len)
{
	struct persistent_terms old = *terms;

	terms->buckets_len = buckets_len;
	terms->buckets = region_zalloc(terms->buckets_len * sizeof(*terms->buckets));
	for (uint32_t i = 0; i < old.buckets_len; i++) {
		while (old.buckets[i]) {
			struct persistent_term *entry = old.buckets[i];
			struct persistent_term **link =
				&terms->buckets[entry->hash & (terms->buckets_len - 1)];

			old.buckets[i] = entry->next;
			entry->next = *link;
			*link = entry;
		}
	}
	region_free(old.buckets, old.buckets_len * sizeof(*old.buckets));
}

term persistent_get(struct vm *vm, term key)
{
	struct persistent_term *entry = *find_link(vm->persistent, term_hash(key), key);

	return entry ? entry->value : TERM_NONE;
}

static void let_go(struct vm *vm, struct persistent_term *entry)
{
	struct persistent_terms *terms = vm->persistent;

	terms->words -= entry->words_len;
	entry->gone_ns = vm->now_ns;
	entry->next = terms->gone;
	terms->gone = entry;
}

/* A value that is replaced is unlinked, but not freed. */
void persistent_put(struct vm *vm, term key, term value)
{
	struct persistent_terms *terms = vm->persistent;
	uint64_t hash = term_hash(key);
	struct persistent_term **link = find_link(terms, hash, key), *entry;

	if (*link && term_equal((*link)->value, value))
		return;
	entry = make_entry(key, value, hash);
	add_range(terms, entry);
	terms->words += entry->words_len;
	if (*link) {
		entry->next = (*link)->next;
		let_go(vm, *link);
		*link = entry;
		return;
	}
	*link = entry;
	if (++terms->len > terms->buckets_len / 2)
		resize(terms, terms->buckets_len * 2);
}

bool persistent_erase(struct vm *vm, term key)
{
	struct persistent_terms *terms = vm->persistent;
	struct persistent_term **link = find_link(terms, term_hash(key), key), *entry = *link;

	if (!entry)
		return false;
	*link = entry->next;
	let_go(vm, entry);
	terms->len--;
	if (terms->len < terms->buckets_len / 4 && terms->buckets_len > BUCKETS_FIRST)
		resize(terms, terms->buckets_len / 2);
	return true;
}

static bool has_word(const struct persistent_term *entry, const term *at)
{
	return at >= entry->words && at < entry->words + entry->words_len;
}

bool persistent_holds(struct vm *vm, const term *at)
{
	const struct persistent_terms *terms = vm->persistent;
	const struct persistent_term *entry;

	for (uint32_t i = 0; i < terms->buckets_len; i++)
		for (entry = terms->buckets[i]; entry; entry = entry->next)
			if (has_word(entry, at))
				return true;
	for (entry = terms->gone; entry && entry->gone_ns == vm->now_ns; entry = entry->next)
		if (has_word(entry, at))
			return true;
	return false;
}

/* The primary level of logger, `none`, as the number -1: see ets_open. */
void persistent_open(struct vm *vm)
{
	struct process *init = process_find(vm, vm->init_pid);
	term key = heap_tuple2(init, atom_from_string("logger_config"), A_dollar_primary_config);

	vm->persistent = region_zalloc(sizeof(*vm->persistent));
	vm->persistent->buckets_len = BUCKETS_FIRST;
	vm->persistent->buckets =
		region_zalloc(BUCKETS_FIRST * sizeof(*vm->persistent->buckets));
	persistent_put(vm, key, small_make(-1));
}
