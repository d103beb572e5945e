/* cc.h: the compiler wrapper, `fermata cc` and `fermata c++`.
 *
 * Runs gcc or clang so that every memory access and every atomic of the program calls a hook
 * (-fsanitize=thread). The hooks, the thread functions and all else that is intercepted end
 * in our runtime: the flag is added when compiling and kept away from linking, where our
 * archive is added instead. Everything else on the command line is passed through, so
 * CC=fermata-cc works in any build system. A program built like this and run by itself runs
 * as it always did.
 *
 * A command that compiles and links is taken apart into one compile per source (to a
 * temporary object) and one link.
 *
 * cc.c plans and compiles, cc_args.c understands the command line, cc_as.c stands in for the
 * assembler, cc_link.c links and finds out which code in the result was not instrumented,
 * cc_stub.c makes stand-ins for library functions, cc_tools.c knows compilers, folders and
 * processes.
 */
#ifndef NATIVE_CC_H
#define NATIVE_CC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "native/cc_args.h"

struct cc {
	struct arena arena;
	struct cc_args args;
	struct cc_words compiler; /* "gcc", or "ccache" "clang-14" … */
	bool is_clang;
	const char *exe_dir;  /* of the running tool; NULL until asked for */
	const char *note;     /* path of fermata-note.h */
	const char *as_folder; /* has our stand-in for the assembler (cc_as.h) */
	const char *include;  /* folder that has fermata/model.h */
	const char *temp_dir; /* made at first need; NULL before */
};

/* Does what the compiler would do with argv[1…]. False with err when it could not even be
 * started; otherwise *status is the exit status to leave with. */
bool cc_main(int argc, char **argv, bool cxx, int *status, struct err *err);

/* ---- cc_tools.c ---- */

/* Fills in compiler and is_clang from --fermata-compiler=, FERMATA_CC, FERMATA_CXX. */
bool cc_choose_compiler(struct cc *cc, bool cxx, struct err *err);

/* The path of one of our own files (an archive, fermata-note.h), looked for relative to the
 * running executable; NULL with err. */
const char *cc_own_file(struct cc *cc, const char *name, struct err *err);

/* The path of a file of that name in the temporary folder; NULL with err. */
const char *cc_temp_path(struct cc *cc, const char *name, struct err *err);
void cc_remove_temp_dir(struct cc *cc);

/* Runs the command and waits; false with err when it cannot be started. */
bool cc_run(const struct cc_words *command, int *status, struct err *err);

/* ---- cc_link.c ---- */

/* Links; objects[i] replaces input i of the command line (NULL: the input as it is). */
bool cc_link(struct cc *cc, const struct cc_words *objects, int *status, struct err *err);

#endif
