#include "runtime/server.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "runtime/batch.h"
#include "runtime/fiber.h"
#include "runtime/heap.h"
#include "runtime/kernel.h"
#include "runtime/record.h"
#include "runtime/restore.h"
#include "runtime/rt_sys.h"
#include "runtime/sched.h"
#include "runtime/seen.h"
#include "runtime/stem.h"
#include "runtime/undo.h"

enum { SPARE_DONORS = 8 };

static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	rt_syscall4(SYS_futex, word, FUTEX_WAIT, value, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
	rt_syscall(SYS_futex, word, FUTEX_WAKE, 1);
}

static bool needs_donor(uint32_t i)
{
	const struct actor *actors = channel_at(RT->channel, RT->channel->actors);

	return !RT->donors[i].fs_base &&
	       !(i < RT->channel->actors_len && actor_is_virtual(&actors[i]));
}

/* Is there a donor for every thread seen so far? */
static bool has_donors(void)
{
	for (uint32_t i = 1; i < RT->channel->actors_len; i++)
		if (needs_donor(i))
			return false;
	return RT->donors_made;
}

/* A donor for every thread seen so far, and some for the next: half as many, because the memory of
 * the program has to be noted anew whenever there are not enough. */
static bool make_donors(void)
{
	uint32_t known = RT->channel->actors_len;
	uint32_t spare = known / 2 > SPARE_DONORS ? known / 2 : SPARE_DONORS;

	RT->donors_made = true;
	for (uint32_t i = 1; i < known + spare && i < RT->channel->max_actors; i++) {
		if (!needs_donor(i))
			continue;
		if (!rt_fiber_make_donor(&RT->donors[i], i))
			return false;
	}
	return true;
}

static uint32_t wait_for_request(uint32_t served)
{
	struct channel *channel = RT->channel;

	for (int i = 0; i < CHANNEL_YIELDS && atomic_load(&channel->request) == served; i++)
		rt_syscall(SYS_sched_yield, 0, 0, 0);
	while (atomic_load(&channel->request) == served) {
		atomic_store(&channel->request_sleeper, 1);
		futex_wait(&channel->request, served);
	}
	atomic_store(&channel->request_sleeper, 0);
	if (channel->command == COMMAND_STOP) {
		rt_io_remove_files();
		rt_syscall(SYS_exit_group, 0, 0, 0);
	}
	return atomic_load(&channel->request);
}

static void start_run(void)
{
	struct channel *channel = RT->channel;
	struct schedule schedule = channel->schedule;

	schedule.decisions = channel_at(channel, channel->decisions);
	schedule.sleepers = channel_at(channel, channel->sleepers);
	schedule.guides = channel->guides;
	RT->runs++;
	channel->events_len = channel->pending_len = channel->plains_len = 0;
	channel->notices_len = RT->early_notices;
	channel->made_len = RT->early_made;
	channel->stacks_len = channel->lives_len = channel->withdrawn_len = 0;
	channel->end = END_LOST;
	channel->end_actor = ACTOR_NONE;
	channel->code = 0;
	channel->void_turns = channel->dropped = channel->bounded = 0;
	channel->assumed = channel->assumed_early | (channel->weaker ? ASSUMED_WEAKER : 0) |
			   (channel->fixed_addresses ? 0 : ASSUMED_ADDRESSES);
	channel->address = 0;
	channel->message[0] = '\0';
	channel->again = 0;
	follower_start(&RT->follower, &schedule);
	RT->identity = RT_IDENTITY_NEW;
	RT->spurious_left = channel->options.spurious;
	if (RT->capture_fd >= 0 && !channel->output_empty)
		rt_syscall(SYS_lseek, RT->capture_fd, (long)RT->early_output, 0);
	channel->output_empty = 0; /* until the end of the run says so */
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
	channel->end = END_LOST;
	if (channel->killed)
		rt_print(channel->message, sizeof(channel->message),
			 "a step has not come to its end and cannot be interrupted");
	else
		rt_print(channel->message, sizeof(channel->message),
			 "the program was killed by signal %d%s", WTERMSIG(status),
			 WTERMSIG(status) == SIGXCPU ? ", at the limit of CPU time: ulimit -t" : "");
	channel->killed = 0;
}

/* Everything in struct rt that belongs to a run, back to its start. */
static void reset_state(void)
{
	const struct rt_saved *saved = &RT->saved;
	uint64_t mapped = RT->heap.mapped;

	RT->actors[0] = saved->main;
	RT->heap = saved->heap;
	RT->heap.mapped = mapped; /* mappings stay */
	RT->now_ns = saved->now_ns;
	RT->rng = saved->rng;
	RT->alarm_ns = saved->alarm_ns;
	RT->ringer = saved->ringer;
	RT->benign.len = saved->benign_len;
	rt_actions_restore();
	RT->current = 0;
	RT->actors_high = 1;
	for (uint32_t w = 0; w < RT->channel->enabled_words; w++)
		RT->ready[w] = RT->asked[w] = 0;
	rt_ask(0, true, false);
	RT->tokens_len = RT->newborns = 0;
	RT->probing = false;
	RT->trying = NULL;
	RT->awaited_len = RT->late_len = 0;
	RT->undecided = RT->untold = false;
	RT->memory.written_size = RT->memory.floor = 0;
	RT->memory.loop_reads_len = RT->memory.spinners = 0;
	for (uint32_t i = 0; i < RT_MAX_FILES; i++)
		RT->io.files[i].owner = RT->io.files[i].count = 0;
	RT->io.ways_len = 0;
	RT->io.flushed_all = RT->io.locked_other = false;
}

static void save_state(void)
{
	RT->saved = (struct rt_saved){.main = RT->actors[0],
				      .heap = RT->heap,
				      .now_ns = RT->now_ns,
				      .rng = RT->rng,
				      .alarm_ns = RT->alarm_ns,
				      .ringer = RT->ringer,
				      .benign_len = RT->benign.len};
}

/* Goes to a thread: at the beginning of a run to the first one, which returns from rt_begin(). Comes back
 * at the end of the run, if this process survives it. */
static void go_to_program(struct rt_actor *thread)
{
	RT->phase = RT_RUNNING;
	rt_record_begin();
	rt_seen_begin();
	rt_kernel_intercept(true);
	rt_fiber_switch(&RT->server, thread);
	RT->phase = RT_ALONE;
}

static void fork_run(void)
{
	struct channel *channel = RT->channel;
	long parent = rt_syscall(SYS_getpid, 0, 0, 0);
	int pid = (int)rt_syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);

	if (pid == 0) {
		rt_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
		if (rt_syscall(SYS_getppid, 0, 0, 0) != parent) /* it has ended already */
			rt_syscall(SYS_exit_group, 1, 0, 0);
		rt_kernel_start();
		go_to_program(&RT->actors[0]);
		rt_syscall(SYS_exit_group, 0, 0, 0);
	}
	if (pid < 0) {
		rt_print(channel->message, sizeof(channel->message), "fork failed (error %d)",
			 -pid);
		return;
	}
	channel->run_pid = (uint32_t)pid;
	wait_for_child(pid);
	rt_undo_run();
}

/* From restoring memory to forking, between two runs. The blocks of the run that was given up
 * go first, while the cursors of its actors still say where they end: a block that it freed
 * would be a freed block in every forked run. */
static void change_to_fork(void)
{
	rt_heap_clear();
	rt_restore_back();
	rt_restore_drop();
	rt_stem_forget();
	reset_state();
	rt_seen_clear(); /* or each child would copy what of it is in memory */
	RT->use_fork = true;
	RT->channel->restart_used = RESTART_FORK;
}

/* The work of the first thread at the beginning of a run, besides being put back. */
static void begin_resources(void)
{
	rt_shared_begin();
	rt_early_files_begin();
	rt_io_begin();
}

static void restore_run(void)
{
	bool goes_on = rt_stem_is_found();

	rt_heap_clear();
	if (goes_on)
		rt_stem_back();
	else
		rt_restore_back();
	reset_state();
	if (goes_on)
		begin_resources();
	go_to_program(goes_on ? rt_stem_resume() : &RT->actors[0]);
	if (RT->channel->restart_reason[0])
		change_to_fork();
}

/* New fibers belong to the memory that is put back: it is noted anew. */
static bool prepare_fibers(void)
{
	if (has_donors())
		return true;
	if (RT->use_fork)
		return make_donors();
	rt_stem_forget();
	rt_heap_clear();
	rt_restore_back();
	rt_restore_drop();
	reset_state();
	if (!make_donors())
		return false;
	save_state(); /* making them may have allocated */
	if (!rt_restore_take(RT->actors[0].sp)) {
		rt_need_fork("memory cannot be protected here");
		change_to_fork();
	}
	return true;
}

static void run_once(void)
{
	struct channel *channel = RT->channel;

	start_run();
	if (!prepare_fibers())
		rt_print(channel->message, sizeof(channel->message),
			 "the system refuses to create more threads (ulimit -u)");
	else if (RT->use_fork)
		fork_run();
	else
		restore_run();
}

/* The fiber that serves: on a stack of its own, because the program's are put back. */
static void serve(void)
{
	struct channel *channel = RT->channel;
	uint32_t served = 0;

	channel->run_pid = (uint32_t)rt_syscall(SYS_getpid, 0, 0, 0);
	save_state(); /* the first thread has just been left: its context is complete */
	for (;;) {
		uint32_t request = wait_for_request(served);

		rt_batch_start();
		rt_stem_begin();
		if (channel->command == COMMAND_FORK && !RT->use_fork) {
			rt_need_fork("a run did not repeat exactly after its memory was put back");
			change_to_fork();
		}
		do {
			rt_stem_choose(channel->done_len);
			do {
				run_once();
				if (channel->again)
					rt_stem_forget();
			} while (channel->again);
		} while (rt_batch_next());
		served = request;
		atomic_store(&channel->response, request);
		if (atomic_load(&channel->response_sleeper))
			futex_wake(&channel->response);
	}
}

static void start_server(void)
{
	struct fiber_donor stack = {
		.fs_base = rt_fiber_fs_base(),
		.stack_low = RT->server_stack,
		.stack_high = RT->server_stack + sizeof(RT->server_stack),
		.stack_top = RT->server_stack + sizeof(RT->server_stack),
	};

	rt_fiber_prepare(&RT->server, &stack, serve);
	rt_fiber_switch(&RT->actors[0], &RT->server);
}

void rt_begin(void)
{
	struct channel *channel = RT->channel;

	if (RT->phase != RT_ALONE)
		return;
	__asm__ volatile("stmxcsr %0\n\tfnstcw %1"
			 : "=m"(*(uint32_t *)&RT->main_fpu_state),
			   "=m"(*((uint16_t *)&RT->main_fpu_state + 2)));
	rt_shared_snapshot();
	RT->use_fork = channel->options.restart == RESTART_FORK || channel->restart_reason[0];
	channel->restart_used = RT->use_fork ? RESTART_FORK : RESTART_RESTORE;
	if (channel->options.restart == RESTART_FORK && !channel->restart_reason[0])
		rt_print(channel->restart_reason, sizeof(channel->restart_reason), "asked for");
	RT->early_notices = channel->notices_len;
	RT->early_made = channel->made_len;
	if (RT->capture_fd >= 0) {
		long offset = rt_syscall(SYS_lseek, RT->capture_fd, 0, 1 /* SEEK_CUR */);

		RT->early_output = offset > 0 ? (uint64_t)offset : 0;
	}
	rt_io_snapshot();
	rt_early_files_keep();
	rt_undo_start();
	atomic_store(&channel->phase, CHANNEL_READY);
	futex_wake(&channel->phase);
	start_server();
	begin_resources();
}

void rt_need_fork(const char *reason)
{
	struct channel *channel = RT->channel;

	if (!channel->restart_reason[0])
		rt_print(channel->restart_reason, sizeof(channel->restart_reason), "%s", reason);
	if (RT->phase != RT_RUNNING || RT->use_fork)
		return;
	channel->again = 1;
	rt_end_now(END_RELEARN, RT->current);
}

void rt_server_finish_run(void)
{
	if (RT->use_fork)
		for (;;)
			rt_syscall(SYS_exit_group, 0, 0, 0);
	rt_fiber_jump(&RT->server);
}
