#include "beamfile/dis.h"

#include <string.h>

#include "beamfile/etf.h"

enum { NAME_WIDTH = 20 };

static void print_atom(struct strbuf *out, const struct beamfile *bf, uint64_t index)
{
	etf_print_atom(out, bf->atoms[index].text, bf->atoms[index].len);
}

static void print_import(struct strbuf *out, const struct beamfile *bf, uint64_t index)
{
	const struct beam_import *import = &bf->imports[index];

	print_atom(out, bf, import->module);
	strbuf_addc(out, ':');
	print_atom(out, bf, import->function);
	strbuf_addf(out, "/%u", import->arity);
}

static void print_fun(struct strbuf *out, const struct beamfile *bf, uint64_t index)
{
	const struct beam_fun *fun = &bf->funs[index];

	strbuf_adds(out, "fun ");
	print_atom(out, bf, fun->function);
	strbuf_addf(out, "/%u", fun->arity - fun->num_free);
}

static void print_line(struct strbuf *out, const struct beamfile *bf, uint64_t index)
{
	if (bf->lines[index].line)
		strbuf_addf(out, "%s:%u", bf->files[bf->lines[index].file], bf->lines[index].line);
	else
		strbuf_adds(out, "unknown");
}

static void print_literal(struct strbuf *out, const struct beamfile *bf, uint64_t index)
{
	struct arena arena = {0};
	struct etf_term term;

	strbuf_addc(out, '`');
	if (etf_read(&arena, bf->literals[index].bytes, bf->literals[index].len, &term, NULL))
		etf_print(out, &term);
	else
		strbuf_addf(out, "broken literal %llu", (unsigned long long)index);
	strbuf_addc(out, '`');
	arena_release(&arena);
}

static void print_big(struct strbuf *out, const struct beam_operand *o)
{
	strbuf_adds(out, "16#");
	for (uint32_t i = 0; i < o->len; i++)
		strbuf_addf(out, "%02X", o->bytes[i]);
	if (o->bytes[0] & 0x80)
		strbuf_adds(out, " (two's complement)");
}

static void print_alloc(struct strbuf *out, const struct beam_alloc *alloc)
{
	strbuf_addf(out, "{%llu words,%llu floats,%llu funs}", (unsigned long long)alloc->words,
		    (unsigned long long)alloc->floats, (unsigned long long)alloc->funs);
}

static void print_operand(struct strbuf *out, const struct beamfile *bf,
			  const struct beam_operand *o)
{
	long long value = o->value;

	switch ((enum beam_operand_kind)o->kind) {
	case BEAM_U: strbuf_addf(out, "%lld", value); break;
	case BEAM_INT: strbuf_addf(out, "#%lld", value); break;
	case BEAM_BIG: print_big(out, o); break;
	case BEAM_ATOM: print_atom(out, bf, (uint64_t)value); break;
	case BEAM_NIL: strbuf_adds(out, "[]"); break;
	case BEAM_X: strbuf_addf(out, "x%lld", value); break;
	case BEAM_Y: strbuf_addf(out, "y%lld", value); break;
	case BEAM_FR: strbuf_addf(out, "fr%lld", value); break;
	case BEAM_LABEL:
		if (value)
			strbuf_addf(out, "L%lld", value);
		else
			strbuf_addc(out, '-');
		break;
	case BEAM_LITERAL: print_literal(out, bf, (uint64_t)value); break;
	case BEAM_LIST:
		strbuf_addc(out, '[');
		for (uint32_t i = 0; i < o->len; i++) {
			strbuf_adds(out, i ? ", " : "");
			print_operand(out, bf, &o->items[i]);
		}
		strbuf_addc(out, ']');
		break;
	case BEAM_ALLOC: print_alloc(out, o->alloc); break;
	}
}

/* Prints the operand as its letter in the signature says. */
static void print_as(struct strbuf *out, const struct beamfile *bf, char letter,
		     const struct beam_operand *o)
{
	if (letter == 'e')
		print_import(out, bf, (uint64_t)o->value);
	else if (letter == 'n')
		print_line(out, bf, (uint64_t)o->value);
	else if (letter == 'k' || (letter == 't' && o->kind == BEAM_U))
		print_fun(out, bf, (uint64_t)o->value);
	else
		print_operand(out, bf, o);
}

void dis_instr(struct strbuf *out, const struct beamfile *bf, const struct beam_instr *instr)
{
	const struct opcode_info *info = opcode_info(instr->op);
	const char *letter = info->signature;
	size_t start = out->len;

	strbuf_adds(out, info->name);
	if (instr->operands_len)
		strbuf_pad(out, start + NAME_WIDTH, ' ');
	for (uint8_t i = 0; i < instr->operands_len; i++, letter++) {
		strbuf_adds(out, i ? ", " : "");
		print_as(out, bf, *letter, &instr->operands[i]);
		if (*letter == '[')
			letter = strchr(letter, ']');
	}
}

static void print_function(struct strbuf *out, const struct beamfile *bf,
			   const struct beam_function *f)
{
	strbuf_adds(out, "\nfunction ");
	print_atom(out, bf, f->name);
	strbuf_addf(out, "/%u%s\n", f->arity, f->exported ? " exported" : "");
	for (uint32_t i = f->first; i < f->end; i++) {
		const struct beam_instr *instr = &bf->instrs[i];

		if (instr->op == OP_label) {
			strbuf_addf(out, "L%lld:\n", (long long)instr->operands[0].value);
			continue;
		}
		strbuf_adds(out, "    ");
		dis_instr(out, bf, instr);
		strbuf_addc(out, '\n');
	}
}

void dis_module(struct strbuf *out, const struct beamfile *bf)
{
	strbuf_adds(out, "module ");
	print_atom(out, bf, 1);
	strbuf_addf(out, "\n%zu functions, %zu instructions, %zu imports, %zu literals, %zu funs\n",
		    bf->functions_len, bf->instrs_len, bf->imports_len, bf->literals_len,
		    bf->funs_len);
	for (size_t i = 0; i < bf->functions_len; i++)
		print_function(out, bf, &bf->functions[i]);
}
