/* save.h: a finding as a file, with all that replay needs, for ten years.
 *
 * The file is JSON: what was tested (program, arguments, folder, build-id), with which
 * options, the schedule as decisions (of a leak also one without it), what was learned
 * about the program, and the report in words, so that `fermata report` needs no program.
 * "format" counts up when a reader of an older one would misunderstand; unknown members
 * are ignored.
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
	struct decision *other;     /* owned: of a leak, one that frees the block; NULL none */
	uint32_t other_len;
	const json_t *setup;       /* object: program, options; the target's to interpret */
	const json_t *words;       /* object: the finding as reports tell it */
};

/* Writes the finding to dir/<id>, making dir if needed; the path goes to path_out. The
 * members of `saved` except root are read. */
bool save_finding(const char *dir, const struct saved *saved, char path_out[4096], struct err *err);

/* Reads one; false with one clear line for anything that is no finding of ours. */
bool save_load(const char *path, struct saved *saved, struct err *err);
void saved_release(struct saved *saved);

#endif
