#include "prop/beam_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "beam/atom.h"
#include "beam/code.h"
#include "beam/etf.h"
#include "beam/etf_write.h"
#include "beam/heap.h"
#include "beam/text.h"
#include "prop/beam_test.h"

/* Tries of a command's generator, as PropEr has it; its sizes; and when handles are really
 * forgotten. */
enum { VARIABLE_MARK = 1, TRIES = 50, TRIES_WEIGHED = 8, SIZE_MAX_ = 42, KEPT_MAX = 1 << 16 };

/* Terms are in call_terms. */
struct call {
	uint32_t var;
	uint32_t command; /* {Imm, Call, Text, Variables} */
	uint32_t call;    /* the second of these */
	uint32_t state;   /* where it was generated */
	char *text;       /* owned */
	uint32_t uses_first, uses_len;       /* variables, in numbers */
	uint32_t simpler_first, simpler_len; /* handles, one after the other; if is_simplified */
	bool is_simplified;
};

struct beam_model {
	struct model base;
	struct target *target;
	struct beam_driver driver;
	struct beam_terms states, values, call_terms;
	struct bytes how;        /* the set-up, as a term */
	VEC(struct call) calls;  /* handle h is items[h - 1] */
	VEC(uint32_t) numbers;
	struct map steps;        /* (state, call or value) -> answer << 32 | next */
	struct map rebound;      /* hash of (call, variable, other variable) -> call */
	struct prop_test installed;
	struct beam_test test;
	struct strbuf complaint; /* of the last postcondition that raised */
};

static struct beam_model *model_of(struct model *self)
{
	return (struct beam_model *)self;
}

static const struct call *call_of(const struct beam_model *m, uint32_t handle)
{
	return &m->calls.items[handle - 1];
}

/* ---- the model ---- */

static enum prop_answer model_initial(struct model *self, uint32_t *state, struct err *err)
{
	struct beam_model *m = model_of(self);
	term value;
	enum prop_answer answer;

	beam_driver_begin(&m->driver);
	answer = beam_driver_ask(&m->driver, "initial", &m->driver.module, 1, &value, NULL, err);
	if (answer == PROP_YES)
		*state = beam_terms_put(&m->states, value);
	return answer;
}

static uint32_t add_call(struct beam_model *m, term command, uint32_t state, uint32_t var)
{
	struct call call = {.state = state, .command = beam_terms_put(&m->call_terms, command),
			    .call = beam_terms_put(&m->call_terms, tuple_element(command, 1)),
			    .uses_first = (uint32_t)m->numbers.len};
	struct strbuf text = {0};

	beam_driver_text(tuple_element(command, 2), &text);
	call.text = mem_strdup(strbuf_text(&text));
	strbuf_release(&text);
	for (term list = tuple_element(command, 3); term_is_cons(list); list = cons_tail(list))
		*vec_push(&m->numbers) = (uint32_t)small_value(cons_head(list));
	call.uses_len = (uint32_t)m->numbers.len - call.uses_first;
	call.var = var ? var : (uint32_t)m->calls.len + 1;
	*vec_push(&m->calls) = call;
	return (uint32_t)m->calls.len;
}

/* A state, kept with the calls. */
static uint32_t keep_state(struct beam_model *m, uint32_t state)
{
	size_t len;
	const uint8_t *bytes = beam_terms_bytes(&m->states, state, &len);

	return beam_terms_put_bytes(&m->call_terms, bytes, len);
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
	args[2] = heap_integer(p, 1 + (int64_t)rng_below(&rng, SIZE_MAX_));
	args[3] = heap_tuple3(p, heap_integer(p, (int64_t)rng_below(&rng, 1 << 30)),
			      heap_integer(p, (int64_t)rng_below(&rng, 1 << 30)),
			      heap_integer(p, (int64_t)rng_below(&rng, 1 << 30)));
	args[4] = heap_integer(p, weighs ? TRIES_WEIGHED : TRIES);
	answer = beam_driver_ask(&m->driver, "command", args, 5, &value, NULL, err);
	if (answer == PROP_YES)
		*call = add_call(m, value, keep_state(m, state), 0);
	return answer;
}

static enum prop_answer ask_step(struct beam_model *m, uint32_t state, uint32_t handle,
				 uint32_t outcome, uint32_t *next, struct err *err)
{
	struct process *p = beam_driver_begin(&m->driver);
	const struct call *call = call_of(m, handle);
	term value, args[4] = {m->driver.module, beam_terms_get(&m->states, state, p)};
	struct strbuf why = {0};
	enum prop_answer answer;

	if (outcome == PROP_SYMBOLIC) {
		args[2] = heap_integer(p, call->var);
		args[3] = beam_terms_get(&m->call_terms, call->command, p);
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
	struct call call = *call_of(m, handle);
	term list, args[3] = {m->driver.module, beam_terms_get(&m->call_terms, call.state, p),
			      beam_terms_get(&m->call_terms, call.command, p)};
	enum prop_answer answer = beam_driver_ask(&m->driver, "simplify", args, 3, &list, NULL, err);

	if (answer != PROP_YES)
		return answer;
	call.simpler_first = (uint32_t)m->calls.len + 1;
	for (; term_is_cons(list); list = cons_tail(list), call.simpler_len++)
		add_call(m, cons_head(list), call.state, call.var);
	call.is_simplified = true;
	m->calls.items[handle - 1] = call;
	return PROP_YES;
}

static enum prop_answer model_simplify(struct model *self, uint32_t handle, uint32_t nth,
				       uint32_t *simpler, struct err *err)
{
	struct beam_model *m = model_of(self);
	const struct call *call = call_of(m, handle);

	if (!call->is_simplified) {
		enum prop_answer answer = find_simpler(m, handle, err);

		if (answer != PROP_YES)
			return answer;
		call = call_of(m, handle);
	}
	if (nth >= call->simpler_len)
		return PROP_NO;
	*simpler = call->simpler_first + nth;
	return PROP_YES;
}

static uint32_t model_rebind(struct model *self, uint32_t handle, uint32_t earlier, uint32_t other)
{
	struct beam_model *m = model_of(self);
	struct call call = *call_of(m, handle);
	uint32_t var = call_of(m, earlier)->var, to = call_of(m, other)->var;
	uint64_t *known = map_put(&m->rebound, hash_combine(hash_combine(handle, var), to), NULL);
	struct err err = {0};
	struct process *p;
	term command, args[4];

	if (*known)
		return (uint32_t)*known;
	p = beam_driver_begin(&m->driver);
	args[0] = m->driver.module;
	args[1] = beam_terms_get(&m->call_terms, call.command, p);
	args[2] = small_make(var);
	args[3] = small_make(to);
	if (beam_driver_ask(&m->driver, "rebind", args, 4, &command, NULL, &err) == PROP_YES)
		*known = add_call(m, command, call.state, call.var);
	return (uint32_t)*known;
}

static bool uses(const struct beam_model *m, const struct call *call, uint32_t var)
{
	for (uint32_t i = 0; i < call->uses_len; i++)
		if (m->numbers.items[call->uses_first + i] == var)
			return true;
	return false;
}

static bool model_needs(struct model *self, uint32_t call, uint32_t earlier)
{
	struct beam_model *m = model_of(self);

	return uses(m, call_of(m, call), call_of(m, earlier)->var);
}

/* ---- words ---- */

/* Variables are called by the place of their call in the test. */
static void print_variable(const struct beam_model *m, uint32_t var, struct strbuf *out)
{
	uint32_t i = 0;

	while (i < m->test.len && m->test.calls[i].var != var)
		i++;
	strbuf_addf(out, "V%u", i < m->test.len ? i + 1 : var);
}

/* In the text of a call a variable is a number between two bytes VARIABLE_MARK. */
static void print_text(const struct beam_model *m, const char *text, struct strbuf *out)
{
	while (*text) {
		char *end;

		if (*text != VARIABLE_MARK) {
			strbuf_addc(out, *text++);
			continue;
		}
		print_variable(m, (uint32_t)strtoul(text + 1, &end, 10), out);
		text = end + (*end == VARIABLE_MARK);
	}
}

/* With its variable if another call of the test uses it. */
static void model_print_call(struct model *self, uint32_t handle, struct strbuf *out)
{
	struct beam_model *m = model_of(self);
	const struct call *call = call_of(m, handle);

	for (uint32_t i = 0; i < m->installed.len; i++)
		if (uses(m, call_of(m, m->installed.calls[i].handle), call->var)) {
			print_variable(m, call->var, out);
			strbuf_adds(out, " = ");
			break;
		}
	print_text(m, call->text, out);
}

static void model_print_value(struct model *self, uint32_t value, struct strbuf *out)
{
	struct beam_model *m = model_of(self);
	struct process *p = beam_driver_begin(&m->driver);
	term arg = beam_terms_get(&m->values, value, p), text;
	struct err err = {0};

	text = beam_driver_call(&m->driver, "value_text", &arg, 1, &err);
	if (text != TERM_NONE)
		beam_driver_text(text, out);
	else
		strbuf_adds(out, err.message);
}

static const char *model_remark(struct model *self)
{
	return strbuf_text(&model_of(self)->complaint);
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

	(void)err;
	if (m->test.how && is_same(&m->installed, test))
		return true;
	beam_driver_learn(&m->driver);
	m->installed = *test;
	m->test.len = test->len;
	m->test.branches_len = test->branches_len;
	m->test.how = beam_terms_put_bytes(&m->call_terms, m->how.items, m->how.len);
	for (uint32_t i = 0; i < test->len; i++) {
		const struct call *call = call_of(m, test->calls[i].handle);

		m->test.calls[i] = (struct beam_test_call){.branch = test->calls[i].branch,
							   .var = call->var,
							   .call = call->call};
	}
	return true;
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
	args[1] = beam_terms_get(&m->call_terms, m->test.how, p);
	args[2] = beam_test_term(&m->test, p);
	text = beam_driver_call(&m->driver, "source", args, 3, &err);
	if (text != TERM_NONE)
		beam_driver_text(text, out);
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
	if (!calls || m->calls.len < KEPT_MAX)
		return;
	for (size_t i = 0; i < m->calls.len; i++)
		mem_free(m->calls.items[i].text);
	m->calls.len = m->numbers.len = 0;
	beam_terms_clear(&m->call_terms);
	map_clear(&m->steps);
	map_clear(&m->rebound);
	m->test.how = 0; /* nothing is installed */
	m->installed.len = 0;
}

/* ---- files ---- */

/* Each call with its words for readers and its terms for us. */
static json_t *model_save(struct model *self, const struct prop_test *test)
{
	struct beam_model *m = model_of(self);
	json_t *array = json_array();

	for (uint32_t i = 0; i < test->len; i++) {
		const struct call *call = call_of(m, test->calls[i].handle);
		struct strbuf text = {0}, command = {0}, state = {0};

		print_text(m, call->text, &text);
		beam_terms_add_hex(&m->call_terms, call->command, &command);
		beam_terms_add_hex(&m->call_terms, call->state, &state);
		json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:s, s:s}", "branch",
			(int)test->calls[i].branch, "variable", (int)call->var, "call", strbuf_text(&text),
			"command", strbuf_text(&command), "state", strbuf_text(&state)));
		strbuf_release(&text);
		strbuf_release(&command);
		strbuf_release(&state);
	}
	return json_pack("{s:i, s:o}", "branches", (int)test->branches_len, "calls", array);
}

static bool load_call(struct beam_model *m, json_t *json, struct prop_call *out)
{
	const char *command, *state;
	int branch, var;
	uint32_t command_handle, state_handle;
	struct process *p;
	term t;

	if (json_unpack(json, "{s:i, s:i, s:s, s:s}", "branch", &branch, "variable", &var,
			"command", &command, "state", &state) != 0 ||
	    branch < 0 || branch > PROP_BRANCHES_MAX || var < 1)
		return false;
	p = beam_driver_begin(&m->driver);
	command_handle = beam_terms_put_hex(&m->call_terms, command, p);
	state_handle = beam_terms_put_hex(&m->call_terms, state, p);
	if (!command_handle || !state_handle)
		return false;
	t = beam_terms_get(&m->call_terms, command_handle, p);
	if (!term_is_tuple_of(t, 4))
		return false;
	*out = (struct prop_call){.branch = (uint32_t)branch,
				  .handle = add_call(m, t, state_handle, (uint32_t)var)};
	return true;
}

static bool model_load(struct model *self, const json_t *json, struct prop_test *test,
		       struct err *err)
{
	struct beam_model *m = model_of(self);
	json_t *calls;
	int branches;

	*test = (struct prop_test){0};
	if (json_unpack((json_t *)json, "{s:i, s:o}", "branches", &branches, "calls", &calls) != 0 ||
	    branches < 0 || branches > PROP_BRANCHES_MAX ||
	    json_array_size(calls) > PROP_CALLS_MAX)
		return err_set(err, "the finding does not hold the test");
	test->branches_len = (uint32_t)branches;
	for (; test->len < json_array_size(calls); test->len++)
		if (!load_call(m, json_array_get(calls, test->len), &test->calls[test->len]))
			return err_set(err, "call %u of the finding's test is damaged",
				       test->len + 1);
	return true;
}

/* ---- life ---- */

static struct model *model_again(struct model *self, struct err *err);

static void model_free(struct model *self)
{
	struct beam_model *m = model_of(self);

	m->target->ops->free(m->target);
	for (size_t i = 0; i < m->calls.len; i++)
		mem_free(m->calls.items[i].text);
	vec_release(&m->calls);
	vec_release(&m->numbers);
	beam_terms_release(&m->states);
	beam_terms_release(&m->values);
	beam_terms_release(&m->call_terms);
	bytes_release(&m->how);
	map_release(&m->steps);
	map_release(&m->rebound);
	strbuf_release(&m->complaint);
	mem_free(m);
}

static const struct model_ops beam_model_ops = {
	.initial = model_initial,
	.generate = model_generate,
	.step = model_step,
	.simplify = model_simplify,
	.needs = model_needs,
	.rebind = model_rebind,
	.print_call = model_print_call,
	.print_value = model_print_value,
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
	m->test = (struct beam_test){.driver = &m->driver, .terms = &m->call_terms,
				     .values = &m->values};
	beam_target_set_hooks(target, &hooks);
	return m;
}

/* There is one machine: the twin is another view of it, from the same checkpoint. */
static struct model *model_again(struct model *self, struct err *err)
{
	struct beam_model *m = model_of(self), *twin;
	struct target *target = m->target->ops->again(m->target, err);

	if (!target)
		return NULL;
	twin = create(target, &m->driver);
	bytes_add(&twin->how, m->how.items, m->how.len);
	twin->test.has_cleanup = m->test.has_cleanup;
	return &twin->base;
}

/* {setup, [{cleanup, 0 or 1}]}? */
static bool has_cleanup(term how)
{
	return term_is_tuple_of(how, 2) && term_is_cons(tuple_element(how, 1));
}

struct model *beam_model_create(struct target *target, const struct beam_driver *driver, term how)
{
	struct beam_model *m = create(target, driver);

	etf_write(how, etf_style_default(), &m->how);
	m->test.has_cleanup = has_cleanup(how);
	return &m->base;
}
