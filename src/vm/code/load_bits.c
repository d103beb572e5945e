/* Choosing the form of instructions on bit strings. */
#include "vm/code/load.h"
#include "vm/exec/bs_build.h"

static enum bs_type type_of(const char *name)
{
	static const struct {
		const char *name;
		enum bs_type type;
	} types[] = {
		{"integer", BS_INTEGER}, {"float", BS_FLOAT}, {"binary", BS_BINARY},
		{"utf8", BS_UTF8}, {"utf16", BS_UTF16}, {"utf32", BS_UTF32},
		{"string", BS_STRING}, {"append", BS_APPEND}, {"private_append", BS_PRIVATE_APPEND},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i].name, name) == 0)
			return types[i].type;
	return BS_INTEGER;
}

static unsigned flags_of(term list)
{
	unsigned flags = 0;

	for (; term_is_cons(list); list = cons_tail(list)) {
		term flag = cons_head(list);

		flags |= flag == A_little ? BS_LITTLE : flag == A_signed ? BS_SIGNED
			 : flag == A_native ? BS_NATIVE : 0;
	}
	return flags;
}

/* A plain number becomes a term, so that the operand word is either a term or a register. */
static word source_of(struct loader *ld, const struct beam_operand *o)
{
	return o->kind == BEAM_U ? small_make(o->value) : load_operand(ld, o);
}

static void emit_segment(struct loader *ld, const struct beam_operand *o)
{
	enum bs_type type = type_of(atom_text(load_atom(ld, o[0].value)));
	unsigned flags = o[3].kind == BEAM_NIL ? 0 : flags_of(load_constant(ld, &o[3]));

	load_word(ld, (word)type | (word)o[2].value << 8 | (word)flags << 40 |
			      (word)(o[1].value & 0xffff) << 48);
	if (type == BS_STRING)
		load_word(ld, (word)(ld->image->strings + o[4].value));
	else
		load_word(ld, source_of(ld, &o[4]));
	load_word(ld, source_of(ld, &o[5]));
}

static void emit_create(struct loader *ld, const struct beam_operand *o)
{
	size_t n = o[5].len / 6;

	if (n > BS_SEGMENTS_MAX) {
		load_op(ld, SPEC_unsupported);
		load_word(ld, (word) "a bit string of so many segments");
		return;
	}
	load_op(ld, SPEC_bs_create_bin);
	load_label(ld, o[0].value);
	load_word(ld, (word)o[2].value);
	load_word(ld, load_operand(ld, &o[4]));
	load_word(ld, n);
	load_word(ld, load_heap_need(&o[1]));
	for (size_t i = 0; i < n; i++)
		emit_segment(ld, &o[5].items[6 * i]);
}

/* A number of bits; one beyond 64 bits is larger than any bit string. */
static word width_of(const struct beam_operand *o)
{
	return o->kind == BEAM_BIG ? (word)INT64_MAX : (word)o->value;
}

/* Words of one command; returns how many operands it took. */
static size_t emit_match_command(struct loader *ld, const struct beam_operand *o)
{
	const char *name = atom_text(load_atom(ld, o[0].value));
	bool is_integer = strcmp(name, "integer") == 0;

	if (strcmp(name, "ensure_at_least") == 0) {
		load_word(ld, BS_MATCH_AT_LEAST);
		load_word(ld, width_of(&o[1]));
		load_word(ld, (word)o[2].value);
		return 3;
	}
	if (strcmp(name, "ensure_exactly") == 0 || strcmp(name, "skip") == 0) {
		load_word(ld, name[0] == 'e' ? BS_MATCH_EXACTLY : BS_MATCH_SKIP);
		load_word(ld, width_of(&o[1]));
		return 2;
	}
	if (strcmp(name, "=:=") == 0) { /* [], bits, value */
		load_word(ld, BS_MATCH_EQUAL);
		load_word(ld, (word)o[2].value);
		load_word(ld, source_of(ld, &o[3]));
		return 4;
	}
	if (strcmp(name, "get_tail") == 0) { /* live, unit, destination */
		load_word(ld, BS_MATCH_TAIL);
		load_word(ld, (word)o[1].value);
		load_word(ld, 0);
		load_word(ld, 0);
		load_word(ld, load_operand(ld, &o[3]));
		return 4;
	}
	/* live, flags, size, unit, destination */
	load_word(ld, is_integer ? BS_MATCH_INTEGER : BS_MATCH_BINARY);
	load_word(ld, (word)o[1].value);
	load_word(ld, o[2].kind == BEAM_NIL ? 0 : flags_of(load_constant(ld, &o[2])));
	load_word(ld, (word)o[3].value * (word)o[4].value);
	load_word(ld, load_operand(ld, &o[5]));
	return 6;
}

static void emit_match(struct loader *ld, const struct beam_operand *o)
{
	size_t count_at;

	load_op(ld, SPEC_bs_match);
	load_label(ld, o[0].value);
	load_word(ld, load_operand(ld, &o[1]));
	count_at = ld->words.len;
	load_word(ld, 0);
	for (uint32_t i = 0; i < o[2].len;)
		i += (uint32_t)emit_match_command(ld, &o[2].items[i]);
	ld->words.items[count_at] = ld->words.len - count_at - 1;
}

static void emit_init(struct loader *ld, enum spec_op op, const struct beam_operand *o)
{
	load_op(ld, op);
	load_label(ld, o[0].value);
	load_word(ld, source_of(ld, &o[1]));
	load_word(ld, load_heap_need(&o[2]));
	load_word(ld, (word)o[3].value);
	load_word(ld, (word)o[4].value);
	load_word(ld, load_operand(ld, &o[5]));
}

bool load_select_bits(struct loader *ld, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_bs_create_bin:
		emit_create(ld, o);
		return true;
	case OP_bs_match:
		emit_match(ld, o);
		return true;
	case OP_bs_init2:
	case OP_bs_init_bits:
		emit_init(ld, in->op == OP_bs_init2 ? SPEC_bs_init2 : SPEC_bs_init_bits, o);
		return true;
	case OP_bs_match_string:
		load_op(ld, SPEC_bs_match_string);
		load_label(ld, o[0].value);
		load_word(ld, load_operand(ld, &o[1]));
		load_word(ld, (word)o[2].value);
		load_word(ld, (word)(ld->image->strings + o[3].value));
		return true;
	case OP_bs_put_string:
		load_op(ld, SPEC_bs_put_string);
		load_word(ld, (word)o[0].value);
		load_word(ld, (word)(ld->image->strings + o[1].value));
		return true;
	default:
		return false;
	}
}
