/* entry.c: the function by which other processes get to a write.
 *
 * A report about code that only one server runs names a write of other code. Whether that write
 * matters is decided where its process comes from, which may be several calls away:
 *
 *     gproc:goodbye/0 -> gproc:process_is_down/1 -> gproc_lib:remove_reg/3 -> ets:delete/2
 *
 * The entry of the write is goodbye/0: the nearest function, going back along calls, that code
 * which is not analysed, a new process or another server begins with.
 */
#include "static/analysis.h"

/* First call into each function, and for each call the next one into the same function. */
struct callers {
	uint32_t *heads; /* edge + 1; 0 = none */
	uint32_t *nexts;
};

static struct callers index_callers(const struct analysis *a)
{
	struct callers callers = {
		mem_zalloc(a->p->fns.len * sizeof(uint32_t)),
		mem_zalloc((a->edges.len + 1) * sizeof(uint32_t)),
	};

	for (uint32_t i = 0; i < a->edges.len; i++) {
		callers.nexts[i] = callers.heads[a->edges.items[i].callee];
		callers.heads[a->edges.items[i].callee] = i + 1;
	}
	return callers;
}

static bool is_entry(const uint32_t *roots, uint32_t fn, uint32_t context)
{
	return roots[fn] != CONTEXT_NONE && roots[fn] != context;
}

/* Breadth first: of several entries the nearest, which a reader finds soonest. */
static uint32_t search_back(const struct analysis *a, const struct callers *callers,
			    const uint32_t *roots, uint32_t fn, uint32_t context)
{
	bool *is_seen = mem_zalloc(a->p->fns.len);
	VEC(uint32_t) queue = {0};
	uint32_t found = PROGRAM_NONE;

	*vec_push(&queue) = fn;
	is_seen[fn] = true;
	for (size_t at = 0; at < queue.len && found == PROGRAM_NONE; at++) {
		uint32_t callee = queue.items[at];

		if (is_entry(roots, callee, context))
			found = callee;
		for (uint32_t e = callers->heads[callee]; e; e = callers->nexts[e - 1]) {
			uint32_t caller = a->edges.items[e - 1].caller;

			if (!is_seen[caller])
				*vec_push(&queue) = caller;
			is_seen[caller] = true;
		}
	}
	vec_release(&queue);
	mem_free(is_seen);
	return found;
}

uint32_t entry_find(const struct analysis *a, uint32_t fn, uint32_t context)
{
	struct callers callers = index_callers(a);
	uint32_t found = search_back(a, &callers, a->seen_roots, fn, context);

	if (found == PROGRAM_NONE)
		found = search_back(a, &callers, a->roots, fn, context);
	mem_free(callers.heads);
	mem_free(callers.nexts);
	return found;
}
