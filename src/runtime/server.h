/* server.h: restarting the run. The program stops once, at its first thread, and
 * from then on serves requests: each request is one run, in a forked child or, by
 * restoring memory, in place. */
#ifndef RUNTIME_SERVER_H
#define RUNTIME_SERVER_H

#include "runtime/rt.h"

/* The run that is under way is over and its trace is in the channel: hand it to the
 * tool, by ending this process (fork) or by going back to the start (restore). */
_Noreturn void rt_server_finish_run(void);

/* The kernel's state of the program (pipes, positions in files) is noted when the first thread is
 * made, before the first run, and put back at the start of each run (calls/io_begin.c). */
void rt_io_snapshot(void);
void rt_io_begin(void);
void rt_early_files_keep(void);
void rt_early_files_begin(void);

/* Memory that is mapped as shared (a file, System V shared memory) is not put back by fork either:
 * its contents at the first thread are kept, and written back at the start of each run
 * (shared.c). */
void rt_shared_snapshot(void);
void rt_shared_begin(void);

/* After the last run: removes the files that the runs removed (calls/files.c). */
void rt_io_remove_files(void);

#endif
