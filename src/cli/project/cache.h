/* cache.h: results that `fermata run` remembers. A test whose result is known need not be run again
 * while nothing has changed that could change the result:
 *
 *   of the tool     its executable and its library inside the tested program
 *   of the test     what fermata.toml and the command line say about it, the environment, the
 *                   folder, the limits of the system, the files that options name
 *   of a program    the file and all shared libraries that it is linked with
 *   of Erlang       every module in the -pa folders, and the installed OTP
 *
 * A proof, and a search that ended without a bug, are remembered; bugs are not, because they are
 * found, saved and reported anew. A search that ended because its time was over is run again when
 * it would have more time. A C program that uses files, sockets or mappings is always run. Files
 * that an Erlang test reads are not compared; the verdict line says so.
 *
 * One file per test: DIR/cache/HASH-OF-ITS-NAME.
 */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include <jansson.h>

#include "cli/project/runfile.h"

/* The hash of everything above. 0: the result of this test cannot be remembered. */
uint64_t cache_key(const struct run_test *test);

/* The remembered reports (a new array), each with the member "remembered", a text; or NULL. */
json_t *cache_find(const struct run_test *test, uint64_t key);

/* Remembers the reports of a test, if they are such that can be. Failures are silent: a result that
 * is not remembered is found again. */
void cache_store(const struct run_test *test, uint64_t key, const json_t *reports);

/* A hash of the content of a file; 0 if it cannot be read. */
uint64_t cache_hash_file(const char *path);

#endif
