/* The subcommands of this part without the rest of the tool: driver dis|races ... */
#include <stdio.h>
#include <string.h>

#include "cli/beam_dis.h"
#include "cli/races.h"

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "dis") == 0)
		return cli_beam_dis(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "races") == 0)
		return cli_races(argc - 1, argv + 1);
	fprintf(stderr, "usage: driver dis|races ...\n");
	return 2;
}
