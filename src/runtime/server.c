#include "runtime/server.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "runtime/fiber.h"
#include "runtime/io.h"
#include "runtime/rt_sys.h"

enum { SPARE_DONORS = 4 };

static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	rt_syscall4(SYS_futex, word, FUTEX_WAIT, value, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
	rt_syscall(SYS_futex, word, FUTEX_WAKE, 1);
}

/* A donor for every thread seen so far, and a few for the next. */
static bool make_donors(void)
{
	const struct actor *actors = channel_at(RT->channel, RT->channel->actors);
	uint32_t known = RT->channel->actors_len;

	for (uint32_t i = 1; i < known + SPARE_DONORS && i < RT->channel->max_actors; i++) {
		if (RT->donors[i].fs_base || (i < known && actor_is_virtual(&actors[i])))
			continue;
		if (!rt_fiber_make_donor(&RT->donors[i]))
			return false;
	}
	return true;
}

static uint32_t wait_for_request(uint32_t served)
{
	struct channel *channel = RT->channel;

	while (atomic_load(&channel->request) == served)
		futex_wait(&channel->request, served);
	if (channel->command == COMMAND_STOP)
		rt_syscall(SYS_exit_group, 0, 0, 0);
	return atomic_load(&channel->request);
}

static void start_run(void)
{
	struct channel *channel = RT->channel;
	struct schedule schedule = {
		.decisions = channel_at(channel, channel->decisions),
		.decisions_len = channel->decisions_len,
		.sleep_from = channel->sleep_from,
		.sleepers = channel_at(channel, channel->sleepers),
		.sleepers_len = channel->sleepers_len,
		.tail = channel->tail,
		.depth = channel->depth,
		.steps_estimate = channel->steps_estimate,
		.seed = channel->seed,
		.relaxed = channel->relaxed,
	};

	channel->events_len = channel->pending_len = channel->plains_len = 0;
	channel->notices_len = channel->stacks_len = channel->lives_len = 0;
	channel->withdrawn_len = 0;
	channel->end = END_LOST;
	channel->end_actor = ACTOR_NONE;
	channel->code = 0;
	channel->void_turns = channel->dropped = channel->bounded = channel->assumed = 0;
	channel->address = 0;
	channel->message[0] = '\0';
	channel->again = 0;
	follower_start(&RT->follower, &schedule);
	RT->spurious_left = channel->options.spurious;
	if (RT->capture_fd >= 0)
		rt_syscall(SYS_lseek, RT->capture_fd, 0, 0);
}

/* In the parent: waits for the run in the child, which has filled the channel. */
static void wait_for_child(int pid)
{
	struct channel *channel = RT->channel;
	int status = 0;

	while (rt_syscall4(SYS_wait4, pid, &status, 0, 0) == -EINTR)
		;
	if (!WIFSIGNALED(status))
		return;
	channel->end = channel->killed ? END_SILENT : END_LOST;
	channel->killed = 0;
	if (channel->end == END_LOST)
		rt_print(channel->message, sizeof(channel->message),
			 "the program was killed by signal %d", WTERMSIG(status));
}

/* One run in a child. Returns true in the child. */
static bool fork_run(void)
{
	struct channel *channel = RT->channel;
	int pid;

	start_run();
	if (!make_donors()) {
		rt_print(channel->message, sizeof(channel->message),
			 "the system refuses to create more threads");
		return false;
	}
	pid = (int)rt_syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	if (pid == 0) {
		rt_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
		return true;
	}
	if (pid < 0) {
		rt_print(channel->message, sizeof(channel->message), "fork failed (error %d)",
			 -pid);
		return false;
	}
	channel->run_pid = (uint32_t)pid;
	wait_for_child(pid);
	return false;
}

/* Returns in the child, once per request. */
static void serve_by_fork(void)
{
	struct channel *channel = RT->channel;
	uint32_t served = 0;

	for (;;) {
		uint32_t request = wait_for_request(served);

		do {
			if (fork_run())
				return;
		} while (channel->again);
		served = request;
		atomic_store(&channel->response, request);
		futex_wake(&channel->response);
	}
}

void rt_begin(void)
{
	struct channel *channel = RT->channel;

	if (RT->phase != RT_ALONE)
		return;
	__asm__ volatile("stmxcsr %0\n\tfnstcw %1"
			 : "=m"(*(uint32_t *)&RT->main_fpu_state),
			   "=m"(*((uint16_t *)&RT->main_fpu_state + 2)));
	channel->restart_used = RESTART_FORK;
	atomic_store(&channel->phase, CHANNEL_READY);
	futex_wake(&channel->phase);
	rt_io_snapshot();
	serve_by_fork();
	rt_io_begin();
	RT->phase = RT_RUNNING;
}

void rt_need_fork(const char *reason)
{
	struct channel *channel = RT->channel;

	if (!channel->restart_reason[0])
		rt_print(channel->restart_reason, sizeof(channel->restart_reason), "%s", reason);
}

void rt_server_finish_run(void)
{
	for (;;)
		rt_syscall(SYS_exit_group, 0, 0, 0);
}
