/* help.h: the pages that --help prints.
 *
 * They are written in UTF-8, so columns are counted in characters: what printf pads by bytes is
 * crooked wherever a line has an ellipsis in it. Pages with options come from their tables
 * (option.def, prop_option.def, command.def), the others are one text each in the file of their
 * subcommand, shown by help_asked().
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* The text, then blanks up to that many characters, at least one. */
void help_pad(FILE *out, const char *text, unsigned width);

/* If a word before the first `--` is --help: prints the page and returns true. */
bool help_asked(int argc, char **argv, const char *page);

#endif
