/* saved_search.h: the file in which `--resume` saves a search, in the folder of --out.
 *
 * The name of the file is a hash of the tested program and its arguments (or function), so that the
 * tests of a folder do not share a file. The file also has the identity of the tool, of the program
 * (the content of its file, or of all modules on its -pa folders), and of the options that change
 * the result. If one of these has changed, the saved search means something else: it is refused,
 * with one line that names the difference.
 */
#ifndef CLI_SAVED_SEARCH_H
#define CLI_SAVED_SEARCH_H

#include "cli/search/session.h"
#include "explore/store.h"

/* Opens or makes the file. NULL without err: --resume was not given. */
struct store *saved_search_open(const struct session *session, struct err *err);

#endif
