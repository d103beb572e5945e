#include "native/symbols_types.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { TYPE_DEPTH = 32, SCOPE_DEPTH = 64 };

/* ---- finding variables ---- */

/* Only variables at a fixed address: a location that is nothing but DW_OP_addr. */
static bool read_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute, operand;
	Dwarf_Op *ops;
	size_t ops_len;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation(&attribute, &ops, &ops_len) != 0 || ops_len != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*address = ops[0].number;
		return true;
	}
	return ops[0].atom == DW_OP_addrx &&
	       dwarf_getlocation_attr(&attribute, &ops[0], &operand) == 0 &&
	       dwarf_formaddr(&operand, address) == 0;
}

static bool read_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, type);
}

static uint64_t size_of_type(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static void add_variable(struct variable_vec *variables, Dwarf_Die *die)
{
	struct variable found = {.die = *die};
	Dwarf_Die type;

	if (!dwarf_diename(die) || !read_address(die, &found.address) || !read_type(die, &type))
		return;
	found.size = size_of_type(&type);
	if (found.size)
		*vec_push(variables) = found;
}

static bool may_hold_variables(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return true;
	default:
		return false;
	}
}

static void collect(struct variable_vec *variables, Dwarf_Die *parent, int depth)
{
	Dwarf_Die child;

	if (depth == SCOPE_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variable)
			add_variable(variables, &child);
		else if (may_hold_variables(tag))
			collect(variables, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

void variables_collect(struct variable_vec *variables, Dwarf_Die *unit)
{
	collect(variables, unit, 0);
}

static int compare_variables(const void *a, const void *b)
{
	const struct variable *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

void variables_sort(struct variable_vec *variables)
{
	if (variables->len)
		qsort(variables->items, variables->len, sizeof(*variables->items),
		      compare_variables);
}

struct variable *variables_find(const struct variable_vec *variables, uint64_t address)
{
	size_t low = 0, high = variables->len;

	/* The last variable that begins at or before the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (variables->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	if (address - variables->items[low - 1].address >= variables->items[low - 1].size)
		return NULL;
	return &variables->items[low - 1];
}

/* ---- naming what is inside ---- */

static void add_offset(struct strbuf *out, uint64_t offset, bool *is_inside)
{
	if (is_inside)
		*is_inside = true;
	else if (offset)
		strbuf_addf(out, "+%llu", (unsigned long long)offset);
}

static bool read_number(Dwarf_Die *die, unsigned name, uint64_t *number)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, name, &attribute) ||
	    dwarf_formudata(&attribute, &word) != 0)
		return false;
	*number = word;
	return true;
}

/* Reads where the member (or base class) begins; false if it has no place in the object. */
static bool read_start(Dwarf_Die *type, Dwarf_Die *member, uint64_t *start)
{
	int tag = dwarf_tag(member);

	*start = 0;
	return (tag == DW_TAG_member || tag == DW_TAG_inheritance) &&
	       (read_number(member, DW_AT_data_member_location, start) ||
		dwarf_tag(type) == DW_TAG_union_type);
}

/* The member (or base class) that covers the offset; its own offset is subtracted. clang leaves out the
 * types of the C++ library, so that their sizes are not known: such a member ends where the next begins. */
static bool find_member(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *member)
{
	uint64_t last_start = 0;
	bool has_last = false;
	Dwarf_Die child;

	if (dwarf_child(type, &child) != 0)
		return false;
	do {
		uint64_t start, size;
		Dwarf_Die member_type;

		if (!read_start(type, &child, &start) || *offset < start ||
		    !read_type(&child, &member_type))
			continue;
		size = size_of_type(&member_type);
		if (*offset - start < size) {
			*member = child;
			*offset -= start;
			return true;
		}
		if (start >= last_start) {
			has_last = size == 0;
			last_start = start;
			*member = child;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	*offset -= has_last ? last_start : 0;
	return has_last;
}

/* The lengths of the dimensions of an array type; returns how many. */
static uint32_t read_dimensions(Dwarf_Die *array, uint64_t *lengths, uint32_t max)
{
	uint32_t len = 0;
	Dwarf_Die child;

	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		uint64_t number;

		if (dwarf_tag(&child) != DW_TAG_subrange_type || len == max)
			continue;
		if (read_number(&child, DW_AT_count, &number))
			lengths[len++] = number;
		else if (read_number(&child, DW_AT_upper_bound, &number))
			lengths[len++] = number + 1;
		else
			lengths[len++] = 0;
	} while (dwarf_siblingof(&child, &child) == 0);
	return len;
}

/* Appends the indices; returns the offset that is left inside the element. */
static uint64_t add_indices(struct strbuf *out, Dwarf_Die *array, uint64_t element_size,
			    uint64_t offset)
{
	uint64_t lengths[8], stride = 1, index = offset / element_size;
	uint32_t len = read_dimensions(array, lengths, 8);

	for (uint32_t i = 1; i < len; i++)
		stride *= lengths[i] ? lengths[i] : 1;
	for (uint32_t i = 0; i < len; i++) {
		strbuf_addf(out, "[%llu]", (unsigned long long)(index / stride));
		index %= stride;
		if (i + 1 < len)
			stride /= lengths[i + 1] ? lengths[i + 1] : 1;
	}
	return offset % element_size;
}

static void add_inside(struct strbuf *out, Dwarf_Die *type, uint64_t offset, bool *is_inside,
		       int depth);

/* Is the member, by its name or by the file of its class, the business of a library? The adapters of the
 * C++ library call their container "c". */
static bool is_hidden(Dwarf_Die *type, const char *name)
{
	const char *file = dwarf_decl_file(type);

	return name[0] == '_' || (strcmp(name, "c") == 0 && file && file_is_of_library(file));
}

static void add_member(struct strbuf *out, Dwarf_Die *type, uint64_t offset, bool *is_inside,
		       int depth)
{
	uint64_t inside = offset;
	Dwarf_Die member, member_type;
	const char *name;

	if (!find_member(type, &inside, &member) || !read_type(&member, &member_type)) {
		add_offset(out, offset, is_inside);
		return;
	}
	name = dwarf_diename(&member);
	/* Of the insides of a library's type the whole is what is meant. */
	if (dwarf_tag(&member) == DW_TAG_member && name) {
		if (strncmp(name, "_vptr", strlen("_vptr")) == 0) {
			strbuf_adds(out, "'s vtable pointer");
			if (is_inside)
				*is_inside = true;
			return;
		}
		if (is_hidden(type, name)) {
			add_offset(out, offset, is_inside);
			return;
		}
		strbuf_addf(out, ".%s", name);
	}
	add_inside(out, &member_type, inside, is_inside, depth + 1);
}

static void add_inside(struct strbuf *out, Dwarf_Die *type, uint64_t offset, bool *is_inside,
		       int depth)
{
	Dwarf_Die peeled, element;
	uint64_t element_size;

	if (depth == TYPE_DEPTH || dwarf_peel_type(type, &peeled) != 0) {
		add_offset(out, offset, is_inside);
		return;
	}
	switch (dwarf_tag(&peeled)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		add_member(out, &peeled, offset, is_inside, depth);
		break;
	case DW_TAG_array_type:
		element_size = read_type(&peeled, &element) ? size_of_type(&element) : 0;
		if (element_size)
			add_inside(out, &element, add_indices(out, &peeled, element_size, offset),
				   is_inside, depth + 1);
		else
			add_offset(out, offset, is_inside);
		break;
	default:
		add_offset(out, offset, offset ? is_inside : NULL);
	}
}

void variable_add_name(struct strbuf *out, struct variable *variable, uint64_t offset,
		       bool *is_inside)
{
	Dwarf_Die type;

	strbuf_adds(out, dwarf_diename(&variable->die));
	if (read_type(&variable->die, &type))
		add_inside(out, &type, offset, is_inside, 0);
	else
		add_offset(out, offset, is_inside);
}

uint64_t variable_size(struct variable *variable)
{
	Dwarf_Die type;

	return read_type(&variable->die, &type) ? size_of_type(&type) : 0;
}

/* ---- blocks ---- */

/* The structure that the variable points to, if it has that size and a name. */
static bool read_pointee(Dwarf_Die *variable, uint64_t size, Dwarf_Die *structure)
{
	Dwarf_Die type, pointer, pointee;

	if (!read_type(variable, &type) || dwarf_peel_type(&type, &pointer) != 0 ||
	    dwarf_tag(&pointer) != DW_TAG_pointer_type || !read_type(&pointer, &pointee) ||
	    dwarf_peel_type(&pointee, structure) != 0)
		return false;
	return (dwarf_tag(structure) == DW_TAG_structure_type ||
		dwarf_tag(structure) == DW_TAG_class_type) &&
	       size_of_type(structure) == size && dwarf_diename(structure);
}

/* False if two pointers disagree. */
static bool find_pointee(Dwarf_Die *scope, uint64_t size, Dwarf_Die *found, bool *is_found, int depth)
{
	Dwarf_Die child, structure;
	bool agrees = true;

	if (depth == SCOPE_DEPTH || dwarf_child(scope, &child) != 0)
		return true;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_lexical_block) {
			agrees = find_pointee(&child, size, found, is_found, depth + 1);
		} else if (tag == DW_TAG_variable && read_pointee(&child, size, &structure)) {
			agrees = !*is_found ||
				 strcmp(dwarf_diename(found), dwarf_diename(&structure)) == 0;
			*found = structure;
			*is_found = true;
		}
	} while (agrees && dwarf_siblingof(&child, &child) == 0);
	return agrees;
}

/* The class of which std::make_unique<class> makes an object of that size. */
static bool read_made(Dwarf_Die *function, uint64_t size, Dwarf_Die *structure)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *function, child, type;
	const char *name = dwarf_diename(function);

	if (!name || strncmp(name, "make_unique<", strlen("make_unique<")) != 0)
		return false;
	if (dwarf_attr(function, DW_AT_abstract_origin, &attribute))
		dwarf_formref_die(&attribute, &origin);
	if (dwarf_child(&origin, &child) != 0)
		return false;
	while (dwarf_tag(&child) != DW_TAG_template_type_parameter)
		if (dwarf_siblingof(&child, &child) != 0)
			return false;
	return read_type(&child, &type) && dwarf_peel_type(&type, structure) == 0 &&
	       size_of_type(structure) == size && dwarf_diename(structure);
}

bool block_add_name(struct strbuf *out, Dwarf_Die *function, uint64_t size, uint64_t offset,
		    uint32_t number)
{
	bool is_found = false;
	Dwarf_Die structure;

	/* That it returns, or makes. */
	is_found = read_pointee(function, size, &structure) || read_made(function, size, &structure);
	if (!find_pointee(function, size, &structure, &is_found, 0) || !is_found)
		return false;
	strbuf_adds(out, dwarf_diename(&structure));
	if (number)
		strbuf_addf(out, "#%u", number);
	add_inside(out, &structure, offset, NULL, 0);
	return true;
}
