/* explorer.h: the state of one search, shared by explore.c (the loop) and conclude.c (its result). */
#ifndef EXPLORE_EXPLORER_H
#define EXPLORE_EXPLORER_H

#include "certify/certify.h"
#include "explore/explore.h"
#include "explore/history.h"
#include "explore/walk.h"

struct explorer {
	struct walk walk;
	const struct explore_options *options;
	struct explore_result *result;
	struct map seen; /* fingerprints */
	struct certify *certify; /* NULL: not wanted */
	struct jobs *jobs;       /* of dpor; NULL: this process explores alone */
	struct samples *samples; /* the same, of a sampler */
	struct resume *resume;   /* NULL: the search is not saved */
	struct history history;  /* of a search that is saved, or has workers elsewhere */
	bool is_between;         /* two runs: the strategy knows all runs that were made */
	double started, last_progress, looked; /* the last: at the clock, before the step that is made */
	bool done, ran_dry;
	bool is_exhaustive; /* the strategy */
};

/* Confirms, shortens and keeps the findings of the last run of x->walk. False, with err, if the world is
 * wrong. */
bool explorer_take_findings(struct explorer *x, struct err *err);

#endif
