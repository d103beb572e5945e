/* conclude.h: the conclusions that a search may draw about the program when it is over.
 *
 * explore.c makes the runs. Only this file decides what follows from them: whether the search was
 * complete, whether its runs are certified, why it is not a proof, and when control was lost.
 * "proved" rests on these few functions, so they stand apart from the loop, its budgets and its
 * workers.
 *
 * The first reason against a proof is the one that is reported. A loss of control overrides every other
 * reason and ends the search.
 */
#ifndef EXPLORE_CONCLUDE_H
#define EXPLORE_CONCLUDE_H

#include <stdbool.h>

#include "base/err.h"

struct explorer;

/* A reason why the search is not a proof; ignored if there is one already. */
void explorer_set_reason(struct explorer *x, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Control is lost, and `how` says in which way: nothing that was seen counts as a proof. */
void explorer_lose_control(struct explorer *x, const char *how);

/* Fills in complete, certified, not_certified, lost and reason of the result, after the last run. `ok`:
 * the search ended without an error. Returns false, with err, if it did not or if the checker could
 * not make its runs. The workers must have been stopped. */
bool explorer_conclude(struct explorer *x, bool ok, struct err *err);

#endif
