#include "cli/code_path.h"

#include <stdio.h>
#include <sys/stat.h>

void code_path_check(const char *folder)
{
	struct stat status;

	if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
		fprintf(stderr, "fermata: warning: -pa %s is not a folder\n", folder);
}
