/* nearest_parts.h: shared by the files that look for the nearest passing run.
 *
 * nearest.c      which runs are tried, and in which order
 * nearest_try.c  runs one of them and checks it: does it pass, which pair of steps does it show, is
 *                it an answer to the reader's question
 */
#ifndef EXPLORE_NEAREST_PARTS_H
#define EXPLORE_NEAREST_PARTS_H

#include "base/vec.h"
#include "core/order.h"
#include "explore/found.h"
#include "explore/spare.h"

/* A passing run that was found. */
struct passing {
	struct decision *decisions; /* NULL: none */
	uint32_t len;
	struct found_pair pair;
};

struct nearest {
	struct spare *spare;
	struct found *found;
	const struct shrink_budget *budget;
	double deadline;
	uint32_t runs_left;
	bool wants_all; /* of the pairs, also those with a lock that was never taken */
	uint32_t seed; /* of the steps behind the candidate; 0: go on with the last actor */
	uint64_t *runs_done;
	struct order order;
	VEC(struct decision) candidate;
	struct trace *best;   /* the run of found->passing; NULL: none yet */
	struct passing aside; /* a run in which the step comes too late for anybody (is_moot) */
};

enum nearest_answer {
	NEAREST_UNREACHED, /* `second` did not come before `first`, or the run cannot be used */
	NEAREST_FAILED,
	NEAREST_PASSED,
};

bool nearest_has_budget(const struct nearest *search);

/* Appends the step to the candidate. */
void nearest_add(struct nearest *search, const struct event *event);

/* Runs the candidate; keeps it if it passes and `second` comes before event number `first`. */
enum nearest_answer nearest_try(struct nearest *search, uint32_t first, const struct event *second);

/* Runs the candidate. Does it fail although `second` comes before event number `first`, because step `left_out`, which
 * the candidate leaves out, comes later? */
bool nearest_fails_without(struct nearest *search, uint32_t first, const struct event *second,
			   const struct event *left_out);

/* The passing run that was just found is the answer, unless its step comes too late for anybody. */
bool nearest_accept(struct nearest *search);

/* At the end: a run that was not an answer is better than none. */
void nearest_take_aside(struct nearest *search);

#endif
