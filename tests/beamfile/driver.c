/* The subcommand of this part without the rest of the tool: driver dis ... */
#include <stdio.h>
#include <string.h>

#include "cli/beam_dis.h"

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "dis") == 0)
		return cli_beam_dis(argc - 1, argv + 1);
	fprintf(stderr, "usage: driver dis ...\n");
	return 2;
}
