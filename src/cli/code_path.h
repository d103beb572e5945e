/* code_path.h: folders named with -pa. */
#ifndef CLI_CODE_PATH_H
#define CLI_CODE_PATH_H

/* Warns if the folder is not there: modules that are to come from it will be missing. */
void code_path_check(const char *folder);

#endif
