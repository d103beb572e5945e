#include "cli/explorer/explorer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/code_path.h"
#include "cli/exits.h"
#include "cli/explorer/moment.h"
#include "cli/explorer/serve.h"
#include "cli/help.h"
#include "cli/replay/surroundings.h"
#include "cli/search/beam_setup.h"
#include "cli/search/native_setup.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "cli/test.h"
#include "explain/explain.h"
#include "explore/save.h"
#include "explore/walk.h"

static const char usage[] =
	"usage: fermata explore [options] -- PROGRAM [ARGS…]\n"
	"       fermata explore [options] [-pa DIR]… MODULE:FUNCTION\n"
	"\n"
	"Serves a page on this machine on which you choose which thread or process goes next,\n"
	"see who can go and why the others cannot, go back, try another way, and save a run as a\n"
	"finding or as a schedule for `fermata replay`. The address has a secret; Ctrl-C ends it.\n"
	"\n"
	"  --port N    the port on the loopback interface (default: any free one)\n"
	"  -pa DIR     Erlang: load modules from DIR\n"
	"\n"
	"The options of `fermata test` about the program are taken as well (--timeouts, --spurious,\n"
	"--start, --out …).\n";

enum { LEARNING_RUNS = 30, CHOICES_MAX = 100000 };

struct explorer {
	const struct test_options *options;
	struct target *target;
	struct session session; /* for saving */
	bool is_beam;
	struct serve serve;
};

/* ---- the state ---- */

VEC_TYPE(choice_vec, const char *);

/* The texts belong to the JSON. */
static bool read_choices(const json_t *json, struct choice_vec *choices)
{
	const json_t *list = json_object_get(json, "choices");

	if (!json_is_array(list) || json_array_size(list) > CHOICES_MAX)
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *id = json_string_value(json_array_get(list, i));

		if (!id)
			return false;
		*vec_push(choices) = id;
	}
	return true;
}

/* The page's data: a report of one run. */
static json_t *state_json(struct explorer *x, struct moment *m)
{
	struct report report = {.verdict = REPORT_BUG, .program = x->session.program,
				.strategy = "", .reason = "", .restart = "", .restart_reason = "",
				.findings = &m->run, .findings_len = 1};
	struct strbuf text = {0};
	json_t *root;

	report_read_sources(&report, NULL, &m->arena);
	report_json(&report, &text);
	root = json_loads(strbuf_text(&text), 0, NULL);
	if (!m->has_finding)
		json_object_set_new(json_array_get(json_object_get(root, "findings"), 0), "kind",
				    json_string("run"));
	json_object_set_new(root, "excerpts", report_excerpts(&report, NULL));
	json_object_set_new(root, "moment", moment_json(m));
	json_object_set_new(root, "line", json_string("fermata explore"));
	strbuf_release(&text);
	return root;
}

static json_t *error_json(const char *text)
{
	return json_pack("{s:s}", "error", text);
}

static json_t *make_state(struct explorer *x, const struct choice_vec *choices)
{
	struct moment moment;
	struct err err = {0};
	json_t *answer;

	if (moment_make(&moment, x->target, x->is_beam, choices->items, (uint32_t)choices->len,
			&err))
		answer = state_json(x, &moment);
	else
		answer = error_json(err.message);
	moment_release(&moment);
	return answer;
}

/* ---- saving ---- */

static bool save_found(struct explorer *x, const struct moment *m, struct strbuf *path,
		       struct err *err)
{
	struct shrink_budget budget = {.seconds = 5, .runs = 500, .stop = &stop_wanted,
				       .others_seconds = 1};
	struct found found = found_of(&m->finding, m->trace, NULL);
	struct target *fresh = x->target->ops->again(x->target, err);
	struct report_finding words;
	struct arena arena = {0};
	uint64_t runs = 0;
	bool ok = fresh && found_finish(&found, fresh, &budget, false, &runs, err);

	if (ok) {
		explain_finding(fresh, &found, &arena, &words);
		ok = session_save(&x->session, fresh, &found, &words, &arena, err);
	} else if (!err->message[0]) {
		err_set(err, "the finding did not show again when its schedule was replayed");
	}
	if (ok)
		strbuf_adds(path, words.path);
	if (fresh)
		fresh->ops->free(fresh);
	found_release(&found);
	arena_release(&arena);
	return ok;
}

/* The run as it is, whatever its end. */
static bool save_schedule(struct explorer *x, struct moment *m, struct strbuf *path,
			  struct err *err)
{
	struct decision *decisions = found_decisions(m->trace);
	struct strbuf knowledge = {0};
	json_t *words;
	char name[4096];
	bool ok;

	if (!m->run.message[0])
		m->run.message = "a schedule that was chosen step by step (fermata explore)";
	m->run.fingerprint = hash_bytes(decisions, m->trace->events_len * sizeof(*decisions));
	words = report_finding_json(&m->run);
	x->target->ops->save_knowledge(x->target, &knowledge);
	surroundings_record(x->session.setup, false);
	struct saved saved = {.target = x->session.target_name, .kind = SAVE_SCHEDULE,
			      .fingerprint = m->run.fingerprint, .decisions = decisions,
			      .decisions_len = m->trace->events_len, .setup = x->session.setup,
			      .words = words, .knowledge = strbuf_text(&knowledge)};
	ok = save_finding(x->options->out, &saved, NULL, name, err);
	if (ok)
		strbuf_adds(path, name);
	strbuf_release(&knowledge);
	json_decref(words);
	mem_free(decisions);
	return ok;
}

static json_t *save_run(struct explorer *x, const struct choice_vec *choices, const char *as)
{
	bool is_schedule = as && strcmp(as, "schedule") == 0;
	struct strbuf path = {0};
	struct moment moment;
	struct err err = {0};
	json_t *answer;
	bool ok = moment_make(&moment, x->target, x->is_beam, choices->items,
			      (uint32_t)choices->len, &err);

	if (ok && !moment.is_possible)
		ok = err_set(&err, "step %u of these choices is not possible", moment.steps + 1);
	else if (ok && !is_schedule && !moment.has_finding)
		ok = err_set(&err, "nothing is wrong in this run: save it as a schedule");
	if (ok)
		ok = is_schedule ? save_schedule(x, &moment, &path, &err)
				 : save_found(x, &moment, &path, &err);
	answer = ok ? json_pack("{s:s}", "path", strbuf_text(&path)) : error_json(err.message);
	moment_release(&moment);
	strbuf_release(&path);
	return answer;
}

/* ---- the requests ---- */

static json_t *answer_post(struct explorer *x, const struct serve_request *request)
{
	json_t *json = json_loads(request->body, 0, NULL), *answer;
	struct choice_vec choices = {0};

	if (!read_choices(json, &choices))
		answer = error_json("the request has no list of choices");
	else if (strcmp(request->name, "state") == 0)
		answer = make_state(x, &choices);
	else
		answer = save_run(x, &choices, json_string_value(json_object_get(json, "as")));
	vec_release(&choices);
	json_decref(json);
	return answer;
}

static void answer_request(void *ctx, const struct serve_request *request,
			   struct serve_reply *reply)
{
	struct explorer *x = ctx;
	bool is_known = strcmp(request->name, "state") == 0 || strcmp(request->name, "save") == 0;
	json_t *answer = NULL;
	char *dump;

	if (!request->is_post && !request->name[0]) {
		struct choice_vec none = {0};

		answer = make_state(x, &none);
		reply->type = "text/html; charset=utf-8";
		dump = json_dumps(answer, JSON_COMPACT);
		report_live_page(x->session.program, dump ? dump : "{}", &reply->body);
	} else if (request->is_post && is_known) {
		answer = answer_post(x, request);
		dump = json_dumps(answer, JSON_COMPACT);
		strbuf_adds(&reply->body, dump ? dump : "{}");
	} else {
		reply->status = 404;
		dump = NULL;
		strbuf_adds(&reply->body, "{\"error\": \"there is nothing of that name\"}");
	}
	free(dump);
	json_decref(answer);
}

/* ---- the command ---- */

/* Some random runs, so that the target knows how objects are laid out and which plain variables
 * race: what is a step should not change under the reader's hands. */
static bool learn(struct explorer *x, struct err *err)
{
	struct strategy_params params = {.seed = x->options->seed};
	struct walk walk;
	bool ok = true;

	walk_init(&walk, x->target, "random", &params);
	for (uint32_t i = 0; i < LEARNING_RUNS && ok && !stop_wanted; i++) {
		enum walk_answer answer = walk_next(&walk, err);

		if (answer == WALK_LOST)
			err_set_unsupported(err, "lost control: %s", walk.lost);
		ok = answer != WALK_ERROR && answer != WALK_LOST;
		if (answer == WALK_RAN && walk_expose(&walk) == WALK_RAN)
			walk_learn(&walk);
	}
	walk_release(&walk);
	return ok;
}

static int serve_target(struct explorer *x, uint16_t port)
{
	struct err err = {0};
	bool ok = learn(x, &err) && serve_open(&x->serve, port, &err);

	if (ok) {
		fputs("fermata: explore ", stdout);
		exits_print_harmless(stdout, x->session.program);
		printf(" at http://127.0.0.1:%u/%s/\n", x->serve.port, x->serve.token);
		fflush(stdout);
		ok = serve_run(&x->serve, answer_request, x, &stop_wanted, &err);
		serve_close(&x->serve);
	}
	stop_disarm();
	return ok ? EXIT_NO_BUG : exits_fail(&err);
}

static int explore_native(struct explorer *x, char **argv, uint16_t port)
{
	struct native_setup setup;
	struct err err = {0};
	int status;

	x->session.target_name = "native";
	x->session.program = argv[0];
	x->target = native_setup_create(&setup, x->options, argv, &err);
	if (x->target) {
		x->session.setup = native_setup_json(&setup, x->target);
		status = serve_target(x, port);
		json_decref(x->session.setup);
		x->target->ops->free(x->target);
	} else {
		status = exits_fail(&err);
	}
	native_setup_release(&setup);
	return status;
}

static int explore_beam(struct explorer *x, const char *function, const char *const *paths,
			uint16_t port)
{
	struct beam_subject subject = {.function = function, .paths = paths};
	struct beam_setup setup;
	struct err err = {0};
	int status;

	x->is_beam = true;
	x->session.target_name = "beam";
	x->session.program = function;
	x->target = beam_setup_create(&setup, x->options, &subject, &err);
	if (x->target) {
		x->session.setup = beam_setup_json(&setup);
		status = serve_target(x, port);
		json_decref(x->session.setup);
		x->target->ops->free(x->target);
	} else {
		status = exits_fail(&err);
	}
	beam_setup_release(&setup);
	return status;
}

struct words {
	uint64_t port;
	char **program;       /* behind --; or NULL */
	const char *function; /* or NULL */
	VEC(const char *) paths;
};

static bool take_word(struct words *w, struct test_options *o, int argc, char **argv, int *at,
		      struct err *err)
{
	const char *text = argv[*at];
	bool has_value = *at + 1 < argc;

	if (strcmp(text, "-pa") == 0 || strcmp(text, "--port") == 0) {
		if (!has_value)
			return err_set(err, "%s needs a value", text);
		*at += 2;
		if (text[1] == '-')
			return option_parse_number("port", argv[*at - 1], &w->port, err);
		code_path_check(argv[*at - 1]);
		*vec_push(&w->paths) = argv[*at - 1];
		return true;
	}
	if (text[0] == '-') {
		int before = *at;

		return option_parse(o, argc, argv, at, err) && (*at > before || option_refuse(text, err));
	}
	if (w->function)
		return err_set(err, "explore takes one function; unexpected word '%s'", text);
	w->function = text;
	++*at;
	return true;
}

static bool parse_words(struct words *w, struct test_options *o, int argc, char **argv,
			struct err *err)
{
	for (int at = 1; at < argc && !w->program;) {
		if (strcmp(argv[at], "--") == 0)
			w->program = argv + at + 1;
		else if (!take_word(w, o, argc, argv, &at, err))
			return false;
	}
	if (w->port > UINT16_MAX)
		return err_set(err, "--port takes a number up to %d", UINT16_MAX);
	if (w->program ? !w->program[0] || w->function : !w->function)
		return err_set(err, "explore needs a program: fermata explore [options] -- PROGRAM "
			       "[ARGS…], or MODULE:FUNCTION");
	if (o->memory != MEMORY_SC || o->equivalence != EQUIVALENCE_ORDER)
		return err_set(err, "explore knows --memory sc and --equivalence order only");
	if (o->eunit || o->exunit)
		return err_set(err, "explore takes one function, not a suite");
	return test_prepare(o, !w->program, err);
}

int cli_explore(int argc, char **argv)
{
	struct test_options options;
	struct explorer x = {.options = &options, .session = {.options = &options}};
	struct words words = {0};
	struct err err = {0};
	int status;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	option_defaults(&options);
	if (!option_read_environment(&options, &err) ||
	    !parse_words(&words, &options, argc, argv, &err)) {
		vec_release(&words.paths);
		return exits_fail(&err);
	}
	stop_catch_signals(0);
	*vec_push(&words.paths) = NULL;
	status = words.program ? explore_native(&x, words.program, (uint16_t)words.port)
			       : explore_beam(&x, words.function, words.paths.items,
					      (uint16_t)words.port);
	vec_release(&words.paths);
	return status;
}
