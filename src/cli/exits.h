/* exits.h: exit statuses, from the one table exits.def: the enum, and the lines that each --help
 * page prints about the statuses of its command. */
#ifndef CLI_EXITS_H
#define CLI_EXITS_H

#include <stdio.h>

#include "base/err.h"

enum {
#define STATUS(name, number, text) EXIT_##name = number,
#include "cli/exits.def"
#undef STATUS
};

/* Prints "Exit status:" and a line for each of these statuses; the last argument is -1. */
void exits_print(FILE *out, ...);

/* Prints a text that came from a file, as one line and made harmless (base/harmless.h). */
void exits_print_harmless(FILE *out, const char *text);

/* Prints the one clear line for an error and returns the exit status for it. */
int exits_fail(const struct err *err);
/* From now on exits_fail puts the name of the test of a run file before the message; NULL: none. */
void exits_name_test(const char *name);
/* Prints "fermata: " and the text as one line on stderr, escape sequences made harmless. */
void exits_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same after a verdict: a bug, lost control and an interruption keep their status. */
int exits_fail_after(int status, const struct err *err);

#endif
