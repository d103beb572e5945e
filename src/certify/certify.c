#include "certify/certify.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/plural.h"
#include "certify/demand.h"
#include "core/schedule.h"

/* A certificate that takes more looks at nodes of the tree than this is given up: it would take
 * longer than the search. A demand counts as several looks. */
enum { EFFORT_BASE = 1000000, EFFORT_PER_RUN = 2000, EFFORT_OF_DEMAND = 20 };

/* A demand that no run of the tree seems to meet: the target is asked when all demands are known. */
struct untold {
	uint32_t run;   /* that makes the demand */
	uint32_t first; /* of struct demand */
	uint32_t last;  /* of struct wanted */
};

struct certify {
	struct runs runs;
	uint64_t max_runs;
	uint64_t forgotten; /* 1 + the number of a run, for tests; 0 none */
	uint64_t added;
	bool has_waited;    /* a loop that reads the clock went round in vain */
	bool is_over;       /* there were more runs than can be kept */
	uint32_t len_max;   /* events in the longest run */
	const volatile sig_atomic_t *stop; /* borrowed; or NULL */
	/* while checking */
	struct view view;
	uint32_t run; /* that is shown */
	struct finder finder;
	struct demands demands;
	struct map classes; /* of all runs; empty if the target need not be asked */
	VEC(struct untold) untold;
	VEC(uint64_t) wanted; /* their sets of positions */
	VEC(uint64_t) before; /* scratch: find_before */
	struct map asked;   /* hashes of beginnings that were demanded (view_hash) */
	VEC(struct decision) decisions;
	struct target *target;
	struct strbuf *text;
	struct err *err;
	enum certify_answer answer;
};

struct certify *certify_new(uint64_t max_runs, enum observers observers, uint64_t forgotten)
{
	struct certify *c = mem_zalloc(sizeof(*c));

	runs_init(&c->runs, observers);
	c->max_runs = max_runs;
	c->forgotten = forgotten;
	return c;
}

void certify_free(struct certify *c)
{
	if (!c)
		return;
	runs_release(&c->runs);
	demands_release(&c->demands);
	map_release(&c->asked);
	map_release(&c->classes);
	vec_release(&c->untold);
	vec_release(&c->wanted);
	vec_release(&c->before);
	vec_release(&c->decisions);
	mem_free(c);
}

static void forget_all(struct certify *c)
{
	enum observers observers = c->runs.observers;

	runs_release(&c->runs);
	runs_init(&c->runs, observers);
	c->len_max = 0;
}

void certify_add(struct certify *c, const struct trace *trace)
{
	if (!trace) {
		forget_all(c);
		c->is_over = false;
		c->added = 0;
		c->has_waited = false;
		return;
	}
	c->has_waited |= trace->void_turns && (trace->assumed & ASSUMED_CLOCK);
	if (c->is_over || trace_is_cut(trace) || ++c->added == c->forgotten)
		return;
	if (c->runs.all.len == c->max_runs) {
		c->is_over = true;
		forget_all(c);
		return;
	}
	runs_add(&c->runs, trace);
	if (trace->events_len > c->len_max)
		c->len_max = trace->events_len;
}

/* ---- trying a beginning on the target ---- */

static void list_decisions(struct certify *c, const struct demand *demand)
{
	c->decisions.len = 0;
	bitset_foreach(i, demand->wanted.positions, c->view.words)
		*vec_push(&c->decisions) = decision_of(view_event(&c->view, (uint32_t)i));
	*vec_push(&c->decisions) = decision_of(&c->runs.steps.items[demand->wanted.last]);
}

/* Was the same beginning demanded by another run, or one that is equivalent? */
static bool was_asked(struct certify *c, const struct demand *demand)
{
	uint64_t hash = hash_combine(view_hash(&c->view, demand->wanted.positions),
				     demand->wanted.last);
	bool is_new;

	map_put(&c->asked, hash, &is_new);
	return !is_new;
}

/* Of two positions, the second of which depends on the first: would it be another run in the other
 * order? */
static bool is_of_class(const struct view *view, uint32_t first, uint32_t second)
{
	struct dependence_view later = {view_event(view, second), true, view->runs->observers};

	return bitset_has(view_related(view, second, runs_certain(view->runs)), first) ||
	       dependence_is_shown_by_order(view_event(view, first), &later);
}

/* Is it the delivery of a signal that a later poll of the same process, which finds no message,
 * would have taken along, and does nothing until then depend on it? Then it is the same run
 * without the delivery. */
static bool is_taken_along(const struct view *view, uint32_t delivery)
{
	const struct event *event = view_event(view, delivery);

	if (!runs_have_tags(view->runs) || !event_is_swallowed(event))
		return false;
	for (uint32_t i = delivery + 1; i < view->len; i++) {
		if (bitset_has(view_direct(view, i), delivery))
			return false;
		if (event_is_taken_along(event, view_event(view, i)) &&
		    (view_event(view, i)->flags & EVENT_FAILED))
			return true;
	}
	return false;
}

/* The number under which the step counts in a class. Whether a step had to wait is known of the run
 * only: a wake-up that came before a signal interrupted the wait does not change the step, and is
 * independent of it. */
static uint32_t step_of_class(struct runs *runs, uint32_t step)
{
	struct event event = runs->steps.items[step];

	if (!(event.flags & EVENT_TRY))
		return step;
	event.flags &= (uint8_t)~EVENT_TRY;
	return runs_step(runs, &event);
}

static uint32_t name_of(const struct view *view, uint32_t position)
{
	return view->runs->names.items[view->steps.items[position]];
}

/* Fills c->before with the positions that are before each position in every run of the class. Whether
 * the order of two messages shows may depend on the order of other steps, so two runs of one class can
 * show different pairs; but then other pairs imply those.
 *     A: exit(P, kill), send x to P     P polls before. If P has ended when x comes, the poll and x are
 *                                       not a pair; the order of the poll and the kill implies theirs. */
static void find_before(struct certify *c, const struct view *view)
{
	vec_reserve(&c->before, (size_t)view->len * view->words);
	if (view->len)
		memset(c->before.items, 0, (size_t)view->len * view->words * sizeof(uint64_t));
	for (uint32_t i = 0; i < view->len; i++) {
		uint64_t *before = c->before.items + (size_t)i * view->words;

		bitset_foreach(j, view_direct(view, i), view->words) {
			if (!is_of_class(view, (uint32_t)j, i) || is_taken_along(view, (uint32_t)j))
				continue;
			bitset_add(before, j);
			for (uint32_t w = 0; w < view->words; w++)
				before[w] |= c->before.items[(size_t)j * view->words + w];
		}
	}
}

/* The class of the run shown: its steps, and the order of those that depend on each other. */
static uint64_t hash_class(struct certify *c, const struct view *view)
{
	uint64_t sum = 0;

	find_before(c, view);
	for (uint32_t i = 0; i < view->len; i++) {
		uint32_t step = view->steps.items[i];

		if (is_taken_along(view, i))
			continue;
		sum += hash_combine(step_of_class(view->runs, step), RUNS_NONE);
		bitset_foreach(j, c->before.items + (size_t)i * view->words, view->words)
			sum += hash_combine(name_of(view, (uint32_t)j), name_of(view, i));
	}
	return sum;
}

/* Is the run, which is not in the tree, equivalent to one that is? */
static bool is_known(struct certify *c, const struct trace *trace)
{
	struct view view;
	bool is_known;

	view_init(&view, &c->runs, trace->events_len);
	view_show_trace(&view, trace);
	is_known = map_get(&c->classes, hash_class(c, &view)) != NULL;
	view_release(&view);
	return is_known;
}

static void describe_step(struct certify *c, const struct trace *trace, uint32_t step)
{
	const struct event *event = &c->runs.steps.items[step];
	char name[ACTOR_NAME_MAX];

	actor_name(trace->actors, event->actor, name);
	strbuf_addf(c->text, "%s's %s", name, event_kind_text(event->kind));
	if (event->access_len && event->accesses[0].object) {
		strbuf_adds(c->text, " of ");
		c->target->ops->describe_object(c->target, event->accesses[0].object, c->text);
	}
}

static void describe_gap(struct certify *c, const struct demand *demand, const struct trace *trace)
{
	strbuf_adds(c->text, "the search left out a run, in which ");
	describe_step(c, trace, demand->wanted.last);
	strbuf_adds(c->text, " comes before ");
	describe_step(c, trace, c->view.steps.items[demand->first]);
}

static bool end_with(struct certify *c, enum certify_answer answer)
{
	c->answer = answer;
	return false;
}

/* Asks the target. Returns whether to go on. */
static bool try_demand(struct certify *c, const struct demand *demand)
{
	struct schedule schedule;
	struct trace trace;

	list_decisions(c, demand);
	schedule = certify_gap(c);
	if (!c->target->ops->run(c->target, &schedule, &trace, c->err))
		return end_with(c, CERTIFY_ERROR);
	if (trace.end == END_DIVERGED && trace.events_len < c->decisions.len)
		return true;
	if (trace.end == END_RELEARN || trace.end == END_LOST || trace.end == END_SILENT) {
		strbuf_adds(c->text, "a run that was made to check the search went wrong");
		return end_with(c, CERTIFY_UNKNOWN);
	}
	if (trace_is_cut(&trace) || is_known(c, &trace))
		return true;
	describe_gap(c, demand, &trace);
	return end_with(c, CERTIFY_GAP);
}

struct schedule certify_gap(const struct certify *c)
{
	return (struct schedule){.decisions = c->decisions.items,
				 .decisions_len = (uint32_t)c->decisions.len,
				 .tail = TAIL_FIRST};
}

static bool meet(void *ctx, const struct demand *demand)
{
	struct certify *c = ctx;

	if (demand->is_vague) {
		strbuf_adds(c->text, "too many messages whose order nobody can tell");
		return end_with(c, CERTIFY_UNKNOWN);
	}
	c->finder.effort += EFFORT_OF_DEMAND;
	if (c->finder.effort <= c->finder.effort_max &&
	    (was_asked(c, demand) || find_run(&c->finder, &c->view, &demand->wanted)))
		return true;
	if (c->finder.effort > c->finder.effort_max) {
		strbuf_adds(c->text, "too many ways to compare its runs");
		return end_with(c, CERTIFY_UNKNOWN);
	}
	*vec_push(&c->untold) = (struct untold){c->run, demand->first, demand->wanted.last};
	for (uint32_t w = 0; w < c->view.words; w++)
		*vec_push(&c->wanted) = demand->wanted.positions[w];
	return true;
}

static void list_classes(struct certify *c)
{
	for (uint32_t run = 0; run < c->runs.all.len; run++) {
		view_show(&c->view, run);
		map_put(&c->classes, hash_class(c, &c->view), NULL);
	}
}

static bool is_stopped(const struct certify *c)
{
	return c->stop && *c->stop;
}

static void try_untold(struct certify *c)
{
	if (c->untold.len)
		list_classes(c);
	for (size_t i = 0; i < c->untold.len && !is_stopped(c); i++) {
		const struct untold *untold = &c->untold.items[i];
		struct demand demand = {
			.wanted = {c->wanted.items + i * c->view.words, untold->last},
			.first = untold->first};

		view_show(&c->view, untold->run);
		if (!try_demand(c, &demand))
			return;
	}
}

/* ---- the check ---- */

void certify_stop_at(struct certify *c, const volatile sig_atomic_t *stop)
{
	c->stop = stop;
}

/* The answer if the check ended because it was stopped. A target that is stopped, too, fails. */
static enum certify_answer answer_stopped(struct certify *c)
{
	if (!is_stopped(c) || c->answer == CERTIFY_GAP)
		return c->answer;
	if (c->err)
		c->err->message[0] = '\0';
	strbuf_clear(c->text);
	strbuf_adds(c->text, "the check was stopped before its end");
	return CERTIFY_UNKNOWN;
}

enum certify_answer certify_check(struct certify *c, struct target *target, struct strbuf *text,
				  struct err *err)
{
	c->target = target;
	c->text = text;
	c->err = err;
	c->answer = CERTIFY_CLOSED;
	if (c->is_over) {
		strbuf_addf(text, "more than %lu execution%s", c->max_runs, PLURAL(c->max_runs));
		return CERTIFY_UNKNOWN;
	}
	if (c->has_waited || !c->runs.all.len) {
		strbuf_adds(text, "loops that wait for time to pass");
		return CERTIFY_UNKNOWN;
	}
	c->finder.effort = 0;
	c->finder.effort_max = EFFORT_BASE + EFFORT_PER_RUN * c->runs.all.len;
	view_init(&c->view, &c->runs, c->len_max);
	for (c->run = 0; c->run < c->runs.all.len && c->answer == CERTIFY_CLOSED && !is_stopped(c);
	     c->run++) {
		view_show(&c->view, c->run);
		demands_each(&c->demands, &c->view, c->run, meet, c);
	}
	if (c->answer == CERTIFY_CLOSED)
		try_untold(c);
	view_release(&c->view);
	demands_release(&c->demands);
	finder_release(&c->finder);
	return answer_stopped(c);
}
