#include "certify/runs.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "base/mem.h"
#include "core/dependence.h"

static const struct runs_node root = {RUNS_NONE, RUNS_NONE, RUNS_NONE, RUNS_NONE, RUNS_NONE};

void runs_init(struct runs *runs, enum observers observers)
{
	*runs = (struct runs){.observers = observers};
	*vec_push(&runs->nodes) = root;
}

void runs_release(struct runs *runs)
{
	for (uint32_t r = 0; r < RUNS_RELATIONS; r++)
		runs_rows_release(&runs->rows[r]);
	vec_release(&runs->steps);
	vec_release(&runs->same_hash);
	vec_release(&runs->names);
	vec_release(&runs->announced);
	vec_release(&runs->nodes);
	vec_release(&runs->all);
	vec_release(&runs->ghosts);
	vec_release(&runs->tags);
	vec_release(&runs->path);
	map_release(&runs->by_hash);
	map_release(&runs->by_name);
}

/* ---- steps ---- */

static bool is_same_access(const struct access *a, const struct access *b)
{
	return a->object == b->object && a->mode == b->mode && a->announced == b->announced &&
	       (a->detail == b->detail || access_is_mail(a));
}

static bool is_same_step(const struct event *a, const struct event *b)
{
	bool is_same = a->actor == b->actor && a->ordinal == b->ordinal && a->kind == b->kind &&
		       a->flags == b->flags && a->peer == b->peer &&
		       a->peer_ordinal == b->peer_ordinal && a->deadline == b->deadline &&
		       a->access_len == b->access_len;

	for (uint32_t i = 0; is_same && i < a->access_len; i++)
		is_same = is_same_access(&a->accesses[i], &b->accesses[i]);
	return is_same;
}

static uint64_t hash_step(const struct event *event)
{
	uint64_t hash = hash_combine((uint64_t)event->actor << 32 | event->ordinal,
				     (uint64_t)event->kind << 32 | event->peer);

	for (uint32_t i = 0; i < event->access_len; i++)
		hash = hash_combine(hash, event->accesses[i].object + event->accesses[i].mode);
	return hash;
}

static uint32_t name_of(struct runs *runs, const struct event *event)
{
	bool is_new;
	uint64_t *name = map_put(&runs->by_name, (uint64_t)event->actor << 32 | event->ordinal,
				 &is_new);

	if (is_new)
		*name = runs->by_name.len - 1;
	return (uint32_t)*name;
}

uint32_t runs_step(struct runs *runs, const struct event *event)
{
	bool is_new;
	uint64_t *first = map_put(&runs->by_hash, hash_step(event), &is_new);
	uint32_t number = (uint32_t)runs->steps.len;

	for (uint32_t i = is_new ? RUNS_NONE : (uint32_t)*first; i != RUNS_NONE;
	     i = runs->same_hash.items[i])
		if (is_same_step(&runs->steps.items[i], event))
			return i;
	*vec_push(&runs->same_hash) = is_new ? RUNS_NONE : (uint32_t)*first;
	*first = number;
	*vec_push(&runs->steps) = *event;
	*vec_push(&runs->names) = name_of(runs, event);
	*vec_push(&runs->announced) = RUNS_NONE;
	return number;
}

uint32_t runs_announced(struct runs *runs, uint32_t step)
{
	if (runs->announced.items[step] == RUNS_NONE) {
		struct event event = event_as_announced(&runs->steps.items[step]);
		uint32_t number;

		if (event_exit_receiver(&event) != ACTOR_NONE)
			event.flags &= (uint8_t)~EVENT_FAILED; /* elsewhere it may be in time */
		number = runs_step(runs, &event);
		runs->announced.items[step] = number;
	}
	return runs->announced.items[step];
}

const uint64_t *runs_row_of(struct runs *runs, struct runs_rows *rows, uint32_t step,
			    bool (*holds)(const struct event *, const struct event *))
{
	size_t words = BITSET_WORDS(runs->steps.len);
	struct runs_row *row;

	while (rows->len <= step)
		*vec_push(rows) = (struct runs_row){0};
	row = &rows->items[step];
	if (row->known == runs->steps.len)
		return row->words;
	if (words > row->cap) {
		row->words = mem_realloc(row->words, words * sizeof(*row->words));
		memset(row->words + row->cap, 0, (words - row->cap) * sizeof(*row->words));
		row->cap = (uint32_t)words;
	}
	for (; row->known < runs->steps.len; row->known++)
		if (holds(&runs->steps.items[step], &runs->steps.items[row->known]))
			bitset_add(row->words, row->known);
	return row->words;
}

void runs_rows_release(struct runs_rows *rows)
{
	for (size_t i = 0; i < rows->len; i++)
		mem_free(rows->items[i].words);
	vec_release(rows);
}

const uint64_t *runs_row(struct runs *runs, uint32_t step, enum runs_relation relation)
{
	return runs_row_of(runs, &runs->rows[relation], step,
			   relation == RUNS_PLAIN ? dependence_is_plain : dependence_is_certain);
}

uint32_t runs_tagged(const struct runs *runs, uint32_t step, uint32_t tags_from,
		     struct event *event)
{
	*event = runs->steps.items[step];
	if (!runs_have_tags(runs))
		return tags_from;
	for (uint32_t i = 0; i < event->access_len; i++)
		if (access_is_mail(&event->accesses[i]))
			event->accesses[i].detail = runs->tags.items[tags_from++];
	return tags_from;
}

uint32_t runs_tags_of(const struct event *event)
{
	uint32_t len = 0;

	for (uint32_t i = 0; i < event->access_len; i++)
		len += access_is_mail(&event->accesses[i]);
	return len;
}

uint32_t runs_tags_end(const struct runs *runs, uint32_t run)
{
	return runs->all.items[run].tags_from + runs->all.items[run].tags_len;
}

static void add_tags(struct runs *runs, const struct event *event)
{
	for (uint32_t i = 0; i < event->access_len; i++)
		if (access_is_mail(&event->accesses[i]))
			*vec_push(&runs->tags) = event->accesses[i].detail;
}

/* ---- the tree ---- */

static uint32_t find_child(struct runs *runs, uint32_t parent, uint32_t step)
{
	uint32_t child = runs->nodes.items[parent].child, before = RUNS_NONE;
	struct runs_node *node;

	while (child != RUNS_NONE && runs->nodes.items[child].step != step) {
		before = child;
		child = runs->nodes.items[child].next;
	}
	if (child != RUNS_NONE)
		return child;
	child = (uint32_t)runs->nodes.len;
	node = vec_push(&runs->nodes);
	*node = root;
	node->step = step;
	node->parent = parent;
	if (before == RUNS_NONE)
		runs->nodes.items[parent].child = child;
	else
		runs->nodes.items[before].next = child;
	return child;
}

/* How many events of the trace are those of the run before it. */
static uint32_t find_shared(const struct runs *runs, const struct trace *trace)
{
	uint32_t shared = 0;

	while (shared < trace->events_len && shared < runs->path.len &&
	       is_same_step(&trace->events[shared],
			    &runs->steps.items[runs->nodes.items[runs->path.items[shared]].step]))
		shared++;
	return shared;
}

static void add_ghost(struct runs *runs, const struct event *event, uint32_t withdrawn_by,
		      uint32_t opened_by)
{
	struct runs_ghost ghost = {runs_step(runs, event), (uint32_t)runs->tags.len, withdrawn_by,
				   opened_by};

	*vec_push(&runs->ghosts) = ghost;
	add_tags(runs, event);
}

static bool is_withdrawn_by(const struct trace *trace, uint32_t actor, uint32_t step)
{
	for (uint32_t i = 0; i < trace->withdrawn_len; i++)
		if (trace->withdrawn[i].event.actor == actor && trace->withdrawn[i].step == step)
			return true;
	return false;
}

/* The timer, which fired as event `end` or was still pending, is behind all steps of its owner. It
 * may have been enabled before some of them: there it could have gone first, as if that step had
 * withdrawn it. The target is to say so (contract.h), but the certificate does not rely on it. */
static void add_standing(struct runs *runs, const struct trace *trace, const struct event *timer,
			 uint32_t end)
{
	for (uint32_t i = end; i-- > 0 && trace->events[i].actor != timer->actor;)
		if (trace->events[i].actor == event_owner(timer) &&
		    bitset_has(trace_enabled(trace, i), timer->actor) &&
		    !is_withdrawn_by(trace, timer->actor, i))
			add_ghost(runs, timer, i, RUNS_NONE);
}

/* The step was pending when the run ended, and not possible. It was possible before the last step that
 * kept it back, so it could have gone first, as if that step had withdrawn it. */
static void add_kept_back(struct runs *runs, const struct trace *trace, const struct event *pending)
{
	uint32_t i = trace->events_len;

	if (!(pending->flags & EVENT_BLOCKED) || !pending->access_len)
		return;
	while (i-- > 0 && trace->events[i].actor != pending->actor)
		if (bitset_has(trace_enabled(trace, i), pending->actor)) {
			if (!is_withdrawn_by(trace, pending->actor, i))
				add_ghost(runs, pending, i, RUNS_NONE);
			return;
		}
}

static void add_ghosts(struct runs *runs, const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->withdrawn_len; i++)
		add_ghost(runs, &trace->withdrawn[i].event, trace->withdrawn[i].step,
			  trace->withdrawn[i].opened ? trace->withdrawn[i].opened - 1 : RUNS_NONE);
	for (uint32_t i = 0; i < trace->pending_len; i++)
		add_ghost(runs, &trace->pending[i], RUNS_NONE, RUNS_NONE);
	for (uint32_t i = 0; i < trace->pending_len; i++)
		add_kept_back(runs, trace, &trace->pending[i]);
	for (uint32_t i = 0; i < trace->events_len; i++)
		if (event_owner(&trace->events[i]) != ACTOR_NONE)
			add_standing(runs, trace, &trace->events[i], i);
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (event_owner(&trace->pending[i]) != ACTOR_NONE)
			add_standing(runs, trace, &trace->pending[i], trace->events_len);
}

void runs_add(struct runs *runs, const struct trace *trace)
{
	struct runs_run run = {.len = trace->events_len,
			       .ghosts_from = (uint32_t)runs->ghosts.len,
			       .tags_from = (uint32_t)runs->tags.len};

	runs->path.len = find_shared(runs, trace);
	while (runs->path.len < trace->events_len) {
		uint32_t parent = runs->path.len ? *vec_last(&runs->path) : 0;
		uint32_t step = runs_step(runs, &trace->events[runs->path.len]);

		*vec_push(&runs->path) = find_child(runs, parent, step);
	}
	for (uint32_t i = 0; i < trace->events_len; i++)
		add_tags(runs, &trace->events[i]);
	run.tags_len = (uint32_t)runs->tags.len - run.tags_from;
	add_ghosts(runs, trace);
	run.leaf = runs->path.len ? *vec_last(&runs->path) : 0;
	run.ghosts_len = (uint32_t)runs->ghosts.len - run.ghosts_from;
	runs->nodes.items[run.leaf].run = (uint32_t)runs->all.len;
	*vec_push(&runs->all) = run;
}
