/* fermata beam run [-pa DIR]... [--otp DIR] [--max-memory MB] [--seed N] [--allow-io]
 * [--batch FILE] MODULE:FUNCTION [ARGS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/beam_run.h"
#include "cli/code_path.h"
#include "cli/option.h"
#include "vm/run.h"

static const char usage[] =
	"usage: fermata beam run [options] MODULE:FUNCTION [ARGS as terms]\n"
	"\n"
	"Runs one Erlang function under the default schedule and prints its result.\n"
	"\n"
	"  -pa DIR           folder to load modules from\n"
	"  --otp DIR         OTP installation to load libraries from\n"
	"  --max-memory MB   memory limit of the run (default 4096)\n"
	"  --seed N          seed of random numbers (default 1)\n"
	"  --allow-io        let the function write files and start programs\n"
	"  --batch FILE      run the calls in FILE one after the other, one a line\n";

static int refuse(const char *format, const char *what)
{
	fputs("fermata: beam run ", stderr);
	fprintf(stderr, format, what);
	fputs(" (fermata beam run --help)\n", stderr);
	return 2;
}

static bool take_value(int argc, char **argv, int *i, const char *name, const char **value)
{
	if (strcmp(argv[*i], name) != 0 || *i + 1 >= argc)
		return false;
	*value = argv[++*i];
	return true;
}

int cli_beam_run(int argc, char **argv)
{
	struct run_options options = {.memory_limit = (size_t)4 << 30, .seed = 1};
	const char *value, *batch = NULL;
	struct err err = {0};
	int i, status;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (take_value(argc, argv, &i, "-pa", &value)) {
			code_path_check(value);
			run_add_path(value);
		} else if (take_value(argc, argv, &i, "--otp", &value))
			options.otp_dir = value;
		else if (take_value(argc, argv, &i, "--max-memory", &value))
			options.memory_limit = (size_t)strtoull(value, NULL, 10) << 20;
		else if (take_value(argc, argv, &i, "--seed", &value))
			options.seed = strtoull(value, NULL, 10);
		else if (strcmp(argv[i], "--allow-io") == 0)
			options.allow_io = true;
		else if (strcmp(argv[i], "--help") == 0)
			return fputs(usage, stdout), 0;
		else if (!take_value(argc, argv, &i, "--batch", &batch))
			return refuse("does not know %s, or it needs a value", argv[i]);
	}
	if (!batch && i >= argc)
		return refuse("needs %s", "MODULE:FUNCTION");
	if (!run_open(&options, &err)) {
		fprintf(stderr, "fermata: %s\n", err.message);
		return err.kind == ERR_UNSUPPORTED ? 4 : 2;
	}
	status = batch ? run_batch(batch) : run_function(argv[i], argv + i + 1, argc - i - 1);
	run_close();
	return status;
}
