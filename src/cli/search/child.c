#include "cli/search/child.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parent.h"
#include "cli/exits.h"
#include "cli/search/stopping.h"
#include "report/json_words.h"

enum { LOOK_EVERY_MS = 300 };

/* Ctrl-C of a terminal reaches the child by itself, a signal to this process does not, so the child
 * gets one after a while, when its own would have arrived. A second SIGINT would end the child at
 * once, SIGTERM does not. The clock measures that while: after an interrupt the timer of
 * stopping.c ends most waits before they are over. */
static void pass_on_interrupt(pid_t child, double *seen_at, bool *is_passed_on)
{
	if (*is_passed_on || stop_wanted != STOP_INTERRUPTED)
		return;
	if (*seen_at == 0)
		*seen_at = clock_seconds();
	if (clock_seconds() - *seen_at < LOOK_EVERY_MS / 1000.0)
		return;
	*is_passed_on = true;
	kill(child, SIGTERM);
}

static void read_all(int fd, pid_t child, struct strbuf *text)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	bool is_passed_on = false;
	double seen_at = 0;
	char block[65536];

	for (;;) {
		ssize_t n;
		int found = poll(&ready, 1, LOOK_EVERY_MS);

		pass_on_interrupt(child, &seen_at, &is_passed_on);
		if (found != 1)
			continue;
		n = read(fd, block, sizeof(block));
		if (n > 0)
			strbuf_add(text, block, (size_t)n);
		else if (n == 0 || errno != EINTR)
			return;
	}
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_LOST;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_LOST;
}

int child_fail(FILE *out, const struct err *err)
{
	json_t *answer;

	if (out) {
		answer = json_object();
		json_object_set_new(answer, CHILD_FAILED, json_words_text(err->message));
		json_dumpf(answer, out, JSON_COMPACT);
		json_decref(answer);
	}
	return exits_fail(err);
}

bool child_ask(child_work *work, void *ctx, struct child_answer *answer, struct err *err)
{
	pid_t child, parent = getpid();
	int ends[2];

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

		end_with_parent(parent);
		close(ends[0]);
		status = out ? work(ctx, out) : EXIT_LOST;
		fflush(NULL);
		_exit(status);
	}
	close(ends[1]);
	read_all(ends[0], child, &answer->text);
	close(ends[0]);
	answer->status = wait_for(child);
	return true;
}
