/* lookup.h: the saved finding that a word of the command line means: the path of its file, or the
 * beginning of its name or of its fingerprint in .fermata: race-26c8, 26c8. */
#ifndef CLI_LOOKUP_H
#define CLI_LOOKUP_H

#include "base/arena.h"
#include "base/err.h"

/* The path, which may live in the arena. NULL with err if no finding, or more than one, is meant. */
const char *lookup_finding(const char *word, struct arena *arena, struct err *err);

#endif
