/* scouts.h: other processes that run generated tests before their turn (--jobs).
 *
 * A test depends only on its two seeds, so scout number n of N runs the tests n, n + N, … and
 * reports those that passed. The tool then goes through all tests in their order: it counts a test
 * that has passed and runs every other test itself. So the first test that fails is the one that a
 * single process would have found, and a scout that dies costs the time it worked. When a test has
 * failed, the scouts leave out the tests behind it.
 *
 *     struct scouts scouts = {0};
 *
 *     scouts_run(&scouts, model, options, from, deadline, run_test, ctx);
 *     … for each test: scouts_has_passed(&scouts, number, result) or run it …
 *     scouts_release(&scouts);
 */
#ifndef PROP_SCOUTS_H
#define PROP_SCOUTS_H

#include "prop/attempt.h"
#include "prop/prop.h"

/* The sums of a test that has passed. */
struct scouted {
	uint64_t number; /* of the test, from 0 */
	uint64_t runs, steps, undecided, discarded;
	uint64_t assumed;
	uint32_t bounded;
	bool has_passed;
};

struct scouts {
	VEC(struct scouted) tests; /* by number, from `from` on */
	uint64_t from;
};

/* Runs test number `number` with this model, which belongs to the caller's process. */
typedef enum attempt_answer scout_work(void *ctx, struct model *model, uint64_t number,
				       struct prop_result *counts, struct err *err);

/* Returns when all tests from number `from` on have passed, one has failed, or the time is over. */
void scouts_run(struct scouts *scouts, struct model *model, const struct prop_options *options,
		uint64_t from, double deadline, scout_work *work, void *ctx);

/* If the test has passed its sums are added to the result. */
bool scouts_has_passed(const struct scouts *scouts, uint64_t number, struct prop_result *result);

void scouts_release(struct scouts *scouts);

#endif
