/* save.h: a finding as a file, with everything that replay needs.
 *
 * The file is JSON. It holds the tested program (path, arguments, folder, build-id), the options,
 * the schedule as decisions (of a leak also a schedule without it), the target's knowledge of the
 * program, and the report in words, so that `fermata report` does not need the program. The member
 * "format" counts up when an older reader would misunderstand the file; unknown members are
 * ignored.
 */
#ifndef EXPLORE_SAVE_H
#define EXPLORE_SAVE_H

#include <jansson.h>

#include "base/err.h"
#include "core/schedule.h"

enum { SAVE_FORMAT = 1 };

struct saved {
	json_t *root;              /* owned; the accessors below point into it */
	const char *target;        /* "native" or "beam" */
	const char *knowledge;
	const char *kind;
	uint64_t fingerprint;
	struct decision *decisions; /* owned */
	uint32_t decisions_len;
	struct decision *other;     /* owned: of a leak, one that frees the block; or NULL */
	uint32_t other_len;
	const json_t *setup;       /* object: program, options; the target's to interpret */
	const json_t *words;       /* object: the finding in words, as reports print it */
};

/* Writes the finding to dir/<id>, making dir if needed; the path goes to path_out. The
 * members of `saved` except root are read. */
bool save_finding(const char *dir, const struct saved *saved, char path_out[4096], struct err *err);

/* Does the file look like a finding? For lists of a folder; save_load() checks all of it. */
bool save_is_finding(const char *path);

/* Reads a finding. False with err if the file is not a finding or is damaged. */
bool save_load(const char *path, struct saved *saved, struct err *err);
void saved_release(struct saved *saved);

#endif
