/* judge.c: which candidates are suspects.
 *
 * Run when everything has been seen: a table may be created, and a name registered, in any
 * module. The order is that of certainty: first what cannot be a race, then what makes it
 * doubtful.
 */
#include "static/analysis.h"

#include <string.h>

static struct judgement innocent(void)
{
	return (struct judgement){JUDGED_INNOCENT, ""};
}

static uint32_t context_of(const struct analysis *a, const struct candidate *c)
{
	uint32_t fn = c->pair.in_closure ? c->pair.closure : c->fn;

	return a->contexts[fn] != CONTEXT_NONE ? a->contexts[fn] : a->transaction_contexts[fn];
}

/* Does code outside this server, going by these contexts, write the same thing? */
static bool others_write(struct analysis *a, const uint32_t *contexts, const struct access *write,
			 uint32_t context)
{
	const struct values *vs = &a->p->vs;
	const struct value *table = value_at(vs, write->table), *key = value_at(vs, write->key);
	const struct value *name = table->kind == VALUE_NIL ? key : table;
	uint32_t keypos = table_describe(a, write->table).keypos;
	const uint64_t *head;

	if (name->kind != VALUE_ATOM)
		return false;
	head = map_get(&a->writer_heads, (uint64_t)write->kind << 32 | name->a);
	for (uint32_t w = head ? (uint32_t)*head : 0; w; w = a->writers.items[w].next) {
		const struct writer *writer = &a->writers.items[w];
		uint32_t theirs = contexts[writer->fn];

		if (theirs != CONTEXT_NONE && theirs != context &&
		    access_relate_keys(a, write, &writer->access, keypos) != VALUE_DIFFERENT)
			return true;
	}
	return false;
}

/* Is there never more than one such process? One that takes its name as it starts may have a
 * rival until then: of the registry itself it is not alone. */
static bool is_alone(const struct analysis *a, uint32_t context, const struct access *write)
{
	return a->is_single[context] &&
	       (write->kind != RACE_REGISTRY || context <= a->p->modules.len);
}

/* All in the callbacks of a server of which there is one, and nobody else writes. */
static bool is_serialised(struct analysis *a, const struct candidate *c)
{
	uint32_t context = context_of(a, c);

	if (context == CONTEXT_ANY || context == CONTEXT_NONE || c->pair.write.flags & ACCESS_SPAWNED ||
	    c->pair.write.role == ROLE_USE)
		return false;
	return is_alone(a, context, &c->pair.write) &&
	       !others_write(a, a->contexts, &c->pair.write, context);
}

/* Whose table it is, or whether an argument leads there, only callers know; and all of
 * them are seen. */
static bool is_up_to_callers(const struct analysis *a, const struct candidate *c)
{
	const struct pair *pair = &c->pair;

	if (a->roots[c->fn] != CONTEXT_NONE)
		return false;
	return pair->read.facts_len || pair->write.facts_len ||
	       (race_kind_is_confinable(pair->read.kind) &&
		value_at(&a->p->vs, pair->write.table)->has & VALUE_HAS_ARG);
}

/* Anybody could call this, but all calls that we see are in the callbacks of one server. */
static bool is_served_in_fact(struct analysis *a, const struct candidate *c)
{
	uint32_t fn = c->pair.in_closure ? c->pair.closure : c->fn;
	uint32_t context = a->seen_contexts[fn];

	return context != CONTEXT_NONE && context != CONTEXT_ANY &&
	       c->pair.write.role != ROLE_USE && !(c->pair.write.flags & ACCESS_SPAWNED) &&
	       is_alone(a, context, &c->pair.write) &&
	       !others_write(a, a->seen_contexts, &c->pair.write, context);
}

/* Tables of ETS: who may write them? A name can be taken by anybody. */
static struct judgement judge_table(const struct table_info *table, bool is_about_name)
{
	if (is_about_name && table->is_named)
		return (struct judgement){JUDGED_HIGH, ""};
	if (table->access == TABLE_CLOSED || table->is_confined)
		return innocent();
	if (table->access == TABLE_UNKNOWN)
		return (struct judgement){JUDGED_LOW,
					  table->creation == PROGRAM_NONE
						  ? "the creation of the table is not seen"
						  : "the table's access rights are not known"};
	return (struct judgement){JUDGED_HIGH, ""};
}

static struct judgement judge_ends(const struct pair *pair, enum value_relation tables,
				   enum value_relation keys)
{
	uint16_t flags = pair->read.flags | pair->write.flags;

	if (tables != VALUE_EQUAL)
		return (struct judgement){JUDGED_LOW, "the tables are not known to be the same"};
	if (keys != VALUE_EQUAL)
		return (struct judgement){JUDGED_LOW, "the keys are not known to be the same"};
	if (flags & ACCESS_WEAK)
		return (struct judgement){JUDGED_LOW, "the write checks by itself"};
	if (pair->read.flags & pair->write.flags & ACCESS_TRANSACTION)
		return (struct judgement){JUDGED_LOW, "dirty operations inside a transaction"};
	if (flags & ACCESS_UNKNOWN)
		return (struct judgement){JUDGED_MEDIUM, "through a call of an unknown fun"};
	return (struct judgement){JUDGED_HIGH, ""};
}

/* Reached in transactions only: the closure was found protected. */
static bool is_in_transaction(const struct analysis *a, const struct candidate *c)
{
	uint32_t fn = c->pair.in_closure ? c->pair.closure : c->fn;

	return a->contexts[fn] == CONTEXT_NONE && a->transaction_contexts[fn] != CONTEXT_NONE;
}

struct judgement judge_candidate(struct analysis *a, const struct candidate *c)
{
	const struct access *read = &c->pair.read, *write = &c->pair.write;
	struct table_info table = table_describe(a, write->table);
	enum value_relation tables = pair_tables(a, &c->pair), keys = pair_keys(a, &c->pair);
	bool is_about_name = read->key == a->key_exists && write->key == a->key_exists &&
			     strcmp(builtins[write->builtin].function, "new") == 0;
	struct judgement ends, shared = {JUDGED_HIGH, ""};

	if (read->flags & ACCESS_ACTIVITY || write->flags & ACCESS_ACTIVITY ||
	    tables == VALUE_DIFFERENT || keys == VALUE_DIFFERENT ||
	    context_of(a, c) == CONTEXT_NONE || is_serialised(a, c) || is_up_to_callers(a, c))
		return innocent();
	if (read->kind == RACE_ETS)
		shared = judge_table(&table, is_about_name);
	else if (table.is_confined)
		return innocent();
	if (read->kind == RACE_MNESIA && is_in_transaction(a, c))
		shared = (struct judgement){JUDGED_LOW, "dirty operations inside a transaction"};
	ends = judge_ends(&c->pair, tables, keys);
	if (ends.confidence > JUDGED_LOW && is_served_in_fact(a, c))
		return (struct judgement){JUDGED_LOW, "only one process is seen to run this"};
	return shared.confidence < ends.confidence ? shared : ends;
}
