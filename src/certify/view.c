#include "certify/view.h"

#include "base/hash.h"
#include "core/dependence.h"

void view_init(struct view *view, struct runs *runs, uint32_t len_max)
{
	*view = (struct view){.runs = runs, .words = (uint32_t)BITSET_WORDS(len_max)};
	if (!view->words)
		view->words = 1;
}

void view_release(struct view *view)
{
	vec_release(&view->nodes);
	vec_release(&view->steps);
	vec_release(&view->events);
	for (uint32_t r = 0; r < RUNS_RELATIONS; r++) {
		vec_release(&view->related[r]);
		vec_release(&view->rivals[r].shown);
		vec_release(&view->rivals[r].sets);
	}
	vec_release(&view->hashes);
	vec_release(&view->scratch);
	vec_release(&view->direct);
	vec_release(&view->past);
	vec_release(&view->behind);
	vec_release(&view->behind_shown);
	vec_release(&view->changed);
	vec_release(&view->present);
	vec_release(&view->retagged);
	vec_release(&view->moved);
	vec_release(&view->positions);
	vec_release(&view->path);
}

static void set_position(struct view *view, uint32_t step, uint32_t position)
{
	uint32_t name = view->runs->names.items[step];

	while (view->positions.len <= name)
		*vec_push(&view->positions) = RUNS_NONE;
	view->positions.items[name] = position;
	while (view->present.len <= step / 64)
		*vec_push(&view->present) = 0;
	if (position == RUNS_NONE)
		bitset_remove(view->present.items, step);
	else
		bitset_add(view->present.items, step);
}

static uint64_t *push_set(struct sets *sets, uint32_t words)
{
	uint64_t *set;

	vec_reserve(sets, sets->len + words);
	set = sets->items + sets->len;
	sets->len += words;
	memset(set, 0, words * sizeof(*set));
	return set;
}

/* Forgets the events from that position on. */
static void cut(struct view *view, uint32_t len)
{
	for (uint32_t i = len; i < view->len; i++)
		set_position(view, view->steps.items[i], RUNS_NONE);
	view->len = len;
	view->nodes.len = view->steps.len = view->events.len = view->hashes.len = len;
	for (uint32_t r = 0; r < RUNS_RELATIONS; r++)
		view->related[r].len = (size_t)len * view->words;
}

/* ---- hashes ---- */

static uint64_t hash_event(uint32_t step, const uint64_t *related, const uint64_t *set,
			   const uint64_t *hashes, uint32_t words)
{
	uint64_t sum = 0;

	for (uint32_t w = 0; w < words; w++)
		for (uint64_t bits = related[w] & set[w]; bits; bits &= bits - 1)
			sum += hashes[w * 64 + (uint32_t)__builtin_ctzll(bits)];
	return hash_combine(step, sum);
}

/* An event has its own hash unless an event that it depends on is missing, or has another hash. */
uint64_t view_hash(struct view *view, const uint64_t *set)
{
	uint64_t sum = 0, *hashes, *changed;

	vec_reserve(&view->scratch, view->len);
	vec_reserve(&view->changed, view->words);
	hashes = view->scratch.items;
	changed = view->changed.items;
	for (uint32_t w = 0; w < view->words; w++)
		changed[w] = ~set[w];
	bitset_foreach(i, set, view->words) {
		const uint64_t *related = view_related(view, (uint32_t)i, RUNS_PLAIN);

		hashes[i] = view->hashes.items[i];
		if (bitset_meet(related, changed, view->words)) {
			hashes[i] = hash_event(view->steps.items[i], related, set, hashes,
					       view->words);
			bitset_add(changed, i);
		}
		sum += hashes[i];
	}
	return sum;
}

/* ---- the parts of an event ---- */

/* Of a step that is present. */
static uint32_t position_of(const struct view *view, uint32_t step)
{
	return view->positions.items[view->runs->names.items[step]];
}

/* Fills in the sets that do not depend on tags. */
static void relate(struct view *view, uint32_t step, uint64_t *related[RUNS_RELATIONS])
{
	struct runs *runs = view->runs;
	const uint64_t *certain = runs_row(runs, step, runs_certain(runs));
	const uint64_t *plain = runs_row(runs, step, RUNS_PLAIN);

	for (uint32_t w = 0; w < view->present.len; w++)
		for (uint64_t bits = plain[w] & view->present.items[w]; bits; bits &= bits - 1) {
			uint32_t other = w * 64 + (uint32_t)__builtin_ctzll(bits);
			uint32_t position = position_of(view, other);

			bitset_add(related[RUNS_PLAIN], position);
			if (bitset_has(certain, other))
				bitset_add(related[RUNS_CERTAIN], position);
		}
}

static void push(struct view *view, uint32_t node, uint32_t step, const struct event *event)
{
	uint64_t *related[RUNS_RELATIONS], hash;

	for (uint32_t r = 0; r < RUNS_RELATIONS; r++)
		related[r] = push_set(&view->related[r], view->words);
	relate(view, step, related);
	hash = hash_event(step, related[RUNS_PLAIN], related[RUNS_PLAIN], view->hashes.items,
			  view->words);
	*vec_push(&view->hashes) = hash;
	set_position(view, step, view->len++);
	*vec_push(&view->nodes) = node;
	*vec_push(&view->steps) = step;
	*vec_push(&view->events) = *event;
}

/* Fills in the positions that the event depends on in this run; returns whether they are others
 * than before. */
static bool find_direct(const struct view *view, uint32_t i, uint64_t *direct)
{
	const uint64_t *certain = view_related(view, i, RUNS_CERTAIN);
	const uint64_t *plain = view_related(view, i, RUNS_PLAIN);
	struct dependence_view later = {view_event(view, i), true, view->runs->observers};
	bool is_changed = false;

	for (uint32_t w = 0; w < view->words; w++) {
		uint64_t shown = certain[w];

		for (uint64_t bits = plain[w] & ~certain[w]; bits; bits &= bits - 1) {
			uint32_t other = w * 64 + (uint32_t)__builtin_ctzll(bits);

			if (dependence_is_shown(view_event(view, other), &later))
				shown |= bits & -bits;
		}
		is_changed |= direct[w] != shown;
		direct[w] = shown;
	}
	return is_changed;
}

/* The same with everything that those depend on. */
static void find_past(const struct view *view, const uint64_t *direct, uint64_t *past)
{
	memcpy(past, direct, view->words * sizeof(*past));
	bitset_foreach(j, direct, view->words)
		for (uint32_t w = 0; w < view->words; w++)
			past[w] |= view_past(view, (uint32_t)j)[w];
}

/* Fills in the sets that depend on tags. The first `shared` events had sets in the run before; of
 * these the set `retagged` have other tags now. */
static void show_order(struct view *view, uint32_t shared)
{
	uint32_t words = view->words;
	uint64_t *moved; /* events with another past */

	vec_reserve(&view->moved, words);
	moved = view->moved.items;
	memset(moved, 0, words * sizeof(*moved));
	view->direct.len = view->past.len = (size_t)shared * words;
	for (uint32_t i = 0; i < view->len; i++) {
		bool is_new = i >= shared, is_moved = is_new;
		uint64_t *direct, *past;

		if (is_new) {
			push_set(&view->direct, words);
			push_set(&view->past, words);
		}
		direct = view->direct.items + (size_t)i * words;
		past = view->past.items + (size_t)i * words;
		if (is_new || bitset_has(view->retagged.items, i) ||
		    bitset_meet(view_related(view, i, RUNS_PLAIN), view->retagged.items, words))
			is_moved |= find_direct(view, i, direct);
		if (!is_moved && !bitset_meet(direct, moved, words))
			continue;
		find_past(view, direct, past);
		bitset_add(moved, i);
	}
}

/* ---- showing a run ---- */

/* Gives the event the tags that it has in the run; *tags goes on behind them. Returns whether they
 * are other ones. */
static bool retag(const struct runs *runs, struct event *event, uint32_t *tags)
{
	bool is_changed = false;

	for (uint32_t i = 0; i < event->access_len; i++) {
		struct access *access = &event->accesses[i];

		if (!access_is_mail(access))
			continue;
		is_changed |= access->detail != runs->tags.items[*tags];
		access->detail = runs->tags.items[(*tags)++];
	}
	return is_changed;
}

/* Fills view->path with the nodes of the run; returns how many of them are shown already. */
static uint32_t find_path(struct view *view, const struct runs_run *run)
{
	const struct runs *runs = view->runs;
	uint32_t node = run->leaf, shared = 0;

	vec_reserve(&view->path, run->len);
	for (uint32_t i = run->len; i-- > 0; node = runs->nodes.items[node].parent)
		view->path.items[i] = node;
	while (shared < run->len && shared < view->len &&
	       view->nodes.items[shared] == view->path.items[shared])
		shared++;
	return shared;
}

static void clear_retagged(struct view *view)
{
	vec_reserve(&view->retagged, view->words);
	memset(view->retagged.items, 0, view->words * sizeof(*view->retagged.items));
}

void view_show(struct view *view, uint32_t run)
{
	const struct runs *runs = view->runs;
	uint32_t len = runs->all.items[run].len, tags = runs->all.items[run].tags_from;
	uint32_t shared = find_path(view, &runs->all.items[run]);

	view->shown++;
	cut(view, shared);
	clear_retagged(view);
	for (uint32_t i = 0; i < shared && runs_have_tags(runs); i++)
		if (retag(runs, &view->events.items[i], &tags))
			bitset_add(view->retagged.items, i);
	for (uint32_t i = shared; i < len; i++) {
		uint32_t step = runs->nodes.items[view->path.items[i]].step;
		struct event event;

		tags = runs_tagged(runs, step, tags, &event);
		push(view, view->path.items[i], step, &event);
	}
	show_order(view, shared);
}

void view_show_trace(struct view *view, const struct trace *trace)
{
	view->shown++;
	cut(view, 0);
	clear_retagged(view);
	for (uint32_t i = 0; i < trace->events_len; i++)
		push(view, RUNS_NONE, runs_step(view->runs, &trace->events[i]), &trace->events[i]);
	show_order(view, 0);
}

/* ---- sets that are filled in when asked ---- */

const uint64_t *view_behind(struct view *view, uint32_t position)
{
	uint64_t *set;

	while (view->behind_shown.len <= position) {
		*vec_push(&view->behind_shown) = 0;
		push_set(&view->behind, view->words);
	}
	set = view->behind.items + (size_t)position * view->words;
	if (view->behind_shown.items[position] == view->shown)
		return set;
	view->behind_shown.items[position] = view->shown;
	memset(set, 0, view->words * sizeof(*set));
	bitset_add(set, position);
	for (uint32_t i = position + 1; i < view->len; i++)
		if (bitset_has(view_past(view, i), position))
			bitset_add(set, i);
	return set;
}

const uint64_t *view_rivals(struct view *view, uint32_t step, enum runs_relation relation)
{
	struct view_rivals *rivals = &view->rivals[relation];
	const uint64_t *row;
	uint64_t *set;

	while (rivals->shown.len <= step) {
		*vec_push(&rivals->shown) = 0;
		push_set(&rivals->sets, view->words);
	}
	set = rivals->sets.items + (size_t)step * view->words;
	if (rivals->shown.items[step] == view->shown)
		return set;
	rivals->shown.items[step] = view->shown;
	memset(set, 0, view->words * sizeof(*set));
	row = runs_row(view->runs, step, relation);
	for (uint32_t w = 0; w < view->present.len; w++)
		for (uint64_t bits = row[w] & view->present.items[w]; bits; bits &= bits - 1) {
			uint32_t other = w * 64 + (uint32_t)__builtin_ctzll(bits);

			bitset_add(set, position_of(view, other));
		}
	return set;
}
