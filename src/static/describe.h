/* describe.h: candidates into suspects: numbers into texts. Private to static/. */
#ifndef STATIC_DESCRIBE_H
#define STATIC_DESCRIBE_H

#include "static/analysis.h"

/* All texts are put into the arena. */
struct suspect describe_candidate(struct analysis *a, struct arena *arena,
				  const struct candidate *c, struct rating rating);

#endif
