#include "prop/judge.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "prop/linear.h"

enum { VERDICT_UNKNOWN = 0xff };

struct judge {
	struct target base;
	struct model *model;
	bool owns_model;
	bool wants_stacks;
	struct prop_test test;
	struct prop_outcome outcomes[PROP_CALLS_MAX];
	uint64_t search_max, undecided;
	/* The verdict on outcomes seen before: a tree with the values as edges. Key: node << 32
	 * | value, value: the node there. */
	struct map edges;
	VEC(uint8_t) verdicts; /* by node: enum linear_verdict or VERDICT_UNKNOWN */
	struct trace *kept;    /* the last trace, when it had to be copied */
	VEC(struct notice) notices;
};

static struct judge *judge_of(const struct target *self)
{
	return (struct judge *)self;
}

static struct target *inner_of(const struct target *self)
{
	struct model *model = judge_of(self)->model;

	return model->ops->target(model);
}

/* ---- the verdict on a run ---- */

static bool have_all_returned(const struct judge *j)
{
	for (uint32_t i = 0; i < j->test.len; i++)
		if (j->outcomes[i].progress != PROP_RETURNED)
			return false;
	return true;
}

static uint32_t add_node(struct judge *j)
{
	*vec_push(&j->verdicts) = VERDICT_UNKNOWN;
	return (uint32_t)j->verdicts.len - 1;
}

/* The node of these outcomes. */
static uint32_t find_node(struct judge *j)
{
	uint32_t node = j->verdicts.len ? 0 : add_node(j);

	for (uint32_t i = 0; i < j->test.len; i++) {
		bool is_new;
		uint64_t *next = map_put(&j->edges, (uint64_t)node << 32 | j->outcomes[i].value,
					 &is_new);

		if (is_new)
			*next = add_node(j);
		node = (uint32_t)*next;
	}
	return node;
}

/* Asking the model may run the target: the trace is kept meanwhile. */
static enum linear_verdict search(struct judge *j, struct trace *trace, struct err *err)
{
	j->kept = trace_copy(trace);
	*trace = *j->kept;
	return linear_explain(j->model, &j->test, j->outcomes, j->search_max, err);
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
static uint64_t hash_functions(struct judge *j)
{
	struct map seen = {0};
	uint64_t sum = 0;

	for (uint32_t i = 0; i < j->test.len; i++) {
		uint64_t hash = hash_function(j->model, j->test.calls[i].handle);
		bool is_new;

		map_put(&seen, hash, &is_new);
		sum += is_new ? hash : 0;
	}
	map_release(&seen);
	return sum;
}

static void add_notice(struct judge *j, struct trace *trace)
{
	struct notice *notice;

	vec_clear(&j->notices);
	vec_append(&j->notices, trace->notices, trace->notices_len);
	notice = vec_push(&j->notices);
	*notice = (struct notice){.kind = FINDING_NOT_LINEARIZABLE, .actor = ACTOR_NONE,
				  .site = hash_functions(j)};
	snprintf(notice->message, sizeof(notice->message),
		 "no order of the %u calls explains their results", j->test.len);
	trace->notices = j->notices.items;
	trace->notices_len = (uint32_t)j->notices.len;
}

/* ---- the target ---- */

/* Did every call have its chance, and is the trace one to conclude from? */
static bool is_to_be_judged(const struct judge *j, const struct trace *trace)
{
	return trace->end == END_DONE && have_all_returned(j);
}

static bool judge_run(struct target *self, const struct schedule *schedule, struct trace *trace,
		      struct err *err)
{
	struct judge *j = judge_of(self);
	struct target *inner = inner_of(self);
	enum linear_verdict verdict;
	uint32_t node;

	mem_free(j->kept);
	j->kept = NULL;
	if (!j->model->ops->install(j->model, &j->test, err) ||
	    !inner->ops->run(inner, schedule, trace, err))
		return false;
	j->model->ops->outcomes(j->model, j->outcomes);
	if (!is_to_be_judged(j, trace))
		return true;
	node = find_node(j);
	verdict = j->verdicts.items[node];
	if (j->verdicts.items[node] == VERDICT_UNKNOWN) {
		verdict = search(j, trace, err);
		if (verdict == LINEAR_FAILED)
			return false;
		j->verdicts.items[node] = (uint8_t)verdict;
		if (j->wants_stacks) /* those recorded now may be another run's */
			return judge_run(self, schedule, trace, err);
	}
	j->undecided += verdict == LINEAR_UNDECIDED;
	if (verdict == LINEAR_NO)
		add_notice(j, trace);
	return true;
}

static void judge_want_stacks(struct target *self, bool on)
{
	struct target *inner = inner_of(self);

	judge_of(self)->wants_stacks = on;
	inner->ops->want_stacks(inner, on);
}

static uint32_t judge_stack(struct target *self, uint32_t step, uint32_t actor,
			    struct target_frame *frames, uint32_t frames_max)
{
	struct target *inner = inner_of(self);

	return inner->ops->stack(inner, step, actor, frames, frames_max);
}

static void judge_describe_site(struct target *self, uint64_t site, struct target_frame *frame)
{
	struct target *inner = inner_of(self);

	inner->ops->describe_site(inner, site, frame);
}

static void judge_describe_object(struct target *self, uint64_t object, struct strbuf *out)
{
	struct target *inner = inner_of(self);

	inner->ops->describe_object(inner, object, out);
}

static void judge_facts(struct target *self, struct target_facts *facts)
{
	struct target *inner = inner_of(self);

	inner->ops->facts(inner, facts);
}

static bool judge_expose(struct target *self, uint64_t address, uint64_t size)
{
	struct target *inner = inner_of(self);

	return inner->ops->expose(inner, address, size);
}

static void judge_save_knowledge(struct target *self, struct strbuf *out)
{
	struct target *inner = inner_of(self);

	inner->ops->save_knowledge(inner, out);
}

static bool judge_load_knowledge(struct target *self, const char *text, struct err *err)
{
	struct target *inner = inner_of(self);

	return inner->ops->load_knowledge(inner, text, err);
}

static struct target *judge_again(struct target *self, struct err *err)
{
	struct judge *j = judge_of(self);
	struct model *twin = j->model->ops->again(j->model, err);
	json_t *json = twin ? j->model->ops->save(j->model, &j->test) : NULL;
	struct target *target = NULL;
	struct prop_test test;

	if (twin && twin->ops->load(twin, json, &test, err))
		target = prop_target_create(twin, &test, j->search_max, err);
	json_decref(json);
	if (target)
		judge_of(target)->owns_model = true;
	else if (twin)
		twin->ops->free(twin);
	return target;
}

static void judge_free(struct target *self)
{
	struct judge *j = judge_of(self);

	if (j->owns_model)
		j->model->ops->free(j->model);
	map_release(&j->edges);
	vec_release(&j->verdicts);
	vec_release(&j->notices);
	mem_free(j->kept);
	mem_free(j);
}

static const struct target_ops judge_ops = {
	.run = judge_run,
	.want_stacks = judge_want_stacks,
	.stack = judge_stack,
	.describe_site = judge_describe_site,
	.describe_object = judge_describe_object,
	.facts = judge_facts,
	.expose = judge_expose,
	.save_knowledge = judge_save_knowledge,
	.load_knowledge = judge_load_knowledge,
	.again = judge_again,
	.free = judge_free,
};

struct target *prop_target_create(struct model *model, const struct prop_test *test,
				  uint64_t search_max, struct err *err)
{
	struct judge *j;

	if (!model->ops->install(model, test, err))
		return NULL;
	j = mem_zalloc(sizeof(*j));
	j->base.ops = &judge_ops;
	j->model = model;
	j->test = *test;
	j->search_max = search_max;
	return &j->base;
}

const struct prop_outcome *judge_outcomes(const struct target *self)
{
	return judge_of(self)->outcomes;
}

uint64_t judge_undecided(const struct target *self)
{
	return judge_of(self)->undecided;
}

struct model *judge_model(const struct target *self)
{
	return judge_of(self)->model;
}

const struct prop_test *judge_test(const struct target *self)
{
	return &judge_of(self)->test;
}
