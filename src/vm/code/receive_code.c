#include "vm/code/receive_code.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "beamfile/beamfile.h"
#include "beamfile/etf.h"

/* ---- literals ---- */

enum { OF_ATOM = 1, OF_INTEGER, OF_SIZE };

uint64_t literal_of_atom(const char *text, size_t len)
{
	return hash_combine(OF_ATOM, hash_bytes(text, len));
}

uint64_t literal_of_integer(int64_t value)
{
	return hash_combine(OF_INTEGER, (uint64_t)value);
}

uint64_t literal_of_size(uint64_t size)
{
	return hash_combine(OF_SIZE, size);
}

static bool has_literal(const struct literal_vec *set, uint64_t literal)
{
	for (size_t i = 0; i < set->len; i++)
		if (set->items[i] == literal)
			return true;
	return false;
}

void literals_add(struct literal_vec *set, uint64_t literal)
{
	if (!has_literal(set, literal))
		*vec_push(set) = literal;
}

uint32_t literals_differ(const struct literal_vec *a, const struct literal_vec *b)
{
	uint32_t count = 0;

	for (size_t i = 0; i < a->len; i++)
		count += !has_literal(b, a->items[i]);
	for (size_t i = 0; i < b->len; i++)
		count += !has_literal(a, b->items[i]);
	return count;
}

/* ---- the code that looks at a message ---- */

struct reader {
	const struct beamfile *file;
	const struct beam_function *function;
	struct receive_code *code;
	VEC(uint32_t) open; /* instructions still to be looked at */
	bool *seen;         /* by instruction of the function */
};

/* Does the code go on elsewhere, or not at all? */
static bool is_last_of_block(uint8_t op)
{
	switch (op) {
	case OP_func_info: case OP_call_last: case OP_call_only: case OP_call_ext_last:
	case OP_call_ext_only: case OP_apply_last: case OP_return: case OP_loop_rec_end: case OP_wait:
	case OP_select_val: case OP_select_tuple_arity: case OP_jump: case OP_badmatch: case OP_if_end:
	case OP_case_end: case OP_try_case_end: case OP_raise: case OP_raw_raise:
		return true;
	default:
		return false;
	}
}

/* Does the code leave the receive, or look at the next message? */
static bool is_last_of_match(uint8_t op)
{
	return op == OP_remove_message || op == OP_wait_timeout || op == OP_loop_rec ||
	       op == OP_loop_rec_end || op == OP_wait || op == OP_return || op == OP_func_info;
}

static void add_open(struct reader *r, uint64_t instr)
{
	if (instr < r->function->first || instr >= r->function->end ||
	    r->seen[instr - r->function->first])
		return;
	r->seen[instr - r->function->first] = true;
	*vec_push(&r->open) = (uint32_t)instr;
}

static uint32_t line_of(const struct beamfile *file, const struct beam_instr *instr)
{
	uint64_t index = (uint64_t)instr->operands[0].value;

	/* A line of another file is that of an included function. */
	return instr->op == OP_line && index < file->lines_len && file->lines[index].file <= 1
		       ? file->lines[index].line
		       : 0;
}

/* The atoms, integers and sizes of tuples in a constant of the code. */
static void add_constant(struct literal_vec *literals, const struct etf_term *t)
{
	if (t->kind == ETF_ATOM)
		literals_add(literals, literal_of_atom((const char *)t->bytes, t->len));
	else if (t->kind == ETF_INT)
		literals_add(literals, literal_of_integer(t->value));
	else if (t->kind == ETF_TUPLE)
		literals_add(literals, literal_of_size(t->len));
	if (t->kind == ETF_TUPLE || t->kind == ETF_LIST || t->kind == ETF_MAP)
		for (uint32_t i = 0; i < t->len; i++)
			add_constant(literals, &t->items[i]);
}

static void read_constant(struct reader *r, const struct beam_bytes *bytes)
{
	struct arena arena = {0};
	struct etf_term term;

	if (etf_read(&arena, bytes->bytes, bytes->len, &term, NULL))
		add_constant(&r->code->literals, &term);
	arena_release(&arena);
}

static void add_operand(struct reader *r, const struct beam_instr *instr,
			const struct beam_operand *operand)
{
	struct literal_vec *literals = &r->code->literals;
	const struct beam_atom *atom;

	switch (operand->kind) {
	case BEAM_ATOM:
		atom = &r->file->atoms[operand->value];
		literals_add(literals, literal_of_atom(atom->text, atom->len));
		break;
	case BEAM_INT:
		literals_add(literals, literal_of_integer(operand->value));
		break;
	case BEAM_LITERAL:
		read_constant(r, &r->file->literals[operand->value]);
		break;
	case BEAM_U:
		if (instr->op == OP_is_tagged_tuple || instr->op == OP_test_arity ||
		    instr->op == OP_select_tuple_arity)
			literals_add(literals, literal_of_size((uint64_t)operand->value));
		break;
	case BEAM_LABEL:
		if (operand->value)
			add_open(r, r->file->labels[operand->value]);
		break;
	case BEAM_LIST:
		for (uint32_t i = 0; i < operand->len; i++)
			add_operand(r, instr, &operand->items[i]);
		break;
	default:
		break;
	}
}

/* The first line behind the instruction at which a message is taken. */
static void find_line_after(struct reader *r, uint32_t instr)
{
	uint32_t line = 0;

	for (; instr < r->function->end && !line; instr++) {
		const struct beam_instr *at = &r->file->instrs[instr];

		line = line_of(r->file, at);
		if (is_last_of_block(at->op) || at->op == OP_loop_rec)
			break;
	}
	if (line && (!r->code->line_after || line < r->code->line_after))
		r->code->line_after = line;
}

/* The last line in front of the receive, as long as the code leads straight to it. */
static void find_line_before(struct reader *r, uint32_t instr)
{
	while (instr-- > r->function->first && !r->code->line_before) {
		const struct beam_instr *at = &r->file->instrs[instr];

		if (is_last_of_block(at->op))
			return;
		r->code->line_before = line_of(r->file, at);
	}
}

static void read_match(struct reader *r, uint32_t receive)
{
	add_open(r, receive + 1);
	while (r->open.len) {
		uint32_t instr = r->open.items[--r->open.len];
		const struct beam_instr *at = &r->file->instrs[instr];

		if (at->op == OP_remove_message)
			find_line_after(r, instr + 1);
		if (is_last_of_match(at->op))
			continue;
		for (uint32_t i = 0; i < at->operands_len; i++)
			add_operand(r, at, &at->operands[i]);
		if (!is_last_of_block(at->op))
			add_open(r, instr + 1);
	}
}

/* The wait at the end of a receive with a timeout; a receive without patterns is only that. */
static void read_timeout(struct reader *r, uint32_t wait)
{
	uint32_t receive = r->file->labels[r->file->instrs[wait].operands[0].value];

	while (receive < wait && r->file->instrs[receive].op == OP_label)
		receive++;
	if (r->file->instrs[receive].op == OP_loop_rec)
		read_match(r, receive);
	find_line_after(r, wait + 1);
}

/* ---- all ---- */

static char *name_of(const struct beamfile *file, const struct beam_function *function)
{
	const char *name = file->atoms[function->name].text;
	struct strbuf text = {0};

	strbuf_adds(&text, name);
	if (name[0] != '-')
		strbuf_addf(&text, "/%u", function->arity);
	return strbuf_detach(&text);
}

static void read_function(struct receive_code_vec *codes, const struct beamfile *file,
			  const struct beam_function *function)
{
	struct reader r = {.file = file, .function = function};
	uint32_t index = 0;

	for (uint32_t i = function->entry; i < function->end; i++) {
		uint8_t op = file->instrs[i].op;

		if (op != OP_loop_rec && op != OP_wait_timeout)
			continue;
		r.code = vec_push(codes);
		*r.code = (struct receive_code){.function = name_of(file, function),
						.index = index++, .is_timed = op == OP_wait_timeout};
		r.seen = mem_zalloc(function->end - function->first);
		if (op == OP_loop_rec)
			read_match(&r, i);
		else
			read_timeout(&r, i);
		find_line_before(&r, i);
		mem_free(r.seen);
	}
	vec_release(&r.open);
}

void receive_codes_read(struct receive_code_vec *codes, const void *bytes, size_t len)
{
	struct beamfile file;

	if (!beamfile_read(&file, bytes, len, NULL))
		return;
	for (size_t i = 0; i < file.functions_len; i++)
		read_function(codes, &file, &file.functions[i]);
	beamfile_release(&file);
}

void receive_codes_release(struct receive_code_vec *codes)
{
	for (size_t i = 0; i < codes->len; i++) {
		mem_free(codes->items[i].function);
		vec_release(&codes->items[i].literals);
	}
	vec_release(codes);
}
