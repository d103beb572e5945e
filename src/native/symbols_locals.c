#include "native/symbols_locals.h"

#include <dwarf.h>

#include "native/symbols_types.h"

enum { BLOCK_DEPTH = 64, FRAME_HEAD = 16, REGISTER_BP = 6 };

/* The address that the places of variables count from; 0 if it is not known. gcc counts from the end of
 * the frame, which has the return address and the frame pointer of the caller there, clang from the
 * frame pointer. */
static uint64_t frame_base(Dwarf_Die *function, uint64_t base)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t ops_len;

	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation(&attribute, &ops, &ops_len) != 0 || ops_len != 1)
		return 0;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		return base + FRAME_HEAD;
	return ops[0].atom == DW_OP_reg0 + REGISTER_BP ? base : 0;
}

struct wanted {
	bool *is_inside;
	uint64_t pc;
	uint64_t origin; /* that places count from */
	uint64_t address;
};

/* Does the variable lie where the address is? Returns the distance of the address from its start. */
static bool covers(const struct wanted *wanted, Dwarf_Die *die, uint64_t *offset)
{
	struct variable variable = {.die = *die};
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t ops_len;

	if (!dwarf_diename(die) || !dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation_addr(&attribute, wanted->pc, &ops, &ops_len, 1) != 1 ||
	    ops_len != 1 || ops[0].atom != DW_OP_fbreg)
		return false;
	*offset = wanted->address - (wanted->origin + ops[0].number);
	return *offset < variable_size(&variable);
}

static bool add_from_scope(struct strbuf *out, const struct wanted *wanted, Dwarf_Die *scope,
			   int depth)
{
	Dwarf_Die child;
	uint64_t offset;

	if (depth == BLOCK_DEPTH || dwarf_child(scope, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_lexical_block && dwarf_haspc(&child, wanted->pc) == 1 &&
		    add_from_scope(out, wanted, &child, depth + 1))
			return true;
		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
		    covers(wanted, &child, &offset)) {
			variable_add_name(out, &(struct variable){.die = child}, offset,
					  wanted->is_inside);
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool locals_add_name(struct strbuf *out, struct die_vec *chain, uint64_t pc, uint64_t base,
		     uint64_t address, bool *is_inside)
{
	struct wanted wanted = {.is_inside = is_inside, .pc = pc, .address = address};

	/* Functions that were put into another one have their variables in its frame. */
	wanted.origin = chain->len ? frame_base(&chain->items[chain->len - 1], base) : 0;
	for (size_t i = 0; wanted.origin && i < chain->len; i++)
		if (add_from_scope(out, &wanted, &chain->items[i], 0))
			return true;
	return false;
}
