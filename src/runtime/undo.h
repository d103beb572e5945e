/* undo.h: files that a run changes are put back before the next run.
 *
 * A run that made a file would leave it to the next run, in which a thread that makes the file
 * fails. So before a run first changes a name (opens a file for writing, renames, removes, makes a
 * folder …), the state of the name is noted in memory that all runs share. The state is a file
 * with its contents, a folder, or nothing. When the run is over, the process that serves requests
 * (server.h) puts the names back, the last one first.
 *
 * kernel.c calls rt_undo_note() for every system call that a run makes, also for those inside of
 * libraries. Changes that cannot be noted (files of more than 8 MB, devices, links that lead
 * to no file) are named, and the verdict is not a proof.
 */
#ifndef RUNTIME_UNDO_H
#define RUNTIME_UNDO_H

/* Makes room for the notes; before the first run. */
void rt_undo_start(void);

/* The program is about to make that system call. */
void rt_undo_note(long number, const long *args);

/* The run is over: puts back what it has changed. */
void rt_undo_run(void);

#endif
