/* surroundings.h: the environment variables and system limits that a finding was found with.
 *
 * A program can read any variable, and a finding must show again for a user whose environment is
 * another one. So a finding records the variables that matter, and replay sets them again:
 *
 *     test:    LANG=de_DE WORKERS=3 HOME=/home/a   the program's file has the word WORKERS in it
 *     record:  {"LANG": "de_DE", "WORKERS": "3"}
 *     replay:  LANG and WORKERS as recorded; LC_ALL, which was not set, is removed; HOME is kept
 *
 * A variable matters if the program's file names it, if the C library reads it (LANG, TZ …), or, in
 * Erlang, if the program asked for it. The value of a variable whose name sounds like a secret
 * (TOKEN, PASSWORD …) is not recorded, only a hash: replay then warns if the value is another one.
 */
#ifndef CLI_SURROUNDINGS_H
#define CLI_SURROUNDINGS_H

#include <jansson.h>

#include "base/err.h"
#include "explore/save.h"

/* Adds the variables that matter to the set-up of a finding. `is_whole`: all of them matter. */
void surroundings_record(json_t *setup, bool is_whole);

/* Makes the environment of this process the recorded one, as far as it matters, for the program
 * or machine that will be started. A finding without a record changes nothing. */
void surroundings_restore(const json_t *setup);

/* The soft limits of this process as a new object; and back: setup's limits into `limits`. */
struct program_limits;
json_t *surroundings_limits(void);
void surroundings_read_limits(const json_t *setup, struct program_limits *limits);

/* Warns of each recorded limit that this process may not set, because its hard limit is lower. */
void surroundings_warn_of_limits(const struct program_limits *limits);

/* Does a recorded variable make a program load code from outside of the folder, other than now?
 * Then *variable is its name. */
bool surroundings_is_outside(const struct saved *saved, const char *folder,
			     const char **variable);

#endif
