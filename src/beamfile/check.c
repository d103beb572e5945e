/* check.c: the checks of code that are possible only when all of it has been decoded. */
#include "beamfile/code.h"

#include <string.h>

/* The bs_match commands of OTP 26 and up: the operands that follow the atom. */
static const struct match_command {
	const char *name;
	const char *signature;
} match_commands[] = {
	{"ensure_at_least", "wu"}, {"ensure_exactly", "w"}, {"integer", "u*uud"},
	{"binary", "u*uud"},       {"skip", "w"},           {"get_tail", "uud"},
	{"=:=", "*u*"},
};

static bool is_named(const struct beamfile *bf, const struct beam_operand *o, const char *text)
{
	return o->kind == BEAM_ATOM && strcmp(bf->atoms[o->value].text, text) == 0;
}

static bool check_label(const struct beamfile *bf, const struct beam_operand *o, struct err *err)
{
	if (o->kind == BEAM_LIST) {
		for (uint32_t i = 0; i < o->len; i++)
			if (!check_label(bf, &o->items[i], err))
				return false;
		return true;
	}
	if (o->kind == BEAM_LABEL && o->value && bf->labels[o->value] == BEAMFILE_NONE)
		return err_set(err, "label %lld is not defined", (long long)o->value);
	return true;
}

static bool check_string(const struct beamfile *bf, uint64_t offset, uint64_t len, struct err *err)
{
	if (offset > bf->strings.len || len > bf->strings.len - offset)
		return err_set(err, "bytes %llu to %llu lie outside the string table",
			       (unsigned long long)offset, (unsigned long long)(offset + len));
	return true;
}

static bool check_arity(const struct beamfile *bf, uint64_t arity,
			const struct beam_operand *import, struct err *err)
{
	uint32_t declared = bf->imports[import->value].arity;

	if (arity != declared)
		return err_set(err, "%llu arguments for an import of arity %u",
			       (unsigned long long)arity, declared);
	return true;
}

/* A local call must go to the entry of a function with that arity. */
static bool check_call(const struct beamfile *bf, const struct beam_operand *operands,
		       struct err *err)
{
	uint32_t f = beamfile_function_of_label(bf, (uint32_t)operands[1].value);

	if (f == BEAMFILE_NONE || bf->functions[f].arity != operands[0].value)
		return err_set(err, "label %lld is not a function of arity %lld",
			       (long long)operands[1].value, (long long)operands[0].value);
	return true;
}

static bool check_create_bin(const struct beamfile *bf, const struct beam_operand *list,
			     struct err *err)
{
	for (uint32_t i = 0; i < list->len; i += 6) {
		const struct beam_operand *value = &list->items[i + 4];
		const struct beam_operand *size = &list->items[i + 5];

		if (!is_named(bf, &list->items[i], "string"))
			continue;
		if (value->kind != BEAM_U || value->value < 0 ||
		    (size->kind != BEAM_INT && size->kind != BEAM_U) || size->value < 0)
			return err_set(err, "a string segment without offset and size");
		if (!check_string(bf, (uint64_t)value->value, (uint64_t)size->value, err))
			return false;
	}
	return true;
}

static bool is_number(const struct beam_operand *o)
{
	return (o->kind == BEAM_U || o->kind == BEAM_INT) && o->value >= 0 &&
	       o->value <= UINT32_MAX;
}

static bool is_size(const struct beam_operand *o)
{
	if (o->kind == BEAM_BIG)
		return !(o->bytes[0] >> 7);
	return (o->kind == BEAM_U || o->kind == BEAM_INT) && o->value >= 0;
}

static bool command_fits(const char *signature, const struct beam_operand *items)
{
	for (size_t i = 0; signature[i]; i++) {
		if (signature[i] == 'u' && !is_number(&items[i]))
			return false;
		if (signature[i] == 'w' && !is_size(&items[i]))
			return false;
		if (signature[i] == 'd' && items[i].kind != BEAM_X && items[i].kind != BEAM_Y)
			return false;
	}
	return true;
}

static bool check_match(const struct beamfile *bf, const struct beam_operand *list, struct err *err)
{
	size_t commands_len = sizeof(match_commands) / sizeof(match_commands[0]);
	uint32_t i = 0;

	while (i < list->len) {
		const struct match_command *command = match_commands;
		size_t operands;

		while (command < match_commands + commands_len &&
		       !is_named(bf, &list->items[i], command->name))
			command++;
		if (command == match_commands + commands_len)
			return err_set_unsupported(err, "item %u is not a command known here", i);
		operands = strlen(command->signature);
		if (list->len - i - 1 < operands ||
		    !command_fits(command->signature, &list->items[i + 1]))
			return err_set(err, "bad operands of command %s", command->name);
		i += 1 + (uint32_t)operands;
	}
	return true;
}

static bool check_fun(const struct beamfile *bf, const struct beam_operand *operands,
		      struct err *err)
{
	uint32_t num_free = bf->funs[operands[0].value].num_free;

	if (operands[2].len != num_free)
		return err_set(err, "%u free variables for a fun that has %u", operands[2].len,
			       num_free);
	return true;
}

/* Relations between operands, which a signature cannot say. */
static bool check_relations(const struct beamfile *bf, const struct beam_instr *instr,
			    struct err *err)
{
	const struct beam_operand *o = instr->operands;

	switch (instr->op) {
	case OP_call: case OP_call_last: case OP_call_only:
		return check_call(bf, o, err);
	case OP_call_ext: case OP_call_ext_last: case OP_call_ext_only:
		return check_arity(bf, (uint64_t)o[0].value, &o[1], err);
	case OP_bif0: return check_arity(bf, 0, &o[0], err);
	case OP_bif1: return check_arity(bf, 1, &o[1], err);
	case OP_bif2: return check_arity(bf, 2, &o[1], err);
	case OP_gc_bif1: return check_arity(bf, 1, &o[2], err);
	case OP_gc_bif2: return check_arity(bf, 2, &o[2], err);
	case OP_gc_bif3: return check_arity(bf, 3, &o[2], err);
	case OP_call_fun: case OP_call_fun2: case OP_apply: case OP_apply_last: {
		const struct beam_operand *arity = &o[instr->op == OP_call_fun2];

		return arity->value <= BEAMFILE_MAX_ARITY ||
		       err_set(err, "arity %lld", (long long)arity->value);
	}
	case OP_bs_match_string:
		return check_string(bf, (uint64_t)o[3].value, ((uint64_t)o[2].value + 7) / 8, err);
	case OP_bs_put_string:
		return check_string(bf, (uint64_t)o[1].value, (uint64_t)o[0].value, err);
	case OP_bs_create_bin: return check_create_bin(bf, &o[5], err);
	case OP_bs_match: return check_match(bf, &o[2], err);
	case OP_make_fun3: return check_fun(bf, o, err);
	default: return true;
	}
}

static bool check_instr(const struct beamfile *bf, const struct beam_instr *instr, struct err *err)
{
	for (uint8_t i = 0; i < instr->operands_len; i++)
		if (!check_label(bf, &instr->operands[i], err))
			return false;
	return check_relations(bf, instr, err);
}

/* Every func_info is followed by the label at which callers enter. */
static bool find_entries(struct beamfile *bf, struct err *err)
{
	for (size_t i = 0; i < bf->functions_len; i++) {
		struct beam_function *f = &bf->functions[i];
		const struct beam_instr *next = &bf->instrs[f->func_info + 1];

		if (next->op != OP_label) {
			err_set(err, "no label after func_info");
			return code_blame(bf, f->func_info, err);
		}
		f->entry = f->func_info + 1;
		f->label = (uint32_t)next->operands[0].value;
	}
	return true;
}

static bool check_entries(const struct beamfile *bf, const struct beam_export *entries, size_t len,
			  const char *chunk, struct err *err)
{
	for (size_t i = 0; i < len; i++) {
		uint32_t f = beamfile_function_of_label(bf, entries[i].label);

		if (f == BEAMFILE_NONE || bf->functions[f].arity != entries[i].arity)
			return err_set(err, "%s chunk: label %u of %s/%u is not such a function",
				       chunk, entries[i].label,
				       bf->atoms[entries[i].function].text, entries[i].arity);
	}
	return true;
}

static bool check_funs(const struct beamfile *bf, struct err *err)
{
	for (size_t i = 0; i < bf->funs_len; i++) {
		const struct beam_fun *fun = &bf->funs[i];
		uint32_t f = beamfile_function_of_label(bf, fun->label);

		if (f == BEAMFILE_NONE || bf->functions[f].arity != fun->arity ||
		    fun->num_free > fun->arity)
			return err_set(err, "FunT chunk: fun %zu: label %u is not a function of "
				       "arity %u", i, fun->label, fun->arity);
	}
	return true;
}

bool check_code(struct beamfile *bf, struct err *err)
{
	if (!find_entries(bf, err) ||
	    !check_entries(bf, bf->exports, bf->exports_len, "ExpT", err) ||
	    !check_entries(bf, bf->locals, bf->locals_len, "LocT", err) || !check_funs(bf, err))
		return false;
	for (size_t i = 0; i < bf->exports_len; i++)
		bf->functions[beamfile_function_of_label(bf, bf->exports[i].label)].exported = true;
	for (size_t i = 0; i < bf->instrs_len; i++)
		if (!check_instr(bf, &bf->instrs[i], err))
			return code_blame(bf, i, err);
	return true;
}
