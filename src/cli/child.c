#include "cli/child.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exits.h"

static void read_all(int fd, struct strbuf *text)
{
	char block[65536];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			strbuf_add(text, block, (size_t)n);
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_LOST;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_LOST;
}

bool child_ask(child_work *work, void *ctx, struct child_answer *answer, struct err *err)
{
	int ends[2];
	pid_t child;

	*answer = (struct child_answer){.status = EXIT_LOST};
	if (pipe(ends) != 0)
		return err_set_errno(err, "cannot make a pipe");
	fflush(NULL);
	child = fork();
	if (child < 0)
		return err_set_errno(err, "cannot start a process");
	if (child == 0) {
		FILE *out = fdopen(ends[1], "w");
		int status;

		close(ends[0]);
		status = out ? work(ctx, out) : EXIT_LOST;
		fflush(NULL);
		_exit(status);
	}
	close(ends[1]);
	read_all(ends[0], &answer->text);
	close(ends[0]);
	answer->status = wait_for(child);
	return true;
}
