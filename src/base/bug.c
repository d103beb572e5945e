#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void (*note_hook)(void *ctx);
static void *note_ctx;

void bug_set_note(void (*print_note)(void *ctx), void *ctx)
{
	note_hook = print_note;
	note_ctx = ctx;
}

void bug_report(const char *file, int line, const char *cond, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "fermata: internal error at %s:%d (%s): ", file, line, cond);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (note_hook) {
		void (*hook)(void *) = note_hook;
		note_hook = NULL; /* a bug inside the hook must not recurse */
		hook(note_ctx);
	}
	abort();
}
