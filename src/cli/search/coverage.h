/* coverage.h: measures how much of the possible behaviour a search has tried. There are two
 * measures: the predecessor sets of `--strategy hapset`, which are kept in a file, and for every
 * strategy the orders of receives (or of operations on one object) that the runs have shown. The
 * session calls these functions without knowing either measure. */
#ifndef CLI_COVERAGE_H
#define CLI_COVERAGE_H

#include <jansson.h>

#include "base/bytes.h"
#include "cli/option.h"
#include "core/goals.h"
#include "strategy/coverage.h"
#include "strategy/hapset.h"
#include "strategy/strategy.h"
#include "target/target.h"

struct coverage {
	const struct test_options *options;
	struct target *target;
	struct hapset hapset;
	bool uses_hapset;
	char folder[4096]; /* where the tool was started; "" if that is not known */
	struct cover_numbers cover; /* of `--strategy coverage` */
	bool uses_cover;
	/* the orders that runs have shown */
	struct causality causality;
	struct receives receives;
	struct goals goals;
	uint64_t runs, measured;
	uint64_t looked_at; /* pairs of receives, so far */
	bool cut;
	bool is_apart;      /* in a worker: measures only if --coverage was given */
	/* what was sent of these (measured.h) */
	struct goals sent;
	uint64_t runs_sent, measured_sent, looked_at_sent;
};

/* Reads the file of --hapset, makes the target record contexts, and hands the set to
 * the strategy through params. False with err if the file cannot be used. */
bool coverage_start(struct coverage *coverage, const struct test_options *options,
		    struct target *target, struct strategy_params *params, struct err *err);

/* Takes a run into account, as long as --coverage allows; NULL: the search begins anew. */
void coverage_measure(struct coverage *coverage, const struct trace *trace);

/* Appends what was measured since the last call; adds what another process has measured. The sets of
 * `--strategy hapset` are not part of it, because one process makes such a search. */
void coverage_put(struct coverage *coverage, struct strbuf *out);
void coverage_add(struct coverage *coverage, struct bytes_in *in);

/* After a search without a finding: adds the set to the file of --hapset, also to what another search
 * has written there since. The pairs on the way to a bug would keep the next search from it. */
bool coverage_save(struct coverage *coverage, struct err *err);

/* The measured coverage as a new JSON object, and as lines of text. */
json_t *coverage_json(const struct coverage *coverage);
void coverage_text(const struct coverage *coverage, struct strbuf *out);

/* For strategies that search for coverage, else nothing and 0: the number so far, as a part of the
 * progress line (", 12 pairs covered"), and as a number. */
void coverage_line(const struct coverage *coverage, struct strbuf *out);
uint64_t coverage_count(const struct coverage *coverage);

void coverage_release(struct coverage *coverage);

#endif
