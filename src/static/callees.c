/* callees.c: sorts the functions so that callees come before their callers.
 *
 * The call graph here only fixes the order of work, so it may have too many edges: a function
 * that starts processes or applies by name gets an edge to every exported function of its
 * module whose name it mentions. Components are found with Tarjan's algorithm, written with
 * a stack of its own since call chains are long.
 */
#include "static/analysis.h"

struct graph {
	VEC(uint32_t) heads;   /* fn -> first edge; one more than functions */
	VEC(uint32_t) callees;
};

/* Is this a call through which functions are reached by name? */
static bool is_by_name(const struct target *t)
{
	if (t->special == SPECIAL_SERVER_CALL)
		return true;
	if (t->hof < 0)
		return false;
	return hofs[t->hof].how == HOF_CALL_MFA || hofs[t->hof].how == HOF_SPAWN_MFA;
}

static const struct target *called_import(const struct module *m, const struct beam_instr *instr)
{
	if (instr->op != OP_call_ext && instr->op != OP_call_ext_last &&
	    instr->op != OP_call_ext_only)
		return NULL;
	return &m->targets[instr->operands[1].value];
}

static void add_named(const struct program *p, const struct module *m,
		      const struct beam_function *f, struct graph *g)
{
	for (uint32_t i = f->first; i < f->end; i++)
		for (uint8_t k = 0; k < m->bf.instrs[i].operands_len; k++) {
			const struct beam_operand *o = &m->bf.instrs[i].operands[k];

			for (size_t e = 0; o->kind == BEAM_ATOM && e < m->bf.exports_len; e++)
				if (m->bf.exports[e].function == o->value)
					*vec_push(&g->callees) = program_find_fn(
						p, m->name, m->atoms[o->value],
						m->bf.exports[e].arity);
		}
	for (size_t i = 0; i < m->bf.functions_len; i++)
		if (p->fns.items[m->fns_base + i].is_callback)
			*vec_push(&g->callees) = m->fns_base + (uint32_t)i;
}

static void add_calls(const struct program *p, uint32_t fn, struct graph *g)
{
	const struct module *m = &p->modules.items[p->fns.items[fn].module];
	const struct beam_function *f = program_function(p, fn);
	bool by_name = false;

	for (uint32_t i = f->first; i < f->end; i++) {
		const struct beam_instr *instr = &m->bf.instrs[i];
		const struct target *t = called_import(m, instr);
		uint32_t label = 0;

		if (instr->op == OP_call || instr->op == OP_call_last || instr->op == OP_call_only)
			label = (uint32_t)instr->operands[1].value;
		else if (instr->op == OP_make_fun2 || instr->op == OP_make_fun3)
			label = m->bf.funs[instr->operands[0].value].label;
		if (label)
			*vec_push(&g->callees) = m->fns_base +
						 beamfile_function_of_label(&m->bf, label);
		if (t && t->fn != PROGRAM_NONE)
			*vec_push(&g->callees) = t->fn;
		by_name |= t && is_by_name(t);
	}
	if (by_name)
		add_named(p, m, f, g);
}

struct tarjan {
	struct analysis *a;
	const struct graph *g;
	uint32_t *index;   /* 0: not seen */
	uint32_t *low;
	uint32_t *next;    /* edge to look at next */
	VEC(uint32_t) work;  /* functions being visited */
	VEC(uint32_t) stack; /* functions without a component yet */
	uint32_t counter;
	uint32_t components;
	size_t done;
};

static void open_fn(struct tarjan *t, uint32_t fn)
{
	t->index[fn] = t->low[fn] = ++t->counter;
	t->next[fn] = t->g->heads.items[fn];
	*vec_push(&t->work) = fn;
	*vec_push(&t->stack) = fn;
}

static void close_component(struct tarjan *t, uint32_t root)
{
	bool several = *vec_last(&t->stack) != root;
	uint32_t fn;

	t->components++;
	do {
		fn = vec_pop(&t->stack);
		t->a->component[fn] = t->components;
		t->a->is_recursive[fn] |= several;
		t->a->order[t->done++] = fn;
	} while (fn != root);
}

/* One step of the visit of the function on top. */
static void visit(struct tarjan *t)
{
	uint32_t fn = *vec_last(&t->work);

	while (t->next[fn] < t->g->heads.items[fn + 1]) {
		uint32_t callee = t->g->callees.items[t->next[fn]++];

		if (callee == fn)
			t->a->is_recursive[fn] = true;
		if (!t->index[callee]) {
			open_fn(t, callee);
			return;
		}
		if (!t->a->component[callee] && t->index[callee] < t->low[fn])
			t->low[fn] = t->index[callee];
	}
	t->work.len--;
	if (t->low[fn] == t->index[fn])
		close_component(t, fn);
	if (t->work.len && t->low[fn] < t->low[*vec_last(&t->work)])
		t->low[*vec_last(&t->work)] = t->low[fn];
}

static void build_graph(const struct program *p, struct graph *g)
{
	for (uint32_t fn = 0; fn < p->fns.len; fn++) {
		*vec_push(&g->heads) = (uint32_t)g->callees.len;
		add_calls(p, fn, g);
	}
	*vec_push(&g->heads) = (uint32_t)g->callees.len;
}

void order_functions(struct analysis *a)
{
	size_t n = a->p->fns.len;
	struct graph g = {0};
	struct tarjan t = {.a = a, .g = &g};

	build_graph(a->p, &g);
	a->order = mem_zalloc(n * sizeof(*a->order));
	a->component = mem_zalloc(n * sizeof(*a->component));
	a->is_recursive = mem_zalloc(n * sizeof(*a->is_recursive));
	t.index = mem_zalloc(n * sizeof(*t.index));
	t.low = mem_zalloc(n * sizeof(*t.low));
	t.next = mem_zalloc(n * sizeof(*t.next));
	for (uint32_t fn = 0; fn < n; fn++) {
		if (!t.index[fn])
			open_fn(&t, fn);
		while (t.work.len)
			visit(&t);
	}
	mem_free(t.index);
	mem_free(t.low);
	mem_free(t.next);
	vec_release(&t.work);
	vec_release(&t.stack);
	vec_release(&g.heads);
	vec_release(&g.callees);
}
