#include "static/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "static/analysis.h"
#include "static/collect.h"
#include "static/describe.h"

enum { ROUNDS_IN_RECURSION = 3 };

/* The best candidate of a pair of sites. */
struct found {
	const struct candidate *c;
	struct rating rating;
	bool is_shadowed;
	size_t next;
};

static void find_atoms(struct analysis *a)
{
	struct program *p = a->p;

	a->atoms.undefined = program_atom_named(p, "undefined");
	a->atoms.public = program_atom_named(p, "public");
	a->atoms.protected = program_atom_named(p, "protected");
	a->atoms.private = program_atom_named(p, "private");
	a->atoms.named_table = program_atom_named(p, "named_table");
	a->atoms.keypos = program_atom_named(p, "keypos");
	a->atoms.local = program_atom_named(p, "local");
	a->atoms.name = program_atom_named(p, "name");
	a->atoms.underscore = program_atom_named(p, "_");
	a->atoms.transaction = program_atom_named(p, "transaction");
	a->atoms.sync_transaction = program_atom_named(p, "sync_transaction");
	a->atoms.write = program_atom_named(p, "write");
	a->atoms.append = program_atom_named(p, "append");
	a->atoms.exclusive = program_atom_named(p, "exclusive");
	a->atoms.init = program_atom_named(p, "init");
	a->atoms.true_ = program_atom_named(p, "true");
	/* literals that no program can contain: the numbers are not hashes */
	a->key_all = value_make(&p->vs, VALUE_LIT, 1, 0, NULL, 0);
	a->key_exists = value_make(&p->vs, VALUE_LIT, 2, 0, NULL, 0);
}

static void init(struct analysis *a, struct program *p, const struct races_options *options)
{
	*a = (struct analysis){.p = p, .options = options};
	a->summaries = mem_zalloc(p->fns.len * sizeof(*a->summaries));
	*vec_push(&a->paths) = (struct path_node){0}; /* number 0 means none, everywhere */
	*vec_push(&a->candidates) = (struct candidate){0};
	*vec_push(&a->writers) = (struct writer){0};
	*vec_push(&a->creates) = (struct create){0};
	*vec_push(&a->create_next) = 0;
	*vec_push(&a->create_fns) = 0;
	find_atoms(a);
}

static void release(struct analysis *a)
{
	for (size_t i = 0; i < a->p->fns.len; i++)
		summary_release(&a->summaries[i]);
	mem_free(a->summaries);
	mem_free(a->order);
	mem_free(a->component);
	mem_free(a->is_recursive);
	mem_free(a->roots);
	mem_free(a->contexts);
	mem_free(a->transaction_contexts);
	mem_free(a->seen_contexts);
	mem_free(a->seen_roots);
	vec_release(&a->paths);
	vec_release(&a->candidates);
	map_release(&a->candidate_heads);
	vec_release(&a->writers);
	map_release(&a->writer_heads);
	vec_release(&a->creates);
	map_release(&a->create_heads);
	vec_release(&a->create_next);
	vec_release(&a->create_fns);
	map_release(&a->escaped_tables);
	map_release(&a->escaped_fns);
	map_release(&a->spawned_fns);
	mem_free(a->is_single);
	vec_release(&a->edges);
	vec_release(&a->unknown_calls);
}

/* Callees first; functions that call each other a few times over. */
static void interpret_all(struct analysis *a)
{
	size_t n = a->p->fns.len;

	order_functions(a);
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t component = a->component[a->order[i]];
		int rounds = a->is_recursive[a->order[i]] ? ROUNDS_IN_RECURSION : 1;

		for (end = i; end < n && a->component[a->order[end]] == component;)
			end++;
		for (int round = 0; round < rounds; round++)
			for (size_t k = i; k < end; k++)
				interp_function(a, a->order[k]);
	}
}

static bool is_quiet(const struct program *p, uint32_t fn)
{
	const struct module *m = &p->modules.items[p->fns.items[fn].module];

	for (size_t i = 0; i < m->quiet.len; i++)
		if (m->quiet.items[i] == p->fns.items[fn].index)
			return true;
	return false;
}

static bool is_silenced(const struct program *p, const struct candidate *c)
{
	return is_quiet(p, c->fn) || is_quiet(p, program_fn_of_site(p, c->pair.read.site)) ||
	       is_quiet(p, program_fn_of_site(p, c->pair.write.site));
}

static uint32_t length_of(const struct candidate *c)
{
	return (uint32_t)c->pair.read.depth + c->pair.write.depth;
}

/* Of the candidates for one pair of sites, the surest; of equals, the shortest. */
static bool find_best(struct analysis *a, uint32_t head, const struct candidate **best,
		      struct rating *rating)
{
	*best = NULL;
	rating->confidence = RATED_INNOCENT;
	for (uint32_t i = head; i; i = a->candidates.items[i].next) {
		const struct candidate *c = &a->candidates.items[i];
		struct rating j = rate_candidate(a, c);

		if (j.confidence == RATED_INNOCENT || is_silenced(a->p, c) ||
		    (j.confidence == RATED_LOW && !a->options->all))
			continue;
		if (*best && (j.confidence < rating->confidence ||
			      (j.confidence == rating->confidence &&
			       length_of(c) >= length_of(*best))))
			continue;
		*best = c;
		*rating = j;
	}
	return *best != NULL;
}

static int compare_suspects(const void *x, const void *y)
{
	const struct suspect *a = x, *b = y;
	int order = strcmp(a->read.module, b->read.module);

	if (order)
		return order;
	if (a->read.line != b->read.line)
		return a->read.line < b->read.line ? -1 : 1;
	if ((order = strcmp(a->write.module, b->write.module)))
		return order;
	if (a->write.line != b->write.line)
		return a->write.line < b->write.line ? -1 : 1;
	if ((order = strcmp(a->read.call, b->read.call)))
		return order;
	return strcmp(a->write.call, b->write.call);
}

/* Two instructions of one line and call look alike in a report: one is enough. */
static size_t drop_twins(struct suspect *items, size_t len)
{
	size_t kept = 0;

	for (size_t i = 0; i < len; i++) {
		if (kept && compare_suspects(&items[kept - 1], &items[i]) == 0) {
			if (items[i].confidence > items[kept - 1].confidence)
				items[kept - 1] = items[i];
			continue;
		}
		items[kept++] = items[i];
	}
	return kept;
}

/* Several pairs of one function and the same calls have the same text, and would have one id. The
 * second gets an id of its own, and so on. Reports of low confidence are numbered last, so that
 * the id of another report does not depend on --all. */
static void number_twins(struct suspect *items, size_t len)
{
	struct map counts = {0};

	for (int is_low = 0; is_low < 2; is_low++)
		for (size_t i = 0; i < len; i++) {
			uint64_t *count, number;

			if ((items[i].confidence == SUSPECT_LOW) != is_low)
				continue;
			count = map_put(&counts, items[i].fingerprint, NULL);
			number = (*count)++;
			if (number)
				items[i].fingerprint = hash_combine(items[i].fingerprint, number);
		}
	map_release(&counts);
}

/* Is fn entered on the way from a candidate's function to its write? */
static bool is_on_the_way(const struct analysis *a, const struct candidate *c, uint32_t fn)
{
	uint32_t path = c->pair.write.path;

	if (!path)
		return false;
	while ((path = a->paths.items[path].next))
		if (program_fn_of_site(a->p, a->paths.items[path].site) == fn)
			return true;
	return program_fn_of_site(a->p, c->pair.write.site) == fn;
}

/* A recursive function is on the way from itself to itself. A read in one turn and a write in the
 * next belong together if the key moves on, from one argument to another:
 *
 *     turn(Name, Next) -> register(Name, self()), undefined = whereis(Next), turn(Next, more()).
 *
 * The pairs of a loop whose key is the same in every turn stay shadowed, and so does a write of
 * which it is in doubt whether the next turn gets there. */
static bool is_moved_on(struct analysis *a, const struct candidate *c)
{
	const struct access_vec *writes = &a->summaries[c->fn].writes;
	const struct access *write = &c->pair.write;
	uint32_t keypos = table_describe(a, c->fn, write->table).keypos;

	if (write->flags & ACCESS_DOUBTFUL ||
	    value_is_constant(&a->p->vs, access_key(a, &c->pair.read, keypos)))
		return false;
	for (size_t i = 0; i < writes->len; i++) { /* the same write in the same turn */
		const struct access *own = &writes->items[i];

		if (own->site == write->site && own->depth < write->depth &&
		    access_key(a, own, keypos) == access_key(a, write, keypos))
			return false;
	}
	return true;
}

static bool shadows(struct analysis *a, const struct found *inner, const struct found *outer)
{
	return inner->rating.confidence >= RATED_MEDIUM &&
	       (inner->c->fn != outer->c->fn || !is_moved_on(a, outer->c)) &&
	       inner->c->pair.read.key != a->key_all && is_on_the_way(a, outer->c, inner->c->fn);
}

/* A pair further in makes its own check just before the write: that is the one to report. */
static void lower_shadowed(struct analysis *a, struct found *items, size_t len)
{
	struct map heads = {0}; /* write site -> last item + 1; chained through next */

	for (size_t i = 0; i < len; i++) {
		uint64_t *head = map_put(&heads, items[i].c->pair.write.site, NULL);

		items[i].next = *head;
		*head = i + 1;
	}
	for (size_t i = 0; i < len; i++) {
		size_t head = *map_get(&heads, items[i].c->pair.write.site);

		for (size_t k = head; k; k = items[k - 1].next)
			items[i].is_shadowed |= k - 1 != i && shadows(a, &items[k - 1], &items[i]);
	}
	map_release(&heads);
}

static void collect_suspects(struct analysis *a, struct races *races)
{
	VEC(struct suspect) found = {0};
	VEC(struct found) best = {0};

	for (size_t i = 0; i < a->candidate_heads.len; i++) {
		struct found f = {0};

		if (find_best(a, (uint32_t)a->candidate_heads.entries[i].value, &f.c, &f.rating))
			*vec_push(&best) = f;
	}
	lower_shadowed(a, best.items, best.len);
	for (size_t i = 0; i < best.len; i++) {
		if (best.items[i].is_shadowed)
			best.items[i].rating = (struct rating){
				RATED_LOW, "checked again just before the write"};
		if (best.items[i].rating.confidence > RATED_LOW || a->options->all)
			*vec_push(&found) = describe_candidate(a, &races->arena, best.items[i].c,
							       best.items[i].rating);
	}
	vec_release(&best);
	if (found.len)
		qsort(found.items, found.len, sizeof(*found.items), compare_suspects);
	races->found.len = drop_twins(found.items, found.len);
	number_twins(found.items, races->found.len);
	races->found.items = arena_alloc(&races->arena, found.len * sizeof(*found.items));
	if (found.len)
		memcpy(races->found.items, found.items,
		       races->found.len * sizeof(*found.items));
	vec_release(&found);
}

static void load(struct races *races, struct program *p, const char *const *paths, size_t paths_len)
{
	struct path_vec files = {0}, errors = {0};
	struct err err = {0};

	for (size_t i = 0; i < paths_len; i++)
		if (!collect_beam_files(&races->arena, paths[i], &files, &err))
			*vec_push(&errors) = arena_strdup(&races->arena, err.message);
	for (size_t i = 0; i < files.len; i++)
		if (!program_add(p, files.items[i], &err))
			*vec_push(&errors) = arena_strdup(&races->arena, err.message);
	races->found.errors_len = errors.len;
	races->found.errors = arena_alloc(&races->arena, errors.len * sizeof(*errors.items));
	if (errors.len)
		memcpy(races->found.errors, errors.items, errors.len * sizeof(*errors.items));
	vec_release(&files);
	vec_release(&errors);
}

void races_analyse(struct races *races, const char *const *paths, size_t paths_len,
		   const struct races_options *options)
{
	struct program p;
	struct analysis a;

	*races = (struct races){0};
	program_init(&p);
	load(races, &p, paths, paths_len);
	program_link(&p);
	init(&a, &p, options);
	interpret_all(&a);
	follow_unknown_calls(&a);
	context_spread(&a);
	collect_suspects(&a, races);
	races->found.modules = p.modules.len;
	races->found.functions = p.fns.len;
	release(&a);
	program_release(&p);
}

void races_release(struct races *races)
{
	arena_release(&races->arena);
	*races = (struct races){0};
}
