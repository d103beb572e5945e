/* certify.h: a check of a finished search that shares nothing with the search.
 *
 * A strategy claims that it has run at least one run of each class. This checker takes its runs
 * and verifies that they are closed: for every run and every two dependent steps in it that could
 * change places, some explored run begins with the changed beginning (demand.h). It knows the
 * plain dependence relation and nothing of sleep sets, wake-up trees, awaits, stems or runs made
 * ahead.
 *
 * A beginning that no explored run has is tried on the target. If it cannot be followed the two
 * steps cannot change places. If it can, and the run that comes of it is equivalent to no explored
 * one, the search has left a class out, which is a mistake in this program.
 */
#ifndef CERTIFY_CERTIFY_H
#define CERTIFY_CERTIFY_H

#include <signal.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/dependence.h"
#include "core/schedule.h"
#include "core/trace.h"
#include "target/target.h"

struct certify;

enum certify_answer {
	CERTIFY_CLOSED,  /* no class was left out */
	CERTIFY_GAP,     /* a class was left out: the text says which two steps were not swapped */
	CERTIFY_UNKNOWN, /* could not be decided: the text says why */
	CERTIFY_ERROR,   /* err says what is wrong with the world */
};

/* Keeps up to max_runs runs. `forgotten`, for tests: 1 + the number of a run that is not kept. */
struct certify *certify_new(uint64_t max_runs, enum observers observers, uint64_t forgotten);
void certify_free(struct certify *certify);

/* Adds a run of the search; NULL: the search begins anew. */
void certify_add(struct certify *certify, const struct trace *trace);

/* The check is given up (CERTIFY_UNKNOWN) when *stop is set: by Ctrl-C, or by the end of the time.
 * Borrowed; NULL: never. */
void certify_stop_at(struct certify *certify, const volatile sig_atomic_t *stop);

/* Checks the runs of a search that is complete. */
enum certify_answer certify_check(struct certify *certify, struct target *target,
				  struct strbuf *text, struct err *err);

/* After CERTIFY_GAP: the schedule of the run that was left out. Valid until the next call. */
struct schedule certify_gap(const struct certify *certify);

#endif
