/* The smallest program around `fermata beam run`, for tests of the VM alone. */
#include <stdbool.h>
#include <string.h>

#include "cli/beam_run.h"

int main(int argc, char **argv)
{
	bool has_words = argc > 2 && strcmp(argv[1], "beam") == 0;

	return has_words ? cli_beam_run(argc - 2, argv + 2) : cli_beam_run(argc, argv);
}
