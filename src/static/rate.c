/* rate.c: decides which candidates are suspects, and of which confidence.
 *
 * Run when everything has been seen: a table may be created, and a name registered, in any
 * module. The order is that of certainty: first the reasons why a pair cannot be a race, then
 * the reasons for doubt.
 */
#include "static/analysis.h"

#include <string.h>

static struct rating innocent(void)
{
	return (struct rating){RATED_INNOCENT, ""};
}

/* The function whose runs are the runs of the pair. */
static uint32_t code_of(const struct candidate *c)
{
	return c->pair.in_closure ? c->pair.closure : c->fn;
}

uint32_t rate_context(const struct analysis *a, const struct candidate *c)
{
	uint32_t fn = code_of(c);

	return a->contexts[fn] != CONTEXT_NONE ? a->contexts[fn] : a->transaction_contexts[fn];
}

/* Two servers that create a table of the same name cannot live at the same time, so the writes of
 * the other server, and of processes that it starts, cannot come in between. Functions that its
 * module exports may be called by any process. */
static bool is_of_rival(const struct analysis *a, uint32_t fn, uint32_t name, uint32_t context)
{
	const uint64_t *head = map_get(&a->create_heads, name);
	uint32_t rival = a->p->fns.items[fn].module + 1;
	bool is_ours = false, is_theirs = false;

	if (!head || rival == context ||
	    (program_function(a->p, fn)->exported && !a->p->fns.items[fn].is_callback))
		return false;
	for (uint32_t c = (uint32_t)*head; c; c = a->create_next.items[c]) {
		is_ours |= a->contexts[a->create_fns.items[c]] == context;
		is_theirs |= a->contexts[a->create_fns.items[c]] == rival;
	}
	return is_ours && is_theirs;
}

/* Do only the callers, all of which are seen, know the key? Then the write is noted in them, too,
 * unless it is too deep or there are too many. */
static bool is_of_callers(const struct analysis *a, const struct writer *writer)
{
	return a->seen_roots[writer->fn] == CONTEXT_NONE &&
	       value_at(&a->p->vs, writer->access.key)->has & VALUE_HAS_ARG &&
	       writer->access.depth + 1 < SUMMARY_MAX_DEPTH &&
	       a->summaries[writer->fn].writes.len < SUMMARY_MAX_ACCESSES;
}

/* Can the write of other code be of the key of this candidate? Where its two ends have the same key
 * either of them may be the one that says more:
 *
 *     [{Key, _}] = ets:lookup(tab, {name, N}), ets:insert(tab, {Key, New}) */
static bool is_apart(struct analysis *a, const struct candidate *c, const struct access *theirs)
{
	const struct access *write = &c->pair.write;
	uint32_t keypos = table_describe(a, PROGRAM_NONE, write->table).keypos;

	return access_are_apart(a, write, theirs, keypos) ||
	       (pair_keys(a, c->fn, &c->pair) == VALUE_EQUAL &&
		access_are_apart(a, &c->pair.read, theirs, keypos));
}

/* The code outside this server, going by these contexts, that writes the same thing; or NULL. */
static const struct writer *find_writer(struct analysis *a, const uint32_t *contexts,
					const struct candidate *c, uint32_t context)
{
	const struct values *vs = &a->p->vs;
	const struct access *write = &c->pair.write;
	const struct value *table = value_at(vs, write->table), *key = value_at(vs, write->key);
	const struct value *name = table->kind == VALUE_NIL ? key : table;
	const uint64_t *head;

	if (name->kind != VALUE_ATOM)
		return NULL;
	head = map_get(&a->writer_heads, (uint64_t)write->kind << 32 | name->a);
	for (uint32_t w = head ? (uint32_t)*head : 0; w; w = a->writers.items[w].next) {
		const struct writer *writer = &a->writers.items[w];
		uint32_t theirs = contexts[writer->fn];

		if (theirs != CONTEXT_NONE && theirs != context &&
		    !(contexts == a->seen_contexts && is_of_callers(a, writer)) &&
		    !(table->kind == VALUE_ATOM && is_of_rival(a, writer->fn, name->a, context)) &&
		    !is_apart(a, c, &writer->access))
			return writer;
	}
	return NULL;
}

/* Does all this run in one kind of process, of which there is one, and does no other process write?
 * A process that takes its name as it starts may have a rival until then: with the registry
 * itself it is not alone. */
static bool is_serialised(struct analysis *a, const uint32_t *contexts, uint32_t context,
			  const struct candidate *c)
{
	const struct access *write = &c->pair.write;

	if (context == CONTEXT_ANY || context == CONTEXT_NONE || !a->is_single[context])
		return false;
	if (write->flags & ACCESS_SPAWNED || write->role == ROLE_USE ||
	    (write->kind == RACE_REGISTRY && context > a->p->modules.len))
		return false;
	return !find_writer(a, contexts, c, context);
}

/* Only callers decide which table is meant or whether the access is reached; and all callers are
 * known. */
static bool is_up_to_callers(const struct analysis *a, const struct candidate *c)
{
	const struct pair *pair = &c->pair;

	if (a->roots[c->fn] != CONTEXT_NONE)
		return false;
	return pair->read.facts_len || pair->write.facts_len ||
	       (race_kind_is_confinable(pair->read.kind) &&
		value_at(&a->p->vs, pair->write.table)->has & VALUE_HAS_ARG);
}

/* Which processes may write an ETS table? Any process can use the name of a table. */
static struct rating rate_table(const struct table_info *table, bool is_about_name)
{
	if (is_about_name && table->is_named)
		return (struct rating){RATED_HIGH, ""};
	if (table->access == TABLE_CLOSED || table->is_confined)
		return innocent();
	if (table->access == TABLE_UNKNOWN)
		return (struct rating){RATED_LOW,
					  table->creation == PROGRAM_NONE
						  ? "the creation of the table is not seen"
						  : "the table's access rights are not known"};
	return (struct rating){RATED_HIGH, ""};
}

static struct rating rate_ends(const struct pair *pair, enum value_relation tables,
				   enum value_relation keys)
{
	uint16_t flags = pair->read.flags | pair->write.flags;

	if (tables != VALUE_EQUAL)
		return (struct rating){RATED_LOW, "the tables are not known to be the same"};
	if (keys != VALUE_EQUAL)
		return (struct rating){RATED_LOW, "the keys are not known to be the same"};
	if (flags & ACCESS_WEAK)
		return (struct rating){RATED_LOW, "the write checks by itself"};
	if (pair->write.flags & ACCESS_CAUGHT)
		return (struct rating){RATED_LOW, "the failure of the second step is handled"};
	if (pair->read.flags & pair->write.flags & ACCESS_TRANSACTION)
		return (struct rating){RATED_LOW, "dirty operations inside a transaction"};
	if (flags & ACCESS_UNKNOWN)
		return (struct rating){RATED_MEDIUM, "through a call of an unknown fun"};
	return (struct rating){RATED_HIGH, ""};
}

/* Reached in transactions only: the closure was found protected. */
static bool is_in_transaction(const struct analysis *a, const struct candidate *c)
{
	uint32_t fn = code_of(c);

	return a->contexts[fn] == CONTEXT_NONE && a->transaction_contexts[fn] != CONTEXT_NONE;
}

struct rating rate_candidate(struct analysis *a, const struct candidate *c)
{
	const struct access *read = &c->pair.read, *write = &c->pair.write;
	struct table_info table = table_describe(a, c->fn, write->table);
	enum value_relation tables = pair_tables(a, &c->pair), keys = pair_keys(a, c->fn, &c->pair);
	bool is_about_name = read->key == a->key_exists && write->key == a->key_exists &&
			     strcmp(builtins[write->builtin].function, "new") == 0;
	struct rating ends, shared = {RATED_HIGH, ""};
	uint32_t context = rate_context(a, c);

	if (read->flags & ACCESS_ACTIVITY || write->flags & ACCESS_ACTIVITY ||
	    tables == VALUE_DIFFERENT || keys == VALUE_DIFFERENT ||
	    context == CONTEXT_NONE || is_up_to_callers(a, c) ||
	    is_serialised(a, a->contexts, context, c))
		return innocent();
	if (read->kind == RACE_ETS)
		shared = rate_table(&table, is_about_name);
	else if (table.is_confined)
		return innocent();
	if (read->kind == RACE_MNESIA && is_in_transaction(a, c))
		shared = (struct rating){RATED_LOW, "dirty operations inside a transaction"};
	ends = rate_ends(&c->pair, tables, keys);
	if (ends.confidence > RATED_LOW && access_is_own(a, read, table.keypos) &&
	    access_is_own(a, write, table.keypos))
		return (struct rating){RATED_LOW, "the key holds the pid of the process itself"};
	if (ends.confidence > RATED_LOW && access_is_new(a, read, table.keypos) &&
	    access_is_new(a, write, table.keypos))
		return (struct rating){RATED_LOW, "the key holds a new reference or number"};
	/* any process could call it, but all known calls are in one process */
	if (ends.confidence > RATED_LOW &&
	    is_serialised(a, a->seen_contexts, a->seen_contexts[code_of(c)], c))
		return (struct rating){RATED_LOW, "only one process is seen to run this"};
	return shared.confidence < ends.confidence ? shared : ends;
}

const struct writer *rate_find_rival(struct analysis *a, const struct candidate *c)
{
	uint32_t context = rate_context(a, c);
	const struct writer *seen;

	if (context == CONTEXT_ANY || context == CONTEXT_NONE || !a->is_single[context])
		return NULL;
	seen = find_writer(a, a->seen_contexts, c, context);
	return seen ? seen : find_writer(a, a->contexts, c, context);
}
