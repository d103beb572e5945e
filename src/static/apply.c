/* apply.c: the summary of a callee in terms of its caller. */
#include "static/interp.h"

enum { MAX_FUN_NESTING = 3 };

static bool facts_hold(struct interp *in, struct access *access, const uint32_t *args,
		       uint32_t args_len, uint32_t site)
{
	uint8_t kept = 0;
	uint32_t known;

	for (uint8_t i = 0; i < access->facts_len; i++) {
		struct fact fact = access->facts[i];

		fact.value = value_subst(in->vs, fact.value, args, args_len, site);
		known = state_known(&in->now, in->vs, fact.value);
		if (value_relate(in->vs, known, fact.constant) == VALUE_DIFFERENT ||
		    state_excludes(&in->now, in->vs, fact.value, fact.constant))
			return false;
		if (value_is_constant(in->vs, known))
			continue; /* it holds */
		if (value_at(in->vs, fact.value)->has & VALUE_HAS_ARG)
			access->facts[kept++] = fact;
		else
			access->flags |= ACCESS_DOUBTFUL;
	}
	access->facts_len = kept;
	return true;
}

/* The access in terms of the caller; false when the caller never gets there. */
static bool translate(struct interp *in, struct access *access, const uint32_t *args,
		      uint32_t args_len, uint32_t site, struct passage passage)
{
	if (access->depth >= SUMMARY_MAX_DEPTH || !facts_hold(in, access, args, args_len, site))
		return false;
	if (access->flags & ACCESS_ACTIVITY && passage.is_transaction)
		return false;
	if (passage.is_dirty)
		access->flags &= (uint16_t)~ACCESS_ACTIVITY;
	access->flags |= passage.add;
	access->depth++;
	access->table = value_subst(in->vs, access->table, args, args_len, site);
	access->key = value_subst(in->vs, access->key, args, args_len, site);
	access->result = value_subst(in->vs, access->result, args, args_len, site);
	access->path = path_push(in->a, site, access->path);
	return true;
}

static void apply_accesses(struct interp *in, const struct access_vec *from, struct access_vec *to,
			   const uint32_t *args, uint32_t args_len, uint32_t site,
			   struct passage passage)
{
	for (size_t i = 0; i < from->len; i++) { /* from may grow: a recursive call */
		struct access access = from->items[i];

		if (translate(in, &access, args, args_len, site, passage))
			*vec_push(to) = access;
	}
}

void apply_pairs(struct interp *in, const struct summary *callee, const uint32_t *args,
			uint32_t args_len, uint32_t site, struct passage passage, uint32_t closure)
{
	size_t len = callee->pairs.len;

	for (size_t i = 0; i < len; i++) {
		struct pair pair = callee->pairs.items[i];

		if (!translate(in, &pair.read, args, args_len, site, passage) ||
		    !translate(in, &pair.write, args, args_len, site, passage) ||
		    !equal_translate(in, &pair, args, args_len, site))
			continue;
		if (closure != PROGRAM_NONE && !pair.in_closure) {
			pair.in_closure = true;
			pair.closure = closure;
		}
		pair_consider(in->a, in->fn, in->summary, &pair);
	}
}

void call_note_create(struct interp *in, struct create create)
{
	if (value_at(in->vs, create.name)->kind == VALUE_ATOM)
		pair_note_create(in->a, in->fn, &create);
	else if (create.name != VALUE_TOP)
		summary_add_create(in->summary, &create);
}

void apply_creates(struct interp *in, const struct summary *callee, const uint32_t *args,
			  uint32_t args_len, uint32_t site)
{
	size_t len = callee->creates.len;

	for (size_t i = 0; i < len; i++) {
		struct create create = callee->creates.items[i];

		create.name = value_subst(in->vs, create.name, args, args_len, site);
		create.options = value_subst(in->vs, create.options, args, args_len, site);
		call_note_create(in, create);
	}
}

/* A fun the callee was given: known here, or passed on. */
static void apply_fun_call(struct interp *in, struct fun_call call, const uint32_t *args,
			   uint32_t args_len, uint32_t site)
{
	size_t first = in->writes.len;
	uint8_t before_len = call.before_len;

	call.fun = value_subst(in->vs, call.fun, args, args_len, site);
	call.path = path_push(in->a, site, call.path);
	call.depth++;
	call.before_len = 0;
	for (uint8_t i = 0; i < call.args_len; i++)
		call.args[i] = value_subst(in->vs, call.args[i], args, args_len, site);
	for (uint8_t i = 0; i < before_len; i++)
		if (translate(in, &call.before[i], args, args_len, site, (struct passage){0}))
			call.before[call.before_len++] = call.before[i];
	if (value_at(in->vs, call.fun)->kind != VALUE_FUN) {
		if (value_at(in->vs, call.fun)->has & VALUE_HAS_ARG &&
		    call.depth < SUMMARY_MAX_DEPTH && in->summary->calls.len < SUMMARY_MAX_CALLS)
			*vec_push(&in->summary->calls) = call;
		return;
	}
	apply_fun(in, call.fun, call.args, call.args_len, site, (struct passage){0});
	for (size_t w = first; w < in->writes.len; w++)
		for (uint8_t i = 0; i < call.before_len; i++) {
			struct pair pair = {.read = call.before[i], .write = in->writes.items[w]};

			pair_consider(in->a, in->fn, in->summary, &pair);
		}
}

static void apply_escapes(struct interp *in, const struct summary *callee, const uint32_t *args,
			  uint32_t args_len)
{
	for (uint32_t i = 0; i < args_len && i < 64; i++)
		if (callee->escaping >> i & 1)
			call_escape(in, args[i]);
	for (uint32_t i = 0; i < args_len && i < 64; i++)
		if (callee->spawning >> i & 1)
			call_spawn_items(in, args[i]);
}

/* The callee's summary becomes part of the current event. */
void apply_summary(struct interp *in, uint32_t fn, const uint32_t *args, uint32_t args_len,
			  uint32_t site, struct passage passage)
{
	const struct summary *callee = &in->a->summaries[fn];
	size_t calls_len = callee->calls.len;

	if (!passage.only_writes)
		apply_accesses(in, &callee->reads, &in->reads, args, args_len, site, passage);
	apply_accesses(in, &callee->writes, &in->writes, args, args_len, site, passage);
	apply_pairs(in, callee, args, args_len, site, passage, PROGRAM_NONE);
	apply_creates(in, callee, args, args_len, site);
	apply_escapes(in, callee, args, args_len);
	if (callee->becomes && !passage.only_writes)
		in->summary->becomes = callee->becomes;
	for (size_t i = 0; i < calls_len && callee != in->summary; i++)
		apply_fun_call(in, callee->calls.items[i], args, args_len, site);
}

/* Arguments followed by the fun's free variables, as its code takes them. */
uint32_t apply_join_args(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
			  uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < args_len && n < MAX_ARGS; i++)
		out[n++] = args[i];
	for (uint32_t i = 0; i < value_at(in->vs, fun)->len && n < MAX_ARGS; i++)
		out[n++] = value_child(in->vs, fun, i);
	return n;
}

void apply_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
		      uint32_t site, struct passage passage)
{
	uint32_t fn = value_at(in->vs, fun)->a;
	uint32_t all[MAX_ARGS];
	uint32_t n = apply_join_args(in, fun, args, args_len, all);

	if (program_function(in->p, fn)->arity != n || in->fun_nesting >= MAX_FUN_NESTING)
		return; /* badarity, or deep enough */
	in->fun_nesting++;
	apply_summary(in, fn, all, n, site, passage);
	in->fun_nesting--;
	if (!passage.only_writes)
		*vec_push(&in->a->edges) = (struct edge){in->fn, fn, passage.is_transaction};
}
