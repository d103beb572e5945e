/* symbols_types.h: global variables and what is inside them, by their DWARF types. */
#ifndef NATIVE_SYMBOLS_TYPES_H
#define NATIVE_SYMBOLS_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

/* One global (or static local) variable of a module. */
struct variable {
	uint64_t address; /* in the file */
	uint64_t size;
	Dwarf_Die die;
};

VEC_TYPE(variable_vec, struct variable);

/* Appends the variables of one compilation unit that have a fixed address. */
void variables_collect(struct variable_vec *variables, Dwarf_Die *unit);
void variables_sort(struct variable_vec *variables);

/* The variable that covers the address, or NULL. Sorted ones only. */
struct variable *variables_find(const struct variable_vec *variables, uint64_t address);

/* Appends "name.member[3]" for the byte at `offset` inside the variable. A part that has no name in the
 * source is "name+8"; if `is_inside` is not NULL it is set then, and the name is that of the whole. */
void variable_add_name(struct strbuf *out, struct variable *variable, uint64_t offset,
		       bool *is_inside);

/* The bytes that the variable has by its type; 0 if that is not known. */
uint64_t variable_size(struct variable *variable);

/* Appends "task.next" for the byte at `offset` in a heap block, by the pointers in the function that
 * allocated it (symbols_block). */
bool block_add_name(struct strbuf *out, Dwarf_Die *function, uint64_t size, uint64_t offset,
		    uint32_t number);

#endif
