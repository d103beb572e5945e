#include "cli/debugger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exits.h"

/* The commands as a file for gdb; the caller removes it. */
static bool write_commands(char path[], struct err *err)
{
	int fd = mkstemps(path, (int)strlen(".py"));
	size_t len = strlen(gdb_py);
	bool ok = fd >= 0 && write(fd, gdb_py, len) == (ssize_t)len;

	if (!ok)
		err_set_errno(err, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return ok;
}

int debugger_run(pid_t stopped, struct err *err)
{
	char commands[] = "/tmp/fermata-gdb-XXXXXX.py", number[16];
	int status = 0;
	pid_t gdb;

	if (!write_commands(commands, err))
		return -1;
	snprintf(number, sizeof(number), "%d", (int)stopped);
	gdb = fork();
	if (gdb == 0) {
		execlp("gdb", "gdb", "-q", "-x", commands, "-p", number, "-ex", "fermata threads",
		       (char *)NULL);
		fprintf(stderr, "fermata: cannot start gdb: is it installed?\n");
		_exit(EXIT_USAGE);
	}
	while (gdb > 0 && waitpid(gdb, &status, 0) < 0 && errno == EINTR)
		;
	unlink(commands);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
