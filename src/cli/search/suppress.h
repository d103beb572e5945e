/* suppress.h: findings that a project does not want to hear of, by their places.
 *
 * The file is that of the thread sanitizer (TSAN_OPTIONS=suppressions=…), one rule per line:
 *
 *     race:stats_add              a race with a function, file or variable of that name on its stacks
 *     race_top:stats_*            the same, but only in the innermost frames
 *     deadlock:^lock_both$        other kinds: deadlock, and mutex for misuse
 *     assertion:legacy.c          any kind of finding by its own name
 *
 * A pattern is a part of the name; '*' stands for any text, '^' and '$' for the ends. A comment
 * "fermata: ignore" (or "fermata: ignore race") in the line of a finding does the same for that line.
 * The verdict reports how many findings were left out, because it holds only if these do not
 * matter.
 */
#ifndef CLI_SUPPRESS_H
#define CLI_SUPPRESS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "core/finding.h"
#include "report/report.h"
#include "target/target.h"

#define SUPPRESS_DEFAULT "fermata.supp"

struct suppress_rule {
	uint32_t kind; /* enum finding_kind */
	bool is_top;
	const char *pattern;
};

struct suppressions {
	struct arena arena;
	VEC(struct suppress_rule) rules;
	uint32_t counts[FINDING_KINDS]; /* findings that were left out */
	uint32_t len;                   /* their sum */
	const char *of_library;         /* what is assumed of a library that races with itself; or NULL */
};

/* Reads the file; a NULL path is fermata.supp in the current folder, if it is there. False with err,
 * which names the line, if it is wrong or cannot be read. */
bool suppressions_read(struct suppressions *suppressions, const char *path, struct err *err);
void suppressions_release(struct suppressions *suppressions);

/* Is the finding left out, as far as its innermost frames say? Counts it. */
bool suppressions_match(struct suppressions *suppressions, struct target *target,
			const struct finding *finding);
/* The same by its whole stacks, when it was put into words. */
bool suppressions_match_words(struct suppressions *suppressions,
			      const struct report_finding *words);

/* An assumption for the verdict: "2 findings of kind race not to be a bug (suppressed)"; NULL if nothing
 * was left out. */
const char *suppressions_text(const struct suppressions *suppressions, struct arena *arena);

#endif
