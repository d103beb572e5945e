/* detect.h: traces in, findings out.
 *
 * A detector looks at one trace after the other and reports what is wrong in it. It
 * never sees a program: actors, objects and sites are numbers, and the sentence it
 * writes uses actor names only; the explorer puts sites and objects into words.
 * Most detectors keep nothing between traces; the leak detector compares runs.
 *
 * To add one: a line in detectors.def and a file here.
 */
#ifndef DETECT_DETECT_H
#define DETECT_DETECT_H

#include "base/vec.h"
#include "core/finding.h"
#include "core/trace.h"

VEC_TYPE(finding_vec, struct finding);

struct detectors;

struct detectors *detectors_new(void);
void detectors_free(struct detectors *detectors);

/* Appends the findings of the trace, with their fingerprints set. */
void detectors_look(struct detectors *detectors, const struct trace *trace,
		    struct finding_vec *findings);

/* Of a finding that two runs make (a leak): the run that does not have it, valid until the next
 * look; NULL for others. */
const struct trace *detectors_other(const struct detectors *detectors,
				    const struct finding *finding);

/* Does the run say which blocks are never freed? Not if it ended while a thread was running: the thread
 * might have freed its blocks, or allocated others. */
bool detect_knows_leaks(const struct trace *trace);

/* Forgets what was seen so far: the exploration starts anew. */
void detectors_restart(struct detectors *detectors);

/* ---- for the detectors ---- */

struct detector {
	const struct detector_ops *ops;
};

struct detector_ops {
	void (*look)(struct detector *self, const struct trace *trace,
		     struct finding_vec *findings);
	/* optional: see detectors_other */
	const struct trace *(*other)(const struct detector *self, const struct finding *finding);
	void (*restart)(struct detector *self); /* optional */
	void (*free)(struct detector *self); /* optional: a detector without state needs none */
};

struct detector *detector_without_state(const struct detector_ops *ops);

#define DETECTOR(create) struct detector *create(void);
#include "detect/detectors.def"
#undef DETECTOR

#endif
