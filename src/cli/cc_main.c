/* The programs fermata-cc and fermata-c++: one source, distinguished by their names. */
#include <string.h>

#include "cli/cc.h"
#include "native/cc_as.h"

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	if (cc_as_is_asked(argv[0]))
		return cc_as_main(argc, argv);
	return cli_cc(argc, argv, strstr(slash ? slash + 1 : argv[0], "++") != NULL);
}
