#include "prop/checker.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/plural.h"
#include "base/vec.h"
#include "prop/linear.h"

enum { ANSWER_UNKNOWN = 0xff };

struct checker {
	struct target base;
	struct model *model;
	bool owns_model;
	bool wants_stacks;
	struct prop_test test;
	struct prop_outcome outcomes[PROP_CALLS_MAX];
	uint64_t search_max, undecided;
	/* The answer for outcomes seen before: a tree with the values as edges. Key: node << 32
	 * | value, value: the node there. */
	struct map edges;
	VEC(uint8_t) answers; /* by node: enum linear_answer or ANSWER_UNKNOWN */
	struct trace *kept;    /* the last trace, when it had to be copied */
	VEC(struct notice) notices;
};

static struct checker *checker_of(const struct target *self)
{
	return (struct checker *)self;
}

static struct target *inner_of(const struct target *self)
{
	struct model *model = checker_of(self)->model;

	return model->ops->target(model);
}

/* ---- the answer for a run ---- */

static bool have_all_returned(const struct checker *c)
{
	for (uint32_t i = 0; i < c->test.len; i++)
		if (c->outcomes[i].progress != PROP_RETURNED)
			return false;
	return true;
}

static uint32_t add_node(struct checker *c)
{
	*vec_push(&c->answers) = ANSWER_UNKNOWN;
	return (uint32_t)c->answers.len - 1;
}

/* The node of these outcomes. */
static uint32_t find_node(struct checker *c)
{
	uint32_t node = c->answers.len ? 0 : add_node(c);

	for (uint32_t i = 0; i < c->test.len; i++) {
		bool is_new;
		uint64_t *next = map_put(&c->edges, (uint64_t)node << 32 | c->outcomes[i].value,
					 &is_new);

		if (is_new)
			*next = add_node(c);
		node = (uint32_t)*next;
	}
	return node;
}

/* Asking the model may run the target: the trace is kept meanwhile. */
static enum linear_answer search(struct checker *c, struct trace *trace, struct err *err)
{
	c->kept = trace_copy(trace);
	*trace = *c->kept;
	return linear_explain(c->model, &c->test, c->outcomes, c->search_max, err);
}

/* The name of the function that is called: what stands before the first parenthesis. */
static uint64_t hash_function(struct model *model, uint32_t call)
{
	struct strbuf text = {0};
	const char *end, *start;
	uint64_t hash;

	model->ops->print_call(model, call, &text);
	end = strchrnul(strbuf_text(&text), '(');
	for (start = end; start > strbuf_text(&text) && start[-1] != ' '; start--)
		;
	hash = hash_bytes(start, (size_t)(end - start));
	strbuf_release(&text);
	return hash;
}

/* By which functions are called, whatever the order and the arguments: findings of one
 * interface that shrank to the same functions are taken for the same. */
static uint64_t hash_functions(struct checker *c)
{
	struct map seen = {0};
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->test.len; i++) {
		uint64_t hash = hash_function(c->model, c->test.calls[i].handle);
		bool is_new;

		map_put(&seen, hash, &is_new);
		sum += is_new ? hash : 0;
	}
	map_release(&seen);
	return sum;
}

static void add_notice(struct checker *c, struct trace *trace)
{
	struct notice *notice;

	vec_clear(&c->notices);
	vec_append(&c->notices, trace->notices, trace->notices_len);
	notice = vec_push(&c->notices);
	*notice = (struct notice){.kind = FINDING_NOT_LINEARIZABLE, .actor = ACTOR_NONE,
				  .site = hash_functions(c)};
	snprintf(notice->message, sizeof(notice->message),
		 "no order of the %u call%s explains %s", c->test.len, PLURAL(c->test.len),
		 c->test.len == 1 ? "its result" : "their results");
	trace->notices = c->notices.items;
	trace->notices_len = (uint32_t)c->notices.len;
}

/* ---- the target ---- */

/* Did every call have its chance, and is the trace one to conclude from? */
static bool is_to_be_checked(const struct checker *c, const struct trace *trace)
{
	return trace->end == END_DONE && have_all_returned(c);
}

static bool checker_run(struct target *self, const struct schedule *schedule, struct trace *trace,
		      struct err *err)
{
	struct checker *c = checker_of(self);
	struct target *inner = inner_of(self);
	enum linear_answer answer;
	uint32_t node;

	mem_free(c->kept);
	c->kept = NULL;
	if (!c->model->ops->install(c->model, &c->test, err) ||
	    !inner->ops->run(inner, schedule, trace, err))
		return false;
	c->model->ops->outcomes(c->model, c->outcomes);
	if (!is_to_be_checked(c, trace))
		return true;
	node = find_node(c);
	answer = c->answers.items[node];
	if (c->answers.items[node] == ANSWER_UNKNOWN) {
		answer = search(c, trace, err);
		if (answer == LINEAR_FAILED)
			return false;
		c->answers.items[node] = (uint8_t)answer;
		if (c->wants_stacks) /* those recorded now may be another run's */
			return checker_run(self, schedule, trace, err);
	}
	c->undecided += answer == LINEAR_UNDECIDED;
	if (answer == LINEAR_NO)
		add_notice(c, trace);
	return true;
}

static void checker_want_stacks(struct target *self, bool on)
{
	struct target *inner = inner_of(self);

	checker_of(self)->wants_stacks = on;
	inner->ops->want_stacks(inner, on);
}

static uint32_t checker_stack(struct target *self, uint32_t step, uint32_t actor,
			    struct target_frame *frames, uint32_t frames_max)
{
	struct target *inner = inner_of(self);

	return inner->ops->stack(inner, step, actor, frames, frames_max);
}

static void checker_describe_site(struct target *self, uint64_t site, struct target_frame *frame)
{
	struct target *inner = inner_of(self);

	inner->ops->describe_site(inner, site, frame);
}

static void checker_describe_object(struct target *self, uint64_t object, struct strbuf *out)
{
	struct target *inner = inner_of(self);

	inner->ops->describe_object(inner, object, out);
}

/* False, too, if the target has no words for steps. */
static bool checker_describe_step(struct target *self, uint32_t step, struct strbuf *out)
{
	struct target *inner = inner_of(self);

	return inner->ops->describe_step && inner->ops->describe_step(inner, step, out);
}

static void checker_facts(struct target *self, struct target_facts *facts)
{
	struct target *inner = inner_of(self);

	inner->ops->facts(inner, facts);
}

static bool checker_expose(struct target *self, uint64_t address, uint64_t size)
{
	struct target *inner = inner_of(self);

	return inner->ops->expose(inner, address, size);
}

static void checker_save_knowledge(struct target *self, struct strbuf *out)
{
	struct target *inner = inner_of(self);

	inner->ops->save_knowledge(inner, out);
}

static bool checker_load_knowledge(struct target *self, const char *text, struct err *err)
{
	struct target *inner = inner_of(self);

	return inner->ops->load_knowledge(inner, text, err);
}

static struct target *checker_again(struct target *self, struct err *err)
{
	struct checker *c = checker_of(self);
	struct model *twin = c->model->ops->again(c->model, err);
	json_t *json = twin ? c->model->ops->save(c->model, &c->test) : NULL;
	struct target *target = NULL;
	struct prop_test test;

	if (twin && twin->ops->load(twin, json, &test, err))
		target = prop_target_create(twin, &test, c->search_max, err);
	json_decref(json);
	if (target)
		checker_of(target)->owns_model = true;
	else if (twin)
		twin->ops->free(twin);
	return target;
}

static void checker_free(struct target *self)
{
	struct checker *c = checker_of(self);

	if (c->owns_model)
		c->model->ops->free(c->model);
	map_release(&c->edges);
	vec_release(&c->answers);
	vec_release(&c->notices);
	mem_free(c->kept);
	mem_free(c);
}

static const struct target_ops checker_ops = {
	.run = checker_run,
	.want_stacks = checker_want_stacks,
	.stack = checker_stack,
	.describe_step = checker_describe_step,
	.describe_site = checker_describe_site,
	.describe_object = checker_describe_object,
	.facts = checker_facts,
	.expose = checker_expose,
	.save_knowledge = checker_save_knowledge,
	.load_knowledge = checker_load_knowledge,
	.again = checker_again,
	.free = checker_free,
};

struct target *prop_target_create(struct model *model, const struct prop_test *test,
				  uint64_t search_max, struct err *err)
{
	struct checker *c;

	if (!model->ops->install(model, test, err))
		return NULL;
	c = mem_zalloc(sizeof(*c));
	c->base = (struct target){.ops = &checker_ops, .inner = model->ops->target(model)};
	c->model = model;
	c->test = *test;
	c->search_max = search_max;
	return &c->base;
}

const struct prop_outcome *checker_outcomes(const struct target *self)
{
	return checker_of(self)->outcomes;
}

uint64_t checker_undecided(const struct target *self)
{
	return checker_of(self)->undecided;
}

struct model *checker_model(const struct target *self)
{
	return checker_of(self)->model;
}

const struct prop_test *checker_test(const struct target *self)
{
	return &checker_of(self)->test;
}
