/* beam_plain.h: a plain PropEr property: prop_something/0 without parallel commands.
 *
 * PropEr's generators make an instance, unexplored; evaluating the property on that instance is
 * one exploration, with as many schedules as asked for; any schedule in which it is false or
 * raises fails it (FINDING_PROPERTY). Then PropEr's shrinkers make smaller instances, each
 * explored in the same way, and shrinking continues with the first that fails.
 *
 * The same instance under the same strategy and seed fails in the same way: the caller reports
 * it by exploring the target once more.
 */
#ifndef PROP_BEAM_PLAIN_H
#define PROP_BEAM_PLAIN_H

#include "beam/target.h"
#include "prop/beam_driver.h"
#include "prop/beam_terms.h"

struct beam_plain_result;

struct beam_plain {
	struct target *target; /* borrowed, its hooks are ours */
	struct beam_driver *driver;
	term property;
	struct beam_terms terms;
	uint32_t instance;     /* the instance: a handle in terms */
	struct strbuf text;    /* an instance that has failed, in words, for its report */
	struct notice notice;
	struct strbuf unfit;   /* a missing function that the last run uses; or "" */
	bool needs_proper;     /* it is a function of PropEr */
	bool shall_fail, has_failed; /* some instance is to fail (fails/1), and one did */
	/* Called after each test that has passed, with is_failing false, and for each instance that
	 * fails: the first one and those that are smaller. It may print the instance. Optional. */
	void (*noted)(void *ctx, const struct beam_plain_result *so_far, bool is_failing);
	void *ctx;
};

struct beam_plain_result {
	uint64_t tests, runs, steps, shrink_tests, shrink_runs;
	double seconds;
	bool is_found;
	char reason[256]; /* why it ended before all tests were run; "" if it did not */
};

/* The target runs this property from now on. */
void beam_plain_init(struct beam_plain *p, struct target *target, struct beam_driver *driver,
		     term property);
void beam_plain_release(struct beam_plain *p);

/* Tests until an instance fails, shrinks that one and leaves it installed. False with err
 * if the world or a generator is wrong. */
bool beam_plain_search(struct beam_plain *p, const struct prop_options *options,
		       struct beam_plain_result *result, struct err *err);

/* The instance that is installed, as one writes it. */
void beam_plain_print(struct beam_plain *p, struct strbuf *out);

/* For the finding's file, and back. */
void beam_plain_save(const struct beam_plain *p, struct strbuf *hex);
bool beam_plain_load(struct beam_plain *p, const char *hex, struct err *err);

#endif
