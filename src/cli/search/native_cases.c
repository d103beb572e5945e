#include "cli/search/native_cases.h"

#include <string.h>

#include "base/clock.h"
#include "cli/exits.h"
#include "cli/project/gather.h"
#include "cli/search/child.h"
#include "cli/search/stopping.h"
#include "cli/test.h"

/* The work of one child: to explore one test. */
struct job {
	const struct test_options *options;
	enum framework framework;
	char **argv;
	const char *name;
};

static int explore_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct arena arena = {0};
	char **argv = framework_select(job->framework, job->argv, job->name, &arena);
	int status = test_collect(job->options, false, argv, NULL, job->name, out);

	arena_release(&arena);
	return status;
}

static bool explore_case(struct job *job, struct gather *gather, struct err *err)
{
	struct child_answer answer;
	json_t *report;

	if (!child_ask(explore_work, job, &answer, err))
		return false;
	report = json_loads(strbuf_text(&answer.text), 0, NULL);
	if (report)
		gather_add(gather, job->name, report);
	else if (answer.status == EXIT_USAGE)
		gather_add_broken(gather, job->name, "the test cannot be set up");
	else
		gather_add_lost(gather, job->name);
	strbuf_release(&answer.text);
	return true;
}

int native_cases_run(const struct test_options *options, enum framework framework, char **argv)
{
	struct job job = {options, framework, argv, NULL};
	double start = clock_seconds();
	struct case_vec cases = {0};
	struct arena arena = {0};
	struct gather gather;
	struct err err = {0};
	int status = EXIT_USAGE;

	gather_init(&gather);
	if (framework_list(framework, argv, options->filter, &arena, &cases, &err) && !cases.len)
		err_set(&err, "%s lists no test of %s%s%s", argv[0], framework_title(framework),
			options->filter ? " that fits " : "", options->filter ? options->filter : "");
	for (size_t i = 0; i < cases.len && !stop_wanted && !err.message[0]; i++) {
		job.name = cases.items[i];
		explore_case(&job, &gather, &err);
	}
	if (err.message[0])
		status = exits_fail(&err);
	else
		status = gather_finish(&gather, options, argv[0], clock_seconds() - start);
	gather_release(&gather);
	vec_release(&cases);
	arena_release(&arena);
	return status;
}
