/* relocate.h: makes the paths of a finding fit the place where it is replayed.
 *
 * A finding records absolute paths. If the project was moved or copied, together with its findings,
 * they would still name the old place:
 *
 *     tested in /home/a/bank, program /home/a/bank/build/bank, saved in /home/a/bank/.fermata
 *     replayed as /tmp/copy/.fermata/race-26c8c1c9c9c7
 *
 * The folder of the finding is the old one seen from another root, so every path below the old root
 * is looked for below the new one and taken from there if it exists.
 */
#ifndef CLI_RELOCATE_H
#define CLI_RELOCATE_H

#include "base/err.h"
#include "explore/save.h"

/* Instead of what the finding names: program and arguments (NULL at the end), and folders of .beam
 * files. Either may be NULL. */
struct relocate_options {
	char **argv;
	const char *const *paths; /* NULL at the end */
};

/* Changes program, folder and the like in the finding's set-up. */
void relocate(struct saved *saved, const char *finding_path,
	      const struct relocate_options *options);

/* Is the program of the finding outside of this folder, or a folder of Erlang modules that may write
 * files? Then *program is its path. */
bool relocate_is_outside(const struct saved *saved, const char *folder, const char **program);

#endif
