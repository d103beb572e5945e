#include "cli/code_path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void code_path_check(const char *folder)
{
	struct stat status;

	if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
		fprintf(stderr, "fermata: warning: -pa %s is not a folder\n", folder);
}

bool code_path_take(struct folder_vec *folders, int argc, char **argv, int *at)
{
	if (strcmp(argv[*at], "-pa") != 0 || *at + 1 == argc)
		return false;
	code_path_check(argv[*at + 1]);
	*vec_push(folders) = argv[*at + 1];
	*at += 2;
	return true;
}
