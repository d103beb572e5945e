/* baseline.h: the file of known findings. A known finding is reported, but it does not fail the run
 * and does not end the search; so the first new one does, in a project that cannot fix all at once.
 *
 * The file is text, made to be kept with the sources. Each line has a fingerprint (fingerprint.h),
 * then words for people; lines that begin with # and empty lines are skipped:
 *
 *     897b4665ff536e03  race at queue.c:17
 *
 * `fermata findings known` and `new` write it; the lines of other findings stay as they are.
 */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

#define BASELINE_DEFAULT "fermata.baseline"

struct baseline {
	VEC(uint64_t) known;
};

/* A file that is not there yet has no known findings. */
bool baseline_is_absent(const char *path);
#define BASELINE_ABSENT "%s is not there: no findings are known yet (`fermata findings known` makes it)"

/* Reads the file; a NULL path is empty, and so is a file that is not there. False with err, which names the line, if it is wrong or
 * cannot be read. */
bool baseline_read(struct baseline *baseline, const char *path, struct err *err);
void baseline_release(struct baseline *baseline);
bool baseline_has(const struct baseline *baseline, uint64_t fingerprint);

/* Adds a line, or removes the line, of one finding. The file is made if it is missing. *was_there is
 * whether it had the finding before. */
bool baseline_mark(const char *path, uint64_t fingerprint, const char *words, bool *was_there,
		   struct err *err);
bool baseline_unmark(const char *path, uint64_t fingerprint, bool *was_there, struct err *err);

#endif
