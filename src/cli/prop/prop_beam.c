#include "cli/prop/prop_beam.h"

#include <string.h>

#include "base/mem.h"
#include "cli/exits.h"
#include "cli/prop/prop_plain.h"
#include "prop/beam_look.h"
#include "prop/beam_model.h"
#include "prop/beam_plain.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"

enum { PATIENCE = 2 };

/* One `fermata prop -pa DIR MODULE`. */
struct subject {
	struct prop_session *session;
	struct beam_setup setup;
	struct target *target; /* owned, until a model takes it */
	struct beam_driver driver;
	struct beam_look look;
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
	beam_look_release(&s->look);
	json_decref(s->session->setup);
	beam_setup_release(&s->setup);
	mem_free(s->module);
}

static bool open_driver(struct beam_driver *driver, const char *module, struct err *err)
{
	if (!beam_driver_open(driver, module, err))
		return false;
	beam_driver_stand_in(driver, true);
	return true;
}

/* ---- plain properties ---- */

static int run_property(struct subject *s, term property)
{
	bool is_sequential = beam_look_is_sequential(&s->driver, property);
	int status;

	beam_driver_stand_in(&s->driver, false);
	status = prop_plain_run(s->session, s->target, &s->driver, s->module, atom_text(property),
				is_sequential);
	beam_driver_stand_in(&s->driver, true);
	return status;
}

/* The worst status of all; the first failure ends it unless --keep-going. */
static int run_properties(struct subject *s)
{
	int worst = EXIT_NO_BUG;

	for (size_t i = 0; i < s->look.properties.len; i++) {
		int status = run_property(s, s->look.properties.items[i]);

		if (status > worst)
			worst = status;
		if (worst != EXIT_NO_BUG && !s->session->options->keep_going)
			break;
	}
	return worst;
}

/* A property that the user named is run unchanged, even if it uses parallel commands. */
static int run_named(struct subject *s)
{
	term property = atom_from_string(s->property);
	struct err err = {0};

	if (code_resolve(vm_get(), export_of(s->driver.module, property, 0)))
		return run_property(s, property);
	err_set(&err, "%s has no %s/0", s->module, s->property);
	return exits_fail(&err);
}

/* ---- state machines ---- */

static int run_statem(struct subject *s)
{
	struct model *model = beam_model_create(s->target, &s->driver, &s->look.hows);
	int status;

	s->target = NULL;
	status = prop_session_run(s->session, model);
	model->ops->free(model);
	return status;
}

static int run_found(struct subject *s)
{
	struct err err = {0};

	if (s->property)
		return run_named(s);
	if (!beam_look(&s->look, &s->driver, &err))
		return exits_fail(&err);
	return s->look.hows.ends.len ? run_statem(s) : run_properties(s);
}

int prop_beam(struct prop_session *session, const char *name, const char *const *paths)
{
	struct subject s = {.session = session};
	struct beam_subject subject = {.is_prop = true, .suite = SUITE_NONE, .paths = paths};
	struct test_options options = *session->options;
	struct err err = {0};
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
	if (s.target && open_driver(&s.driver, s.module, &err))
		status = run_found(&s);
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
	struct beam_look look = {0};

	*model = NULL;
	r->target = beam_setup_load(&r->setup, json, err);
	if (!r->target || !open_driver(&r->driver, r->setup.function, err))
		goto fail;
	if (property && instance) {
		beam_driver_stand_in(&r->driver, false);
		beam_plain_init(&r->plain, r->target, &r->driver, atom_from_string(property));
		if (!beam_plain_load(&r->plain, instance, err))
			goto fail;
		return r;
	}
	if (!beam_look(&look, &r->driver, err))
		goto fail;
	if (!look.hows.ends.len) {
		err_set(err, "module %s has lost its state-machine callbacks", r->setup.function);
		goto fail;
	}
	*model = beam_model_create(r->target, &r->driver, &look.hows);
	r->target = NULL;
	beam_look_release(&look);
	return r;
fail:
	beam_look_release(&look);
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
