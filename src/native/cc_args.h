/* cc_args.h: a compiler command line, understood well enough to be split in two.
 *
 * Build systems pass the same flags to compiling and linking; the wrapper must add
 * other things to each and must never let -fsanitize=thread reach the linker (the
 * compiler would link its own runtime). So a command that does both is taken apart:
 * each argument gets a role, from the table cc_option.def, and cc.c builds one
 * command per source and one for the link from the roles.
 *
 * An option the table does not know is passed to both, which is right for nearly
 * all of them. Response files (@file) are expanded first, as the compilers do.
 */
#ifndef NATIVE_CC_ARGS_H
#define NATIVE_CC_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

enum cc_role {
	CC_BOTH,
	CC_COMPILE,
	CC_LINK,
	CC_INPUT,    /* a source, an object, an archive, a linker script, or "-" */
	CC_LIBRARY,  /* -l */
	CC_OUTPUT,
	CC_LANGUAGE,
	CC_COMPILER, /* ours: which compiler to use */
	CC_SANITIZE,
	CC_NO_SANITIZE,
	CC_OTHER_MACHINE, /* the runtime does not exist there */
	CC_DROPPED,  /* would break instrumentation, left out */
	CC_DEPENDENCIES,
	CC_DEPENDENCY_FILE,
	CC_DEPENDENCY_TARGET,
	CC_OPTIMIZE,
	CC_DEBUG,
	CC_STATIC,
	CC_SHARED,
	CC_RELOCATABLE,
	CC_STOP_COMPILED,
	CC_STOP_ASSEMBLY,
	CC_STOP_PREPROCESSED,
};

enum cc_language {
	CC_OBJECT,       /* not a source: goes to the linker */
	CC_SOURCE,       /* C, C++, Objective-C: instrumented, carries our note */
	CC_PREPROCESSED, /* after -E, and -x says so: instrumented, but without a note */
	CC_HEADER,       /* becomes a precompiled header */
	CC_ASSEMBLER,    /* never instrumented */
};

struct cc_arg {
	const char *text;
	const char *next;      /* its argument when that stands apart, else NULL */
	const char *value;     /* its argument, wherever it stands; "" if it has none */
	enum cc_role role;
	enum cc_language language; /* of an input */
	const char *forced;    /* of an input: what -x said, NULL if nothing */
	const char *reread;    /* of a .i or .ii: the language to read it as, so that it can
	                          get our note in front like any source; else NULL */
};

VEC_TYPE(cc_arg_vec, struct cc_arg);
VEC_TYPE(cc_words, const char *); /* an argument vector under construction */

struct cc_args {
	struct cc_arg_vec args;
	size_t inputs, sources;  /* how many inputs; how many of them are to be compiled */
	enum cc_role stop;       /* CC_STOP_… that came last in the pipeline, or CC_BOTH: link */
	bool is_static, is_shared, is_relocatable;
	bool has_debug, has_optimize;
	bool has_dependencies, has_dependency_file, has_dependency_target;
	bool is_uninstrumented;  /* the user said -fno-sanitize=thread */
	const char *output;      /* of -o; NULL if none */
	const char *compiler;    /* of --fermata-compiler=; NULL if none */
};

/* Parses argv (without the program name). Everything in out lives in the arena; the vec
 * is given back with cc_args_release. False with err for what cannot be combined with us
 * (another sanitizer) and for a response file that cannot be read. */
bool cc_args_parse(struct cc_args *out, int argc, char **argv, struct arena *arena,
		   struct err *err);
void cc_args_release(struct cc_args *args);

/* Appends the argument as it was written (one or two words). */
void cc_words_add_arg(struct cc_words *words, const struct cc_arg *arg);
void cc_words_add(struct cc_words *words, const char *word);

#endif
