/* relocate.h: makes the paths of a finding fit the place where it is replayed.
 *
 * A finding records absolute paths, and the folder in which it was saved. If the project was moved
 * or copied together with its findings, they would still name the old place:
 *
 *     saved in      /home/a/bank/findings      program  /home/a/bank/build/bank
 *     replayed from /tmp/copy/findings         so it is /tmp/copy/build/bank
 *
 * The two folders of the finding end alike (/findings); the part before that has changed, from
 * /home/a/bank to /tmp/copy. Every path below the old root is looked for below the new one and
 * taken from there if it exists. If it does not exist there, the copy is without its program: the
 * original is used, but only after a warning, and the user must allow it if it is outside of the
 * current folder.
 */
#ifndef CLI_RELOCATE_H
#define CLI_RELOCATE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "explore/save.h"

/* Instead of what the finding names: program and arguments (NULL at the end), and folders of .beam
 * files. Either may be NULL. */
struct relocate_options {
	char **argv;
	const char *const *paths; /* NULL at the end */
};

/* Changes program, folder and the like in the finding's set-up. For every path that stays the
 * original's although the finding was moved, a line is added to `warnings`. Returns the first such
 * path to a program or to modules, or NULL; the set-up owns it. */
const char *relocate(struct saved *saved, const char *finding_path,
		     const struct relocate_options *options, struct strbuf *warnings);

/* Does the path exist outside of the folder? A folder that does not exist has no inside. */
bool relocate_is_path_outside(const char *path, const char *folder);

/* Is the program of the finding outside of this folder, or a folder of Erlang modules that may write
 * files? Then *program is its path. */
bool relocate_is_outside(const struct saved *saved, const char *folder, const char **program);

/* The file that the finding's program reads as its standard input, if it is outside of the folder
 * `here`; or NULL. The report quotes the output of the program, and thereby perhaps that file. */
const char *relocate_outside_input(const struct saved *saved, const char *here);

/* The folder in which the finding's program runs, if it is outside of the folder `here` and holds
 * neither the program nor the finding; or NULL. The program may read and write files there. */
const char *relocate_outside_folder(const struct saved *saved, const char *finding_path,
				    const char *here);

#endif
