/* code_path.h: folders named with -pa. */
#ifndef CLI_CODE_PATH_H
#define CLI_CODE_PATH_H

#include <stdbool.h>

#include "base/vec.h"

VEC_TYPE(folder_vec, const char *);

/* Warns if the folder is not there: modules that are to come from it will be missing. */
void code_path_check(const char *folder);

/* Checks and keeps the folder of `-pa DIR`, and moves *at behind it; false if something else is at
 * argv[*at]. */
bool code_path_take(struct folder_vec *folders, int argc, char **argv, int *at);

#endif
