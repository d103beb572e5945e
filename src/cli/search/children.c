#include "cli/search/children.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parent.h"
#include "cli/exits.h"
#include "cli/search/stopping.h"

enum { LOOK_EVERY_MS = 300 };

uint32_t children_max(const struct test_options *options)
{
	return options->allow_io || options->hapset ? 1 : (uint32_t)options->jobs;
}

/* ---- starting ---- */

_Noreturn static void be_child(const struct one_child *child, int answer_fd, pid_t parent,
			       child_work *work)
{
	FILE *out = fdopen(answer_fd, "w");
	int status;

	end_with_parent(parent);
	dup2(child->printed[0], STDOUT_FILENO);
	dup2(child->printed[1], STDERR_FILENO);
	status = out ? work(child->ctx, out) : EXIT_LOST;
	fflush(NULL);
	_exit(status);
}

static bool start(struct one_child *child, child_work *work, struct err *err)
{
	pid_t parent = getpid();
	int ends[2];

	for (size_t i = 0; i < 2; i++)
		child->printed[i] = memfd_create("printed", MFD_CLOEXEC);
	if (child->printed[0] < 0 || child->printed[1] < 0 || pipe(ends) != 0)
		return err_set_errno(err, "cannot make a pipe");
	fflush(NULL);
	child->pid = fork();
	if (child->pid < 0)
		return err_set_errno(err, "cannot start a process");
	if (child->pid == 0) {
		close(ends[0]);
		be_child(child, ends[1], parent, work);
	}
	close(ends[1]);
	child->fd = ends[0];
	return true;
}

/* ---- reading ---- */

static void end(struct one_child *child)
{
	int status = 0;

	close(child->fd);
	child->fd = -1;
	while (waitpid(child->pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	if (WIFEXITED(status))
		child->answer.status = WEXITSTATUS(status);
}

static void read_some(struct one_child *child)
{
	char block[65536];
	ssize_t n = read(child->fd, block, sizeof(block));

	if (n > 0)
		strbuf_add(&child->answer.text, block, (size_t)n);
	else if (n == 0 || errno != EINTR)
		end(child);
}

/* Ctrl-C of a terminal reaches the children by itself, a signal to this process does not. */
static void pass_on_interrupt(struct one_child *child)
{
	if (child->is_passed_on || stop_wanted != STOP_INTERRUPTED)
		return;
	child->is_passed_on = true;
	kill(child->pid, SIGTERM);
}

/* Reads from all that are running, for a while. */
static void read_all(struct children *c)
{
	VEC(struct pollfd) fds = {0};
	int found;

	for (size_t i = c->taken; i < c->all.len; i++)
		*vec_push(&fds) = (struct pollfd){.fd = c->all.items[i].fd, .events = POLLIN};
	found = poll(fds.items, fds.len, LOOK_EVERY_MS);
	if (found > 0) {
		for (size_t i = 0; i < fds.len; i++)
			if (fds.items[i].fd >= 0 && fds.items[i].revents)
				read_some(&c->all.items[c->taken + i]);
	} else if (found == 0) { /* a signal that ends the wait may be on its way to the children */
		for (size_t i = c->taken; i < c->all.len; i++)
			if (c->all.items[i].fd >= 0)
				pass_on_interrupt(&c->all.items[i]);
	}
	vec_release(&fds);
}

static uint32_t count_running(const struct children *c)
{
	uint32_t running = 0;

	for (size_t i = c->taken; i < c->all.len; i++)
		running += c->all.items[i].fd >= 0;
	return running;
}

bool children_start(struct children *c, child_work *work, void *ctx, struct err *err)
{
	struct one_child child = {.ctx = ctx, .fd = -1, .answer = {.status = EXIT_LOST}};

	while (count_running(c) >= c->max)
		read_all(c);
	if (!start(&child, work, err))
		return false;
	*vec_push(&c->all) = child;
	return true;
}

/* ---- taking ---- */

static void print(int from, FILE *to)
{
	char block[65536];
	ssize_t n;

	lseek(from, 0, SEEK_SET);
	while ((n = read(from, block, sizeof(block))) > 0)
		fwrite(block, 1, (size_t)n, to);
	fflush(to);
	close(from);
}

bool children_take(struct children *c, struct child_answer *answer, void **ctx)
{
	struct one_child *child;

	if (c->taken == c->all.len)
		return false;
	while (c->all.items[c->taken].fd >= 0)
		read_all(c);
	child = &c->all.items[c->taken++];
	print(child->printed[1], stderr);
	print(child->printed[0], stdout);
	*answer = child->answer;
	*ctx = child->ctx;
	return true;
}

void children_release(struct children *c)
{
	struct child_answer answer;
	void *ctx;

	while (children_take(c, &answer, &ctx))
		strbuf_release(&answer.text);
	vec_release(&c->all);
}
