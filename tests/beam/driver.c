/* The smallest program around `fermata beam run`, for tests of the VM alone. */
#include "cli/beam_run.h"

int main(int argc, char **argv)
{
	return cli_beam_run(argc, argv);
}
