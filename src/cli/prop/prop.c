#include "cli/prop/prop.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "cli/code_path.h"
#include "cli/exits.h"
#include "cli/prop/prop_beam.h"
#include "cli/prop/prop_session.h"
#include "cli/search/forms.h"
#include "cli/search/native_setup.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "prop/native_model.h"

static const struct prop_option {
	const char *name;
	size_t offset;
	uint64_t least, most;
	const char *argument, *text;
} prop_options[] = {
#define PROP_OPTION(name, field, least, most, argument, text)                  \
	{name, offsetof(struct prop_options, field), least, most, argument, text},
#include "cli/prop_option.def"
#undef PROP_OPTION
};

enum { PROP_OPTIONS = sizeof(prop_options) / sizeof(prop_options[0]) };

static const char *const shrinkings[] = {"rounds", "repeat", "procrastinate", "reuse", "both",
					   "none", NULL};

static const struct prop_options defaults = {
	.tests = 1000,
	.schedules = 12,
	.prefix_max = 4,
	.branch_max = 3,
	.branches = 3,
	.repeat = 25,
	.search_max = 100000,
	.shrink_seconds = 60,
};

static void print_usage(FILE *out)
{
	fputs("usage: fermata prop [options] -- PROGRAM [ARGS…]\n"
	      "       fermata prop [options] [-pa DIR]… MODULE[:PROPERTY]\n"
	      "\n"
	      "Generates parallel tests of an interface, runs each test under many schedules and\n"
	      "checks that some sequential order of the calls explains their results. The model\n"
	      "that decides which results are right is written with fermata/model.h (C, C++) or\n"
	      "as PropEr state-machine callbacks (Erlang); other PropEr properties are run\n"
	      "unchanged. A failing test is shrunk before it is reported. Messages\n"
	      "between Erlang processes may be late (--delivery async); --delivery instant\n"
	      "brings each at once.\n"
	      "\n"
	      "Options, besides those of `fermata test`:\n\n", out);
	for (size_t i = 0; i < PROP_OPTIONS; i++)
		option_print_line(out, prop_options[i].name, prop_options[i].argument, "",
				  prop_options[i].text);
	option_print_line(out, "from", "FINDING", "",
			  "shrink the test of a saved finding instead of generating tests");
	exits_print(out, EXIT_NO_BUG, EXIT_BUG, EXIT_USAGE, EXIT_NOT_PROVED, EXIT_LOST,
		    EXIT_INTERRUPTED, -1);
}

/* ---- options ---- */

static bool parse_shrinking(const char *text, uint64_t *how, struct err *err)
{
	uint32_t index;
	bool ok = option_parse_choice("shrinking", text, shrinkings, &index, err);

	*how = index;
	return ok;
}

static bool parse_value(const struct prop_option *option, const char *text, uint64_t *value,
			struct err *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)text[0]) || *value < option->least ||
	    *value > option->most)
		return err_set(err, "--%s takes a whole number from %lu to %lu, not '%s'",
			       option->name, option->least, option->most, text);
	return true;
}

/* Like option_parse() of option.h, for our own. */
static bool parse_own(struct prop_options *o, int argc, char **argv, int *at, struct err *err)
{
	const char *text = argv[*at], *value;
	size_t len = strcspn(text, "=");

	for (size_t i = 0; i < PROP_OPTIONS; i++) {
		const struct prop_option *option = &prop_options[i];
		uint64_t *field = (uint64_t *)((char *)o + option->offset);

		if (len < 2 || strlen(option->name) != len - 2 ||
		    strncmp(text + 2, option->name, len - 2) != 0)
			continue;
		++*at;
		value = text[len] ? text + len + 1 : *at < argc ? argv[(*at)++] : NULL;
		if (!value)
			return err_set(err, "--%s needs a value", option->name);
		if (strcmp(option->name, "repeat") == 0)
			o->shrinking = SHRINK_REPEAT;
		return field == &o->shrinking ? parse_shrinking(value, field, err)
					      : parse_value(option, value, field, err);
	}
	return true;
}

enum { ASKED_FOR_HELP = -1 };

/* Options and -pa folders up to the first other word. */
static bool parse_words(int argc, char **argv, struct test_options *options,
			struct prop_session *session, struct folder_vec *paths, int *at,
			struct err *err)
{
	while (*at < argc && strcmp(argv[*at], "--") != 0) {
		int before = *at;

		if (strcmp(argv[*at], "--help") == 0) {
			*at = ASKED_FOR_HELP;
			return true;
		}
		if (code_path_take(paths, argc, argv, at))
			continue;
		if (strcmp(argv[*at], "--from") == 0 && *at + 1 < argc) {
			session->from = argv[*at + 1];
			*at += 2;
			continue;
		}
		if (!parse_own(&session->prop, argc, argv, at, err))
			return false;
		if (*at == before && !option_parse(options, argc, argv, at, err))
			return false;
		if (*at == before)
			break;
	}
	return true;
}

/* A program after "--" stays at *at. Or else *module is the one word that is not an option: options
 * may stand before it and after it. */
static bool parse_command(int argc, char **argv, struct test_options *options,
			  struct prop_session *session, struct folder_vec *paths, int *at,
			  const char **module, struct err *err)
{
	*module = NULL;
	if (!parse_words(argc, argv, options, session, paths, at, err))
		return false;
	if (*at == ASKED_FOR_HELP || *at >= argc || strcmp(argv[*at], "--") == 0)
		return true;
	*module = argv[(*at)++];
	if (!parse_words(argc, argv, options, session, paths, at, err))
		return false;
	if (*at != ASKED_FOR_HELP && *at < argc)
		return err_set(err, "prop takes one module; unexpected '%s'", argv[*at]);
	return true;
}

static bool set_strategy(struct prop_options *prop, const struct test_options *o, struct err *err)
{
	struct strategy *strategy;

	prop->strategy = o->strategy;
	prop->params = (struct strategy_params){
		.seed = o->seed, .bound = (uint32_t)o->bound, .bound_kind = o->bound_kind,
		.depth = (uint32_t)o->depth, .burst = (uint32_t)o->burst,
		.tail_seed = o->first_seed, .grain = o->grain,
	};
	session_set_levels(&prop->params, o);
	prop->max_seconds = o->max_time;
	prop->jobs = o->allow_io ? 1 : (uint32_t)o->jobs;
	prop->ignored = o->ignore;
	strategy = strategy_create(o->strategy, &prop->params);
	if (!strategy)
		return err_set(err, "unknown strategy '%s' (fermata test --strategy help lists "
			       "them)", o->strategy);
	strategy->ops->free(strategy);
	return true;
}

static bool check_options(const struct test_options *o, struct err *err)
{
	if (option_is_given(o, "baseline"))
		return err_set(err, "--baseline is for fermata test");
	if (o->fleet)
		return err_set(err, "--fleet is for fermata test and fermata run");
	return forms_check(o, err);
}

/* ---- the two kinds of programs ---- */

enum { PATIENCE = 25 };

static int prop_native(struct prop_session *session, char **argv)
{
	struct native_setup setup;
	struct err err = {0};
	struct target *target = native_setup_create(&setup, session->options, argv, &err);
	struct model *model;
	int status;

	session->target_name = "native";
	session->program = argv[0];
	if (!session->prop.patience)
		session->prop.patience = PATIENCE;
	if (target)
		session->setup = native_setup_json(&setup, target);
	model = target ? native_model_create(target, argv[0], &err) : NULL;
	if (model) {
		status = prop_session_run(session, model);
		model->ops->free(model);
	} else {
		status = exits_fail(&err);
	}
	json_decref(session->setup);
	native_setup_release(&setup);
	return status;
}

static bool check_subject(const char *module, const char *program, struct err *err)
{
	if (module || program)
		return true;
	return err_set(err, "prop needs a program (fermata prop [options] -- PROGRAM "
		       "[ARGS…]) or an Erlang module (fermata prop [options] -pa DIR MODULE)");
}

int cli_prop(int argc, char **argv)
{
	struct test_options options;
	struct prop_session session = {.options = &options, .prop = defaults};
	struct folder_vec paths = {0};
	struct err err = {0};
	const char *module;
	char **program;
	int at = 1, status;

	option_defaults(&options);
	options.strategy = "procrastinate";
	options.delivery = 1; /* async, as PULSE has it: a message that is put off can come last */
	if (!option_read_environment(&options, &err) ||
	    !parse_command(argc, argv, &options, &session, &paths, &at, &module, &err))
		goto fail;
	if (at == ASKED_FOR_HELP) {
		print_usage(stdout);
		vec_release(&paths);
		return 0;
	}
	program = argv + (at < argc ? at + 1 : at);
	if (!check_subject(module, *program, &err) ||
	    !set_strategy(&session.prop, &options, &err) || !check_options(&options, &err))
		goto fail;
	stop_catch_signals(options.max_time);
	*vec_push(&paths) = NULL;
	status = module ? prop_beam(&session, module, paths.items)
			: prop_native(&session, program);
	vec_release(&paths);
	return status;
fail:
	vec_release(&paths);
	return exits_fail(&err);
}
