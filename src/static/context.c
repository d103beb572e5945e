/* context.c: in which processes a function can run.
 *
 * Only exported functions and funs that escape can be run by somebody we do not see (the
 * paper's roots); callbacks of a behaviour run in its server's process. From there the
 * knowledge spreads along calls. A function reached from two different kinds of process
 * can run in both at once, like one that anybody may call.
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

/* A process that enters a server's loop under its own power: has it taken a name? */
static void note_names(struct analysis *a)
{
	for (uint32_t fn = 0; fn < a->p->fns.len; fn++) {
		const struct summary *s = &a->summaries[fn];
		bool is_named = false;

		if (!s->becomes || (!program_function(a->p, fn)->exported &&
				    !map_get(&a->escaped_fns, fn)))
			continue;
		for (size_t i = 0; i < s->writes.len; i++)
			is_named |= s->writes.items[i].kind == RACE_REGISTRY &&
				    s->writes.items[i].role == ROLE_WRITE &&
				    value_is_constant(&a->p->vs, s->writes.items[i].key);
		program_note_start(a->p, s->becomes - 1, PROGRAM_NONE, is_named);
	}
}

static uint32_t root_context(const struct analysis *a, uint32_t fn)
{
	const struct beam_function *f = program_function(a->p, fn);

	if (a->p->fns.items[fn].is_callback)
		return a->p->fns.items[fn].module + 1;
	if (a->summaries[fn].becomes)
		return a->summaries[fn].becomes;
	if (f->exported && !is_module_info(a->p, f, fn))
		return CONTEXT_ANY;
	return map_get(&a->escaped_fns, fn) ? CONTEXT_ANY : CONTEXT_NONE;
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

/* Contexts if nobody calls an exported function but those that are seen to, from other
 * modules. Exported functions without such callers are the entries. */
static void spread_seen(struct analysis *a)
{
	size_t n = a->p->fns.len;

	a->seen_contexts = mem_dup(a->roots, n * sizeof(*a->seen_contexts));
	for (size_t i = 0; i < a->edges.len; i++) {
		const struct edge *e = &a->edges.items[i];

		if (a->p->fns.items[e->caller].module != a->p->fns.items[e->callee].module &&
		    !a->p->fns.items[e->callee].is_callback &&
		    !map_get(&a->escaped_fns, e->callee))
			a->seen_contexts[e->callee] = CONTEXT_NONE;
	}
	spread(a, a->seen_contexts, true);
	for (uint32_t fn = 0; fn < n; fn++) /* a ring without an entry */
		if (a->seen_contexts[fn] == CONTEXT_NONE)
			a->seen_contexts[fn] = a->roots[fn];
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
}
