#include "cli/prop/prop_beam.h"

#include <string.h>

#include "base/mem.h"
#include "base/plural.h"
#include "cli/exits.h"
#include "cli/search/forms.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "cli/search/verdict.h"
#include "prop/beam_model.h"
#include "prop/beam_plain.h"
#include "report/report.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"

enum { PATIENCE = 2 };

/* One `fermata prop -pa DIR MODULE`. */
struct subject {
	struct prop_session *session;
	struct beam_setup setup;
	struct target *target; /* owned, until a model takes it */
	struct beam_driver driver;
	char *module;
	const char *property;  /* NULL: every property of the module */
};

struct prop_beam_replay {
	struct beam_setup setup;
	struct target *target; /* owned, until a model takes it */
	struct beam_driver driver;
	struct beam_plain plain;
};

/* ---- opening ---- */

/* MODULE or MODULE:PROPERTY. */
static void split_name(struct subject *s, const char *name)
{
	char *colon;

	s->module = mem_strdup(name);
	colon = strchr(s->module, ':');
	if (!colon)
		return;
	*colon = '\0';
	s->property = colon + 1;
}

static void release(struct subject *s)
{
	if (s->target)
		s->target->ops->free(s->target);
	json_decref(s->session->setup);
	beam_setup_release(&s->setup);
	mem_free(s->module);
}

/* The kind of test in the module: {statem, How} or {plain, Properties}. */
static bool open_driver(struct beam_driver *driver, const char *module, term *found,
			struct err *err)
{
	if (!beam_driver_open(driver, module, err))
		return false;
	beam_driver_stand_in(driver, true);
	beam_driver_begin(driver);
	return beam_driver_ask(driver, "look", &driver->module, 1, found, NULL, err) == PROP_YES;
}

/* ---- plain properties ---- */

static int report_pass(struct subject *s, const char *property, const struct beam_plain_result *r)
{
	const struct test_options *options = s->session->options;
	struct strbuf reason = {0}, name = {0}, line = {0};
	struct report report = {.verdict = verdict_of_samples(false, r->runs),
				.strategy = options->strategy,
				.seed = options->seed, .executions = r->runs, .steps = r->steps,
				.wall_seconds = r->seconds, .restart = "checkpoint",
				.restart_reason = ""};
	int status;

	strbuf_addf(&name, "%s:%s", s->module, property);
	strbuf_addf(&reason, "%lu random instances of %s%s%s", r->tests, strbuf_text(&name),
		    r->reason[0] ? ", " : "", r->reason);
	report.program = strbuf_text(&name);
	report.reason = strbuf_text(&reason);
	report_verdict_line(&report, &line);
	fprintf(verdict_stream(options), "%s\n", strbuf_text(&line));
	status = forms_write(&report, options, verdict_status(&report, options));
	strbuf_release(&name);
	strbuf_release(&reason);
	strbuf_release(&line);
	return status;
}

/* Explores the instance that failed once more, this time with words. */
static int report_failure(struct subject *s, const char *property, struct beam_plain *plain,
			  const struct beam_plain_result *r)
{
	struct prop_session *prop = s->session;
	struct test_options options = *prop->options;
	struct strbuf instance = {0}, note = {0}, name = {0}, hex = {0};
	struct session session = {.options = &options, .target_name = "beam"};
	json_t *setup = json_copy(prop->setup);
	int status;

	beam_plain_print(plain, &instance);
	beam_plain_save(plain, &hex);
	strbuf_addf(&note, "test %lu of %lu failed, shrunk in %lu test%s to %s:%s of %s",
		    r->tests + 1, prop->prop.tests, r->shrink_tests, PLURAL(r->shrink_tests),
		    s->module, property, strbuf_text(&instance));
	strbuf_addf(&name, "%s:%s(%s)", s->module, property, strbuf_text(&instance));
	json_object_set_new(setup, "prop", json_pack("{s:s, s:s}", "property", property, "instance",
						     strbuf_text(&hex)));
	options.max_runs = prop->prop.schedules;
	session.setup = setup;
	session.program = strbuf_text(&name);
	session.note = strbuf_text(&note);
	status = session_run(&session, s->target);
	json_decref(setup);
	strbuf_release(&instance);
	strbuf_release(&note);
	strbuf_release(&name);
	strbuf_release(&hex);
	return status;
}

static int run_plain(struct subject *s, const char *property)
{
	struct beam_plain plain;
	struct beam_plain_result result;
	struct err err = {0};
	int status;

	beam_plain_init(&plain, s->target, &s->driver, atom_from_string(property));
	s->session->prop.stop = &stop_wanted;
	if (!beam_plain_search(&plain, &s->session->prop, &result, &err))
		status = exits_fail(&err);
	else if (result.is_found)
		status = report_failure(s, property, &plain, &result);
	else
		status = report_pass(s, property, &result);
	beam_plain_release(&plain);
	return status;
}

/* The worst status of all; the first failure ends it unless --keep-going. */
static int run_properties(struct subject *s, term list)
{
	VEC(const char *) names = {0};
	int worst = EXIT_NO_BUG;

	if (s->property)
		*vec_push(&names) = s->property;
	for (; term_is_cons(list) && !s->property; list = cons_tail(list))
		*vec_push(&names) = atom_text(cons_head(list));
	beam_driver_stand_in(&s->driver, false);
	for (size_t i = 0; i < names.len; i++) {
		int status = run_plain(s, names.items[i]);

		if (status > worst)
			worst = status;
		if (worst != EXIT_NO_BUG && !s->session->options->keep_going)
			break;
	}
	vec_release(&names);
	return worst;
}

/* ---- state machines ---- */

static int run_statem(struct subject *s, term how)
{
	struct model *model = beam_model_create(s->target, &s->driver, how);
	int status;

	s->target = NULL;
	status = prop_session_run(s->session, model);
	model->ops->free(model);
	return status;
}

static int run_found(struct subject *s, term found)
{
	const char *kind = atom_text(tuple_element(found, 0));

	if (s->property && !code_resolve(vm_get(), export_of(s->driver.module,
							     atom_from_string(s->property), 0))) {
		struct err err = {0};

		err_set(&err, "%s has no %s/0", s->module, s->property);
		return exits_fail(&err);
	}
	/* A property that the user named is run unchanged, even if it uses parallel commands. */
	if (!s->property && strcmp(kind, "statem") == 0)
		return run_statem(s, tuple_element(found, 1));
	return run_properties(s, tuple_element(found, 1));
}

int prop_beam(struct prop_session *session, const char *name, const char *const *paths)
{
	struct subject s = {.session = session};
	struct beam_subject subject = {.is_prop = true, .suite = SUITE_NONE, .paths = paths};
	struct test_options options = *session->options;
	struct err err = {0};
	term found;
	int status;

	if (!session->prop.patience) /* procrastination shows what a smaller test can do at once */
		session->prop.patience = PATIENCE;
	if (options.stuck == STUCK_PARTICULAR) /* calls may leave processes that wait */
		options.stuck = STUCK_TEST;
	session->options = &options;
	split_name(&s, name);
	subject.function = s.module;
	session->target_name = "beam";
	session->program = name;
	s.target = beam_setup_create(&s.setup, session->options, &subject, &err);
	if (s.target)
		session->setup = beam_setup_json(&s.setup);
	if (s.target && open_driver(&s.driver, s.module, &found, &err))
		status = run_found(&s, found);
	else
		status = exits_fail(&err);
	release(&s);
	return status;
}

/* ---- replay ---- */

struct prop_beam_replay *prop_beam_load(const json_t *json, struct model **model, struct err *err)
{
	struct prop_beam_replay *r = mem_zalloc(sizeof(*r));
	const json_t *prop = json_object_get(json, "prop");
	const char *property = json_string_value(json_object_get(prop, "property"));
	const char *instance = json_string_value(json_object_get(prop, "instance"));
	term found;

	*model = NULL;
	r->target = beam_setup_load(&r->setup, json, err);
	if (!r->target || !open_driver(&r->driver, r->setup.function, &found, err))
		goto fail;
	if (property && instance) {
		beam_driver_stand_in(&r->driver, false);
		beam_plain_init(&r->plain, r->target, &r->driver, atom_from_string(property));
		if (!beam_plain_load(&r->plain, instance, err))
			goto fail;
		return r;
	}
	if (strcmp(atom_text(tuple_element(found, 0)), "statem") != 0) {
		err_set(err, "module %s has lost its state-machine callbacks", r->setup.function);
		goto fail;
	}
	*model = beam_model_create(r->target, &r->driver, tuple_element(found, 1));
	r->target = NULL;
	return r;
fail:
	prop_beam_free(r);
	return NULL;
}

struct target *prop_beam_target(struct prop_beam_replay *r)
{
	return r->target;
}

void prop_beam_free(struct prop_beam_replay *r)
{
	if (!r)
		return;
	beam_plain_release(&r->plain);
	if (r->target)
		r->target->ops->free(r->target);
	beam_setup_release(&r->setup);
	mem_free(r);
}
