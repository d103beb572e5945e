#include "static/interp.h"

/* "name" ++ integer_to_list(N) is as unique as N. */
static uint32_t convert(struct interp *in, const uint32_t *args, uint32_t args_len, uint32_t site)
{
	for (uint32_t i = 0; i < args_len; i++)
		if (value_is_unique(in->vs, args[i]))
			return value_result(in->vs, site, VALUE_UNIQUE);
	return value_result(in->vs, site, 0);
}

static uint32_t call_special(struct interp *in, const struct target *target, const uint32_t *args,
			     uint32_t args_len, uint32_t site)
{
	uint32_t result = value_result(in->vs, site, 0);
	int64_t position;

	switch ((enum special)target->special) {
	case SPECIAL_RAISE: in->is_live = false; return VALUE_TOP;
	case SPECIAL_ELEMENT:
		if (value_get_int(in->vs, args[0], &position) && position > 0)
			return value_elem(in->vs, args[1], (uint32_t)position - 1);
		break;
	case SPECIAL_SETELEMENT:
		if (value_get_int(in->vs, args[0], &position) && position > 0)
			return value_make(in->vs, VALUE_SET, (uint32_t)position - 1, 0,
					  (uint32_t[]){args[1], args[2]}, 2);
		break;
	case SPECIAL_UNIQUE: return value_result(in->vs, site, VALUE_UNIQUE);
	case SPECIAL_CONVERT: return convert(in, args, args_len, site);
	case SPECIAL_SELF: return value_make(in->vs, VALUE_PID, 1, 0, NULL, 0);
	case SPECIAL_HD: return value_head(in->vs, args[0]);
	case SPECIAL_TL: return value_tail(in->vs, args[0]);
	case SPECIAL_ETS_NEW: return call_create_table(in, target->builtin, args, site);
	case SPECIAL_ARRAY_NEW: {
		uint32_t none = value_make(in->vs, VALUE_NIL, 0, 0, NULL, 0);

		return value_make(in->vs, VALUE_TABLE, site, 0, (uint32_t[]){none, none}, 2);
	}
	case SPECIAL_ETS_WHEREIS: /* the table, or undefined */
		return value_join(in->vs, site, 0, args[0],
				  value_atom(in->vs, in->a->atoms.undefined));
	case SPECIAL_MEMBER: call_member(in, args[0], args[1]); break;
	case SPECIAL_SERVER_CALL:
		if (in->a->options->calls)
			call_server(in, args, site);
		break;
	case SPECIAL_SAME: case SPECIAL_NOT_SAME: /* instructions of their own */
	case SPECIAL_NONE: case SPECIAL_PURE: break;
	}
	return result;
}

uint32_t call_import(struct interp *in, const struct target *target, const uint32_t *args,
		     uint32_t args_len, uint32_t site)
{
	bool is_known = target->builtin >= 0 || target->hof >= 0 || target->special != SPECIAL_NONE;
	uint32_t result;

	if (args_len > MAX_ARGS)
		args_len = MAX_ARGS;
	if (target->fn != PROGRAM_NONE && target->start < 0 && target->builtin < 0 &&
	    target->hof < 0 &&
	    (target->special == SPECIAL_NONE || target->special == SPECIAL_PURE))
		return call_function(in, target->fn, args, args_len, site);
	if (!is_known)
		call_escape_all(in, args, args_len);
	if (target->start >= 0)
		call_note_start(in, &starts[target->start], args);
	if (target->builtin >= 0 && target->special != SPECIAL_ETS_NEW)
		call_builtin(in, target->builtin, args, args_len, site);
	if (target->builtin >= 0 && target->hof >= 0)
		call_finish_event(in); /* ets:foldl/3 has read the object that it gives to the fun */
	if (target->hof >= 0)
		call_hof(in, target->hof, args, site);
	result = call_special(in, target, args, args_len, site);
	call_finish_event(in);
	return result;
}

uint32_t call_function(struct interp *in, uint32_t fn, const uint32_t *args, uint32_t args_len,
		       uint32_t site)
{
	const struct summary *callee = &in->a->summaries[fn];
	uint32_t result;

	if (args_len > MAX_ARGS)
		args_len = MAX_ARGS;
	*vec_push(&in->a->edges) = (struct edge){in->fn, fn, false};
	apply_summary(in, fn, args, args_len, site, (struct passage){0});
	result = value_result(in->vs, site, 0);
	if (callee->is_done && callee->result != VALUE_TOP && callee != in->summary)
		result = value_subst(in->vs, callee->result, args, args_len, site);
	if (result == VALUE_TOP)
		result = value_result(in->vs, site, 0);
	call_finish_event(in);
	return result;
}

uint32_t call_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
		  uint32_t site)
{
	if (args_len > MAX_ARGS)
		args_len = MAX_ARGS;
	if (value_at(in->vs, fun)->kind == VALUE_FUN) {
		apply_fun(in, fun, args, args_len, site, (struct passage){0});
	} else {
		call_escape_all(in, args, args_len);
		call_defer_fun(in, fun, args, args_len, site);
	}
	call_finish_event(in);
	return value_result(in->vs, site, 0);
}

uint32_t call_by_name(struct interp *in, uint32_t module, uint32_t name, const uint32_t *args,
		      uint32_t args_len, uint32_t site)
{
	uint32_t fn = call_find_named(in, module, name, args_len);

	if (fn != PROGRAM_NONE)
		return call_function(in, fn, args, args_len, site);
	call_escape_all(in, args, args_len < MAX_ARGS ? args_len : MAX_ARGS);
	return value_result(in->vs, site, 0);
}

void call_send(struct interp *in, uint32_t to, uint32_t message, uint32_t site)
{
	uint32_t args[2] = {to, message};

	for (size_t i = 0; i < builtins_len; i++)
		if (builtins[i].function[0] == '!') {
			call_builtin(in, (int16_t)i, args, 2, site);
			break;
		}
	call_finish_event(in);
}

void call_make_fun(struct interp *in, uint32_t fun, uint32_t site)
{
	uint32_t fn = value_at(in->vs, fun)->a;
	uint32_t arity = program_function(in->p, fn)->arity;
	uint32_t free = value_at(in->vs, fun)->len;
	uint32_t args[MAX_ARGS], all[MAX_ARGS];
	uint32_t n;

	if (arity > MAX_ARGS || arity < free)
		return;
	for (uint32_t i = 0; i < arity - free; i++)
		args[i] = value_result(in->vs, site, FIRST_FUN_ARGUMENT + i);
	n = apply_join_args(in, fun, args, arity - free, all);
	apply_pairs(in, &in->a->summaries[fn], all, n, site, (struct passage){0}, fn);
	apply_creates(in, &in->a->summaries[fn], all, n, site);
}
