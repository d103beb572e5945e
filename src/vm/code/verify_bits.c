/* The rules of instructions on bit strings. */
#include <string.h>

#include "beamfile/opcode.h"
#include "vm/code/verify_state.h"

/* fail, context, ...: instructions on a match context that do not collect. */
static bool apply_on_context(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	if (in->op == OP_bs_test_unit && !o[2].value)
		return verify_fail(v, "unit 0");
	if (in->op == OP_bs_skip_bits2 && (!o[3].value || !verify_use(v, &o[2])))
		return o[3].value ? false : verify_fail(v, "unit 0");
	return verify_is_tested(v, in) && verify_use_any(v, &o[1]) && verify_branches(v, in) &&
	       verify_defines(v, in);
}

/* fail, context, live, size, unit, flags, destination */
static bool apply_get(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	if (in->op == OP_bs_get_binary2 && !o[4].value)
		return verify_fail(v, "unit 0");
	return verify_is_tested(v, in) && verify_use_any(v, &o[1]) && verify_use(v, &o[3]) &&
	       verify_collects(v, o[2].value, 0) && verify_branches(v, in) && verify_defines(v, in);
}

/* When it fails, the source is not a context. */
static bool apply_start(struct verify *v, const struct beam_operand *fail, int64_t live,
			const struct beam_operand *source, const struct beam_operand *to)
{
	bool is_context;

	if (!verify_use_any(v, source))
		return false;
	is_context = verify_is_context(v, source);
	if (!verify_collects(v, live, 0))
		return false;
	if (fail->kind == BEAM_LABEL && fail->value) {
		bool stays = source->kind == BEAM_Y ||
			     (source->kind == BEAM_X && source->value < live);

		if ((stays && !verify_define(v, source, false)) || !verify_branch(v, fail->value) ||
		    (stays && !verify_define(v, source, is_context)))
			return false;
	}
	return verify_define(v, to, true);
}

/* The commands of bs_match; the reader has checked their operands. Commands that extract bits
 * never go to the label: the compiler put one that ensures the bits before them. */
static bool apply_match(struct verify *v, const struct beam_operand *o)
{
	const struct beam_operand *item = o[2].items, *end = item + o[2].len;

	if (!verify_use_any(v, &o[1]))
		return false;
	while (item < end) {
		const char *name = verify_atom(v, (uint32_t)item->value);
		bool may_fail = name[0] == '=' || strncmp(name, "ensure", 6) == 0;

		if (may_fail && !verify_branch(v, o[0].value))
			return false;
		if (strcmp(name, "ensure_at_least") == 0) {
			if (!item[2].value)
				return verify_fail(v, "unit 0");
			item += 3;
		} else if (strcmp(name, "ensure_exactly") == 0 || strcmp(name, "skip") == 0) {
			item += 2;
		} else if (strcmp(name, "=:=") == 0) {
			v->now->heap = 0;
			if (item[3].kind == BEAM_X || item[3].kind == BEAM_Y)
				return verify_fail(v, "a value is not a constant");
			item += 4;
		} else {
			size_t to = strcmp(name, "get_tail") == 0 ? 3 : 5;

			if (!verify_collects(v, item[1].value, 0) ||
			    !verify_define(v, &item[to], false))
				return false;
			item += to + 1;
		}
	}
	return true;
}

static bool is_type(const char *name)
{
	static const char *const types[] = {"integer", "float", "binary", "utf8", "utf16", "utf32",
					    "string", "append", "private_append"};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i], name) == 0)
			return true;
	return false;
}

/* Segments: type, number, unit, flags, value, size. */
static bool apply_create(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands, *list = &o[5];

	for (uint32_t i = 0; i < list->len; i += 6) {
		const struct beam_operand *segment = &list->items[i];
		const char *type = verify_atom(v, (uint32_t)segment->value);

		if (!is_type(type))
			return err_set_unsupported(v->err, "a segment of type %s", type);
		if (i && strstr(type, "append"))
			return verify_fail(v, "appends to segment %u", i / 6);
		if (segment[4].kind == BEAM_FR || segment[5].kind == BEAM_FR ||
		    segment[4].kind == BEAM_LABEL || segment[5].kind == BEAM_LABEL)
			return verify_fail(v, "segment %u has no value", i / 6);
		if (!verify_use(v, &segment[4]) || !verify_use(v, &segment[5]))
			return false;
	}
	return verify_collects(v, o[2].value, verify_heap_need(&o[1])) && verify_branches(v, in) &&
	       verify_defines(v, in);
}

/* The older instructions begin a bit string, then write it segment by segment. */
static bool apply_fill(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;
	bool ok;

	switch (in->op) {
	case OP_bs_init2:
	case OP_bs_init_bits:
		ok = verify_collecting(v, in, 3, verify_heap_need(&o[2]));
		break;
	case OP_bs_append:
		ok = verify_collecting(v, in, 3, (uint64_t)o[2].value);
		break;
	case OP_bs_private_append:
		v->now->heap = 0;
		ok = verify_signature(v, in);
		break;
	case OP_bs_put_string:
		return v->now->is_filling || verify_fail(v, "no bit string has been begun");
	default:
		return verify_signature(v, in) &&
		       (v->now->is_filling || verify_fail(v, "no bit string has been begun"));
	}
	v->now->is_filling = true;
	return ok;
}

bool verify_bits(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_bs_start_match3:
		return apply_start(v, &o[0], o[2].value, &o[1], &o[3]);
	case OP_bs_start_match4:
		return apply_start(v, &o[0], o[1].value, &o[2], &o[3]);
	case OP_bs_get_integer2: case OP_bs_get_float2: case OP_bs_get_binary2:
		return apply_get(v, in);
	case OP_bs_get_tail:
		return verify_use_any(v, &o[0]) && verify_collects(v, o[2].value, 0) &&
		       verify_defines(v, in);
	case OP_bs_get_position:
		return verify_use_any(v, &o[0]) && verify_defines(v, in);
	case OP_bs_set_position:
		return verify_use_any(v, &o[0]) && verify_use(v, &o[1]);
	case OP_bs_skip_bits2: case OP_bs_test_tail2: case OP_bs_test_unit: case OP_bs_match_string:
	case OP_bs_get_utf8: case OP_bs_get_utf16: case OP_bs_get_utf32:
	case OP_bs_skip_utf8: case OP_bs_skip_utf16: case OP_bs_skip_utf32:
		return apply_on_context(v, in);
	case OP_bs_match:
		return apply_match(v, o);
	case OP_bs_create_bin:
		return apply_create(v, in);
	case OP_bs_init_writable:
		v->now->heap = 0;
		v->now->is_filling = false;
		return verify_use_x(v, 0) && verify_define_x0(v);
	default:
		return apply_fill(v, in);
	}
}
