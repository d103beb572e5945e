#include <stdlib.h>

#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/ets/persistent.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

static int compare_entries(const void *a, const void *b)
{
	const struct persistent_term *left = *(struct persistent_term *const *)a;
	const struct persistent_term *right = *(struct persistent_term *const *)b;

	if (left->hash != right->hash)
		return left->hash < right->hash ? -1 : 1;
	return term_compare_exact(left->key, right->key);
}

/* In an order that does not depend on the order of the puts. */
term bif_persistent_term_get_0(struct process *p, const term *args)
{
	const struct persistent_terms *terms = p->vm->persistent;
	struct persistent_term **sorted = mem_alloc((terms->len + 1) * sizeof(*sorted));
	size_t len = 0;
	term list = NIL;

	for (uint32_t i = 0; i < terms->buckets_len; i++)
		for (struct persistent_term *entry = terms->buckets[i]; entry; entry = entry->next)
			sorted[len++] = entry;
	qsort(sorted, len, sizeof(*sorted), compare_entries);
	while (len-- > 0)
		list = heap_cons(p, heap_tuple2(p, sorted[len]->key, sorted[len]->value), list);
	mem_free(sorted);
	(void)args;
	return list;
}

term bif_persistent_term_get_1(struct process *p, const term *args)
{
	term value = persistent_get(p->vm, args[0]);

	return value == TERM_NONE ? bif_badarg(p) : value;
}

term bif_persistent_term_get_2(struct process *p, const term *args)
{
	term value = persistent_get(p->vm, args[0]);

	return value == TERM_NONE ? args[1] : value;
}

term bif_persistent_term_put_2(struct process *p, const term *args)
{
	persistent_put(p->vm, args[0], args[1]);
	return A_ok;
}

term bif_persistent_term_put_new_2(struct process *p, const term *args)
{
	term value = persistent_get(p->vm, args[0]);

	if (value != TERM_NONE && !term_equal(value, args[1]))
		return bif_badarg(p);
	persistent_put(p->vm, args[0], args[1]);
	return A_ok;
}

term bif_persistent_term_erase_1(struct process *p, const term *args)
{
	return atom_from_bool(persistent_erase(p->vm, args[0]));
}

term bif_persistent_term_info_0(struct process *p, const term *args)
{
	const struct persistent_terms *terms = p->vm->persistent;
	term pairs[] = {
		A_count, heap_unsigned(p, terms->len),
		A_memory, heap_unsigned(p, (terms->words + terms->buckets_len) * sizeof(term)),
	};

	(void)args;
	return tmap_from_pairs(p, pairs, 2);
}
