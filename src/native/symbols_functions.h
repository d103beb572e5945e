/* symbols_functions.h: the functions of a compilation unit by address.
 *
 * libdw finds the function at an address by walking over the whole unit each time. A unit of a
 * header-only C++ library (Catch2, doctest) has half a million entries, and a finding asks for some
 * hundred addresses, which took minutes. Here a unit is walked once.
 */
#ifndef NATIVE_SYMBOLS_FUNCTIONS_H
#define NATIVE_SYMBOLS_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stdint.h>

#include "base/vec.h"

/* One range of addresses of a function; a function that was split into hot and cold has two. */
struct function_range {
	uint64_t low, high; /* in the file; `high` is behind the last byte */
	Dwarf_Die die;
};

VEC_TYPE(function_vec, struct function_range);
VEC_TYPE(die_vec, Dwarf_Die);

/* Appends all ranges of the functions of a unit, sorted by their beginning. */
void functions_collect(struct function_vec *functions, Dwarf_Die *unit);

/* Appends the functions at an address, innermost first: the inlined ones, then the function that
 * they were inlined into. Nothing if no function is there. */
void functions_find(const struct function_vec *functions, uint64_t address, struct die_vec *chain);

#endif
