/* Which nodes the terms of a program name, and from where. This node does not connect to another one,
 * so that only terms refer to nodes.
 *
 * A node that was stopped and started is another one with the same name: its creation differs. */
#include "vm/bifs/bif.h"
#include "vm/bifs/census.h"
#include "vm/terms/remote.h"
#include "vm/vm.h"

/* So many terms of one referrer name one start of a node. The timers of a process count with it. */
struct mention {
	enum census_place place; /* not CENSUS_TIMER */
	term owner;
	uint64_t count;
	uint64_t in_timers;
	uint64_t before; /* the mention of the same start before this one, plus one; or 0 */
};

struct mentions {
	VEC(struct mention) all;
	struct map starts; /* (name, creation): the last mention of it, plus one */
};

static term start_node(uint64_t key)
{
	return atom_make((uint32_t)(key >> 32));
}
static int64_t start_creation(uint64_t key)
{
	return (int64_t)(key & UINT32_MAX);
}

static struct mention *find_mention(struct mentions *m, uint64_t last, enum census_place place,
				    term owner)
{
	for (; last; last = m->all.items[last - 1].before) {
		struct mention *mention = &m->all.items[last - 1];

		if (mention->place == place && mention->owner == owner)
			return mention;
	}
	return NULL;
}

static void count_mention(struct census *c, const term *box)
{
	struct mentions *m = c->ctx;
	enum census_place place = c->place == CENSUS_TIMER ? CENSUS_HEAP : c->place;
	struct mention *mention;
	struct remote remote;
	uint64_t *last;

	if (!term_is_remote(boxed_make(box)))
		return;
	remote = remote_read(boxed_make(box));
	last = map_put(&m->starts, (uint64_t)atom_index(remote.node) << 32 | remote.creation, NULL);
	mention = find_mention(m, *last, place, c->owner);
	if (!mention) {
		mention = vec_push(&m->all);
		*mention = (struct mention){.place = place, .owner = c->owner, .before = *last};
		*last = m->all.len;
	}
	if (c->place == CENSUS_TIMER)
		mention->in_timers++;
	else
		mention->count++;
}

static struct mentions take(struct process *p, const term *args)
{
	struct mentions mentions = {0};
	struct census census = {.p = p, .meet = count_mention, .ctx = &mentions};

	census_take(&census, args, 1);
	return mentions;
}

static void release(struct mentions *m)
{
	vec_release(&m->all);
	map_release(&m->starts);
}

/* ---- terms ---- */

static term named(struct process *p, const char *name, term of)
{
	return heap_tuple2(p, atom_from_string(name), of);
}

static term add_count(struct process *p, const char *name, uint64_t count, term list)
{
	return count ? heap_cons(p, named(p, name, heap_unsigned(p, count)), list) : list;
}

static term show_referrer(struct process *p, const struct mention *m)
{
	static const char *const types[] = {[CENSUS_HEAP] = "process",
					    [CENSUS_TABLE] = "ets",
					    [CENSUS_MATCH_SPEC] = "match_spec",
					    [CENSUS_PERSISTENT] = "system"};
	static const char *const kinds[] = {[CENSUS_HEAP] = "heap",
					    [CENSUS_TABLE] = "ets",
					    [CENSUS_MATCH_SPEC] = "binary",
					    [CENSUS_PERSISTENT] = "system"};
	term owner = m->owner == TERM_NONE ? atom_from_string("persistent_term") : m->owner;
	term counts = add_count(p, kinds[m->place], m->count, NIL);

	counts = add_count(p, "timer", m->in_timers, counts);
	return heap_tuple2(p, named(p, types[m->place], owner), counts);
}

/* {{system, undefined}, [{system, 1}]}: the machine itself refers to its own node. */
static term show_system(struct process *p)
{
	return heap_tuple2(p, named(p, "system", A_undefined), add_count(p, "system", 1, NIL));
}

static term show_start(struct process *p, term node, int64_t creation, uint64_t count,
		       term referrers)
{
	return heap_tuple3(p, heap_tuple2(p, node, small_make(creation)), heap_unsigned(p, count),
			   referrers);
}

static term show_starts(struct process *p, const struct mentions *m)
{
	term list = NIL;

	for (size_t i = m->starts.len; i-- > 0;) {
		uint64_t key = m->starts.entries[i].key, count = 0;
		term referrers = NIL;

		for (uint64_t at = m->starts.entries[i].value; at;
		     at = m->all.items[at - 1].before) {
			const struct mention *mention = &m->all.items[at - 1];

			count += mention->count + mention->in_timers;
			referrers = heap_cons(p, show_referrer(p, mention), referrers);
		}
		list = heap_cons(
			p, show_start(p, start_node(key), start_creation(key), count, referrers),
			list);
	}
	return heap_cons(p, show_start(p, A_nohost, 0, 1, heap_cons(p, show_system(p), NIL)), list);
}

static term show_entry(struct process *p, term node, int64_t creation, term list)
{
	term start = heap_tuple2(p, node, small_make(creation));

	return heap_cons(p, heap_tuple2(p, named(p, "node", start), add_count(p, "node", 1, NIL)),
			 list);
}

/* The starts of a node refer to its name. */
static term show_name(struct process *p, const struct mentions *m, term node)
{
	bool is_own = node == A_nohost;
	uint64_t count = is_own ? 2 : 0;
	term list = is_own ? heap_cons(p, show_system(p), show_entry(p, node, 0, NIL)) : (term)NIL;

	for (size_t i = 0; i < m->starts.len; i++) {
		uint64_t key = m->starts.entries[i].key;

		if (start_node(key) != node)
			continue;
		list = show_entry(p, node, start_creation(key), list);
		count++;
	}
	return heap_tuple3(p, node, heap_unsigned(p, count), list);
}

/* This node, and each other name once. */
static struct term_vec list_names(const struct mentions *m)
{
	struct term_vec names = {0};
	struct map known = {0};

	*vec_push(&names) = A_nohost;
	map_put(&known, A_nohost, NULL);
	for (size_t i = 0; i < m->starts.len; i++) {
		term node = start_node(m->starts.entries[i].key);
		bool is_new = false;

		map_put(&known, node, &is_new);
		if (is_new)
			*vec_push(&names) = node;
	}
	map_release(&known);
	return names;
}

term census_show_nodes(struct process *p, const term *args)
{
	struct mentions mentions = take(p, args);
	struct term_vec names = list_names(&mentions);
	term starts = named(p, "node_references", show_starts(p, &mentions)), list = NIL;

	for (size_t i = names.len; i-- > 0;)
		list = heap_cons(p, show_name(p, &mentions, names.items[i]), list);
	vec_release(&names);
	release(&mentions);
	return heap_tuple2(p, starts, named(p, "dist_references", list));
}

term census_list_nodes(struct process *p, const term *args)
{
	struct mentions mentions = take(p, args);
	struct term_vec names = list_names(&mentions);
	term list = heap_list(p, names.items, names.len, NIL);

	vec_release(&names);
	release(&mentions);
	return list;
}
