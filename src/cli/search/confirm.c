#include "cli/search/confirm.h"

#include <string.h>

#include "cli/exits.h"
#include "cli/search/cases.h"
#include "cli/search/children.h"
#include "cli/search/stopping.h"
#include "cli/search/trial.h"
#include "cli/test.h"

/* Time limits if the user did not set one: of a test, and of a generated driver. */
enum { TEST_SECONDS = 60, DRIVER_SECONDS = 5 };

struct confirmer {
	struct confirm *confirm;
	struct suspects *found;
	struct arena *arena;
	struct test_options options;
};

/* Files are outside of our control: other programs may change them at any time. */
static bool is_controlled(const struct suspect *suspect)
{
	return strcmp(suspect->kind, "file") != 0;
}

static bool is_open(const struct suspect *suspect)
{
	return is_controlled(suspect) && suspect->trial.outcome != SUSPECT_CONFIRMED;
}

static enum confirm_end end_of(bool is_good, const struct err *err)
{
	if (is_good)
		return CONFIRM_DONE;
	return err->kind == ERR_UNSUPPORTED ? CONFIRM_LOST : CONFIRM_FAIL;
}

/* ---- with a test ---- */

static bool try_test(struct confirmer *c, const struct beam_subject *subject, const char *text,
		     struct err *err)
{
	struct trial trial = {.options = &c->options, .subject = *subject, .text = text,
			      .all = c->found};
	bool good = true;

	for (size_t i = 0; i < c->found->len; i++)
		if (is_open(&c->found->items[i]))
			*vec_push(&trial.suspects) = &c->found->items[i];
	if (trial.suspects.len)
		good = trial_run(&trial, c->arena, err);
	c->found->executions += trial.executions;
	vec_release(&trial.suspects);
	return good;
}

static bool try_suite(struct confirmer *c, enum suite_kind kind, struct err *err)
{
	struct beam_subject subject = {.function = c->confirm->test, .suite = kind,
				       .paths = c->confirm->paths.items};
	json_t *tests = cases_list(&c->options, kind, c->confirm->test, subject.paths, err);
	bool good = tests != NULL;

	if (!tests && !err->message[0])
		err_set(err, "%s: its tests cannot be listed", c->confirm->test);
	for (size_t i = 0; good && i < json_array_size(tests) && !stop_wanted; i++) {
		const char *text;
		int item_kind;

		json_unpack(json_array_get(tests, i), "{s:i, s:s, s:s}", "kind", &item_kind, "path",
			    &subject.path, "text", &text);
		if (item_kind == SUITE_TEST)
			good = try_test(c, &subject, arena_strdup(c->arena, text), err);
		else
			exits_warn("%s: %s", c->confirm->test, text);
	}
	json_decref(tests);
	return good;
}

/* ---- without ---- */

/* A way to call the function of a suspect. */
struct driver {
	const struct suspect *suspect;
	uint32_t nth;    /* of its guesses at arguments */
	uint32_t before; /* calls in turn before the two at once */
};

static bool has_same_driver(const struct suspect *a, const struct suspect *b)
{
	return is_controlled(b) && strcmp(a->module, b->module) == 0 &&
	       strcmp(a->function, b->function) == 0 &&
	       strcmp(a->driver.opener, b->driver.opener) == 0;
}

static const char *describe_driver(struct arena *arena, const struct driver *d)
{
	const struct suspect_driver *driver = &d->suspect->driver;
	struct strbuf text = {0};
	const char *result;

	strbuf_addf(&text, "two processes call %s:%s(", d->suspect->module, driver->function);
	for (const char *c = driver->args[d->nth]; *c; c++)
		strbuf_addf(&text, *c == ' ' ? ",%c" : "%c", *c);
	strbuf_addf(&text, ")%s%s", driver->opener[0] ? " after " : "", driver->opener);
	if (d->before)
		strbuf_addf(&text, "%s the same call", driver->opener[0] ? " and" : " after");
	result = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* Tries all suspects of that function that are not confirmed yet. If the call cannot be set up, the
 * outcome of the suspect gives the reason. */
static void try_driver(struct confirmer *c, const struct driver *d)
{
	const struct suspect_driver *driver = &d->suspect->driver;
	struct trial trial = {
		.options = &c->options,
		.subject = {.function = d->suspect->module, .suite = SUITE_PAIR,
			    .path = arena_printf(c->arena, "%s %u %s %s",
						 driver->opener[0] ? driver->opener : "-",
						 d->before, driver->function, driver->args[d->nth]),
			    .paths = c->confirm->paths.items},
		.text = describe_driver(c->arena, d),
		.all = c->found,
	};
	struct err err = {0};

	for (size_t i = 0; i < c->found->len; i++)
		if (is_open(&c->found->items[i]) &&
		    has_same_driver(d->suspect, &c->found->items[i]))
			*vec_push(&trial.suspects) = &c->found->items[i];
	if (trial.suspects.len && !trial_run(&trial, c->arena, &err))
		for (size_t i = 0; i < trial.suspects.len; i++)
			if (trial.suspects.items[i]->trial.outcome == SUSPECT_UNTRIED)
				trial.suspects.items[i]->trial = (struct suspect_trial){
					.outcome = SUSPECT_NO_DRIVER, .test = trial.text,
					.path = "", .fails = "",
					.detail = arena_strdup(c->arena, err.message)};
	c->found->executions += trial.executions;
	vec_release(&trial.suspects);
}

static bool is_first_of_its_driver(const struct confirmer *c, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (has_same_driver(&c->found->items[at], &c->found->items[i]))
			return false;
	return true;
}

/* All ways to call the function of the suspect. */
static void try_function(struct confirmer *c, const struct suspect *suspect)
{
	for (uint32_t before = 0; before < 2; before++)
		for (uint32_t nth = 0; nth < suspect->driver.args_len; nth++)
			try_driver(c, &(struct driver){suspect, nth, before});
}

/* ---- several functions at a time (--jobs) ---- */

/* The work of one child: the calls of one function. They change nothing but the outcomes of the
 * suspects of that function, which are the answer. */
struct job {
	struct confirmer *confirmer;
	const struct suspect *suspect;
};

static int function_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct suspects *found = job->confirmer->found;
	json_t *outcomes = json_array(), *root;
	uint64_t before = found->executions;

	try_function(job->confirmer, job->suspect);
	for (size_t i = 0; i < found->len; i++) {
		const struct suspect_trial *trial = &found->items[i].trial;

		if (has_same_driver(job->suspect, &found->items[i]))
			json_array_append_new(
				outcomes, json_pack("{s:I, s:i, s:s?, s:s?, s:s?, s:s?}", "at",
						    (json_int_t)i, "outcome", (int)trial->outcome,
						    "test", trial->test, "path", trial->path,
						    "fails", trial->fails, "detail", trial->detail));
	}
	root = json_pack("{s:I, s:o}", "executions", (json_int_t)(found->executions - before),
			 "outcomes", outcomes);
	json_dumpf(root, out, JSON_COMPACT);
	json_decref(root);
	return EXIT_NO_BUG;
}

static const char *copy_text(struct arena *arena, const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text ? arena_strdup(arena, text) : NULL;
}

/* A child that died gave no answer: the tool makes its calls itself. */
static void take_function(struct confirmer *c, const struct child_answer *answer,
			  const struct suspect *suspect)
{
	json_t *root = json_loads(strbuf_text(&answer->text), 0, NULL), *outcome;
	size_t i;

	if (!root)
		try_function(c, suspect);
	c->found->executions += (uint64_t)json_integer_value(json_object_get(root, "executions"));
	json_array_foreach(json_object_get(root, "outcomes"), i, outcome) {
		json_int_t at = json_integer_value(json_object_get(outcome, "at"));

		c->found->items[at].trial = (struct suspect_trial){
			.outcome = (enum suspect_outcome)json_integer_value(
				json_object_get(outcome, "outcome")),
			.test = copy_text(c->arena, outcome, "test"),
			.path = copy_text(c->arena, outcome, "path"),
			.fails = copy_text(c->arena, outcome, "fails"),
			.detail = copy_text(c->arena, outcome, "detail")};
	}
	json_decref(root);
}

static void start_function(struct confirmer *c, struct children *children,
			   const struct suspect *suspect)
{
	struct job *job = arena_alloc(c->arena, sizeof(*job));
	struct err err = {0};

	*job = (struct job){c, suspect};
	if (!children_start(children, function_work, job, &err))
		try_function(c, suspect);
}

static void try_drivers(struct confirmer *c)
{
	struct children children = {.max = (uint32_t)c->options.jobs};
	struct child_answer answer;
	void *job;

	for (size_t i = 0; i < c->found->len && !stop_wanted; i++) {
		struct suspect *suspect = &c->found->items[i];

		if (!is_controlled(suspect))
			continue;
		if (!suspect->driver.args_len) {
			suspect->trial.outcome = SUSPECT_NO_DRIVER;
			suspect->trial.detail = suspect->driver.why_not;
		}
		if (!is_first_of_its_driver(c, i))
			continue;
		if (children.max > 1 && suspect->driver.args_len)
			start_function(c, &children, suspect);
		else
			try_function(c, suspect);
	}
	while (children_take(&children, &answer, &job)) {
		take_function(c, &answer, ((const struct job *)job)->suspect);
		strbuf_release(&answer.text);
	}
	children_release(&children);
}

enum confirm_end confirm_suspects(struct confirm *confirm, struct suspects *found,
				  struct arena *arena, struct err *err)
{
	struct confirmer c = {confirm, found, arena, confirm->options};
	struct beam_subject subject = {.function = confirm->test};

	if (!test_check_options(&c.options, err))
		return CONFIRM_FAIL;
	*vec_push(&confirm->paths) = NULL;
	subject.paths = confirm->paths.items;
	if (c.options.max_time == 0)
		c.options.max_time = confirm->test ? TEST_SECONDS : DRIVER_SECONDS;
	found->were_tried = true;
	for (size_t i = 0; i < found->len; i++)
		if (!is_controlled(&found->items[i]))
			found->items[i].trial.outcome = SUSPECT_NOT_CONTROLLED;
	if (!confirm->test) {
		try_drivers(&c);
		return CONFIRM_DONE;
	}
	if (c.options.eunit || c.options.exunit)
		return end_of(try_suite(&c, c.options.eunit ? SUITE_EUNIT : SUITE_EXUNIT, err),
				 err);
	return end_of(try_test(&c, &subject, confirm->test, err), err);
}
