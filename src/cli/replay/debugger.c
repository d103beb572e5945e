#include "cli/replay/debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exits.h"

/* The commands as a file for gdb; the caller removes it. */
static bool write_commands(char path[], struct err *err)
{
	const char *const parts[] = {gdb_py, threads_py};
	int fd = mkstemps(path, (int)strlen(".py"));
	bool ok = fd >= 0;

	for (size_t i = 0; ok && i < sizeof(parts) / sizeof(parts[0]); i++)
		ok = write(fd, parts[i], strlen(parts[i])) == (ssize_t)strlen(parts[i]);
	if (!ok)
		err_set_errno(err, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return ok;
}

int debugger_wait(pid_t stopped)
{
	char byte;

	printf("%d\n", (int)stopped);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	kill(stopped, SIGKILL);
	return 0;
}

/* For gdb.py: the tool and the finding, to start the program again. */
static void set_environment(const char *finding)
{
	char tool[4096];
	ssize_t len = readlink("/proc/self/exe", tool, sizeof(tool) - 1);

	tool[len > 0 ? len : 0] = '\0';
	setenv("FERMATA_GDB_TOOL", tool, 1);
	setenv("FERMATA_GDB_FINDING", finding, 1);
}

int debugger_run(pid_t stopped, const char *finding, struct err *err)
{
	char commands[] = "/tmp/fermata-gdb-XXXXXX.py", number[16];
	int status = 0;
	pid_t gdb;

	if (!write_commands(commands, err))
		return -1;
	snprintf(number, sizeof(number), "%d", (int)stopped);
	gdb = fork();
	if (gdb == 0) {
		set_environment(finding);
		/* Without libthread_db, which gives every fiber the variables of one thread. */
		execlp("gdb", "gdb", "-q", "-iex", "set libthread-db-search-path /dev/null",
		       "-x", commands, "-p", number, "-ex", "fermata who", (char *)NULL);
		fprintf(stderr, "fermata: cannot start gdb: is it installed?\n");
		_exit(EXIT_USAGE);
	}
	while (gdb > 0 && waitpid(gdb, &status, 0) < 0 && errno == EINTR)
		;
	unlink(commands);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
