/* context.c: in which processes a function can run.
 *
 * Only exported functions and funs that escape can be run by code that is not analysed (the
 * paper's roots). Callbacks of a behaviour run in its server's process. The initial function of
 * a process with a name of its own runs in that process. From there the knowledge spreads along
 * calls. A function reached from two different kinds of process can run in both at once, like a
 * function that any process may call.
 */
#include "static/analysis.h"

#include <string.h>

static uint32_t join_contexts(uint32_t a, uint32_t b)
{
	if (a == CONTEXT_NONE || a == b)
		return b;
	return b == CONTEXT_NONE ? a : CONTEXT_ANY;
}

static bool is_module_info(const struct program *p, const struct beam_function *f, uint32_t fn)
{
	const struct module *m = &p->modules.items[p->fns.items[fn].module];

	return strcmp(m->bf.atoms[f->name].text, "module_info") == 0;
}

/* Does the process that starts here register itself under a name that is always the same?
 * A second one could not. */
static bool takes_name(const struct analysis *a, uint32_t fn)
{
	const struct summary *s = &a->summaries[fn];

	for (size_t i = 0; i < s->writes.len; i++) {
		const struct access *write = &s->writes.items[i];
		const struct value *pid = value_at(&a->p->vs, write->result);

		if (write->kind == RACE_REGISTRY && write->role == ROLE_WRITE &&
		    !(write->flags & ACCESS_SPAWNED) && pid->kind == VALUE_PID && pid->a == 1 &&
		    value_is_constant(&a->p->vs, write->key))
			return true;
	}
	return false;
}

/* A process that enters a server's loop under its own power: has it taken a name? */
static void note_names(struct analysis *a)
{
	for (uint32_t fn = 0; fn < a->p->fns.len; fn++)
		if (a->summaries[fn].becomes &&
		    (program_function(a->p, fn)->exported || map_get(&a->escaped_fns, fn) ||
		     map_get(&a->spawned_fns, fn)))
			program_note_start(a->p, a->summaries[fn].becomes - 1, "gen_server",
					   PROGRAM_NONE, takes_name(a, fn));
}

static uint32_t root_context(const struct analysis *a, uint32_t fn)
{
	const struct beam_function *f = program_function(a->p, fn);
	bool is_spawned = map_get(&a->spawned_fns, fn) != NULL;

	if (a->p->fns.items[fn].is_callback)
		return a->p->fns.items[fn].module + 1;
	if (a->summaries[fn].becomes)
		return a->summaries[fn].becomes;
	if (is_spawned && !map_get(&a->escaped_fns, fn) && takes_name(a, fn))
		return (uint32_t)a->p->modules.len + fn + 1;
	if (f->exported && !is_module_info(a->p, f, fn))
		return CONTEXT_ANY;
	return is_spawned || map_get(&a->escaped_fns, fn) ? CONTEXT_ANY : CONTEXT_NONE;
}

/* Kinds of processes of which there is one: a server not started without a name, a process
 * with a name of its own, and a process that creates a table with a name. */
static void find_singles(struct analysis *a)
{
	size_t modules = a->p->modules.len;

	a->is_single = mem_zalloc(modules + a->p->fns.len + 1);
	for (size_t i = 0; i < modules; i++)
		a->is_single[i + 1] = !a->p->modules.items[i].is_started_unnamed;
	memset(a->is_single + modules + 1, true, a->p->fns.len);
	for (size_t i = 1; i < a->creates.len; i++) {
		uint32_t context = a->contexts[a->create_fns.items[i]];

		if (context != CONTEXT_NONE && context != CONTEXT_ANY &&
		    table_is_named(a, a->creates.items[i].options))
			a->is_single[context] = true;
	}
}

/* Spreads along edges until nothing changes; each function rises at most twice. */
static void spread(struct analysis *a, uint32_t *contexts, bool with_transactions)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = a->edges.len; i-- > 0;) { /* callers come last: few rounds */
			const struct edge *e = &a->edges.items[i];
			uint32_t joined = join_contexts(contexts[e->callee], contexts[e->caller]);

			if ((e->in_transaction && !with_transactions) ||
			    joined == contexts[e->callee])
				continue;
			contexts[e->callee] = joined;
			changed = true;
		}
	}
}

/* Contexts if an exported function is called only by the callers in other modules that are
 * analysed. Exported functions without such callers are the entries. */
static void spread_seen(struct analysis *a)
{
	size_t n = a->p->fns.len;

	a->seen_contexts = mem_dup(a->roots, n * sizeof(*a->seen_contexts));
	for (size_t i = 0; i < a->edges.len; i++) {
		const struct edge *e = &a->edges.items[i];

		if (a->p->fns.items[e->caller].module != a->p->fns.items[e->callee].module &&
		    !a->p->fns.items[e->callee].is_callback &&
		    !map_get(&a->spawned_fns, e->callee) && !map_get(&a->escaped_fns, e->callee))
			a->seen_contexts[e->callee] = CONTEXT_NONE;
	}
	a->seen_roots = mem_dup(a->seen_contexts, n * sizeof(*a->seen_roots));
	spread(a, a->seen_contexts, true);
	for (uint32_t fn = 0; fn < n; fn++) /* a ring without an entry */
		if (a->seen_contexts[fn] == CONTEXT_NONE)
			a->seen_contexts[fn] = a->seen_roots[fn] = a->roots[fn];
	spread(a, a->seen_contexts, true);
}

void context_spread(struct analysis *a)
{
	size_t n = a->p->fns.len;

	note_names(a);
	a->roots = mem_zalloc(n * sizeof(*a->roots));
	for (uint32_t fn = 0; fn < n; fn++)
		a->roots[fn] = root_context(a, fn);
	a->contexts = mem_dup(a->roots, n * sizeof(*a->contexts));
	a->transaction_contexts = mem_dup(a->roots, n * sizeof(*a->contexts));
	spread(a, a->contexts, false);
	spread(a, a->transaction_contexts, true);
	spread_seen(a);
	find_singles(a);
}
