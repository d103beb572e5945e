#include "beamfile/code.h"

#include <string.h>

#include "base/vec.h"
#include "beamfile/compact.h"

enum { SUBHEADER_LEN = 16, MIN_LABEL_BYTES = 2, MAX_OPERANDS = 8, ALLOC_KINDS = 3 };

/* The last of the opcodes that work on native records; none of them is known here. */
enum { NATIVE_RECORDS_MAX = 191 };

VEC_TYPE(instr_vec, struct beam_instr);
VEC_TYPE(function_vec, struct beam_function);
VEC_TYPE(operand_vec, struct beam_operand);

struct decoder {
	struct beamfile *bf;
	struct cursor in;
	struct instr_vec instrs;
	struct function_vec functions;
	struct operand_vec items; /* of the list being read */
};

static bool is_register(const struct beam_operand *o)
{
	return o->kind == BEAM_X || o->kind == BEAM_Y;
}

static bool is_source(const struct beam_operand *o)
{
	return is_register(o) || o->kind == BEAM_INT || o->kind == BEAM_BIG ||
	       o->kind == BEAM_ATOM || o->kind == BEAM_NIL || o->kind == BEAM_LITERAL;
}

/* Also makes an integer term that stands where a number is meant a number. */
static bool is_number(struct beam_operand *o)
{
	if (o->kind == BEAM_INT)
		o->kind = BEAM_U;
	return o->kind == BEAM_U && o->value >= 0 && o->value <= UINT32_MAX;
}

/* A number of bits, which may be larger than any bit string. */
static bool is_size(struct beam_operand *o)
{
	if (o->kind == BEAM_BIG && !(o->bytes[0] >> 7))
		*o = (struct beam_operand){.kind = BEAM_U, .value = INT64_MAX};
	if (o->kind == BEAM_INT)
		o->kind = BEAM_U;
	return o->kind == BEAM_U && o->value >= 0;
}

static bool is_index(struct beam_operand *o, size_t len)
{
	return o->kind == BEAM_U && o->value >= 0 && (uint64_t)o->value < len;
}

/* In a file stripped of its lines every line is the unknown one. */
static bool is_line(const struct beamfile *bf, struct beam_operand *o)
{
	if (bf->lines_len == 1 && o->kind == BEAM_U)
		o->value = 0;
	return is_index(o, bf->lines_len);
}

/* Does the operand fit this letter of a signature (see opcode.def)? */
static bool fits(const struct beamfile *bf, char letter, struct beam_operand *o)
{
	switch (letter) {
	case 'u': return is_number(o);
	case 'w': return is_size(o);
	case 's': return is_source(o);
	case 'z': return is_source(o) || is_number(o);
	case 'd': return is_register(o);
	case 'y': return o->kind == BEAM_Y;
	case 'l': return o->kind == BEAM_FR;
	case 'S': return is_source(o) || o->kind == BEAM_FR;
	case 'D': return is_register(o) || o->kind == BEAM_FR;
	case 'a': return o->kind == BEAM_ATOM;
	case 'f': return o->kind == BEAM_LABEL && o->value;
	case 'j': return o->kind == BEAM_LABEL;
	case 'b': return o->kind == BEAM_LABEL || o->kind == BEAM_ATOM;
	case 'e': return is_index(o, bf->imports_len);
	case 'k': return is_index(o, bf->funs_len);
	case 't': return o->kind == BEAM_ATOM || is_index(o, bf->funs_len);
	case 'n': return is_line(bf, o);
	case 'h': return o->kind == BEAM_ALLOC || is_number(o);
	case 'q': return o->kind == BEAM_NIL || o->kind == BEAM_LITERAL;
	case '*': return o->kind != BEAM_LIST && o->kind != BEAM_ALLOC;
	default: return false;
	}
}

static bool set_value(struct beam_operand *o, enum beam_operand_kind kind, int64_t value,
		      size_t max)
{
	*o = (struct beam_operand){.kind = kind, .value = value};
	return value >= 0 && (uint64_t)value < max;
}

static bool read_operand(struct decoder *d, struct beam_operand *o);

static bool read_list(struct decoder *d, struct beam_operand *o)
{
	uint32_t len = compact_read_u(&d->in, (uint32_t)cursor_left(&d->in));
	struct beam_operand item;

	vec_clear(&d->items);
	for (uint32_t i = 0; i < len; i++) {
		if (!cursor_left(&d->in) || *d->in.at == (COMPACT_LIST << 4 | COMPACT_EXTENDED))
			return false; /* a list inside a list */
		if (!read_operand(d, &item))
			return false;
		*vec_push(&d->items) = item;
	}
	*o = (struct beam_operand){.kind = BEAM_LIST, .len = len};
	o->items = arena_alloc(&d->bf->arena, len * sizeof(item));
	if (len)
		memcpy((void *)o->items, d->items.items, len * sizeof(item));
	return true;
}

static bool read_alloc(struct decoder *d, struct beam_operand *o)
{
	struct beam_alloc *alloc = arena_zalloc(&d->bf->arena, sizeof(*alloc));
	uint64_t *sums[ALLOC_KINDS] = {&alloc->words, &alloc->floats, &alloc->funs};
	uint32_t len = compact_read_u(&d->in, ALLOC_KINDS);

	for (uint32_t i = 0; i < len; i++) {
		uint32_t kind = compact_read_u(&d->in, ALLOC_KINDS - 1);

		*sums[kind] += compact_read_u(&d->in, INT32_MAX);
	}
	*o = (struct beam_operand){.kind = BEAM_ALLOC, .alloc = alloc};
	return !d->in.bad;
}

/* A register and the index of its type, which is a hint we do not need. */
static bool read_typed(struct decoder *d, struct beam_operand *o)
{
	struct compact term = compact_read(&d->in);

	if (term.tag != COMPACT_X && term.tag != COMPACT_Y)
		return false;
	compact_read_u(&d->in, UINT32_MAX);
	return !d->in.bad && !term.bytes &&
	       set_value(o, term.tag == COMPACT_X ? BEAM_X : BEAM_Y, term.value,
			 BEAMFILE_MAX_REGISTERS);
}

static bool read_extended(struct decoder *d, int64_t which, struct beam_operand *o)
{
	switch (which) {
	case COMPACT_LIST: return read_list(d, o);
	case COMPACT_ALLOC: return read_alloc(d, o);
	case COMPACT_TYPED: return read_typed(d, o);
	case COMPACT_FR:
		return set_value(o, BEAM_FR, compact_read_u(&d->in, BEAMFILE_MAX_REGISTERS),
				 BEAMFILE_MAX_REGISTERS);
	case COMPACT_LITERAL:
		return set_value(o, BEAM_LITERAL, compact_read_u(&d->in, UINT32_MAX),
				 d->bf->literals_len);
	default: return false;
	}
}

static bool set_operand(struct decoder *d, enum compact_tag tag, int64_t value,
			struct beam_operand *o)
{
	switch (tag) {
	case COMPACT_U: return set_value(o, BEAM_U, value, SIZE_MAX);
	case COMPACT_I: set_value(o, BEAM_INT, value, SIZE_MAX); return true;
	case COMPACT_X: return set_value(o, BEAM_X, value, BEAMFILE_MAX_REGISTERS);
	case COMPACT_Y: return set_value(o, BEAM_Y, value, BEAMFILE_MAX_REGISTERS);
	case COMPACT_F: return set_value(o, BEAM_LABEL, value, d->bf->labels_len);
	case COMPACT_A:
		return set_value(o, value ? BEAM_ATOM : BEAM_NIL, value, d->bf->atoms_len);
	case COMPACT_EXTENDED: return read_extended(d, value, o) && !d->in.bad;
	default: return false;
	}
}

static bool read_operand(struct decoder *d, struct beam_operand *o)
{
	enum compact_tag tag;
	int64_t value;
	struct compact term;

	if (compact_read_short(&d->in, &tag, &value))
		return set_operand(d, tag, value, o);
	term = compact_read(&d->in);
	if (d->in.bad)
		return false;
	if (term.bytes) {
		if (term.tag != COMPACT_I && term.tag != COMPACT_U)
			return false;
		*o = (struct beam_operand){.kind = BEAM_BIG, .len = (uint32_t)term.len};
		o->bytes = (uint8_t *)arena_strndup(&d->bf->arena, (const char *)term.bytes,
						    term.len);
		return true;
	}
	return set_operand(d, term.tag, term.value, o);
}

/* Checks the items of a list against the repeating group that starts at signature. */
static bool list_fits(struct decoder *d, const char *group, size_t group_len,
		      const struct beam_operand *list)
{
	struct beam_operand *items = (struct beam_operand *)list->items;

	if (list->kind != BEAM_LIST || list->len % group_len)
		return false;
	for (uint32_t i = 0; i < list->len; i++)
		if (!fits(d->bf, group[i % group_len], &items[i]))
			return false;
	return true;
}

static bool read_operands(struct decoder *d, struct beam_instr *instr, struct err *err)
{
	const struct opcode_info *info = opcode_info(instr->op);
	struct beam_operand operands[MAX_OPERANDS];
	uint8_t len = 0;

	for (const char *letter = info->signature; *letter; letter++, len++) {
		bool good = read_operand(d, &operands[len]);

		if (good && *letter == '[') {
			const char *close = strchr(letter, ']');

			good = list_fits(d, letter + 1, (size_t)(close - letter - 1),
					 &operands[len]);
			letter = close;
		} else if (good) {
			good = fits(d->bf, *letter, &operands[len]);
		}
		if (!good)
			return err_set(err, "bad operand %d", len + 1);
	}
	instr->operands_len = len;
	instr->operands = arena_alloc(&d->bf->arena, len * sizeof(operands[0]));
	if (len)
		memcpy((void *)instr->operands, operands, len * sizeof(operands[0]));
	return true;
}

static bool note_label(struct decoder *d, const struct beam_instr *instr, struct err *err)
{
	int64_t label = instr->operands[0].value;

	if (label == 0 || (uint64_t)label >= d->bf->labels_len)
		return err_set(err, "label %lld is out of range", (long long)label);
	if (d->bf->labels[label] != BEAMFILE_NONE)
		return err_set(err, "label %lld is defined twice", (long long)label);
	d->bf->labels[label] = (uint32_t)d->instrs.len;
	return true;
}

/* A function starts at the labels and lines just before its func_info. */
static bool note_function(struct decoder *d, const struct beam_instr *instr, struct err *err)
{
	struct beam_function f = {.name = (uint32_t)instr->operands[1].value,
				  .arity = (uint32_t)instr->operands[2].value};
	size_t first = d->instrs.len;

	if (f.arity > BEAMFILE_MAX_ARITY)
		return err_set(err, "arity %u", f.arity);
	while (first > 0 && (d->instrs.items[first - 1].op == OP_label ||
			     d->instrs.items[first - 1].op == OP_line))
		first--;
	f.func_info = (uint32_t)d->instrs.len;
	f.first = (uint32_t)first;
	if (d->functions.len)
		vec_last(&d->functions)->end = f.first;
	else if (first != 0)
		return err_set(err, "code before the first function");
	*vec_push(&d->functions) = f;
	return true;
}

static bool read_instr(struct decoder *d, struct beam_instr *instr, struct err *err)
{
	*instr = (struct beam_instr){.op = cursor_u8(&d->in)};
	if (d->in.bad)
		return err_set(err, "the code ends without int_code_end");
	if (!opcode_info(instr->op)->name)
		return err_set_unsupported(err, "opcode %d is not one of OTP 24 to 29", instr->op);
	if (!read_operands(d, instr, err))
		return false;
	if (instr->op == OP_label)
		return note_label(d, instr, err);
	if (instr->op == OP_func_info)
		return note_function(d, instr, err);
	if (instr->op == OP_on_load && d->functions.len)
		d->bf->on_load = (uint32_t)d->functions.len - 1;
	return true;
}

static bool read_header(struct decoder *d, struct err *err)
{
	struct beamfile *bf = d->bf;
	uint32_t sub_len = cursor_u32(&d->in);
	struct cursor sub = cursor_over(d->in.at, 0);
	const uint8_t *bytes = cursor_take(&d->in, sub_len);
	uint32_t set, highest, labels;

	if (!bytes || sub_len < SUBHEADER_LEN)
		return err_set(err, "header is truncated");
	sub = cursor_over(bytes, sub_len);
	set = cursor_u32(&sub);
	highest = cursor_u32(&sub);
	labels = cursor_u32(&sub);
	if (set != 0)
		return err_set_unsupported(err, "instruction set %u is not known", set);
	if (highest > OPCODE_MAX && highest <= NATIVE_RECORDS_MAX)
		return err_set_unsupported(err, "uses native records of OTP 29");
	if (highest > OPCODE_MAX)
		return err_set_unsupported(err, "uses opcode %u; the newest known is %d (OTP 29)",
					   highest, OPCODE_MAX);
	if (labels > cursor_left(&d->in) / MIN_LABEL_BYTES + 1)
		return err_set(err, "claims %u labels in %zu bytes", labels, cursor_left(&d->in));
	bf->labels_len = labels ? labels : 1;
	bf->labels = arena_alloc(&bf->arena, bf->labels_len * sizeof(*bf->labels));
	memset(bf->labels, 0xff, bf->labels_len * sizeof(*bf->labels)); /* BEAMFILE_NONE */
	return true;
}

static bool read_instrs(struct decoder *d, struct err *err)
{
	const uint8_t *start = d->in.at;
	struct beam_instr instr;

	do {
		size_t offset = (size_t)(d->in.at - start);

		if (!read_instr(d, &instr, err)) {
			const char *name = opcode_info(instr.op)->name;

			return err_prefix(err, "instruction %zu (%s) at byte %zu: ", d->instrs.len,
					  name ? name : "?", offset);
		}
		*vec_push(&d->instrs) = instr;
	} while (instr.op != OP_int_code_end);
	if (!d->functions.len)
		return err_set(err, "has no functions");
	vec_last(&d->functions)->end = (uint32_t)d->instrs.len - 1;
	return true;
}

static void *move_to_arena(struct arena *arena, const void *items, size_t size)
{
	return memcpy(arena_alloc(arena, size), items, size);
}

bool code_decode(struct beamfile *bf, struct cursor chunk, struct err *err)
{
	struct decoder d = {.bf = bf, .in = chunk};
	bool done = read_header(&d, err) && read_instrs(&d, err);

	if (done) {
		bf->instrs_len = d.instrs.len;
		bf->instrs = move_to_arena(&bf->arena, d.instrs.items,
					   d.instrs.len * sizeof(*bf->instrs));
		bf->functions_len = d.functions.len;
		bf->functions = move_to_arena(&bf->arena, d.functions.items,
					      d.functions.len * sizeof(*bf->functions));
	}
	vec_release(&d.instrs);
	vec_release(&d.functions);
	vec_release(&d.items);
	return done;
}

bool code_blame(const struct beamfile *bf, size_t instr, struct err *err)
{
	return err_prefix(err, "Code chunk: instruction %zu (%s): ", instr,
			  opcode_info(bf->instrs[instr].op)->name);
}
