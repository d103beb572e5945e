/* follow.c: --unknown-calls follow. An unknown fun may be any function of that arity that could
 * have been passed as a fun: the second option of the paper's section 4.2. Functions that the
 * arguments rule out are not followed ("making unknown calls less unknown", 4.4).
 */
#include "static/analysis.h"

static bool facts_hold(struct analysis *a, const struct access *write, const struct fun_call *call)
{
	struct values *vs = &a->p->vs;

	for (uint8_t i = 0; i < write->facts_len; i++) {
		uint32_t value = value_subst(vs, write->facts[i].value, call->args, call->args_len,
					     call->site);

		if (value_relate(vs, value, write->facts[i].constant) == VALUE_DIFFERENT)
			return false;
	}
	return true;
}

static bool has_partner(const struct fun_call *call, const struct access *write)
{
	for (uint8_t i = 0; i < call->before_len; i++)
		if (call->before[i].kind == write->kind)
			return true;
	return false;
}

static void follow_write(struct analysis *a, const struct unknown_call *unknown,
			 struct access write)
{
	const struct fun_call *call = &unknown->call;
	struct summary ignored = {0};

	if (!has_partner(call, &write) || !facts_hold(a, &write, call))
		return;
	write.table = value_subst(&a->p->vs, write.table, call->args, call->args_len, call->site);
	write.key = value_subst(&a->p->vs, write.key, call->args, call->args_len, call->site);
	write.flags |= ACCESS_UNKNOWN;
	write.facts_len = 0;
	write.depth++;
	write.path = path_push(a, call->site, write.path);
	for (uint8_t i = 0; i < call->before_len; i++) {
		struct pair pair = {.read = call->before[i], .write = write};

		pair_consider(a, unknown->fn, &ignored, &pair);
	}
	summary_release(&ignored);
}

/* Could this function have been passed as a fun? */
static bool is_giveable(const struct analysis *a, uint32_t fn)
{
	return program_function(a->p, fn)->exported || a->p->fns.items[fn].is_closure;
}

void follow_unknown_calls(struct analysis *a)
{
	VEC(uint32_t) writers[CALL_MAX_ARGS + 1] = {0}; /* by arity */

	for (uint32_t fn = 0; a->unknown_calls.len && fn < a->p->fns.len; fn++)
		if (a->summaries[fn].writes.len && is_giveable(a, fn) &&
		    a->p->fns.items[fn].fun_arity <= CALL_MAX_ARGS)
			*vec_push(&writers[a->p->fns.items[fn].fun_arity]) = fn;
	for (size_t i = 0; i < a->unknown_calls.len; i++) {
		struct unknown_call unknown = a->unknown_calls.items[i];
		uint8_t arity = unknown.call.args_len;

		for (size_t k = 0; k < writers[arity].len; k++) {
			const struct summary *s = &a->summaries[writers[arity].items[k]];

			for (size_t w = 0; w < s->writes.len; w++)
				follow_write(a, &unknown, s->writes.items[w]);
		}
	}
	for (size_t i = 0; i <= CALL_MAX_ARGS; i++)
		vec_release(&writers[i]);
}
