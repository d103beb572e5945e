#include "cli/version.h"

#include <elfutils/version.h>
#include <gmp.h>
#include <gnu/libc-version.h>
#include <jansson.h>

#include "explore/save.h"
#include "native/cc.h"

#ifndef FERMATA_BUILT
#define FERMATA_BUILT "options unknown"
#endif

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_libraries(FILE *out)
{
	struct cc finder = {0};
	struct err err = {0};
	const char *runtime = cc_own_file(&finder, "libfermata-rt.a", &err);

	fprintf(out, "libraries: glibc %s, jansson %s, elfutils 0.%d, gmp %s\n",
		gnu_get_libc_version(), JANSSON_VERSION, _ELFUTILS_VERSION, gmp_version);
	fprintf(out, "runtime library: %s\n", runtime ? runtime : err.message);
	arena_release(&finder.arena);
}

void version_print(FILE *out)
{
	fprintf(out, "fermata " FERMATA_VERSION "\n"
		     "built by " COMPILER " for x86_64 Linux, " FERMATA_BUILT "\n");
	print_libraries(out);
	fprintf(out, "formats: JSON report 1, saved finding %d\n", SAVE_FORMAT);
}
