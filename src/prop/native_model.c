#include "prop/native_model.h"

#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "native/native.h"
#include "prop/native_own.h"

_Static_assert((int)FERMATA_CALLS_MAX >= (int)PROP_CALLS_MAX &&
		       (int)FERMATA_BRANCHES_MAX >= (int)PROP_BRANCHES_MAX,
	       "a test must fit into the area");

enum { NOT_ANSWERED = 2, RELEARN_MAX = 1000 };

static struct native_model *native_of(struct model *self)
{
	return (struct native_model *)self;
}

/* ---- asking the program ---- */

static bool explain_end(const struct native_model *m, const char *what, const struct trace *trace,
			struct err *err)
{
	const char *message = trace->message && trace->message[0] ? trace->message : NULL;

	if (trace->end == END_LOST)
		return err_set_unsupported(err, "lost control: %s", message ? message : "unknown");
	return err_set(err, "%s: %s did not end normally: %s%s%s", m->program, what,
		       trace_end_text(trace->end), message ? ": " : "", message ? message : "");
}

/* One run of the program alone, whatever the area says. *trace is how it went. */
static bool run_alone(struct native_model *m, struct trace *trace, struct err *err)
{
	struct schedule schedule = {.tail = TAIL_FIRST};

	native_area_changed(m->target);
	for (int tries = 0; tries < RELEARN_MAX; tries++) {
		if (!m->target->ops->run(m->target, &schedule, trace, err))
			return false;
		if (trace->end != END_RELEARN)
			return true;
	}
	return err_set_unsupported(err, "lost control: the program's memory layout keeps changing");
}

/* The question is in the area; the answer will be, too. */
static enum prop_answer ask(struct native_model *m, uint32_t request, const char *what,
			    struct err *err)
{
	struct trace trace;
	char text[FERMATA_NAME_MAX + 64];

	m->installed.len = 0;
	m->area->request = request;
	m->area->answer = NOT_ANSWERED;
	if (!run_alone(m, &trace, err))
		return PROP_FAILED;
	if (trace.end == END_DONE && m->area->answer != NOT_ANSWERED)
		return m->area->answer ? PROP_YES : PROP_NO;
	if (request == FERMATA_STEP || request == FERMATA_CHECK)
		snprintf(text, sizeof(text), "%s of %s", what,
			 m->area->commands[m->area->question.command].name);
	else
		snprintf(text, sizeof(text), "%s", what);
	explain_end(m, text, &trace, err);
	return PROP_FAILED;
}

/* ---- tests ---- */

static void write_test(struct native_model *m, const struct prop_test *test)
{
	m->area->calls_len = test->len;
	m->area->branches_len = test->branches_len;
	for (uint32_t i = 0; i < test->len; i++) {
		m->area->calls[i] = *native_call(m, test->calls[i].handle);
		m->area->calls[i].branch = test->calls[i].branch;
	}
	m->area->request = FERMATA_RUN;
	native_area_changed(m->target);
}

static bool is_installed(const struct native_model *m, const struct prop_test *test)
{
	return test->len && m->installed.len == test->len &&
	       m->installed.branches_len == test->branches_len &&
	       memcmp(m->installed.calls, test->calls, test->len * sizeof(*test->calls)) == 0;
}

static bool native_install(struct model *self, const struct prop_test *test, struct err *err)
{
	struct native_model *m = native_of(self);

	if (is_installed(m, test))
		return true;
	write_test(m, test);
	m->installed = *test;
	return true;
}

static void native_outcomes(struct model *self, struct prop_outcome *outcomes)
{
	struct native_model *m = native_of(self);

	for (uint32_t i = 0; i < m->installed.len; i++) {
		const struct fermata_area_outcome *from = &m->area->outcomes[i];

		outcomes[i] = (struct prop_outcome){.progress = from->progress,
						    .actor = from->actor, .begin = from->begin,
						    .end = from->end};
		if (from->progress == PROP_RETURNED)
			outcomes[i].value = intern_put(&m->values, &from->value);
	}
}

static struct target *native_target(struct model *self)
{
	return native_of(self)->target;
}

/* ---- states, by the user's model ---- */

static enum prop_answer native_initial(struct model *self, uint32_t *state, struct err *err)
{
	struct native_model *m = native_of(self);
	enum prop_answer answer = PROP_YES;

	if (!m->has_steps) {
		*state = 1; /* the empty sequence */
		return PROP_YES;
	}
	if (!m->has_initial) {
		memset(m->area->state, 0, m->area->state_size);
		answer = ask(m, FERMATA_INITIAL, "the initial state", err);
		memcpy(m->initial, m->area->next, m->area->state_size);
		m->has_initial = answer == PROP_YES;
	}
	*state = intern_put(&m->states, m->initial);
	return answer;
}

static enum prop_answer ask_step(struct native_model *m, uint32_t state, uint32_t call,
				 uint32_t value, uint32_t *next, struct err *err)
{
	enum prop_answer answer;

	memcpy(m->area->state, intern_get(&m->states, state), m->area->state_size);
	m->area->question = *native_call(m, call);
	if (value != PROP_SYMBOLIC)
		m->area->result = *(const int64_t *)intern_get(&m->values, value);
	answer = ask(m, value == PROP_SYMBOLIC ? FERMATA_STEP : FERMATA_CHECK, "the model step",
		     err);
	*next = answer == PROP_YES ? intern_put(&m->states, m->area->next) : 0;
	return answer;
}

/* Answers are remembered as long as the numbers are small enough for one key. */
static uint64_t key_of(uint32_t state, uint32_t call, uint32_t value)
{
	if (state >> 24 || call >> 16 || value >> 24)
		return 0;
	return (uint64_t)state << 40 | (uint64_t)call << 24 | value;
}

static enum prop_answer step_model(struct native_model *m, uint32_t state, uint32_t call,
				   uint32_t value, uint32_t *next, struct err *err)
{
	uint64_t key = key_of(state, call, value), *known = key ? map_get(&m->steps, key) : NULL;
	enum prop_answer answer;

	if (known) {
		*next = (uint32_t)(*known >> 8);
		return (enum prop_answer)(*known & 0xff);
	}
	answer = ask_step(m, state, call, value, next, err);
	if (key && answer != PROP_FAILED)
		*map_put(&m->steps, key, NULL) = (uint64_t)*next << 8 | answer;
	return answer;
}

/* ---- states, when the object is its own model ---- */

static uint32_t sequence_after(struct native_model *m, uint32_t before, uint32_t call)
{
	bool is_new;
	uint64_t *number = map_put(&m->sequence_steps, (uint64_t)before << 32 | call, &is_new);

	if (is_new) {
		*vec_push(&m->sequences) = (struct sequence){before, call, SEQUENCE_NOT_RUN};
		*number = m->sequences.len;
	}
	return (uint32_t)*number;
}

/* The calls of the sequence, as a test that is all prefix. */
static struct prop_test test_of(const struct native_model *m, uint32_t number)
{
	struct prop_test test = {0};
	uint32_t at;

	for (uint32_t n = number; n > 1; n = m->sequences.items[n - 1].before)
		test.len++;
	BUG_ON(test.len > PROP_CALLS_MAX, "a sequence of %u calls", test.len);
	at = test.len;
	for (uint32_t n = number; n > 1; n = m->sequences.items[n - 1].before)
		test.calls[--at].handle = m->sequences.items[n - 1].call;
	return test;
}

/* Runs it alone; an order that crashes or waits for ever explains nothing. */
static bool run_sequence(struct native_model *m, uint32_t number, struct err *err)
{
	struct prop_test test = test_of(m, number);
	struct sequence *sequence = &m->sequences.items[number - 1];
	const struct fermata_area_outcome *last = &m->area->outcomes[test.len - 1];
	struct trace trace;

	m->installed.len = 0;
	write_test(m, &test);
	if (!run_alone(m, &trace, err))
		return false;
	if (trace.end == END_LOST)
		return explain_end(m, "a sequential run", &trace, err);
	sequence->value = trace.end == END_DONE && last->progress == PROP_RETURNED
				  ? intern_put(&m->values, &last->value)
				  : SEQUENCE_FAILS;
	return true;
}

static enum prop_answer step_alone(struct native_model *m, uint32_t state, uint32_t call,
				   uint32_t value, uint32_t *next, struct err *err)
{
	*next = sequence_after(m, state, call);
	if (value == PROP_SYMBOLIC)
		return PROP_YES;
	if (m->sequences.items[*next - 1].value == SEQUENCE_NOT_RUN && !run_sequence(m, *next, err))
		return PROP_FAILED;
	return m->sequences.items[*next - 1].value == value ? PROP_YES : PROP_NO;
}

static enum prop_answer native_step(struct model *self, uint32_t state, uint32_t call,
				    uint32_t value, uint32_t *next, struct err *err)
{
	struct native_model *m = native_of(self);

	if (value == PROP_SYMBOLIC && !m->needs_states) {
		*next = state; /* not read before there are results */
		return PROP_YES;
	}
	return m->has_steps ? step_model(m, state, call, value, next, err)
			    : step_alone(m, state, call, value, next, err);
}

/* ---- calls ---- */

static enum prop_answer native_generate(struct model *self, uint32_t state,
					const struct prop_test *so_far, uint32_t branch,
					uint64_t seed, uint32_t *call, struct err *err)
{
	struct native_model *m = native_of(self);
	struct fermata_area_call made;
	enum prop_answer answer;

	if (m->has_steps)
		memcpy(m->area->state, intern_get(&m->states, state), m->area->state_size);
	m->area->seed = seed;
	answer = ask(m, FERMATA_GENERATE, "a generator", err);
	if (answer != PROP_YES)
		return answer;
	made = m->area->question;
	made.branch = 0;
	*call = intern_put(&m->calls, &made);
	return PROP_YES;
}

/* The simplest value of an argument: 0, or what is nearest to it. */
static int64_t simplest(const struct fermata_area_command *command, uint32_t a)
{
	if (command->low[a] >= command->high[a])
		return 0;
	return command->low[a] > 0 ? command->low[a] : command->high[a] < 0 ? command->high[a] : 0;
}

/* Per argument three variants: the simplest, half the way there, one step. */
static enum prop_answer native_simplify(struct model *self, uint32_t call, uint32_t nth,
					uint32_t *simpler, struct err *err)
{
	struct native_model *m = native_of(self);
	const struct fermata_area_call *from = native_call(m, call);
	const struct fermata_area_command *command = &m->area->commands[from->command];

	for (uint32_t a = 0; a < command->args_len; a++) {
		struct fermata_area_call made = *from;
		int64_t end = simplest(command, a), old = from->args[a];
		int64_t tries[3] = {end, end + (old - end) / 2, old > end ? old - 1 : old + 1};

		for (uint32_t t = 0; old != end && t < 3; t++) {
			if (tries[t] == old || (t && tries[t] == tries[t - 1]) || nth-- != 0)
				continue;
			made.args[a] = tries[t];
			*simpler = intern_put(&m->calls, &made);
			return PROP_YES;
		}
	}
	return PROP_NO;
}

/* ---- life ---- */

static void native_forget(struct model *self, bool calls)
{
	struct native_model *m = native_of(self);

	intern_clear(&m->states);
	intern_clear(&m->values);
	vec_clear(&m->sequences);
	*vec_push(&m->sequences) = (struct sequence){0};
	map_clear(&m->sequence_steps);
	map_clear(&m->steps);
	if (calls) {
		intern_clear(&m->calls);
		m->installed.len = 0;
	}
}

static struct model *native_again(struct model *self, struct err *err)
{
	struct native_model *m = native_of(self);
	struct target *twin = m->target->ops->again(m->target, err);

	return twin ? native_model_create(twin, m->program, err) : NULL;
}

static void native_free(struct model *self)
{
	struct native_model *m = native_of(self);

	m->target->ops->free(m->target);
	intern_release(&m->calls);
	intern_release(&m->values);
	intern_release(&m->states);
	vec_release(&m->sequences);
	map_release(&m->sequence_steps);
	map_release(&m->steps);
	mem_free(m);
}

static const struct model_ops native_ops = {
	.initial = native_initial,
	.generate = native_generate,
	.step = native_step,
	.simplify = native_simplify,
	.print_call = native_print_call,
	.print_value = native_print_value,
	.likely_value = native_likely_value,
	.print_source = native_print_source,
	.source_ending = ".c",
	.target = native_target,
	.install = native_install,
	.outcomes = native_outcomes,
	.forget = native_forget,
	.save = native_save,
	.load = native_load,
	.again = native_again,
	.free = native_free,
};

/* The description of the model that the program has written into the area. */
static bool read_description(struct native_model *m, struct err *err)
{
	const struct fermata_area *area = m->area;
	uint32_t steps = 0;

	if (area->magic != FERMATA_AREA_MAGIC)
		return err_set(err,
			       "%s has no model: fermata prop needs a program built by fermata cc "
			       "that uses FERMATA_MODEL_MAIN (fermata/model.h)",
			       m->program);
	if (area->wrong[0])
		return err_set(err, "the model of %s is wrong: %s", m->program, area->wrong);
	for (uint32_t i = 0; i < area->commands_len; i++) {
		steps += area->commands[i].has_step;
		m->needs_states |= area->commands[i].has_may || area->commands[i].has_generate;
	}
	if (steps && steps != area->commands_len)
		return err_set(err, "the model of %s is wrong: some commands have a step and some "
			       "do not", m->program);
	m->has_steps = steps > 0;
	m->needs_states &= m->has_steps;
	return true;
}

struct model *native_model_create(struct target *target, const char *program, struct err *err)
{
	struct native_model *m = mem_zalloc(sizeof(*m));
	uint64_t size;

	m->base.ops = &native_ops;
	m->target = target;
	m->program = program;
	m->area = native_area(target, &size);
	m->calls.size = sizeof(struct fermata_area_call);
	m->values.size = sizeof(int64_t);
	native_forget(&m->base, true);
	if (size < sizeof(*m->area) || !read_description(m, err)) {
		native_free(&m->base);
		return NULL;
	}
	m->states.size = m->area->state_size ? m->area->state_size : 1;
	return &m->base;
}
