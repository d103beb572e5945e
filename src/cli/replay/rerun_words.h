/* rerun_words.h: sentences of the answer of a replay.
 *
 *     not shown: the program went another way at step 3: expected P1.2 load n = 0 at bank.c:12;
 *     instead P1.2 lock m at bank.c:11; but the run shows another bug: deadlock at bank.c:14
 */
#ifndef CLI_RERUN_WORDS_H
#define CLI_RERUN_WORDS_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "core/finding.h"
#include "explore/save.h"
#include "report/report.h"
#include "target/target.h"

/* "P1.2 lock m at bank.c:11", of the run that the target has just made; or how it ended. */
void rerun_words_actual(struct target *target, const struct trace *trace, uint32_t step,
			struct strbuf *out);

/* The same of the recorded run, as its report has it: the saved words, parsed. */
void rerun_words_expected(const struct saved *saved, const struct report_finding *words,
			  uint32_t step, struct strbuf *out);

/* The run failed, but not with the finding: a reader of "not shown" must not take it for a good
 * run. */
const char *rerun_words_other(struct target *target, const struct finding *other,
			      struct arena *arena);

/* If the run is step by step the recorded one, in the same words, the words of the finding are
 * taken. They also have the two steps whose order matters and the nearest passing run, which a
 * replay does not look for. */
void rerun_words_complete(const struct saved *saved, struct report_finding *words,
			  struct arena *arena);

/* A failure that is known by the way to it alone may be another one: a fix of the first of two asserts
 * lets the second one fail. Adds the words of the finding, if the words of this run are different.
 */
void rerun_words_old(const struct saved *saved, const char *now, struct strbuf *out);

#endif
