#include "cli/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/help.h"
#include "native/cc.h"

enum health { FINE, WORSE, BROKEN };

static enum health worst;

static void say(enum health health, const char *what, const char *means)
{
	static const char *const marks[] = {"ok  ", "note", "FAIL"};

	if (*means)
		printf("  %s  %-34s %s\n", marks[health], what, means);
	else
		printf("  %s  %s\n", marks[health], what);
	if (health > worst)
		worst = health;
}

static bool finds_command(const char *name)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t len = strcspn(path, ":");
		char file[4096];

		snprintf(file, sizeof(file), "%.*s/%s", (int)len, path, name);
		if (len && access(file, X_OK) == 0)
			return true;
		path += len;
		path += *path == ':';
	}
	return false;
}

/* Tried in a child, because the setting cannot be undone. */
static bool may_fix_addresses(void)
{
	pid_t child = fork();
	int status = 1;

	if (child == 0)
		_exit(personality(ADDR_NO_RANDOMIZE) == -1);
	if (child > 0)
		waitpid(child, &status, 0);
	return child > 0 && status == 0;
}

static void look_at_system(void)
{
	struct utsname name;
	int memory = memfd_create("doctor", MFD_ALLOW_SEALING);

	uname(&name);
	printf("system: %s %s %s, %ld cores\n", name.sysname, name.release, name.machine,
	       sysconf(_SC_NPROCESSORS_ONLN));
	if (strcmp(name.machine, "x86_64") != 0)
		say(BROKEN, "x86_64", "C and C++ programs can be tested on x86_64 only");
	say(memory >= 0 ? FINE : BROKEN, "shared memory files",
	    memory >= 0 ? "" : "tests cannot run");
	if (memory >= 0)
		close(memory);
	if (may_fix_addresses())
		say(FINE, "fixed addresses", "");
	else
		say(WORSE, "fixed addresses", "personality() is refused: runs start more slowly");
	if (getauxval(AT_HWCAP2) >> 1 & 1)
		say(FINE, "fast thread switching (fsgsbase)", "");
	else
		say(WORSE, "fast thread switching (fsgsbase)", "a system call per switch instead");
}

static void look_at_own_files(void)
{
	static const char *const files[] = {"libfermata-rt.a", "libfermata-rt-static.a",
					    "libfermata-preload.so"};
	struct cc finder = {0};

	puts("own files:");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct err err = {0};
		const char *path = cc_own_file(&finder, files[i], &err);

		say(path ? FINE : BROKEN, files[i], path ? path : err.message);
	}
	arena_release(&finder.arena);
}

static void look_at_tools(void)
{
	static const struct {
		const char *command, *without;
	} tools[] = {
		{"gcc", "fermata cc needs gcc or clang"},
		{"clang", "FERMATA_CC=clang will not work"},
		{"objcopy", "uninstrumented objects cannot be recognised"},
		{"gdb", "replay --gdb will not work"},
		{"erl", "no OTP on PATH: name one with --otp to test Erlang programs"},
	};

	puts("tools:");
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		bool found = finds_command(tools[i].command);

		say(found ? FINE : WORSE, tools[i].command, found ? "" : tools[i].without);
	}
}

int cli_doctor(int argc, char **argv)
{
	static const char usage[] = "usage: fermata doctor\n"
				    "\n"
				    "Checks this machine: prints which features work and which\n"
				    "fall back to a slower way.\n"
				    "\n"
				    "Exit status: 0 the tool works here, 4 it does not.\n";

	if (help_asked(argc, argv, usage))
		return 0;
	if (argc > 1) {
		fprintf(stderr, "fermata: doctor takes no arguments\n");
		return EXIT_USAGE;
	}
	look_at_system();
	look_at_own_files();
	look_at_tools();
	puts(worst == FINE ? "all well" : worst == WORSE ? "works, with the notes above"
							 : "does not work: see FAIL above");
	return worst == BROKEN ? EXIT_LOST : 0;
}
