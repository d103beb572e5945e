/* main.c: finds the subcommand and calls it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/mem.h"
#include "cli/beam_dis.h"
#include "cli/beam_run.h"
#include "cli/cc.h"
#include "cli/doctor.h"
#include "cli/exits.h"
#include "cli/explorer/explorer.h"
#include "cli/fleet/worker_cmd.h"
#include "cli/help.h"
#include "cli/nearest.h"
#include "cli/project/init.h"
#include "cli/project/run.h"
#include "cli/prop/prop.h"
#include "cli/races.h"
#include "cli/replay/findings.h"
#include "cli/replay/replay.h"
#include "cli/report_cmd.h"
#include "cli/test.h"
#include "cli/version.h"
#include "native/cc_as.h"

static void end_without_memory(void)
{
	char limit[96];

	limit_of_errno(ENOMEM, limit, sizeof(limit));
	fprintf(stderr, "fermata: out of memory%s\n", limit);
	_exit(EXIT_LOST);
}

static int command_cc(int argc, char **argv)
{
	return cli_cc(argc, argv, false);
}

static int command_cxx(int argc, char **argv)
{
	return cli_cc(argc, argv, true);
}

static const char beam_usage[] =
	"usage: fermata beam run …   run one Erlang function under the default schedule\n"
	"       fermata beam dis …   print .beam files as readable text\n"
	"\n"
	"`fermata beam run --help` and `fermata beam dis --help` explain each.\n";

static int command_beam(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "dis") == 0)
		return cli_beam_dis(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "run") == 0)
		return cli_beam_run(argc - 1, argv + 1);
	if (help_asked(argc, argv, beam_usage))
		return 0;
	fprintf(stderr, "fermata: beam needs run or dis (fermata beam --help)\n");
	return EXIT_USAGE;
}

typedef int command_run(int argc, char **argv);

static const struct {
	const char *word;
	command_run *run;
	const char *arguments;
	const char *text;
} commands[] = {
#define COMMAND(word, function, arguments, text) {word, function, arguments, text},
#include "cli/command.def"
#undef COMMAND
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]), ARGUMENTS_WIDTH = 36 };

static const char cc_usage[] =
	"usage: fermata cc [compiler options]    or: fermata-cc [compiler options]\n"
	"       fermata c++ [compiler options]   or: fermata-c++ [compiler options]\n"
	"\n"
	"Compiles and links like cc or c++, so that `fermata test` can hold every thread at each\n"
	"point where one can affect another. The program runs normally when it is started without\n"
	"`fermata test`. Link with the wrapper as well: objects that it compiled need its library.\n"
	"\n"
	"Environment:\n"
	"  FERMATA_CC    the compiler to call: gcc (default), clang, gcc-13 …\n"
	"  FERMATA_CXX   the same for C++ (default: the one that belongs to FERMATA_CC)\n"
	"\n"
	"make CC=fermata-cc CXX=fermata-c++, or both in the environment of cmake, meson setup or\n"
	"./configure in a fresh build folder.\n";

/* NULL, with a line on stderr, if the command does not exist. */
static command_run *find_command(const char *word)
{
	struct nearest nearest = {.typed = word};

	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i].word, word) == 0)
			return commands[i].run;
		nearest_offer(&nearest, commands[i].word);
	}
	if (nearest.best[0])
		exits_warn("unknown command '%s'; did you mean '%s'? (fermata --help lists all)",
			   word, nearest.best);
	else
		exits_warn("unknown command '%s' (fermata --help lists them)", word);
	return NULL;
}

static void print_help(FILE *out)
{
	fprintf(out,
		"fermata %s: finds, replays and explains bugs that depend on timing, and proves\n"
		"their absence where all schedules can be explored.\n\n",
		FERMATA_VERSION);
	for (size_t i = 0; i < COMMANDS; i++) {
		fprintf(out, "  fermata %-8s ", commands[i].word);
		help_pad(out, commands[i].arguments, ARGUMENTS_WIDTH);
		fprintf(out, "%s\n", commands[i].text);
	}
	fputs("\n`fermata help COMMAND` explains each command.\n", out);
}

/* fermata help [COMMAND [WORD]]: the page that COMMAND --help prints. cc and c++ pass --help to
 * the compiler, so their page is here. */
static int command_help(int argc, char **argv)
{
	char *words[] = {argv[1], "--help", "--help", NULL};
	command_run *run;

	if (argc < 2 || argv[1][0] == '-') {
		print_help(stdout);
		return EXIT_NO_BUG;
	}
	run = find_command(argv[1]);
	if (!run)
		return EXIT_USAGE;
	if (run == command_cc || run == command_cxx) {
		fputs(cc_usage, stdout);
		return EXIT_NO_BUG;
	}
	if (argc > 2)
		words[1] = argv[2];
	return run(argc > 2 ? 3 : 2, words);
}

enum { STACK_NEEDED = 512 << 10 };

/* False if the tool cannot work under the limits of the system; one line says which. */
static bool check_limits(void)
{
	struct rlimit stack;
	char text[96];

	if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK_NEEDED)
		return true;
	limit_of_resource(RLIMIT_STACK, text, sizeof(text));
	fprintf(stderr, "fermata: %s; the tool needs %d kB\n", text, STACK_NEEDED / 1024);
	return false;
}

/* A file that is opened must not become stdin, stdout or stderr because the caller closed them. The
 * output to such a descriptor is then not lost silently: writing fails. */
static void fill_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open(fd ? "/dev/full" : "/dev/null", fd ? O_WRONLY : O_RDONLY);
}

/* A text that was cut, because the disk is full, must not end with the status of a whole one. */
static int end_output(int status)
{
	struct err err = {0};

	errno = 0;
	if (status != EXIT_NO_BUG || (fflush(stdout) == 0 && !ferror(stdout)))
		return status;
	if (errno)
		err_set_errno(&err, "cannot write to stdout");
	else
		err_set(&err, "cannot write to stdout");
	return exits_fail_after(status, &err);
}

static int run_command(int argc, char **argv)
{
	command_run *run;

	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0)
		return command_help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
		version_print(stdout);
		return EXIT_NO_BUG;
	}
	run = find_command(argv[1]);
	return run ? run(argc - 1, argv + 1) : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	fill_descriptors();
	mem_set_oom_handler(end_without_memory);
	if (!check_limits())
		return EXIT_USAGE;
	if (cc_as_is_asked(argv[0]))
		return cc_as_main(argc, argv);
	return end_output(run_command(argc, argv));
}
