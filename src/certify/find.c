#include "certify/find.h"

#include "core/dependence.h"

/* A search for messages in another order may have to look at many runs. It is given up after so
 * many nodes, and the beginning is tried on the target, which takes no longer; the end of a run
 * counts as several. */
enum { PATIENCE = 600, END_COST = 50 };

struct search {
	struct finder *finder;
	struct view *view;
	const struct wanted *wanted;
	uint32_t last; /* step; RUNS_NONE: none, or it has come */
	enum runs_relation relation;
	int32_t patience; /* nodes that may be looked at, and runs at their end */
};

static uint64_t *left_at(const struct search *search, uint32_t depth)
{
	return search->finder->left.items + (size_t)depth * search->view->words;
}

static bool is_named_as(const struct runs *runs, uint32_t step, uint32_t other)
{
	return other != RUNS_NONE && runs->names.items[step] == runs->names.items[other];
}

/* ---- the end of a run ---- */

enum { NOT_WANTED = 0xfffffffeu, COMES_LAST = 0xfffffffdu };

/* The place of a step in the wanted order. */
static uint32_t find_place(const struct search *search, uint32_t step)
{
	const struct view *view = search->view;
	uint32_t position = view_position(view, step);

	if (is_named_as(view->runs, step, search->wanted->last))
		return COMES_LAST;
	return position != RUNS_NONE && bitset_has(search->wanted->positions, position)
		       ? position : NOT_WANTED;
}

/* Lists the messages and polls of the run, the last one first, with their tags. */
static void list_mail(struct search *search, uint32_t run)
{
	const struct runs *runs = search->view->runs;
	struct finder *finder = search->finder;
	uint32_t tags = runs_tags_end(runs, run);

	finder->mail.len = 0;
	for (uint32_t node = runs->all.items[run].leaf; runs->nodes.items[node].step != RUNS_NONE;
	     node = runs->nodes.items[node].parent) {
		uint32_t step = runs->nodes.items[node].step;
		uint32_t len = runs_tags_of(&runs->steps.items[step]);
		struct mail *mail;

		if (!len)
			continue;
		tags -= len;
		mail = vec_push(&finder->mail);
		runs_tagged(runs, step, tags, &mail->event);
		mail->step = step;
		mail->place = find_place(search, step);
	}
}

/* Two of the messages, in the order of the run: do they depend on each other in it? Of two that are
 * both wanted only the order counts; where the first is not wanted, it counts, too, that it may
 * have kept the second from being taken. */
static bool are_observed(const struct search *search, size_t first, size_t second)
{
	const struct mail *a = &search->finder->mail.items[first];
	const struct mail *b = &search->finder->mail.items[second];
	struct runs *runs = search->view->runs;
	struct dependence_view later = {&b->event, true, runs->observers};

	return bitset_has(runs_row(runs, a->step, RUNS_PLAIN), b->step) &&
	       !bitset_has(runs_row(runs, a->step, RUNS_CERTAIN), b->step) &&
	       (a->place == NOT_WANTED ? dependence_is_shown(&a->event, &later)
				       : dependence_is_shown_by_order(&a->event, &later));
}

/* The walk has compared everything but the order of messages: what a wanted one depends on must
 * be wanted, and come before it. */
static bool begins_as_wanted(struct search *search, uint32_t run)
{
	const struct finder *finder = search->finder;

	search->patience -= END_COST;
	search->finder->effort += END_COST;
	list_mail(search, run);
	for (size_t b = 0; b < finder->mail.len; b++) {
		uint32_t place = finder->mail.items[b].place;

		for (size_t a = b + 1; place != NOT_WANTED && a < finder->mail.len; a++)
			if (finder->mail.items[a].place > place && are_observed(search, a, b))
				return false;
	}
	return true;
}

/* Does a run below the node begin as wanted, with all messages in their places? */
static bool ends_well(struct search *search, uint32_t node)
{
	const struct runs *runs = search->view->runs;

	if (search->relation == RUNS_PLAIN)
		return true;
	if (search->patience <= 0)
		return false;
	if (runs->nodes.items[node].run != RUNS_NONE)
		return begins_as_wanted(search, runs->nodes.items[node].run);
	for (uint32_t child = runs->nodes.items[node].child; child != RUNS_NONE;
	     child = runs->nodes.items[child].next)
		if (ends_well(search, child))
			return true;
	return false;
}

/* ---- the walk ---- */

/* A way to go on from a node. */
struct way {
	uint32_t step;
	uint32_t position; /* of the step, if it is one of those that are left; else RUNS_NONE */
	bool is_last;
};

static struct way find_way(const struct search *search, const uint64_t *left, uint32_t step)
{
	const struct view *view = search->view;
	struct way way = {step, view_position(view, step),
			  is_named_as(view->runs, step, search->last)};

	if (way.is_last || (way.position != RUNS_NONE && !bitset_has(left, way.position)))
		way.position = RUNS_NONE;
	return way;
}

/* Can the step come next, before all that is left? */
static bool can_follow(const struct search *search, const uint64_t *left, const struct way *way,
		       enum runs_relation relation)
{
	struct view *view = search->view;

	if (way->position != RUNS_NONE)
		return view->steps.items[way->position] == way->step &&
		       !bitset_meet(view_related(view, way->position, relation), left, view->words);
	return !bitset_meet(view_rivals(view, way->step, relation), left, view->words) &&
	       (way->is_last || search->last == RUNS_NONE ||
		!bitset_has(runs_row(view->runs, way->step, relation), search->last));
}

static bool walk(struct search *search, uint32_t node, uint32_t depth);

/* Follows the children that can come next by the relation, but not by `tried`. */
static bool walk_children(struct search *search, uint32_t node, uint32_t depth,
			  enum runs_relation relation, enum runs_relation tried)
{
	const struct runs *runs = search->view->runs;
	uint32_t last = search->last, words = search->view->words;

	for (uint32_t child = runs->nodes.items[node].child; child != RUNS_NONE;
	     child = runs->nodes.items[child].next) {
		const uint64_t *left = left_at(search, depth);
		struct way way = find_way(search, left, runs->nodes.items[child].step);

		if (!can_follow(search, left, &way, relation) ||
		    (tried != relation && can_follow(search, left, &way, tried)))
			continue;
		memcpy(left_at(search, depth + 1), left, words * sizeof(*left));
		if (way.position != RUNS_NONE)
			bitset_remove(left_at(search, depth + 1), way.position);
		if (way.is_last)
			search->last = RUNS_NONE;
		if (walk(search, child, depth + 1))
			return true;
		search->last = last;
	}
	return false;
}

static bool walk(struct search *search, uint32_t node, uint32_t depth)
{
	if (search->finder->effort++ > search->finder->effort_max ||
	    (search->relation == RUNS_CERTAIN && search->patience-- <= 0))
		return false;
	if (search->last == RUNS_NONE &&
	    bitset_is_empty(left_at(search, depth), search->view->words))
		return ends_well(search, node);
	vec_reserve(&search->finder->left, (size_t)(depth + 2) * search->view->words);
	return walk_children(search, node, depth, RUNS_PLAIN, RUNS_PLAIN) ||
	       (search->relation != RUNS_PLAIN &&
		walk_children(search, node, depth, search->relation, RUNS_PLAIN));
}

static bool walk_from(struct search *search, uint32_t start)
{
	const struct view *view = search->view;
	uint64_t *left;

	vec_reserve(&search->finder->left, view->words);
	left = left_at(search, 0);
	search->last = search->wanted->last;
	memcpy(left, search->wanted->positions, view->words * sizeof(*left));
	for (uint32_t i = 0; i < start; i++)
		bitset_remove(left, i);
	return walk(search, start ? view->nodes.items[start - 1] : 0, 0);
}

/* Nearly always the run goes the way of the view's own as long as that is wanted, and
 * independent steps are so in every run. */
bool find_run(struct finder *finder, struct view *view, const struct wanted *wanted)
{
	struct search search = {finder, view, wanted, RUNS_NONE, RUNS_PLAIN, PATIENCE};
	uint32_t start = 0;

	while (start < view->len && view->nodes.items[start] != RUNS_NONE &&
	       bitset_has(wanted->positions, start))
		start++;
	if (walk_from(&search, start))
		return true;
	if (runs_have_tags(view->runs)) {
		search.relation = RUNS_CERTAIN;
		if (walk_from(&search, start))
			return true;
		search.patience = PATIENCE;
	}
	return start && walk_from(&search, 0);
}

void finder_release(struct finder *finder)
{
	vec_release(&finder->left);
	vec_release(&finder->mail);
}
