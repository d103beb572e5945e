#include "static/interp.h"

#include <string.h>

enum {
	MAX_ARGS = STATE_MAX_REGISTERS,
	FIRST_FUN_ARGUMENT = 16, /* results of a site: arguments a library gives to a fun */
	MAX_FUN_NESTING = 3,
};

/* What of a callee's summary counts, and what it becomes on the way. */
struct passage {
	uint8_t add;        /* access flags to set */
	bool only_writes;   /* a new process: what it reads is not before what we do */
	bool is_dirty;      /* ACCESS_ACTIVITY is lifted */
	bool is_transaction; /* accesses under ACCESS_ACTIVITY are protected */
};

/* Summaries ------------------------------------------------------------------------- */

static bool facts_hold(struct interp *in, struct access *access, const uint32_t *args,
		       uint32_t args_len, uint32_t site)
{
	uint8_t kept = 0;

	for (uint8_t i = 0; i < access->facts_len; i++) {
		struct fact fact = access->facts[i];

		fact.value = value_subst(in->vs, fact.value, args, args_len, site);
		fact.value = state_known(&in->now, in->vs, fact.value);
		if (value_relate(in->vs, fact.value, fact.constant) == VALUE_DIFFERENT)
			return false;
		if (value_at(in->vs, fact.value)->has & VALUE_HAS_ARG)
			access->facts[kept++] = fact;
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
		access->flags &= (uint8_t)~ACCESS_ACTIVITY;
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

static void apply_pairs(struct interp *in, const struct summary *callee, const uint32_t *args,
			uint32_t args_len, uint32_t site, struct passage passage, uint32_t closure)
{
	size_t len = callee->pairs.len;

	for (size_t i = 0; i < len; i++) {
		struct pair pair = callee->pairs.items[i];

		if (!translate(in, &pair.read, args, args_len, site, passage) ||
		    !translate(in, &pair.write, args, args_len, site, passage))
			continue;
		if (closure != PROGRAM_NONE && !pair.in_closure) {
			pair.in_closure = true;
			pair.closure = closure;
		}
		pair_consider(in->a, in->fn, in->summary, &pair);
	}
}

static void note_create(struct interp *in, struct create create)
{
	if (value_at(in->vs, create.name)->kind == VALUE_ATOM)
		pair_note_create(in->a, &create);
	else if ((value_at(in->vs, create.name)->has | value_at(in->vs, create.options)->has) &
		 VALUE_HAS_ARG)
		summary_add_create(in->summary, &create);
}

static void apply_creates(struct interp *in, const struct summary *callee, const uint32_t *args,
			  uint32_t args_len, uint32_t site)
{
	size_t len = callee->creates.len;

	for (size_t i = 0; i < len; i++) {
		struct create create = callee->creates.items[i];

		create.name = value_subst(in->vs, create.name, args, args_len, site);
		create.options = value_subst(in->vs, create.options, args, args_len, site);
		note_create(in, create);
	}
}

static void apply_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
		      uint32_t site, struct passage passage);

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
}

/* The callee's summary becomes part of the current event. */
static void apply_summary(struct interp *in, uint32_t fn, const uint32_t *args, uint32_t args_len,
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
static uint32_t join_args(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
			  uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < args_len && n < MAX_ARGS; i++)
		out[n++] = args[i];
	for (uint32_t i = 0; i < value_at(in->vs, fun)->len && n < MAX_ARGS; i++)
		out[n++] = value_child(in->vs, fun, i);
	return n;
}

static void apply_fun(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
		      uint32_t site, struct passage passage)
{
	uint32_t fn = value_at(in->vs, fun)->a;
	uint32_t all[MAX_ARGS];
	uint32_t n = join_args(in, fun, args, args_len, all);

	if (program_function(in->p, fn)->arity != n || in->fun_nesting >= MAX_FUN_NESTING)
		return; /* badarity, or deep enough */
	in->fun_nesting++;
	apply_summary(in, fn, all, n, site, passage);
	in->fun_nesting--;
	if (!passage.only_writes)
		*vec_push(&in->a->edges) = (struct edge){in->fn, fn, passage.is_transaction};
}

/* Escape ---------------------------------------------------------------------------- */

void call_escape(struct interp *in, uint32_t value)
{
	const struct value *n = value_at(in->vs, value);
	const struct value_set *set = value_alternatives(in->vs, value);
	uint32_t len = n->len;

	if (!(n->has & (VALUE_HAS_ARG | VALUE_HAS_TABLE | VALUE_HAS_FUN)) && !set)
		return;
	if (n->kind == VALUE_ARG && n->a < 64)
		in->summary->escaping |= (uint64_t)1 << n->a;
	if (n->kind == VALUE_TABLE)
		*map_put(&in->a->escaped_tables, n->a, NULL) = 1;
	if (n->kind == VALUE_FUN)
		*map_put(&in->a->escaped_fns, n->a, NULL) = 1;
	if (n->kind == VALUE_ELEM || n->kind == VALUE_HD || n->kind == VALUE_TL ||
	    n->kind == VALUE_GET || n->kind == VALUE_OUTER)
		len = 0; /* a piece goes, not the whole */
	for (uint32_t i = 0; i < len; i++)
		call_escape(in, value_child(in->vs, value, i));
	for (uint32_t i = 0; set && i < set->len; i++)
		if (value_at(in->vs, set->items[i])->kind != VALUE_PHI)
			call_escape(in, set->items[i]);
}

static void escape_all(struct interp *in, const uint32_t *args, uint32_t args_len)
{
	for (uint32_t i = 0; i < args_len; i++)
		call_escape(in, args[i]);
}

/* Events ---------------------------------------------------------------------------- */

static bool is_exportable(const struct interp *in, const struct access *access)
{
	return !(value_at(in->vs, access->table)->has & (VALUE_HAS_LOCAL | VALUE_HAS_TOP));
}

/* Notes what had to hold on the way to an access of this very function. */
static void add_facts(struct interp *in, struct access *access)
{
	for (uint8_t i = 0; i < in->now.facts_len && access->facts_len < ACCESS_MAX_FACTS; i++)
		if (value_at(in->vs, in->now.facts[i].value)->has & VALUE_HAS_ARG &&
		    !(value_at(in->vs, in->now.facts[i].value)->has & VALUE_HAS_LOCAL))
			access->facts[access->facts_len++] = in->now.facts[i];
}

static void pair_with_past(struct interp *in, const struct access *write)
{
	bitset_foreach(e, in->now.reads, BITSET_WORDS(STATE_MAX_READS)) {
		const struct read_event event = in->events.items[e];

		for (uint32_t i = 0; i < event.len; i++) {
			struct pair pair = {.read = in->past_reads.items[event.start + i],
					    .write = *write};

			pair_consider(in->a, in->fn, in->summary, &pair);
		}
	}
}

/* The event is complete: writes meet the reads before it, its reads wait for later writes. */
static void finish_event(struct interp *in)
{
	struct read_event event = {(uint32_t)in->past_reads.len, 0};

	for (size_t i = 0; i < in->writes.len; i++) {
		add_facts(in, &in->writes.items[i]);
		pair_with_past(in, &in->writes.items[i]);
		if (is_exportable(in, &in->writes.items[i]))
			summary_add_access(&in->summary->writes, &in->writes.items[i]);
		pair_note_write(in->a, in->fn, &in->writes.items[i]);
	}
	vec_clear(&in->writes);
	for (size_t i = 0; i < in->reads.len; i++) {
		add_facts(in, &in->reads.items[i]);
		*vec_push(&in->past_reads) = in->reads.items[i];
		event.len++;
	}
	vec_clear(&in->reads);
	if (!event.len || in->events.len >= STATE_MAX_READS)
		return;
	bitset_add(in->now.reads, in->events.len);
	*vec_push(&in->events) = event;
}

/* Built-ins ------------------------------------------------------------------------- */

/* The head of the first clause of a match specification, if it is spelled out. */
static uint32_t spec_head(struct interp *in, uint32_t spec)
{
	if (value_at(in->vs, spec)->kind != VALUE_CONS)
		return VALUE_TOP;
	return value_elem(in->vs, value_head(in->vs, spec), 0);
}

static void set_object(struct interp *in, struct access *access, uint32_t object, uint8_t flag)
{
	if (access->kind == RACE_MNESIA) { /* the key of a record is its second element */
		access->key = value_elem(in->vs, object, 1);
		if (flag == ACCESS_PATTERN && value_is_atom(in->vs, access->key,
							    in->a->atoms.underscore))
			access->key = in->a->key_all;
		return;
	}
	access->key = object;
	access->flags |= flag;
}

static void set_key(struct interp *in, struct access *access, const struct builtin *b, uint32_t arg)
{
	switch ((enum builtin_key)b->key) {
	case KEY_ARG: access->key = arg; break;
	case KEY_OBJECT: set_object(in, access, arg, ACCESS_OBJECT); break;
	case KEY_PATTERN: set_object(in, access, arg, ACCESS_PATTERN); break;
	case KEY_SPEC: set_object(in, access, spec_head(in, arg), ACCESS_PATTERN); break;
	case KEY_OID: case KEY_RECORD:
		access->table = value_elem(in->vs, arg, 0);
		access->key = value_elem(in->vs, arg, 1);
		break;
	case KEY_ALL: access->key = in->a->key_all; break;
	case KEY_EXISTS: access->key = in->a->key_exists; break;
	}
}

static bool list_has(const struct interp *in, uint32_t list, uint32_t atom)
{
	for (; value_at(in->vs, list)->kind == VALUE_CONS; list = value_child(in->vs, list, 1))
		if (value_is_atom(in->vs, value_child(in->vs, list, 0), atom))
			return true;
	return false;
}

/* Does file:open with these modes create or change? Unknown modes make it weak. */
static bool modes_write(struct interp *in, uint32_t modes, struct access *access)
{
	if (list_has(in, modes, in->a->atoms.exclusive))
		return false;
	if (list_has(in, modes, in->a->atoms.write) || list_has(in, modes, in->a->atoms.append))
		return true;
	access->flags |= ACCESS_WEAK;
	return !value_is_constant(in->vs, modes);
}

static void access_builtin(struct interp *in, int16_t index, const uint32_t *args,
			   uint32_t args_len, uint32_t site)
{
	const struct builtin *b = &builtins[index];
	struct access access = {
		.kind = b->kind, .role = b->role, .builtin = (uint16_t)index, .site = site,
		.table = b->table < 0 ? value_make(in->vs, VALUE_NIL, 0, 0, NULL, 0)
				      : args[b->table],
		.result = value_result(in->vs, site, 0),
		.flags = (uint8_t)((b->flags & BUILTIN_WEAK ? ACCESS_WEAK : 0) |
				   (b->flags & BUILTIN_ACTIVITY ? ACCESS_ACTIVITY : 0)),
	};

	set_key(in, &access, b, args_len ? args[b->argument] : VALUE_TOP);
	if (b->role == ROLE_USE &&
	    value_at(in->vs, state_known(&in->now, in->vs, access.key))->kind == VALUE_PID) {
		escape_all(in, args, args_len);
		return; /* not by name */
	}
	if (b->flags & BUILTIN_MODES && !modes_write(in, args[1], &access))
		return;
	if (b->role == ROLE_READ) {
		*vec_push(&in->reads) = access;
		return;
	}
	*vec_push(&in->writes) = access;
	for (uint32_t i = 0; i < args_len; i++)
		if ((int)i != b->table)
			call_escape(in, args[i]);
}

/* Reading all names and looking for one is reading that one. */
static void access_member(struct interp *in, uint32_t name, uint32_t list)
{
	bitset_foreach(e, in->now.reads, BITSET_WORDS(STATE_MAX_READS)) {
		const struct read_event event = in->events.items[e];

		for (uint32_t i = 0; i < event.len; i++) {
			struct access access = in->past_reads.items[event.start + i];

			if (access.kind != RACE_REGISTRY || access.key != in->a->key_all ||
			    !value_contains(in->vs, list, access.result))
				continue;
			access.key = name;
			*vec_push(&in->reads) = access;
		}
	}
}

static uint32_t create_table(struct interp *in, int16_t builtin, const uint32_t *args, uint32_t site)
{
	uint32_t parts[2] = {args[0], args[1]};

	note_create(in, (struct create){args[0], args[1], site});
	if (!table_is_named(in->a, args[1])) /* nobody else is in the way of a new one */
		return value_make(in->vs, VALUE_TABLE, site, 0, parts, 2);
	access_builtin(in, builtin, args, 2, site);
	return args[0];
}

/* Functions that run a function --------------------------------------------------------- */

static uint32_t list_to_args(struct interp *in, uint32_t list, uint32_t *args)
{
	uint32_t n = 0;

	for (; value_at(in->vs, list)->kind == VALUE_CONS && n < MAX_ARGS;
	     list = value_child(in->vs, list, 1))
		args[n++] = value_child(in->vs, list, 0);
	return value_at(in->vs, list)->kind == VALUE_NIL ? n : PROGRAM_NONE;
}

/* Resolves M:F with so many arguments, when both are known. */
static uint32_t find_named(const struct interp *in, uint32_t module, uint32_t name, uint32_t arity)
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
	uint32_t fn = n == PROGRAM_NONE ? PROGRAM_NONE : find_named(in, mfa[0], mfa[1], n);

	if (passage.only_writes)
		call_escape(in, mfa[2]);
	if (fn == PROGRAM_NONE)
		return;
	apply_summary(in, fn, args, n, site, passage);
	if (!passage.only_writes)
		*vec_push(&in->a->edges) = (struct edge){in->fn, fn, false};
}

/* What a library function gives to the fun: list functions, the list's elements. */
static void guess_fun_args(struct interp *in, const struct hof *hof, const uint32_t *args,
			   uint32_t site, uint32_t *out, uint32_t n)
{
	uint32_t list = hof->argument == 0 ? args[hof->arity - 1] : args[0];

	for (uint32_t i = 0; i < n; i++)
		out[i] = value_result(in->vs, site, FIRST_FUN_ARGUMENT + i);
	if (n && hof->how == HOF_CALL && hof->arity > 1 && list != VALUE_TOP)
		out[0] = value_head(in->vs, list);
}

/* Remembers a call of a fun that may become known in a caller, or stay unknown. */
static void defer_fun_call(struct interp *in, uint32_t fun, const uint32_t *args, uint32_t args_len,
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
	if (value_at(in->vs, fun)->has & VALUE_HAS_ARG && in->summary->calls.len < SUMMARY_MAX_CALLS)
		*vec_push(&in->summary->calls) = call;
	if (in->a->options->follow_unknown && call.before_len)
		*vec_push(&in->a->unknown_calls) = (struct unknown_call){call, in->fn};
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
		defer_fun_call(in, fun, fun_args, n, site);
	}
	if (passage.only_writes)
		call_escape(in, fun);
}

static bool is_transaction(const struct interp *in, uint32_t kind)
{
	const struct value *n = value_at(in->vs, kind);

	if (n->kind == VALUE_TUPLE && n->len)
		return is_transaction(in, value_child(in->vs, kind, 0));
	return n->kind != VALUE_ATOM || n->a == in->a->atoms.transaction ||
	       n->a == in->a->atoms.sync_transaction;
}

static void run_hof(struct interp *in, int16_t index, const uint32_t *args, uint32_t site)
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

/* Servers --------------------------------------------------------------------------- */

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

static void note_start(struct interp *in, const struct start *start, const uint32_t *args)
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
		program_note_start(in->p, module, name, name != PROGRAM_NONE);
}

/* --calls: a synchronous call is the server's handle_call, run on the way. */
static void call_server(struct interp *in, const uint32_t *args, uint32_t args_len, uint32_t site)
{
	const struct value *to = value_at(in->vs, args[0]);
	const uint64_t *named = to->kind == VALUE_ATOM ? map_get(&in->p->server_names, to->a) : NULL;
	uint32_t module = named ? (uint32_t)*named - 1
				: to->kind == VALUE_ATOM ? program_find_module(in->p, to->a)
							 : PROGRAM_NONE;
	uint32_t own = in->p->fns.items[in->fn].module, name, fn;
	uint32_t state, handle_args[3];

	if (module == PROGRAM_NONE)
		module = own;
	if (!in->p->modules.items[module].is_server)
		return;
	name = program_atom_named(in->p, "handle_call");
	fn = program_find_fn(in->p, in->p->modules.items[module].name, name, 3);
	if (fn == PROGRAM_NONE)
		return;
	state = value_make(in->vs, VALUE_STATE, module, 0, NULL, 0);
	handle_args[0] = args[1];
	handle_args[1] = VALUE_TOP;
	handle_args[2] = state;
	apply_summary(in, fn, handle_args, 3, site, (struct passage){.add = ACCESS_SERVED});
}

/* Calls ----------------------------------------------------------------------------- */

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
	case SPECIAL_HD: return value_head(in->vs, args[0]);
	case SPECIAL_TL: return value_tail(in->vs, args[0]);
	case SPECIAL_ETS_NEW: return create_table(in, target->builtin, args, site);
	case SPECIAL_ARRAY_NEW: {
		uint32_t none = value_make(in->vs, VALUE_NIL, 0, 0, NULL, 0);

		return value_make(in->vs, VALUE_TABLE, site, 0, (uint32_t[]){none, none}, 2);
	}
	case SPECIAL_ETS_WHEREIS: /* the table, or undefined */
		return value_join(in->vs, site, 0, args[0],
				  value_atom(in->vs, in->a->atoms.undefined));
	case SPECIAL_MEMBER: access_member(in, args[0], args[1]); break;
	case SPECIAL_SERVER_CALL:
		if (in->a->options->calls)
			call_server(in, args, args_len, site);
		break;
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
		escape_all(in, args, args_len);
	if (target->start >= 0)
		note_start(in, &starts[target->start], args);
	if (target->builtin >= 0 && target->special != SPECIAL_ETS_NEW)
		access_builtin(in, target->builtin, args, args_len, site);
	if (target->hof >= 0)
		run_hof(in, target->hof, args, site);
	result = call_special(in, target, args, args_len, site);
	finish_event(in);
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
	finish_event(in);
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
		escape_all(in, args, args_len);
		defer_fun_call(in, fun, args, args_len, site);
	}
	finish_event(in);
	return value_result(in->vs, site, 0);
}

uint32_t call_by_name(struct interp *in, uint32_t module, uint32_t name, const uint32_t *args,
		      uint32_t args_len, uint32_t site)
{
	uint32_t fn = find_named(in, module, name, args_len);

	if (fn != PROGRAM_NONE)
		return call_function(in, fn, args, args_len, site);
	escape_all(in, args, args_len < MAX_ARGS ? args_len : MAX_ARGS);
	return value_result(in->vs, site, 0);
}

void call_send(struct interp *in, uint32_t to, uint32_t message, uint32_t site)
{
	uint32_t args[2] = {to, message};

	for (size_t i = 0; i < builtins_len; i++)
		if (builtins[i].function[0] == '!') {
			access_builtin(in, (int16_t)i, args, 2, site);
			break;
		}
	finish_event(in);
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
	n = join_args(in, fun, args, arity - free, all);
	apply_pairs(in, &in->a->summaries[fn], all, n, site, (struct passage){0}, fn);
	apply_creates(in, &in->a->summaries[fn], all, n, site);
}
