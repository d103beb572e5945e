#include "cli/search/suggest.h"

#include "base/mem.h"
#include "base/vec.h"
#include "cli/search/stopping.h"
#include "explain/weak.h"
#include "explore/explore.h"
#include "native/native.h"

enum { ROUNDS_MAX = 16 };

/* A place with an atomic operation. */
struct place {
	uint64_t site, object;
	uint16_t kind;
	uint8_t order; /* as written */
};

struct suggester {
	const struct test_options *options;
	struct target *target;
	struct arena arena;
	FILE *out;
	VEC(struct place) places;
	VEC(struct channel_order) orders; /* that differ from the ones written */
	bool collects; /* places, from the runs of the search */
	uint32_t searches;
};

enum answer { ANSWER_PROVED, ANSWER_BUG, ANSWER_OPEN };

/* ---- places ---- */

static bool is_atomic(const struct event *e)
{
	if (e->kind == EVENT_LOAD)
		return !(e->flags & EVENT_BY_KERNEL); /* the kernel's order is not the program's */
	return e->kind == EVENT_STORE || e->kind == EVENT_RMW || e->kind == EVENT_CAS ||
	       e->kind == EVENT_FENCE;
}

/* Of a compare-and-swap the order of success. */
static uint8_t order_of(const struct event *e)
{
	return e->flags & EVENT_FAILED ? e->other_order : e->memory_order;
}

static struct place *find_place(struct suggester *s, uint64_t site)
{
	for (size_t p = 0; p < s->places.len; p++)
		if (s->places.items[p].site == site)
			return &s->places.items[p];
	return NULL;
}

static void add_place(struct suggester *s, const struct event *e)
{
	if (is_atomic(e) && !find_place(s, e->site))
		*vec_push(&s->places) = (struct place){
			e->site, e->access_len ? e->accesses[0].object : 0, e->kind, order_of(e)};
}

static void collect(void *ctx, const struct trace *trace)
{
	struct suggester *s = ctx;

	if (!s->collects)
		return;
	if (!trace)
		s->places.len = 0; /* the search begins anew */
	for (uint32_t i = 0; trace && i < trace->events_len; i++)
		add_place(s, &trace->events[i]);
}

static void print_place(struct suggester *s, uint64_t site, uint32_t kind, uint64_t object)
{
	struct target_frame frame = {0};
	struct strbuf name = {0};

	s->target->ops->describe_site(s->target, site, &frame);
	if (object)
		s->target->ops->describe_object(s->target, object, &name);
	fprintf(s->out, "  %s:%u  %s%s%s: ", frame.file ? frame.file : "?", frame.line,
		event_kind_text(kind), name.len ? " " : "", strbuf_text(&name));
	strbuf_release(&name);
}

static const char *order_text(uint8_t order)
{
	static const char *const texts[] = {
		[MEMORY_ORDER_NONE] = "none",       [MEMORY_ORDER_RELAXED] = "relaxed",
		[MEMORY_ORDER_ACQUIRE] = "acquire", [MEMORY_ORDER_RELEASE] = "release",
		[MEMORY_ORDER_ACQ_REL] = "acq_rel", [MEMORY_ORDER_SEQ_CST] = "seq_cst",
	};

	return texts[order];
}

/* ---- searches ---- */

/* Searches with the orders of s->orders; *result must be released. */
static enum answer search(struct suggester *s, struct explore_result *result)
{
	const struct test_options *o = s->options;
	struct explore_options options = {
		.strategy = o->strategy,
		.params = {.seed = o->seed, .bound = UINT32_MAX, .memory = o->memory},
		.max_runs = o->max_runs,
		.max_seconds = o->max_time,
		.ignored = o->ignore,
		.stop = &stop_wanted,
		.ran = collect,
		.ctx = s,
	};
	struct target_facts facts;
	struct err err = {0};

	s->searches++;
	if (!native_set_orders(s->target, s->orders.items, (uint32_t)s->orders.len) ||
	    !explore(s->target, &options, result, &err))
		return ANSWER_OPEN;
	s->target->ops->facts(s->target, &facts);
	if (result->found.len)
		return ANSWER_BUG;
	return result->complete && !facts.not_proof[0] ? ANSWER_PROVED : ANSWER_OPEN;
}

static bool is_proved(struct suggester *s)
{
	struct explore_result result = {0};
	bool is_proved = search(s, &result) == ANSWER_PROVED;

	explore_result_release(&result);
	return is_proved;
}

/* ---- weaker ---- */

/* Is there such an order for this kind of operation, weaker than the one written? */
static bool is_weaker(const struct place *place, uint8_t order)
{
	bool is_read = place->kind != EVENT_STORE, is_write = place->kind != EVENT_LOAD;

	if (order >= place->order || (order == MEMORY_ORDER_ACQUIRE && !is_read) ||
	    (order == MEMORY_ORDER_RELEASE && !is_write) ||
	    (order == MEMORY_ORDER_ACQ_REL && !(is_read && is_write)))
		return false;
	return !(order == MEMORY_ORDER_ACQUIRE && place->order == MEMORY_ORDER_RELEASE);
}

static void weaken(struct suggester *s, const struct place *place)
{
	uint8_t order = MEMORY_ORDER_RELAXED;

	for (; order < place->order && !stop_wanted; order++) {
		if (!is_weaker(place, order))
			continue;
		s->orders.len = 0;
		*vec_push(&s->orders) = (struct channel_order){.site = place->site,
							       .order = order};
		if (is_proved(s))
			break;
	}
	print_place(s, place->site, place->kind, place->object);
	if (order < place->order)
		fprintf(s->out, "%s, and %s is enough\n", order_text(place->order),
			order_text(order));
	else
		fprintf(s->out, "%s, and weaker is not proved\n", order_text(place->order));
}

static void weaken_all(struct suggester *s)
{
	uint32_t already = 0;

	if (!s->places.len) {
		fprintf(s->out, "orders: the program has no atomic operation after its first thread\n");
		return;
	}
	fprintf(s->out, "orders, each tried alone:\n");
	for (size_t p = 0; p < s->places.len && !stop_wanted; p++) {
		if (s->places.items[p].order == MEMORY_ORDER_RELAXED)
			already++;
		else
			weaken(s, &s->places.items[p]);
	}
	if (already)
		fprintf(s->out, "  %u more %s relaxed\n", already, already == 1 ? "is" : "are");
}

/* ---- stronger ---- */

static void set_order(struct suggester *s, uint64_t site, uint8_t order)
{
	for (size_t i = 0; i < s->orders.len; i++)
		if (s->orders.items[i].site == site) {
			/* acquire and release together */
			if (s->orders.items[i].order + order ==
			    MEMORY_ORDER_ACQUIRE + MEMORY_ORDER_RELEASE)
				order = MEMORY_ORDER_ACQ_REL;
			if (order > s->orders.items[i].order)
				s->orders.items[i].order = order;
			return;
		}
	*vec_push(&s->orders) = (struct channel_order){.site = site, .order = order};
}

/* Adds orders that forbid the run of the finding; false if there are none. */
static bool forbid(struct suggester *s, const struct found *found)
{
	struct stronger changes[STRONGER_MAX];
	uint32_t len = explain_find_stronger(found, changes);

	for (uint32_t i = 0; i < len; i++) {
		const struct event *e = &found->trace->events[changes[i].step];

		add_place(s, e); /* of a place that is new, the order is still the one written */
		set_order(s, e->site, changes[i].order);
	}
	return len > 0;
}

/* Takes back what is not needed. */
static void reduce(struct suggester *s)
{
	for (size_t i = 0; i < s->orders.len && !stop_wanted;) {
		struct channel_order kept = s->orders.items[i], last = vec_pop(&s->orders);

		if (i < s->orders.len)
			s->orders.items[i] = last;
		if (is_proved(s))
			continue;
		*vec_push(&s->orders) = last;
		s->orders.items[i++] = kept;
	}
}

static void print_stronger(struct suggester *s)
{
	fprintf(s->out, "orders that mend it (proved with %s):\n",
		s->orders.len == 1 ? "this one" : "these together");
	for (size_t i = 0; i < s->orders.len; i++) {
		const struct channel_order *order = &s->orders.items[i];
		const struct place *place = find_place(s, order->site);

		print_place(s, place->site, place->kind, place->object);
		fprintf(s->out, "%s instead of %s\n", order_text((uint8_t)order->order),
			order_text(place->order));
	}
}

static void strengthen(struct suggester *s, struct explore_result *result)
{
	enum answer answer = ANSWER_BUG;

	for (uint32_t round = 0; round < ROUNDS_MAX && answer == ANSWER_BUG; round++) {
		if (!forbid(s, &result->found.items[0])) {
			fprintf(s->out, "orders: none mends it\n");
			return;
		}
		explore_result_release(result);
		*result = (struct explore_result){0};
		answer = search(s, result);
	}
	if (answer != ANSWER_PROVED) {
		fprintf(s->out, "orders: none that mends it was found\n");
		return;
	}
	reduce(s);
	print_stronger(s);
}

void suggest_orders(const struct test_options *options, struct target *target)
{
	struct suggester s = {.options = options, .target = target, .out = stdout, .collects = true};
	struct explore_result result = {0};
	enum answer answer = search(&s, &result);

	s.collects = false;
	if (answer == ANSWER_PROVED)
		weaken_all(&s);
	else if (answer == ANSWER_BUG)
		strengthen(&s, &result);
	else
		fprintf(s.out, "orders: nothing can be said without a proof or a bug\n");
	explore_result_release(&result);
	vec_release(&s.places);
	vec_release(&s.orders);
	arena_release(&s.arena);
}
