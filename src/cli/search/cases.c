#include "cli/search/cases.h"

#include <string.h>

#include "base/clock.h"
#include "cli/exits.h"
#include "cli/project/gather.h"
#include "cli/search/beam_session.h"
#include "cli/search/child.h"
#include "cli/search/children.h"
#include "cli/search/forms.h"
#include "cli/search/pick.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "vm/run.h"

#define MEMORY_LIMIT ((size_t)4 << 30)

struct cases {
	struct test_options options;
	enum suite_kind kind;
	const char *const *paths;
	struct gather *gather;
	double deadline; /* 0: none */
	struct children children; /* of --jobs */
};

enum suite_kind cases_kind(const struct test_options *o)
{
	return o->eunit ? SUITE_EUNIT : o->exunit ? SUITE_EXUNIT : o->ct ? SUITE_CT : SUITE_NONE;
}

/* ---- children ---- */

/* The work of one child: list the tests of a module, or explore one of them. */
struct job {
	const struct test_options *options;
	enum suite_kind kind;
	const char *const *paths;
	const char *module;
	const struct suite_item *item;
	bool is_beside; /* others run at the same time */
};

static int list_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct run_options options = {.memory_limit = MEMORY_LIMIT, .otp_dir = job->options->otp};
	struct setup_options setup = {.config = job->options->config, .start = job->options->start,
				      .function = job->options->setup,
				      .system = job->options->system};
	struct suite_items items = {0};
	struct err err = {0};
	json_t *list = json_array();

	for (const char *const *path = job->paths; *path; path++)
		run_add_path(*path);
	if (!run_open(&options, &err) || (setup_is_asked(&setup) && !setup_run(&setup, &err)) ||
	    !suite_list(job->kind, job->module, &items, &err))
		return child_fail(out, &err);
	for (size_t i = 0; i < items.len; i++)
		json_array_append_new(
			list, json_pack("{s:i, s:s, s:s, s:s}", "kind",
					(int)items.items[i].kind, "path", items.items[i].path,
					"text", items.items[i].text, "tags",
					items.items[i].tags));
	json_dumpf(list, out, JSON_COMPACT);
	json_decref(list);
	suite_items_release(&items);
	return EXIT_NO_BUG;
}

static int explore_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct beam_subject subject = {.function = job->module, .suite = job->kind,
				       .path = job->item->path, .paths = job->paths};
	struct session session = {.options = job->options, .target_name = "beam",
				  .program = job->item->text, .name = job->item->text,
				  .is_beside = job->is_beside, .collect = out};

	session.started = stop_catch_signals(job->options->max_time);
	return beam_session_run(&session, &subject);
}

/* The list, or the reason why there is none (child_fail). NULL with err if no child was started. */
static json_t *ask_for_list(const struct job *job, struct err *err)
{
	struct child_answer answer;
	json_t *list;

	if (!child_ask(list_work, (void *)job, &answer, err))
		return NULL;
	list = json_loads(strbuf_text(&answer.text), 0, NULL);
	strbuf_release(&answer.text);
	return list;
}

json_t *cases_list(const struct test_options *options, enum suite_kind kind, const char *module,
		   const char *const *paths, struct err *err)
{
	struct job job = {.options = options, .kind = kind, .paths = paths, .module = module};
	json_t *list = ask_for_list(&job, err);

	if (json_is_array(list))
		return list;
	json_decref(list);
	return NULL;
}

/* ---- the tests of a module ---- */

static const double LEAST_SECONDS = 0.2;

/* A test that is explored beside others, with its own options: the time differs. */
struct beside {
	struct job job;
	struct test_options options;
	struct suite_item item;
};

/* With --jobs the processes explore a test each, because most tests are small. */
static bool start_test(struct cases *c, const char *module, const struct suite_item *item,
		       struct err *err)
{
	struct beside *beside = arena_alloc(&c->gather->arena, sizeof(*beside));

	beside->options = c->options;
	beside->options.jobs = 1;
	beside->item = *item;
	beside->job = (struct job){&beside->options, c->kind, c->paths, module, &beside->item, true};
	return children_start(&c->children, explore_work, &beside->job, err);
}

/* Takes the answers of all tests that were started, in their order. */
static void take_started(struct cases *c)
{
	struct child_answer answer;
	void *job;

	while (children_take(&c->children, &answer, &job))
		gather_take(c->gather, ((const struct job *)job)->item->text, &answer);
}

static bool explore_test(struct cases *c, const char *module, const struct suite_item *item,
			 struct err *err)
{
	struct job job = {&c->options, c->kind, c->paths, module, item, false};
	struct child_answer answer;

	if (c->children.max > 1)
		return start_test(c, module, item, err);
	if (!child_ask(explore_work, &job, &answer, err))
		return false;
	gather_take(c->gather, item->text, &answer);
	return true;
}

/* The value of the tag "skip"; it is `true` where the test gives no reason. */
static const char *reason_to_skip(struct arena *arena, const char *tags)
{
	static const char tag[] = "skip:";
	const char *at = tags;

	while (strncmp(at, tag, strlen(tag)) != 0) {
		at += strcspn(at, "\n");
		if (!*at++)
			return "skipped by its tag";
	}
	at += strlen(tag);
	if (strncmp(at, "true", 4) == 0 && (at[4] == '\n' || !at[4]))
		return "skipped by its tag";
	return arena_strndup(arena, at, strcspn(at, "\n"));
}

static void skip_test(struct cases *c, const struct suite_item *item)
{
	const char *reason = reason_to_skip(&c->gather->arena, item->tags);

	if (!c->options.quiet)
		exits_warn("%s is skipped: %s", item->text, reason);
	gather_add_skipped(c->gather, item->text, reason);
}

static bool take_item(struct cases *c, const char *module, const struct suite_item *item,
		      struct err *err)
{
	if (item->kind != SUITE_TEST)
		take_started(c);
	switch (item->kind) {
	case SUITE_TEST:
		return explore_test(c, module, item, err);
	case SUITE_BROKEN:
		exits_warn("%s: %s", module, item->text);
		gather_add_broken(c->gather, module, item->text);
		return true;
	case SUITE_SKIPPED:
		skip_test(c, item);
		return true;
	default:
		if (!c->options.quiet)
			exits_warn("%s: %s", module, item->text);
		return true;
	}
}

/* The time that is left, in equal parts for the tests that are left. */
static void divide_time(struct cases *c, size_t left)
{
	double together = left < c->children.max ? (double)left : c->children.max;
	double share = (c->deadline - clock_seconds()) * together / (double)left;

	if (c->deadline > 0)
		c->options.max_time = share > LEAST_SECONDS ? share : LEAST_SECONDS;
}

/* The tests of the module that are asked for. False if there are none; the reason has been printed
 * and is in the reports. */
static bool list_module(struct cases *c, const struct pick *pick, json_t **list)
{
	struct job job = {.options = &c->options, .kind = c->kind, .paths = c->paths,
			  .module = pick->module};
	const char *reason;
	struct err err = {0};

	*list = ask_for_list(&job, &err);
	if (json_is_array(*list) && pick_apply(pick, c->kind, &c->options, *list, &err))
		return true;
	if (err.message[0])
		exits_fail(&err);
	reason = json_string_value(json_object_get(*list, CHILD_FAILED));
	if (!stop_wanted)
		gather_add_broken(c->gather, pick->module,
				  reason           ? reason
				  : err.message[0] ? err.message
						   : "its tests cannot be listed");
	return false;
}

/* The module has no test to run: because of --tag and --skip-tag, or it is not a module of tests. */
static bool report_no_test(struct cases *c, const char *module)
{
	bool is_by_tags = c->options.tag || c->options.skip_tag;
	const char *text = is_by_tags ? "no test has the tags that --tag and --skip-tag ask for"
				      : "the module has no tests";

	fprintf(stderr, "fermata: %s: %s\n", module, text);
	if (!is_by_tags)
		gather_add_broken(c->gather, module, text);
	return is_by_tags;
}

/* False if the module cannot be tested at all; the reason has been printed. */
static bool run_module(struct cases *c, const struct pick *pick)
{
	size_t tests_before = json_array_size(c->gather->tests);
	const char *module = pick->module;
	struct err err = {0};
	json_t *list;
	bool ok = list_module(c, pick, &list);

	for (size_t i = 0; ok && i < json_array_size(list) && !stop_wanted; i++) {
		struct suite_item item = {0};
		int kind = 0;

		json_unpack(json_array_get(list, i), "{s:i, s:s, s:s, s:s}", "kind", &kind, "path",
			    &item.path, "text", &item.text, "tags", &item.tags);
		item.kind = (enum suite_item_kind)kind;
		divide_time(c, json_array_size(list) - i);
		ok = take_item(c, module, &item, &err) || exits_fail(&err) == EXIT_NO_BUG;
	}
	take_started(c);
	if (ok && json_array_size(c->gather->tests) == tests_before && !stop_wanted)
		ok = report_no_test(c, module);
	json_decref(list);
	return ok;
}

bool cases_run_module(const struct test_options *options, enum suite_kind kind, const char *asked,
		      const char *const *paths, double seconds, struct gather *gather)
{
	struct cases c = {.options = *options, .kind = kind, .paths = paths, .gather = gather,
			  .deadline = seconds > 0 ? clock_seconds() + seconds : 0,
			  .children = {.max = children_max(options)}};
	struct arena arena = {0};
	struct pick pick = pick_parse(&arena, asked);
	bool ok = run_module(&c, &pick);

	children_release(&c.children);
	arena_release(&arena);
	return ok;
}

int cases_run(const struct test_options *options, enum suite_kind kind, const char *const *modules,
	      const char *const *paths)
{
	double start = clock_seconds();
	struct gather gather;
	int status = EXIT_USAGE;

	gather_init(&gather);
	for (const char *const *module = modules; *module && !stop_wanted; module++)
		cases_run_module(options, kind, *module, paths, 0, &gather);
	if (json_array_size(gather.tests) > gather.broken || stop_wanted == STOP_INTERRUPTED ||
	    (gather.broken && forms_are_asked(options)))
		status = gather_finish(&gather, options, modules[0], clock_seconds() - start);
	gather_release(&gather);
	return status;
}
