/* Parts of rules, for verify_rules.c and verify_bits.c: using and setting registers, collecting,
 * and the rule of an instruction that does exactly what its signature in opcode.def says. */
#include <string.h>

#include "beamfile/opcode.h"
#include "vm/code/verify_state.h"
#include "vm/terms/term.h"

const char *verify_atom(const struct verify *v, uint32_t index)
{
	return v->bf->atoms[index].text;
}

/* After a possible collection only x0 to x[live-1] are set, and earlier reservations are void. */
bool verify_collects(struct verify *v, int64_t live, uint64_t heap)
{
	if (live > VERIFY_MAX_LIVE)
		return verify_fail(v, "%lld live registers", (long long)live);
	if (heap > VERIFY_MAX_HEAP)
		return verify_fail(v, "%llu words of heap", (unsigned long long)heap);
	if (!verify_args(v, live, true) || !verify_frame_is_set(v))
		return false;
	verify_keep(v, live);
	v->now->heap = (uint32_t)heap;
	v->now->is_filling = false;
	return true;
}

uint64_t verify_heap_need(const struct beam_operand *o)
{
	const struct beam_alloc *need = o->alloc;

	if (o->kind != BEAM_ALLOC)
		return (uint64_t)o->value;
	if (need->words > VERIFY_MAX_HEAP || need->floats > VERIFY_MAX_HEAP ||
	    need->funs > VERIFY_MAX_HEAP)
		return UINT64_MAX;
	return need->words + need->floats * FLOAT_WORDS + need->funs * 2;
}

bool verify_use_x(struct verify *v, int64_t number)
{
	struct beam_operand x = {.kind = BEAM_X, .value = number};

	return verify_use(v, &x);
}

bool verify_define_x0(struct verify *v)
{
	struct beam_operand x = {.kind = BEAM_X};

	return verify_define(v, &x, false);
}

/* ---- the default: as the signature says ---- */

/* Whether a letter occurs in the signature of an opcode. Mostly it does not. */
static bool has_letter(struct verify *v, enum opcode op, char letter)
{
	uint64_t *letters = &v->letters[op];

	if (!*letters) {
		*letters = 1;
		for (const char *c = opcode_info(op)->signature; *c; c++)
			*letters |= (uint64_t)1 << (*c & 63);
	}
	return *letters >> (letter & 63) & 1;
}

/* Walks the operands of an instruction, those in lists too, with their letters. */
static bool for_each(struct verify *v, const struct beam_instr *in, char wanted,
		     bool (*rule)(struct verify *, const struct beam_operand *))
{
	const char *letter = opcode_info(in->op)->signature;

	if (!has_letter(v, in->op, wanted))
		return true;
	for (unsigned i = 0; i < in->operands_len; i++, letter++) {
		const struct beam_operand *o = &in->operands[i];
		const char *group = letter + 1;
		size_t group_len;

		if (*letter != '[') {
			if (*letter == wanted && !rule(v, o))
				return false;
			continue;
		}
		letter = strchr(letter, ']');
		group_len = (size_t)(letter - group);
		for (uint32_t j = 0; j < o->len; j++)
			if (group[j % group_len] == wanted && !rule(v, &o->items[j]))
				return false;
	}
	return true;
}

static bool branch_if_any(struct verify *v, const struct beam_operand *o)
{
	/* An instruction without a label raises instead, and the stack is searched for handlers. */
	return !o->value ? verify_frame_is_set(v) : verify_branch(v, o->value);
}

static bool branch_always(struct verify *v, const struct beam_operand *o)
{
	return verify_branch(v, o->value);
}

static bool define_plain(struct verify *v, const struct beam_operand *o)
{
	return verify_define(v, o, false);
}

bool verify_uses(struct verify *v, const struct beam_instr *in)
{
	return for_each(v, in, 's', verify_use) && for_each(v, in, 'z', verify_use) &&
	       for_each(v, in, 'S', verify_use);
}

bool verify_defines(struct verify *v, const struct beam_instr *in)
{
	return for_each(v, in, 'd', define_plain) && for_each(v, in, 'D', define_plain);
}

bool verify_defines_slots(struct verify *v, const struct beam_instr *in)
{
	return for_each(v, in, 'y', define_plain);
}

bool verify_branches(struct verify *v, const struct beam_instr *in)
{
	return for_each(v, in, 'j', branch_if_any) && for_each(v, in, 'f', branch_always);
}

bool verify_signature(struct verify *v, const struct beam_instr *in)
{
	return verify_uses(v, in) && verify_branches(v, in) && verify_defines(v, in);
}

/* Uses, then collects with the live registers of that operand, then sets. */
bool verify_collecting(struct verify *v, const struct beam_instr *in, unsigned live, uint64_t heap)
{
	return verify_uses(v, in) && verify_collects(v, in->operands[live].value, heap) &&
	       verify_branches(v, in) && verify_defines(v, in);
}

/* A test must have a label. */
bool verify_needs_label(struct verify *v, const struct beam_operand *o)
{
	return o->value || verify_fail(v, "has no label to go to");
}

bool verify_is_tested(struct verify *v, const struct beam_instr *in)
{
	return verify_needs_label(v, &in->operands[0]);
}
