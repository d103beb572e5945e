/* help.h: the pages that --help prints.
 *
 * Help texts are UTF-8, so columns are counted in characters: padding by bytes, as printf does it,
 * would misplace every line with an ellipsis. The lines about options are made from tables
 * (option.def, prop_option.def, command.def); the page of a command without such a table is one
 * text in the file of the command, printed by help_asked().
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "cli/nearest.h"

/* The text, then blanks up to that many characters, at least one. */
void help_pad(FILE *out, const char *text, unsigned width);

/* If a word before the first `--` is --help: prints the page and returns true. */
bool help_asked(int argc, char **argv, const char *page);

/* The error for an option that a command does not have. It names the nearest option, which is
 * looked for in the page, and the command that prints the page. Always false. */
bool help_refuse_option(const char *word, const char *page, const char *command, struct err *err);

/* The same, if the nearest one has been looked for already. */
bool help_refuse(const char *word, const struct nearest *nearest, const char *command,
		 struct err *err);

#endif
