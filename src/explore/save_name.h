/* save_name.h: the file names of findings.
 *
 * KIND-FINGERPRINT, with twelve digits of the fingerprint: "race-26c8c1c9c9c7". A finding that
 * is found again replaces its file. But two findings can have one fingerprint, because it
 * leaves out everything that an edit of the program changes:
 *
 *     exit(1) at line 10, and exit(1) at line 20 of one function
 *     main of t1/queue, and main of t2/queue
 *     "queue push" and "queue pop", which both end with status 1
 *
 * The second finding is then called KIND-FINGERPRINT-2, the third -3.
 */
#ifndef EXPLORE_SAVE_NAME_H
#define EXPLORE_SAVE_NAME_H

#include "explore/save.h"

/* The first of dir/id, dir/id-2 … that is free, or that holds the same finding and is not taken. */
void save_choose_name(const char *dir, const char *id, const json_t *finding,
		      const struct save_taken *taken, char path_out[4096]);

/* Has the name that form? */
bool save_is_name(const char *name);

#endif
