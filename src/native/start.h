/* start.h: the child process becomes the tested program: environment, arguments, descriptors, limits.
 */
#ifndef NATIVE_START_H
#define NATIVE_START_H

#include "base/arena.h"
#include "native/program.h"

/* Everything that the child needs. It is made before, because the child has the memory of the tool until it executes the program
 * (vfork): to copy the tool's pages takes longer than many a search. */
struct start {
	const char *path;
	char **argv, **env;
	int channel_fd, capture_fd; /* high numbers, or -1 */
	struct arena arena;         /* of all strings */
};

void start_prepare(struct start *start, const struct program *program);
void start_release(struct start *start);

/* In the child of program_start(). If the program cannot be started, the child ends with
 * status 127, and the message in the channel says why, if it is known. */
_Noreturn void start_program(const struct start *start, struct program *program, pid_t tool);

#endif
