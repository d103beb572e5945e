#include "cli/search/native_cases.h"

#include <string.h>

#include "base/clock.h"
#include "cli/exits.h"
#include "cli/project/gather.h"
#include "cli/search/child.h"
#include "cli/search/children.h"
#include "cli/search/stopping.h"
#include "cli/test.h"

/* The work of one child: to explore one test. With --jobs the processes explore a test each, because
 * most tests are small. */
struct job {
	struct test_options options;
	enum framework framework;
	char **argv;
	const char *name;
	bool is_beside; /* others run at the same time */
};

static int explore_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct arena arena = {0};
	char **argv = framework_select(job->framework, job->argv, job->name, &arena);
	int status = test_collect(&job->options, false, argv, NULL, job->name, job->is_beside, out);

	arena_release(&arena);
	return status;
}

static bool explore_case(struct job *job, struct gather *gather, struct err *err)
{
	struct child_answer answer;

	if (!child_ask(explore_work, job, &answer, err))
		return false;
	gather_take(gather, job->name, &answer);
	return true;
}

static bool start_case(struct children *children, const struct job *job, struct arena *arena,
		       struct err *err)
{
	struct job *beside = arena_alloc(arena, sizeof(*beside));

	*beside = *job;
	beside->is_beside = true;
	beside->options.jobs = 1;
	return children_start(children, explore_work, beside, err);
}

/* The answers in the order of the tests. */
static void take_started(struct children *children, struct gather *gather)
{
	struct child_answer answer;
	void *job;

	while (children_take(children, &answer, &job))
		gather_take(gather, ((const struct job *)job)->name, &answer);
}

/* At least this much time for a test, even if the time of all is over. */
static const double LEAST_SECONDS = 0.2;

bool native_cases_explore(const struct test_options *options, enum framework framework, char **argv,
			  double seconds, struct gather *gather, struct err *err)
{
	struct children children = {.max = children_max(options)};
	struct job job = {*options, framework, argv, NULL, false};
	double deadline = clock_seconds() + seconds;
	struct case_vec cases = {0};
	struct arena arena = {0};
	bool ok;

	ok = framework_list(framework, argv, options->filter, &arena, &cases, err);
	if (ok && !cases.len)
		ok = err_set(err, "%s lists no test of %s%s%s", argv[0], framework_title(framework),
			     options->filter ? " that fits " : "",
			     options->filter ? options->filter : "");
	for (size_t i = 0; i < cases.len && !stop_wanted && ok; i++) {
		double left = (double)(cases.len - i);
		double together = left < children.max ? left : children.max;
		double share = (deadline - clock_seconds()) * together / left;

		if (seconds > 0)
			job.options.max_time = share > LEAST_SECONDS ? share : LEAST_SECONDS;
		job.name = cases.items[i];
		ok = children.max > 1 ? start_case(&children, &job, &arena, err)
				      : explore_case(&job, gather, err);
	}
	take_started(&children, gather);
	children_release(&children);
	vec_release(&cases);
	arena_release(&arena);
	return ok;
}

int native_cases_run(const struct test_options *options, enum framework framework, char **argv)
{
	double start = clock_seconds();
	struct gather gather;
	struct err err = {0};
	int status;

	gather_init(&gather);
	if (native_cases_explore(options, framework, argv, 0, &gather, &err))
		status = gather_finish(&gather, options, argv[0], clock_seconds() - start);
	else
		status = exits_fail(&err);
	gather_release(&gather);
	return status;
}
