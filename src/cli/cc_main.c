/* The programs fermata-cc and fermata-c++: one source, told apart by their names. */
#include <string.h>

#include "cli/cc.h"

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	return cli_cc(argc, argv, strstr(slash ? slash + 1 : argv[0], "++") != NULL);
}
