#include "certify/view.h"

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
	for (uint32_t r = 0; r < RUNS_RELATIONS; r++)
		vec_release(&view->related[r]);
	vec_release(&view->direct);
	vec_release(&view->past);
	vec_release(&view->positions);
	vec_release(&view->path);
}

static void set_position(struct view *view, uint32_t step, uint32_t position)
{
	uint32_t name = view->runs->names.items[step];

	while (view->positions.len <= name)
		*vec_push(&view->positions) = RUNS_NONE;
	view->positions.items[name] = position;
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
	view->nodes.len = view->steps.len = view->events.len = len;
	view->direct.len = view->past.len = (size_t)len * view->words;
	for (uint32_t r = 0; r < RUNS_RELATIONS; r++)
		view->related[r].len = view->direct.len;
}

/* Fills in the sets of the event, which comes after all that are there. */
static void relate(struct view *view, const struct event *event, uint32_t step,
		   uint64_t *related[RUNS_RELATIONS], uint64_t *direct)
{
	const uint64_t *loose = runs_row(view->runs, step, runs_certain(view->runs));
	const uint64_t *plain = runs_row(view->runs, step, RUNS_PLAIN);
	struct dependence_view later = {event, true, view->runs->observers};

	for (uint32_t i = 0; i < view->len; i++) {
		uint32_t other = view->steps.items[i];

		if (!bitset_has(plain, other))
			continue;
		bitset_add(related[RUNS_PLAIN], i);
		if (bitset_has(loose, other))
			bitset_add(related[RUNS_CERTAIN], i);
		else if (!dependence_is_shown(&view->events.items[i], &later))
			continue;
		bitset_add(direct, i);
	}
}

static void push(struct view *view, uint32_t node, uint32_t step, const struct event *event)
{
	uint64_t *related[RUNS_RELATIONS];
	uint64_t *direct = push_set(&view->direct, view->words);
	uint64_t *past = push_set(&view->past, view->words);

	for (uint32_t r = 0; r < RUNS_RELATIONS; r++)
		related[r] = push_set(&view->related[r], view->words);
	relate(view, event, step, related, direct);
	bitset_foreach(i, direct, view->words) {
		bitset_add(past, i);
		for (uint32_t w = 0; w < view->words; w++)
			past[w] |= view_past(view, (uint32_t)i)[w];
	}
	set_position(view, step, view->len++);
	*vec_push(&view->nodes) = node;
	*vec_push(&view->steps) = step;
	*vec_push(&view->events) = *event;
}

static bool is_same_tagged(const struct event *a, const struct event *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		if (a->accesses[i].detail != b->accesses[i].detail)
			return false;
	return true;
}

void view_show(struct view *view, uint32_t run)
{
	const struct runs *runs = view->runs;
	uint32_t len = runs->all.items[run].len, node = runs->all.items[run].leaf;
	uint32_t tags = runs->all.items[run].tags_from;
	bool is_shared = true;

	vec_reserve(&view->path, len);
	for (uint32_t i = len; i-- > 0; node = runs->nodes.items[node].parent)
		view->path.items[i] = node;
	if (view->len > len)
		cut(view, len);
	for (uint32_t i = 0; i < len; i++) {
		uint32_t step = runs->nodes.items[view->path.items[i]].step;
		struct event event;

		is_shared = is_shared && i < view->len &&
			    view->nodes.items[i] == view->path.items[i];
		if (is_shared && !runs_have_tags(runs))
			continue;
		tags = runs_tagged(runs, step, tags, &event);
		is_shared = is_shared && is_same_tagged(&view->events.items[i], &event);
		if (is_shared)
			continue;
		if (i < view->len)
			cut(view, i);
		push(view, view->path.items[i], step, &event);
	}
}

void view_show_trace(struct view *view, const struct trace *trace)
{
	cut(view, 0);
	for (uint32_t i = 0; i < trace->events_len; i++)
		push(view, RUNS_NONE, runs_step(view->runs, &trace->events[i]), &trace->events[i]);
}
