#include "vm/bifs/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/child_state.h"
#include "vm/bifs/open_file.h"
#include "vm/bifs/posix_error.h"
#include "vm/machine.h"

/* Bits of the last argument of child_start. */
enum { CHILD_HAS_INPUT = 1, CHILD_HAS_OUTPUT = 2, CHILD_JOINS_STDERR = 4 };

static struct children *const children = &machine.children;

/* ---- starting ---- */

VEC_TYPE(word_list, char *);

static void free_words(struct word_list *words)
{
	for (size_t i = 0; i < words->len; i++)
		mem_free(words->items[i]);
	vec_release(words);
}

/* Reads a list of binaries, each of which ends in a zero byte, and puts NULL behind them. */
static bool read_words(term list, struct word_list *words)
{
	for (; term_is_cons(list); list = cons_tail(list)) {
		struct view view;
		bool is_text;

		if (!view_open(&view, cons_head(list)))
			return false;
		is_text = view.len && memchr(view.bytes, 0, view.len) == view.bytes + view.len - 1;
		if (is_text)
			*vec_push(words) = mem_strdup((const char *)view.bytes);
		view_close(&view);
		if (!is_text)
			return false;
	}
	*vec_push(words) = NULL;
	return list == NIL && words->len > 1;
}

static void direct(posix_spawn_file_actions_t *actions, int64_t flags, int input, int output)
{
	if (flags & CHILD_HAS_INPUT)
		posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
	else
		posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (flags & CHILD_HAS_OUTPUT)
		posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
	if (flags & CHILD_JOINS_STDERR)
		posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
	posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}

/* Starts the program as the leader of a process group of its own; returns an errno value. */
static int spawn_group(pid_t *pid, char **argv, char **env, const char *folder, int64_t flags,
		       int input, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	sigemptyset(&none);
	sigfillset(&defaults);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	if (folder)
		posix_spawn_file_actions_addchdir_np(&actions, folder);
	direct(&actions, flags, input, output);
	/* The program's name in argv need not be its path. */
	error = posix_spawn(pid, argv[0], &actions, &attributes, argv + 1, env);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static term start(struct process *p, char **argv, char **env, const char *folder, int64_t flags)
{
	int to[2] = {-1, -1}, from[2] = {-1, -1}, error = 0;
	struct child child = {.number = children->count + 1};

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		error = errno;
	if (!error)
		error = spawn_group(&child.pid, argv, env, folder, flags, to[0], from[1]);
	if (to[0] >= 0)
		close(to[0]);
	if (from[1] >= 0)
		close(from[1]);
	if (error || !(flags & CHILD_HAS_INPUT)) {
		close(to[1]);
		to[1] = -1;
	}
	if (error) {
		close(from[0]);
		return posix_error(p, error);
	}
	child.to = to[1];
	child.from = from[0];
	children->count++;
	*vec_push(&children->all) = child;
	return heap_unsigned(p, child.number);
}

/* child_start([Path, Name | Arguments], Environment, Folder | [], Flags) */
term bif_fermata_child_start_4(struct process *p, const term *args)
{
	struct word_list argv = {0}, env = {0}, folder = {0};
	term result;

	if (!open_file_may_write())
		return bif_unsupported(p, "programs outside, without --allow-io");
	p->vm->relied_on |= RELIED_ON_PROGRAMS;
	if (!read_words(args[0], &argv) || argv.len < 3 || !read_words(args[1], &env) ||
	    (args[2] != NIL && !read_words(args[2], &folder)) || !term_is_small(args[3]))
		result = bif_badarg(p);
	else
		result = start(p, argv.items, env.items, folder.len ? folder.items[0] : NULL,
			       small_value(args[3]));
	free_words(&argv);
	free_words(&env);
	free_words(&folder);
	return result;
}

/* ---- while it runs ---- */

static struct child *find(term number)
{
	for (size_t i = 0; i < children->all.len; i++)
		if (term_is_small(number) &&
		    children->all.items[i].number == (uint64_t)small_value(number))
			return &children->all.items[i];
	return NULL;
}

static term refuse_gone(struct process *p)
{
	return bif_unsupported(p, "a program outside that was started before "
				  "the run (in a set-up)");
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A child that does not read any more is not an error of the writer: its end will be seen. */
term bif_fermata_child_write_2(struct process *p, const term *args)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	struct child *child = find(args[0]);
	struct view bytes;
	size_t done = 0;

	if (!child)
		return refuse_gone(p);
	if (!view_open_iolist(&bytes, args[1]))
		return bif_badarg(p);
	sigaction(SIGPIPE, &ignore, &before);
	while (child->to >= 0 && done < bytes.len) {
		ssize_t n = write(child->to, bytes.bytes + done, bytes.len - done);

		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EINTR)
			close_one(&child->to);
	}
	sigaction(SIGPIPE, &before, NULL);
	view_close(&bytes);
	return A_ok;
}

static term refuse_silent(struct process *p)
{
	return bif_unsupported(p, "a program outside that for %d seconds neither "
				  "writes, ends nor waits for input", CHILD_PATIENCE_MS / 1000);
}

/* The next bytes of its output; eof; or waits: it waits for input. */
term bif_fermata_child_read_1(struct process *p, const term *args)
{
	struct child *child = find(args[0]);
	unsigned waits = 0;
	char bytes[65536];

	if (!child)
		return refuse_gone(p);
	for (unsigned ms = 0, turn = 1; ms < CHILD_PATIENCE_MS; ms += turn) {
		struct pollfd ready = {.fd = child->from, .events = POLLIN};
		ssize_t n;

		turn = ms < 20 ? 1 : 10;
		if (poll(&ready, 1, (int)turn) > 0) {
			n = read(child->from, bytes, sizeof(bytes));
			if (n > 0)
				return heap_tuple2(p, A_data,
						   binary_from(p, bytes, (size_t)n));
			if (n == 0 || errno != EINTR)
				return A_eof;
		}
		/* Twice in a row, so that it was not just about to write. */
		waits = child->to >= 0 && child_state_waits(child->pid, child->to) ? waits + 1 : 0;
		if (waits == 2)
			return A_waiting;
	}
	return refuse_silent(p);
}

/* The exit status, or 128 and the number of the signal that ended it. */
term bif_fermata_child_status_1(struct process *p, const term *args)
{
	struct child *child = find(args[0]);

	if (!child)
		return refuse_gone(p);
	close_one(&child->to);
	for (unsigned ms = 0; !child->has_ended && ms < CHILD_PATIENCE_MS; ms++) {
		if (waitpid(child->pid, &child->status, WNOHANG) == child->pid)
			child->has_ended = true;
		else
			usleep(1000);
	}
	if (!child->has_ended)
		return refuse_silent(p);
	return small_make(WIFEXITED(child->status) ? WEXITSTATUS(child->status)
						   : 128 + WTERMSIG(child->status));
}

/* ---- the end ---- */

/* The port is closed; the program may go on until the run ends. */
term bif_fermata_child_close_1(struct process *p, const term *args)
{
	struct child *child = find(args[0]);

	if (!child)
		return refuse_gone(p);
	close_one(&child->to);
	close_one(&child->from);
	return A_true;
}

void child_end_all(void)
{
	for (size_t i = 0; i < children->all.len; i++) {
		struct child *child = &children->all.items[i];

		close_one(&child->to);
		close_one(&child->from);
		kill(-child->pid, SIGKILL);
		while (!child->has_ended && waitpid(child->pid, &child->status, 0) < 0 &&
		       errno == EINTR)
			;
	}
	vec_release(&children->all);
}

bool child_is_any(void)
{
	for (size_t i = 0; i < children->all.len; i++)
		if (children->all.items[i].from >= 0)
			return true;
	return false;
}
