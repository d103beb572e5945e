#include "cli/cc.h"

#include <stdio.h>

#include "native/cc.h"

int cli_cc(int argc, char **argv, bool cxx)
{
	struct err err = {0};
	int status;

	if (cc_main(argc, argv, cxx, &status, &err))
		return status;
	fprintf(stderr, "fermata %s: %s\n", cxx ? "c++" : "cc", err.message);
	return err.kind == ERR_UNSUPPORTED ? 4 : 2;
}
