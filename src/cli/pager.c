#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define USUAL_PAGER "less"
/* Leave at once what fits after all, show colours, leave the text on the terminal at the end. */
#define USUAL_LESS "FRX"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* statuses of the shell */

static const char *pager_command(void)
{
	const char *command = getenv("PAGER");

	if (!command)
		return USUAL_PAGER;
	return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

bool pager_is_wanted(void)
{
	const char *term = getenv("TERM");

	return pager_command() && term && strcmp(term, "dumb") != 0 && isatty(STDIN_FILENO) &&
	       getpgrp() == getpid() && tcgetpgrp(STDOUT_FILENO) == getpid();
}

static bool is_too_long(const char *text)
{
	struct winsize size;
	unsigned lines = 1; /* of the prompt behind the text */

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
		return false;
	for (; *text; text++)
		lines += *text == '\n';
	return lines > size.ws_row;
}

static void become_pager(int from)
{
	dup2(from, STDIN_FILENO);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	setenv("LESS", USUAL_LESS, 0);
	execl("/bin/sh", "sh", "-c", pager_command(), (char *)NULL);
	_exit(NOT_FOUND);
}

/* A reader who leaves the pager early does not want the rest of the text. */
static void feed(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		ssize_t n = write(fd, text, left);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return NOT_FOUND;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* False if the pager could not be started: nothing was shown. */
static bool run_pager(const char *text)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before[3];
	static const int signals[] = {SIGINT, SIGQUIT, SIGPIPE}; /* the first two are the pager's */
	int ends[2], status = NOT_FOUND;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &ignore, &before[i]);
	child = fork();
	if (child == 0)
		become_pager(ends[0]);
	close(ends[0]);
	if (child > 0)
		feed(ends[1], text);
	close(ends[1]);
	if (child > 0)
		status = wait_for(child);
	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &before[i], NULL);
	return status != NOT_FOUND && status != NOT_EXECUTABLE;
}

bool pager_print(const char *text, bool is_wanted)
{
	errno = 0;
	fflush(stdout);
	if (is_wanted && is_too_long(text) && run_pager(text))
		return true;
	fputs(text, stdout);
	return fflush(stdout) == 0 && !ferror(stdout);
}
