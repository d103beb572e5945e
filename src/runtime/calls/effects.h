/* effects.h: calls of library functions that are described in words, not intercepted.
 *
 * native/functions.def says of each library function which memory it touches. For those that a
 * program calls, the wrapper links stand-ins (native/cc_stub.h), which come here before the
 * real function is called, with its name and its effects. A function without a row, or whose
 * row says that it is not modelled, is noted: the verdict then names it and where it was called.
 */
#ifndef RUNTIME_CALLS_EFFECTS_H
#define RUNTIME_CALLS_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/rt.h"

/* A function that is not modelled was called: the search is not a proof. */
void rt_note_unknown(const char *name, uint64_t site);

/* file_routes.c. Can only the threads that use the FILE notice what is done with it? */
bool rt_file_is_apart(FILE *file);
/* If it leads to a pipe: waits until there is something to read. */
void rt_file_wait(FILE *file, bool is_read, uint64_t site);
/* After a call that reads from a FILE: has it found less than it needed, though it waits? */
void rt_file_was_read(FILE *file, uint64_t site);
/* Before a FILE is used for one call (stdio.c): a step that needs its lock to be free. */
void rt_file_use(void *file, enum event_kind kind, uint64_t site);

/* The stream that stdin, stdout or stderr is now; reading the variable is an access. */
FILE *rt_standard_file(FILE **variable, uint64_t site);

/* Reports call it "static data of standard streams": whether they share the buffers of stdio. */
extern const char static_data_of_standard_streams[8] __attribute__((visibility("hidden")));

/* A step that looks at, or changes, the state of files that the kernel keeps: names, sizes,
 * contents, the working directory. */
void rt_files_step(bool is_change, uint64_t site);

/* The call used chance or a clock (bits of enum trace_assumed), also before the first thread. */
void rt_assume(uint64_t bits);

#endif
