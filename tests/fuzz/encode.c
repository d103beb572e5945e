#include "encode.h"

#include "beamfile/compact.h"

enum { SHORT_MAX = 16, MIDDLE_MAX = 2048, NUMBER_BYTES = 8, BIG_BYTES = 9 };

static void push(struct byte_vec *out, unsigned byte)
{
	*vec_push(out) = (uint8_t)byte;
}

/* A tag and a number, in the shortest of the three forms that fits (eight bytes when long). */
static void encode_number(struct byte_vec *out, enum compact_tag tag, int64_t value)
{
	if (value >= 0 && value < SHORT_MAX) {
		push(out, (unsigned)value << 4 | tag);
	} else if (value >= 0 && value < MIDDLE_MAX) {
		push(out, (unsigned)(value >> 3 & 0xe0) | 0x08 | tag);
		push(out, (unsigned)value & 0xff);
	} else {
		push(out, (NUMBER_BYTES - 2) << 5 | 0x18 | tag);
		for (int shift = 56; shift >= 0; shift -= 8)
			push(out, (unsigned)((uint64_t)value >> shift) & 0xff);
	}
}

static void encode_extended(struct byte_vec *out, enum compact_extended what)
{
	push(out, (unsigned)what << 4 | COMPACT_EXTENDED);
}

static void encode_big(struct byte_vec *out, const struct beam_operand *o)
{
	push(out, 7 << 5 | 0x18 | COMPACT_I);
	encode_number(out, COMPACT_U, (int64_t)o->len - BIG_BYTES);
	vec_append(out, o->bytes, o->len);
}

static void encode_alloc(struct byte_vec *out, const struct beam_alloc *alloc)
{
	const uint64_t needs[] = {alloc->words, alloc->floats, alloc->funs};

	encode_extended(out, COMPACT_ALLOC);
	encode_number(out, COMPACT_U, 3);
	for (int kind = 0; kind < 3; kind++) {
		encode_number(out, COMPACT_U, kind);
		encode_number(out, COMPACT_U, (int64_t)needs[kind]);
	}
}

static void encode_operand(struct byte_vec *out, const struct beam_operand *o)
{
	static const enum compact_tag tags[] = {
		[BEAM_U] = COMPACT_U, [BEAM_INT] = COMPACT_I, [BEAM_ATOM] = COMPACT_A,
		[BEAM_NIL] = COMPACT_A, [BEAM_X] = COMPACT_X, [BEAM_Y] = COMPACT_Y,
		[BEAM_LABEL] = COMPACT_F,
	};

	switch (o->kind) {
	case BEAM_BIG:
		encode_big(out, o);
		break;
	case BEAM_ALLOC:
		encode_alloc(out, o->alloc);
		break;
	case BEAM_FR:
	case BEAM_LITERAL:
		encode_extended(out, o->kind == BEAM_FR ? COMPACT_FR : COMPACT_LITERAL);
		encode_number(out, COMPACT_U, o->value);
		break;
	case BEAM_LIST:
		encode_extended(out, COMPACT_LIST);
		encode_number(out, COMPACT_U, o->len);
		for (uint32_t i = 0; i < o->len; i++)
			encode_operand(out, &o->items[i]);
		break;
	default:
		encode_number(out, tags[o->kind], o->kind == BEAM_NIL ? 0 : o->value);
	}
}

void encode_instr(struct byte_vec *out, const struct beam_instr *in)
{
	push(out, in->op);
	for (unsigned i = 0; i < in->operands_len; i++)
		encode_operand(out, &in->operands[i]);
}

struct byte_vec encode_code(const struct beam_instr *instrs, size_t len, size_t labels_len,
			    size_t functions_len)
{
	struct byte_vec out = {0};

	push_u32(&out, 16);
	push_u32(&out, 0);
	push_u32(&out, OPCODE_MAX);
	push_u32(&out, (uint32_t)labels_len);
	push_u32(&out, (uint32_t)functions_len);
	for (size_t i = 0; i < len; i++)
		encode_instr(&out, &instrs[i]);
	return out;
}
