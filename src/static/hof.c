/* hof.c: functions that run a function given to them, and calls that start or ask servers. */
#include "static/interp.h"

#include <string.h>

static uint32_t list_to_args(struct interp *in, uint32_t list, uint32_t *args)
{
	uint32_t n = 0;

	for (; value_at(in->vs, list)->kind == VALUE_CONS && n < MAX_ARGS;
	     list = value_child(in->vs, list, 1))
		args[n++] = value_child(in->vs, list, 0);
	return value_at(in->vs, list)->kind == VALUE_NIL ? n : PROGRAM_NONE;
}

/* Resolves M:F with so many arguments, when both are known. */
uint32_t call_find_named(const struct interp *in, uint32_t module, uint32_t name, uint32_t arity)
{
	const struct value *m = value_at(in->vs, module), *f = value_at(in->vs, name);

	if (m->kind != VALUE_ATOM || f->kind != VALUE_ATOM)
		return PROGRAM_NONE;
	return program_find_fn(in->p, m->a, f->a, arity);
}

static void apply_named(struct interp *in, const uint32_t *mfa, uint32_t site,
			struct passage passage)
{
	uint32_t args[MAX_ARGS];
	uint32_t n = list_to_args(in, mfa[2], args);
	uint32_t fn = n == PROGRAM_NONE ? PROGRAM_NONE : call_find_named(in, mfa[0], mfa[1], n);

	if (passage.only_writes)
		call_escape(in, mfa[2]);
	if (fn == PROGRAM_NONE)
		return;
	apply_summary(in, fn, args, n, site, passage);
	if (passage.only_writes)
		*map_put(&in->a->spawned_fns, fn, NULL) = 1;
	else
		*vec_push(&in->a->edges) = (struct edge){in->fn, fn, false};
}

/* The arguments that a library function passes to the fun: for list functions, the elements. */
static void guess_fun_args(struct interp *in, const struct hof *hof, const uint32_t *args,
			   uint32_t site, uint32_t *out, uint32_t n)
{
	uint32_t list = hof->argument == 0 ? args[hof->arity - 1] : args[0];

	for (uint32_t i = 0; i < n; i++)
		out[i] = value_result(in->vs, site, FIRST_FUN_ARGUMENT + i);
	if (n && hof->how == HOF_CALL && hof->arity > 1 && list != VALUE_TOP &&
	    strcmp(hof->module, "ets") != 0)
		out[0] = value_head(in->vs, list);
}

/* Remembers a call of a fun that may become known in a caller, or stay unknown. */
void call_defer_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
			   uint32_t site)
{
	struct fun_call call = {.fun = fun, .site = site};

	if (args_len > CALL_MAX_ARGS)
		return;
	call.args_len = (uint8_t)args_len;
	for (uint32_t i = 0; i < args_len; i++)
		call.args[i] = args[i];
	bitset_foreach(e, in->now.reads, BITSET_WORDS(STATE_MAX_READS)) {
		const struct read_event *event = &in->events.items[e];

		for (uint32_t i = 0; i < event->len && call.before_len < CALL_MAX_BEFORE; i++)
			call.before[call.before_len++] = in->past_reads.items[event->start + i];
	}
	if (value_at(in->vs, fun)->has & VALUE_HAS_ARG &&
	    in->summary->calls.len < SUMMARY_MAX_CALLS)
		*vec_push(&in->summary->calls) = call;
	if (in->a->options->follow_unknown && call.before_len)
		*vec_push(&in->a->unknown_calls) = (struct unknown_call){call, in->fn};
}

void call_spawn_items(struct interp *in, uint32_t list)
{
	for (; value_at(in->vs, list)->kind == VALUE_CONS; list = value_child(in->vs, list, 1)) {
		uint32_t item = value_child(in->vs, list, 0);

		if (value_at(in->vs, item)->kind == VALUE_FUN)
			*map_put(&in->a->spawned_fns, value_at(in->vs, item)->a, NULL) = 1;
	}
	while (value_at(in->vs, list)->kind == VALUE_TL || value_at(in->vs, list)->kind == VALUE_HD)
		list = value_child(in->vs, list, 0);
	if (value_at(in->vs, list)->kind == VALUE_ARG && value_at(in->vs, list)->a < 64)
		in->summary->spawning |= (uint64_t)1 << value_at(in->vs, list)->a;
}

/* A new process runs the fun: what it holds is known to both, its code only to the new one. */
static void escape_spawned(struct interp *in, uint32_t fun)
{
	if (value_at(in->vs, fun)->kind != VALUE_FUN) {
		call_escape(in, fun);
		if (value_at(in->vs, fun)->kind == VALUE_HD)
			call_spawn_items(in, fun);
		return;
	}
	*map_put(&in->a->spawned_fns, value_at(in->vs, fun)->a, NULL) = 1;
	for (uint32_t i = 0; i < value_at(in->vs, fun)->len; i++)
		call_escape(in, value_child(in->vs, fun, i));
}

static void run_fun(struct interp *in, const struct hof *hof, const uint32_t *args, uint32_t site,
		    struct passage passage)
{
	uint32_t fun = args[hof->argument];
	uint32_t fun_args[MAX_ARGS];
	uint32_t n = 0;

	if (value_at(in->vs, fun)->kind == VALUE_FUN) {
		n = program_function(in->p, value_at(in->vs, fun)->a)->arity;
		n -= value_at(in->vs, fun)->len < n ? value_at(in->vs, fun)->len : n;
		if (n > MAX_ARGS)
			return;
		guess_fun_args(in, hof, args, site, fun_args, n);
		apply_fun(in, fun, fun_args, n, site, passage);
	} else if (!passage.only_writes) {
		n = hof->how == HOF_CALL && hof->arity > 1 ? hof->arity - 1u : 0;
		guess_fun_args(in, hof, args, site, fun_args, n);
		call_defer_fun(in, fun, fun_args, n, site);
	}
	if (passage.only_writes)
		escape_spawned(in, fun);
}

static bool is_transaction(const struct interp *in, uint32_t kind)
{
	const struct value *n = value_at(in->vs, kind);

	if (n->kind == VALUE_TUPLE && n->len)
		return is_transaction(in, value_child(in->vs, kind, 0));
	return n->kind != VALUE_ATOM || n->a == in->a->atoms.transaction ||
	       n->a == in->a->atoms.sync_transaction;
}

void call_hof(struct interp *in, int16_t index, const uint32_t *args, uint32_t site)
{
	const struct hof *hof = &hofs[index];
	struct passage spawned = {.add = ACCESS_SPAWNED, .only_writes = true};
	struct passage dirty = {.is_dirty = true};
	struct passage protected = {.add = ACCESS_TRANSACTION, .is_transaction = true};

	switch ((enum hof_how)hof->how) {
	case HOF_CALL: run_fun(in, hof, args, site, (struct passage){0}); break;
	case HOF_CALL_MFA:
		apply_named(in, args + hof->argument, site, (struct passage){0});
		break;
	case HOF_SPAWN: run_fun(in, hof, args, site, spawned); break;
	case HOF_SPAWN_MFA: apply_named(in, args + hof->argument, site, spawned); break;
	case HOF_TRANSACTION: run_fun(in, hof, args, site, protected); break;
	case HOF_DIRTY: run_fun(in, hof, args, site, dirty); break;
	case HOF_ACTIVITY:
		run_fun(in, hof, args, site, is_transaction(in, args[0]) ? protected : dirty);
		break;
	}
}

/* {local, N}, N of [{name, N}], or none. Returns the atom, or PROGRAM_NONE. */
static uint32_t server_name(const struct interp *in, uint32_t name)
{
	const struct value *n = value_at(in->vs, name);

	if (n->kind == VALUE_ATOM)
		return n->a;
	if (n->kind == VALUE_CONS)
		return server_name(in, value_child(in->vs, name, 0));
	if (n->kind == VALUE_TUPLE && n->len == 2 &&
	    (value_is_atom(in->vs, value_child(in->vs, name, 0), in->a->atoms.local) ||
	     value_is_atom(in->vs, value_child(in->vs, name, 0), in->a->atoms.name)))
		return server_name(in, value_child(in->vs, name, 1));
	return PROGRAM_NONE;
}

void call_note_start(struct interp *in, const struct start *start, const uint32_t *args)
{
	const struct value *callbacks_module = value_at(in->vs, args[start->callbacks]);
	uint32_t module, name = PROGRAM_NONE;

	if (callbacks_module->kind != VALUE_ATOM)
		return;
	module = program_find_module(in->p, callbacks_module->a);
	if (strcmp(start->function, "enter_loop") == 0) {
		if (module != PROGRAM_NONE)
			in->summary->becomes = module + 1;
		return;
	}
	if (start->name >= 0)
		name = server_name(in, args[start->name]);
	if (module != PROGRAM_NONE)
		program_note_start(in->p, module, start->module, name, name != PROGRAM_NONE);
}

/* The module of a server by its name: as it was started, or as modules are named. When
 * neither is known, the caller's own: an interface function. */
static uint32_t server_module(const struct interp *in, uint32_t name)
{
	const struct value *to = value_at(in->vs, name);
	const uint64_t *named;
	uint32_t module = PROGRAM_NONE;

	if (to->kind == VALUE_ATOM) {
		named = map_get(&in->p->server_names, to->a);
		module = named ? (uint32_t)*named - 1 : program_find_module(in->p, to->a);
	}
	return module == PROGRAM_NONE ? in->p->fns.items[in->fn].module : module;
}

/* --calls: a synchronous call is the server's handle_call, run on the way. */
void call_server(struct interp *in, const uint32_t *args, uint32_t site)
{
	uint32_t module = server_module(in, args[0]);
	uint32_t fn = program_find_fn(in->p, in->p->modules.items[module].name,
				      program_atom_named(in->p, "handle_call"), 3);
	uint32_t handle_args[3] = {args[1], VALUE_TOP};

	if (!in->p->modules.items[module].is_server || fn == PROGRAM_NONE)
		return;
	handle_args[2] = value_make(in->vs, VALUE_STATE, module, 0, NULL, 0);
	apply_summary(in, fn, handle_args, 3, site, (struct passage){.add = ACCESS_SERVED});
}
