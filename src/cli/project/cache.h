/* cache.h: results that `fermata run` remembers. A test whose result is known need not be run again
 * while nothing has changed that could change the result:
 *
 *   of the tool     its executable and its library inside the tested program
 *   of the test     what fermata.toml and the command line say about it, the environment, the
 *                   folder, umask, the priority, the limits of the system, the files that options
 *                   name, and those that a sys.config includes
 *   of a program    the file and all shared libraries that it is linked with
 *   of Erlang       every module in the -pa folders, and the installed OTP
 *
 * A proof, and a search that ended without a bug, are remembered; bugs are not, because they are
 * found, saved and reported anew. A search that ended because its time was over is remembered as
 * such ("no bug found in 500 runs"). It is run again when it would have more time: another
 * max-time, another budget or another number of tests that share the budget. A test that reads
 * files, loads libraries by dlopen or starts programs is always run, and so is a C program that
 * uses sockets, mappings or calls that are not controlled: none of these is in the key.
 *
 * One file per test: DIR/cache/HASH-OF-ITS-NAME.
 */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include <jansson.h>

#include "cli/project/runfile.h"

/* Removes the variables that a shell changes by itself from the environment, so that neither the
 * tests nor the hash see them. Call once, before the first test. */
void cache_forget_noise(void);

/* The hash of everything above. 0: the result of this test cannot be remembered. */
uint64_t cache_key(const struct run_test *test);

/* The remembered reports (a new array), each with the member "remembered", a text; or NULL. The
 * limits are a hash of all from which the test's time was computed. The time itself is not: a
 * budget gives later tests more when the earlier ones are remembered. */
json_t *cache_find(const struct run_test *test, uint64_t key, uint64_t limits);

/* Remembers the reports of a test, if they are such that can be. Failures are silent: a result that
 * is not remembered is found again. */
void cache_store(const struct run_test *test, uint64_t key, uint64_t limits, const json_t *reports);

/* The output of the loader that lists the shared libraries of a program: the paths are the words
 * that begin with a slash. Empty if it is linked statically. False with err. */
bool cache_list_libraries(const char *program, struct strbuf *out, struct err *err);

/* A hash of the content of a file; 0 if it cannot be read. */
uint64_t cache_hash_file(const char *path);

#endif
