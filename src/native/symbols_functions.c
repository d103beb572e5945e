#include "native/symbols_functions.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SCOPE_DEPTH = 64 };

/* ---- all functions of a unit ---- */

static void add_ranges(struct function_vec *functions, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (low < high)
			*vec_push(functions) = (struct function_range){low, high, *die};
}

/* A function can be defined inside a class, and in C inside a function. */
static bool may_hold_functions(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return true;
	default:
		return false;
	}
}

static void collect(struct function_vec *functions, Dwarf_Die *parent, int depth)
{
	Dwarf_Die child;

	if (depth == SCOPE_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram)
			add_ranges(functions, &child);
		if (may_hold_functions(tag))
			collect(functions, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* Of two that begin at the same address the shorter one comes last. */
static int compare(const void *a, const void *b)
{
	const struct function_range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->high > right->high ? -1 : left->high < right->high;
}

void functions_collect(struct function_vec *functions, Dwarf_Die *unit)
{
	collect(functions, unit, 0);
	if (functions->len)
		qsort(functions->items, functions->len, sizeof(*functions->items), compare);
}

/* ---- the functions at an address ---- */

/* The last range that begins at or before the address and covers it: functions are apart or one
 * inside the other, so it is the innermost. */
static const struct function_range *find_range(const struct function_vec *functions,
					       uint64_t address)
{
	size_t low = 0, high = functions->len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions->items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0)
		if (address < functions->items[low].high)
			return &functions->items[low];
	return NULL;
}

/* The block or inlined function in `parent` that has the address. */
static bool find_inner(Dwarf_Die *parent, uint64_t address, Dwarf_Die *inner)
{
	if (dwarf_child(parent, inner) != 0)
		return false;
	do {
		int tag = dwarf_tag(inner);

		if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
		     tag == DW_TAG_try_block || tag == DW_TAG_catch_block) &&
		    dwarf_haspc(inner, address) == 1)
			return true;
	} while (dwarf_siblingof(inner, inner) == 0);
	return false;
}

void functions_find(const struct function_vec *functions, uint64_t address, struct die_vec *chain)
{
	const struct function_range *range = find_range(functions, address);
	Dwarf_Die at, inner;

	if (!range)
		return;
	*vec_push(chain) = at = range->die;
	for (int depth = 0; depth < SCOPE_DEPTH && find_inner(&at, address, &inner); depth++) {
		at = inner;
		if (dwarf_tag(&at) == DW_TAG_inlined_subroutine)
			*vec_push(chain) = at;
	}
	for (size_t i = 0; i < chain->len / 2; i++) {
		Dwarf_Die first = chain->items[i];

		chain->items[i] = chain->items[chain->len - 1 - i];
		chain->items[chain->len - 1 - i] = first;
	}
}
