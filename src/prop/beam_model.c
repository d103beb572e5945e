#include "prop/beam_model.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "prop/beam_calls.h"
#include "prop/beam_test.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"
#include "vm/terms/text.h"

/* Tries of a command's generator, as PropEr has it; its sizes; and when handles are really
 * forgotten. */
enum { TRIES = 50, TRIES_WEIGHED = 8, SIZE_LARGEST = 42, KEPT_MAX = 1 << 16 };

struct beam_model {
	struct model base;
	struct target *target;
	struct beam_driver driver;
	struct beam_terms states, values;
	struct beam_calls calls;
	struct beam_terms hows;  /* the set-ups; tests take turns with them */
	uint32_t how;            /* that of the current test */
	bool is_property;        /* are the set-ups properties of the module? */
	struct map steps;        /* (state, call or value) -> answer << 32 | next */
	struct map rebound;      /* hash of (call, variable, other variable) -> call */
	struct prop_test installed;
	struct beam_test test;
	struct strbuf complaint; /* of the last postcondition that raised */
	struct strbuf remark;
};

static struct beam_model *model_of(struct model *self)
{
	return (struct beam_model *)self;
}

/* ---- the model ---- */

static enum prop_answer model_initial(struct model *self, uint32_t *state, struct err *err)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);
	term value, args[2] = {m->driver.module, beam_terms_get(&m->hows, m->how, p)};
	enum prop_answer answer;

	answer = beam_driver_ask(&m->driver, "initial", args, 2, &value, NULL, err);
	if (answer == PROP_YES)
		*state = beam_terms_put(&m->states, value);
	return answer;
}

/* A state, kept with the calls. */
static uint32_t keep_state(struct beam_model *m, uint32_t state)
{
	size_t len;
	const uint8_t *bytes = beam_terms_bytes(&m->states, state, &len);

	return beam_terms_put_bytes(&m->calls.terms, bytes, len);
}

static enum prop_answer model_generate(struct model *self, uint32_t state,
				       const struct prop_test *so_far, uint32_t branch,
				       uint64_t seed, uint32_t *call, struct err *err)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);
	struct rng rng = rng_seeded(seed);
	bool weighs = code_resolve(vm_get(), export_of(m->driver.module, atom_from_string("weight"),
						       2)) != NULL;
	term value, args[5] = {m->driver.module, beam_terms_get(&m->states, state, p)};
	enum prop_answer answer;

	(void)so_far;
	(void)branch;
	args[2] = heap_integer(p, 1 + (int64_t)rng_below(&rng, SIZE_LARGEST));
	args[3] = heap_tuple3(p, heap_integer(p, (int64_t)rng_below(&rng, 1 << 30)),
			      heap_integer(p, (int64_t)rng_below(&rng, 1 << 30)),
			      heap_integer(p, (int64_t)rng_below(&rng, 1 << 30)));
	args[4] = heap_integer(p, weighs ? TRIES_WEIGHED : TRIES);
	answer = beam_driver_ask(&m->driver, "command", args, 5, &value, NULL, err);
	if (answer == PROP_YES)
		*call = beam_calls_add(&m->calls, value, keep_state(m, state), 0);
	return answer;
}

static enum prop_answer ask_step(struct beam_model *m, uint32_t state, uint32_t handle,
				 uint32_t outcome, uint32_t *next, struct err *err)
{
	struct process *p = beam_driver_begin(&m->driver);
	const struct beam_call *call = beam_call_of(&m->calls, handle);
	term value, args[4] = {m->driver.module, beam_terms_get(&m->states, state, p)};
	struct strbuf why = {0};
	enum prop_answer answer;

	if (outcome == PROP_SYMBOLIC) {
		args[2] = heap_integer(p, call->var);
		args[3] = beam_terms_get(&m->calls.terms, call->command, p);
		answer = beam_driver_ask(&m->driver, "step", args, 4, &value, NULL, err);
	} else {
		args[2] = beam_terms_get(&m->values, outcome, p);
		answer = beam_driver_ask(&m->driver, "judge", args, 3, &value, &why, err);
	}
	if (answer == PROP_YES)
		*next = beam_terms_put(&m->states, value);
	if (why.len) {
		strbuf_clear(&m->complaint);
		strbuf_adds(&m->complaint, strbuf_text(&why));
	}
	strbuf_release(&why);
	return answer;
}

static enum prop_answer model_step(struct model *self, uint32_t state, uint32_t call,
				   uint32_t value, uint32_t *next, struct err *err)
{
	struct beam_model *m = model_of(self);
	uint64_t key = (uint64_t)state << 33 | (value == PROP_SYMBOLIC ? (uint64_t)call << 1
									: (uint64_t)value << 1 | 1);
	uint64_t *known = map_get(&m->steps, key);
	enum prop_answer answer;

	if (known) {
		*next = (uint32_t)*known;
		return (enum prop_answer)(*known >> 32);
	}
	*next = 0;
	answer = ask_step(m, state, call, value, next, err);
	if (answer != PROP_FAILED)
		*map_put(&m->steps, key, NULL) = (uint64_t)answer << 32 | *next;
	return answer;
}

/* All simpler variants of a call, once. */
static enum prop_answer find_simpler(struct beam_model *m, uint32_t handle, struct err *err)
{
	struct process *p = beam_driver_begin(&m->driver);
	struct beam_call call = *beam_call_of(&m->calls, handle);
	term list, args[3] = {m->driver.module, beam_terms_get(&m->calls.terms, call.state, p),
			      beam_terms_get(&m->calls.terms, call.command, p)};
	enum prop_answer answer = beam_driver_ask(&m->driver, "simplify", args, 3, &list, NULL,
						  err);

	if (answer != PROP_YES)
		return answer;
	call.simpler_first = (uint32_t)m->calls.items.len + 1;
	for (; term_is_cons(list); list = cons_tail(list), call.simpler_len++)
		beam_calls_add(&m->calls, cons_head(list), call.state, call.var);
	call.is_simplified = true;
	m->calls.items.items[handle - 1] = call;
	return PROP_YES;
}

static enum prop_answer model_simplify(struct model *self, uint32_t handle, uint32_t nth,
				       uint32_t *simpler, struct err *err)
{
	struct beam_model *m = model_of(self);
	const struct beam_call *call = beam_call_of(&m->calls, handle);

	if (!call->is_simplified) {
		enum prop_answer answer = find_simpler(m, handle, err);

		if (answer != PROP_YES)
			return answer;
		call = beam_call_of(&m->calls, handle);
	}
	if (nth >= call->simpler_len)
		return PROP_NO;
	*simpler = call->simpler_first + nth;
	return PROP_YES;
}

static uint32_t model_rebind(struct model *self, uint32_t handle, uint32_t earlier, uint32_t other)
{
	struct beam_model *m = model_of(self);
	struct beam_call call = *beam_call_of(&m->calls, handle);
	uint32_t var = beam_call_of(&m->calls, earlier)->var,
		 to = beam_call_of(&m->calls, other)->var;
	uint64_t *known = map_put(&m->rebound, hash_combine(hash_combine(handle, var), to), NULL);
	struct err err = {0};
	struct process *p;
	term command, args[4];

	if (*known)
		return (uint32_t)*known;
	p = beam_driver_begin(&m->driver);
	args[0] = m->driver.module;
	args[1] = beam_terms_get(&m->calls.terms, call.command, p);
	args[2] = small_make(var);
	args[3] = small_make(to);
	if (beam_driver_ask(&m->driver, "rebind", args, 4, &command, NULL, &err) == PROP_YES)
		*known = beam_calls_add(&m->calls, command, call.state, call.var);
	return (uint32_t)*known;
}

static bool model_needs(struct model *self, uint32_t call, uint32_t earlier)
{
	struct beam_model *m = model_of(self);

	return beam_call_uses(&m->calls, call, beam_call_of(&m->calls, earlier)->var);
}

/* ---- words ---- */

static void model_print_call(struct model *self, uint32_t handle, struct strbuf *out)
{
	struct beam_model *m = model_of(self);

	beam_call_print(&m->calls, &m->installed, handle, out);
}

static void model_print_value(struct model *self, uint32_t value, struct strbuf *out)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);
	term arg = beam_terms_get(&m->values, value, p), text;
	struct err err = {0};

	text = beam_driver_call(&m->driver, "value_text", &arg, 1, &err);
	if (text != TERM_NONE)
		print_chars(text, out);
	else
		strbuf_adds(out, err.message);
}

/* Asks the postcondition about results that are likely (fermata_prop:allowed/4). */
static uint32_t model_allowed_values(struct model *self, uint32_t state, const uint32_t *values,
				     uint32_t len, uint32_t wrong, uint32_t *allowed, uint32_t max)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);
	term items[PROP_CALLS_MAX], list, args[4];
	uint32_t found = 0;
	struct err err = {0};

	for (uint32_t i = 0; i < len; i++)
		items[i] = beam_terms_get(&m->values, values[i], p);
	args[0] = m->driver.module;
	args[1] = beam_terms_get(&m->states, state, p);
	args[2] = items[wrong];
	args[3] = heap_list(p, items, len, NIL);
	list = beam_driver_call(&m->driver, "allowed", args, 4, &err);
	for (; list != TERM_NONE && term_is_cons(list) && found < max; list = cons_tail(list))
		allowed[found++] = beam_terms_put(&m->values, cons_head(list));
	return found;
}

/* A state is {State, Known}: the user's, and the calls whose results are known. */
static void model_print_state(struct model *self, uint32_t state, struct strbuf *out)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);

	print_term(tuple_element(beam_terms_get(&m->states, state, p), 0), out);
}

/* How a check raised, and with which values of the property the test was set up. */
static const char *model_remark(struct model *self)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);
	term how = beam_terms_get(&m->hows, m->how, p), text;
	struct err err = {0};

	strbuf_clear(&m->remark);
	text = beam_driver_call(&m->driver, "how_text", &how, 1, &err);
	if (text != TERM_NONE)
		print_chars(text, &m->remark);
	if (m->remark.len && m->complaint.len)
		strbuf_adds(&m->remark, "; ");
	strbuf_adds(&m->remark, strbuf_text(&m->complaint));
	return strbuf_text(&m->remark);
}

/* ---- running ---- */

static struct target *model_target(struct model *self)
{
	return model_of(self)->target;
}

static bool is_same(const struct prop_test *a, const struct prop_test *b)
{
	return a->len == b->len && a->branches_len == b->branches_len &&
	       memcmp(a->calls, b->calls, a->len * sizeof(a->calls[0])) == 0;
}

static bool model_install(struct model *self, const struct prop_test *test, struct err *err)
{
	struct beam_model *m = model_of(self);
	const uint8_t *how;
	size_t how_len;

	(void)err;
	if (m->test.how && is_same(&m->installed, test))
		return true;
	beam_driver_learn(&m->driver);
	m->installed = *test;
	m->test.len = test->len;
	m->test.branches_len = test->branches_len;
	how = beam_terms_bytes(&m->hows, m->how, &how_len);
	m->test.how = beam_terms_put_bytes(&m->calls.terms, how, how_len);
	for (uint32_t i = 0; i < test->len; i++) {
		const struct beam_call *call = beam_call_of(&m->calls, test->calls[i].handle);

		m->test.calls[i] = (struct beam_test_call){.branch = test->calls[i].branch,
							   .var = call->var,
							   .call = call->call};
	}
	return true;
}

/* A property whose body sets up the test may refuse its commands: ?IMPLIES, ?SUCHTHAT. */
static enum prop_answer model_accepts(struct model *self, const struct prop_test *test,
				      struct err *err)
{
	struct beam_model *m = model_of(self);
	struct process *p;
	term args[3];

	if (!m->is_property)
		return PROP_YES;
	if (!model_install(self, test, err))
		return PROP_FAILED;
	p = beam_driver_begin(&m->driver);
	args[0] = m->driver.module;
	args[1] = beam_terms_get(&m->hows, m->how, p);
	args[2] = beam_test_term(&m->test, p);
	return beam_driver_ask(&m->driver, "accepts", args, 3, NULL, NULL, err);
}

static void model_outcomes(struct model *self, struct prop_outcome *outcomes)
{
	struct beam_model *m = model_of(self);

	memcpy(outcomes, m->test.outcomes, m->test.len * sizeof(*outcomes));
}

static void model_print_source(struct model *self, const struct prop_test *test,
			       struct strbuf *out)
{
	struct beam_model *m = model_of(self);
	struct process *p;
	struct err err = {0};
	term args[3], text;

	model_install(self, test, &err);
	p = beam_driver_begin(&m->driver);
	args[0] = m->driver.module;
	args[1] = beam_terms_get(&m->calls.terms, m->test.how, p);
	args[2] = beam_test_term(&m->test, p);
	text = beam_driver_call(&m->driver, "source", args, 3, &err);
	if (text != TERM_NONE)
		print_chars(text, out);
	else
		strbuf_addf(out, "%% %s\n", err.message);
}

/* Handles stay good until there are many: terms that come again are then the same ones. */
static void model_forget(struct model *self, bool calls)
{
	struct beam_model *m = model_of(self);

	if (m->states.ends.len + m->values.ends.len + m->steps.len > KEPT_MAX) {
		beam_terms_clear(&m->states);
		beam_terms_clear(&m->values);
		map_clear(&m->steps);
	}
	if (calls && m->hows.ends.len > 1) { /* a test ends: the next one has the next set-up */
		m->how = m->how % (uint32_t)m->hows.ends.len + 1;
		m->test.how = 0;
	}
	if (!calls || m->calls.items.len < KEPT_MAX)
		return;
	beam_calls_clear(&m->calls);
	map_clear(&m->steps);
	map_clear(&m->rebound);
	m->test.how = 0; /* nothing is installed */
	m->installed.len = 0;
}

/* ---- files ---- */

static json_t *model_save(struct model *self, const struct prop_test *test)
{
	json_t *json = beam_calls_save(&model_of(self)->calls, test);

	json_object_set_new(json, "setup", json_integer(model_of(self)->how));
	return json;
}

static bool model_load(struct model *self, const json_t *json, struct prop_test *test,
		       struct err *err)
{
	struct beam_model *m = model_of(self);
	json_int_t how = json_integer_value(json_object_get(json, "setup"));

	if (how > (json_int_t)m->hows.ends.len)
		return err_set(err, "the module no longer has set-up %d of the finding", (int)how);
	if (how > 0)
		m->how = (uint32_t)how;
	m->test.how = 0;
	return beam_calls_load(&m->calls, json, beam_driver_begin(&m->driver), test, err);
}

/* ---- life ---- */

static struct model *model_again(struct model *self, struct err *err);

static void model_free(struct model *self)
{
	struct beam_model *m = model_of(self);

	m->target->ops->free(m->target);
	beam_calls_release(&m->calls);
	beam_terms_release(&m->states);
	beam_terms_release(&m->values);
	beam_terms_release(&m->hows);
	map_release(&m->steps);
	map_release(&m->rebound);
	strbuf_release(&m->complaint);
	strbuf_release(&m->remark);
	mem_free(m);
}

static const struct model_ops beam_model_ops = {
	.initial = model_initial,
	.generate = model_generate,
	.step = model_step,
	.simplify = model_simplify,
	.accepts = model_accepts,
	.needs = model_needs,
	.rebind = model_rebind,
	.print_call = model_print_call,
	.print_value = model_print_value,
	.allowed_values = model_allowed_values,
	.print_state = model_print_state,
	.remark = model_remark,
	.print_source = model_print_source,
	.source_ending = ".erl",
	.target = model_target,
	.install = model_install,
	.outcomes = model_outcomes,
	.forget = model_forget,
	.save = model_save,
	.load = model_load,
	.again = model_again,
	.free = model_free,
};

static struct beam_model *create(struct target *target, const struct beam_driver *driver)
{
	struct beam_model *m = mem_zalloc(sizeof(*m));
	struct beam_hooks hooks = {.begin = beam_test_start, .end = beam_test_stop,
				   .ctx = &m->test};

	m->base.ops = &beam_model_ops;
	m->target = target;
	m->driver = *driver;
	m->test = (struct beam_test){.driver = &m->driver, .terms = &m->calls.terms,
				     .values = &m->values};
	beam_target_set_hooks(target, &hooks);
	return m;
}

static void copy_terms(struct beam_terms *to, const struct beam_terms *from)
{
	for (uint32_t h = 1; h <= from->ends.len; h++) {
		size_t len;
		const uint8_t *bytes = beam_terms_bytes(from, h, &len);

		beam_terms_put_bytes(to, bytes, len);
	}
}

/* There is one machine: the twin is another view of it, from the same checkpoint. */
static struct model *model_again(struct model *self, struct err *err)
{
	struct beam_model *m = model_of(self), *twin;
	struct target *target = m->target->ops->again(m->target, err);

	if (!target)
		return NULL;
	twin = create(target, &m->driver);
	copy_terms(&twin->hows, &m->hows);
	twin->how = m->how;
	twin->test.has_cleanup = m->test.has_cleanup;
	twin->is_property = m->is_property;
	return &twin->base;
}

/* {setup, [{cleanup, 0 or 1}]}? */
static bool has_cleanup(term how)
{
	return term_is_tuple_of(how, 2) && term_is_cons(tuple_element(how, 1));
}

/* {property, Name, IsParallel, Outer, Initial}? */
static bool is_property(term how)
{
	return term_is_tuple_of(how, 5);
}

struct model *beam_model_create(struct target *target, const struct beam_driver *driver,
				const struct beam_terms *hows)
{
	struct beam_model *m = create(target, driver);
	term how;

	copy_terms(&m->hows, hows);
	m->how = 1;
	how = beam_terms_get(&m->hows, m->how, beam_driver_begin(&m->driver));
	m->test.has_cleanup = has_cleanup(how); /* as all the others */
	m->is_property = is_property(how);
	return &m->base;
}
