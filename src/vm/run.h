/* run.h: runs one function to its end under the default schedule and prints its result. `fermata
 * beam run` does this, and the tests of the VM use it.
 *
 * The result is printed by OTP's own io_lib:format("~0p"), run on the VM, so it looks exactly as
 * on the real VM. A batch runs many functions, each from the same checkpoint.
 */
#ifndef VM_RUN_H
#define VM_RUN_H

#include <stddef.h>

#include "base/err.h"
#include "vm/vm.h"

struct run_options {
	size_t memory_limit;
	const char *otp_dir; /* NULL: the installed one */
	uint64_t seed;       /* of the random numbers of crypto */
	bool allow_io;       /* files may be written */
};

void run_add_path(const char *dir);
bool run_open(const struct run_options *options, struct err *err);
void run_close(void);

/* Loads the module of MODULE:FUNCTION or My.Mod.fun and finds the function, which takes no
 * arguments. A /0 behind the name is allowed. */
bool run_find_function(const char *text, term *module, term *function, struct err *err);

/* Calls the function in a new process. The run ends with that process; vm->result has its value.
 * args is a list on the root process's heap. */
enum vm_end run_call(struct vm *vm, term module, term function, term args);

/* name is MODULE:FUNCTION, maybe quoted, or My.Mod.fun. Returns the exit status. */
int run_function(const char *name, char **args, int args_len);
/* A file with one MODULE:FUNCTION per line; prints NAME, a tab and the result. */
int run_batch(const char *path);

#endif
