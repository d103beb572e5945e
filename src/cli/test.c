#include "cli/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/native_setup.h"
#include "cli/session.h"
#include "strategy/strategy.h"

static void print_usage(FILE *out)
{
	fputs("usage: fermata test [options] -- PROGRAM [ARGS…]\n"
	      "\n"
	      "Runs a program of threads under every schedule that matters (or as many as the\n"
	      "budget allows) and reports bugs that depend on timing.\n\n", out);
	option_print_help(out);
}

static void print_strategy(const char *name, const char *text, void *ctx)
{
	printf("  %-14s %s\n", name, text);
}

static bool check_strategy(const char *name, struct err *err)
{
	struct strategy_params params = {0};
	struct strategy *strategy = strategy_create(name, &params);

	if (!strategy)
		return err_set(err, "there is no strategy '%s' (--strategy help lists them)", name);
	strategy->ops->free(strategy);
	return true;
}

/* Before anything runs: can findings be written there? */
static bool check_folder(const char *dir, struct err *err)
{
	struct stat status;

	if (stat(dir, &status) == 0) {
		if (!S_ISDIR(status.st_mode))
			return err_set(err, "%s is not a folder", dir);
		if (access(dir, W_OK) != 0)
			return err_set_errno(err, "cannot write into %s", dir);
		return true;
	}
	if (mkdir(dir, 0777) != 0)
		return err_set_errno(err, "cannot create the folder %s", dir);
	rmdir(dir);
	return true;
}

static bool check_json(const char *path, struct err *err)
{
	FILE *file;

	if (!path || strcmp(path, "-") == 0)
		return true;
	file = fopen(path, "a");
	if (!file)
		return err_set_errno(err, "cannot write %s", path);
	fclose(file);
	return true;
}

static int test_native(const struct test_options *options, char **argv)
{
	struct native_setup setup;
	struct session session = {.options = options, .target_name = "native", .program = argv[0]};
	struct target *target;
	struct err err = {0};
	int status;

	target = native_setup_create(&setup, options, argv, &err);
	if (target) {
		session.setup = native_setup_json(&setup, target);
		status = session_run(&session, target);
		json_decref(session.setup);
		target->ops->free(target);
	} else {
		status = session_fail(&err);
	}
	native_setup_release(&setup);
	return status;
}

int cli_test(int argc, char **argv)
{
	struct test_options options;
	struct err err = {0};
	int at = 1;

	option_defaults(&options);
	if (!option_read_environment(&options, &err))
		return session_fail(&err);
	while (at < argc && strcmp(argv[at], "--") != 0) {
		int before = at;

		if (strcmp(argv[at], "--help") == 0) {
			print_usage(stdout);
			return 0;
		}
		if (!option_parse(&options, argc, argv, &at, &err))
			return session_fail(&err);
		if (at == before)
			break;
	}
	if (strcmp(options.strategy, "help") == 0) {
		strategy_list(print_strategy, NULL);
		return 0;
	}
	if (at < argc && strcmp(argv[at], "--") == 0)
		at++;
	if (at >= argc) {
		err_set(&err, "test needs a program: fermata test [options] -- PROGRAM [ARGS…]");
		return session_fail(&err);
	}
	if (!check_strategy(options.strategy, &err) || !check_folder(options.out, &err) ||
	    !check_json(options.json, &err))
		return session_fail(&err);
	session_catch_signals(options.max_time);
	return test_native(&options, argv + at);
}
