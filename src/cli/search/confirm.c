#include "cli/search/confirm.h"

#include <string.h>

#include "cli/exits.h"
#include "cli/search/cases.h"
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

static void try_drivers(struct confirmer *c)
{
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
		for (uint32_t before = 0; before < 2; before++)
			for (uint32_t nth = 0; nth < suspect->driver.args_len; nth++)
				try_driver(c, &(struct driver){suspect, nth, before});
	}
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
