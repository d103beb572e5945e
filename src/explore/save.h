/* save.h: a finding as a file, with everything that replay needs.
 *
 * The file is JSON. It holds the tested program (path, arguments, folder, build-id), the options,
 * the schedule as decisions (for a leak also the schedule of a run without the leak), and the
 * target's knowledge of the program. It also holds the report in words with the numbers of the
 * search, so that `fermata report` does not need the program. The member "format" counts up when
 * an older reader would misunderstand the file; unknown members are ignored.
 *
 * The file is called KIND-FINGERPRINT, with -2, -3 … behind it if another finding has that name
 * already (save_name.h).
 */
#ifndef EXPLORE_SAVE_H
#define EXPLORE_SAVE_H

#include <jansson.h>

#include "base/err.h"
#include "core/schedule.h"

enum { SAVE_FORMAT = 1 };

/* As `kind`: not a finding but a schedule that the user wants to keep. Replay follows it and
 * reports any finding. */
#define SAVE_SCHEDULE "schedule"

struct saved {
	json_t *root;              /* owned; the accessors below point into it */
	const char *target;        /* "native" or "beam" */
	const char *knowledge;
	const char *kind;
	uint64_t fingerprint;      /* distinguishes this finding from all others */
	uint64_t match;            /* by which replay knows it again (explain/fingerprint.h); 0: saved
				    * by a version that had only the fingerprint */
	uint64_t line;             /* of the source, where it fails: a hash of its text; 0: unknown, */
	uint32_t line_ordinal;     /* and how many lines above it in its function are equal */
	struct decision *decisions; /* owned */
	uint32_t decisions_len;
	struct decision *other;     /* owned: of a leak, one that frees the block; or NULL */
	uint32_t other_len;
	struct decision *passing;   /* owned: the nearest run that ends well (nearest.h); or NULL */
	uint32_t passing_len;
	const json_t *setup;       /* object: program, options; the target's to interpret */
	const json_t *words;       /* object: the finding in words, as reports print it */
	const json_t *search;      /* object: numbers of the search that found it; or NULL */
};

/* Paths that must not be replaced: those of other findings of this run. */
struct save_taken {
	const char *const *paths;
	size_t paths_len;
};

/* Writes the finding into dir, making dir if needed; the path goes to path_out. The members of
 * `saved` except root are read. `taken` may be NULL. */
bool save_finding(const char *dir, const struct saved *saved, const struct save_taken *taken,
		  char path_out[4096], struct err *err);

/* Is the file meant to be a finding, by its name or by its beginning? It may still be damaged:
 * save_load() checks all of it. For lists of a folder. */
bool save_is_meant(const char *path);

/* Reads a finding. False with err if the file is not a finding or is damaged. */
bool save_load(const char *path, struct saved *saved, struct err *err);
void saved_release(struct saved *saved);

#endif
