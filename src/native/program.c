#include "native/program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/bitset.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "native/check.h"
#include "native/orphans.h"
#include "native/start.h"

enum {
	MAX_ACTORS = 64, /* unless a run needs more: sets of actors are as large as this */
	MAX_PLAINS = 1 << 20,
	MAX_NOTICES = 64,
	MAX_STACKS = 1 << 15,
	MAX_OUTPUT = 1 << 20,
	MORE_BYTES = 4 << 20,
	DONE_BYTES = 16 << 20,
	AREA_BYTES = 64 << 10,
	LOOK_EVERY_MS = 100, /* while waiting: is it still alive, does it still run? */
	START_MS = 5000,     /* that a program may take until its first thread or its end */
	GRACE_MS = 2000,     /* for a process that was asked where it is to answer */
	ASK_MS = 10000,      /* the same in all, with the time for which it waits for a core */
	LATE_MS = 500,       /* the same before the first thread, when the time is over */
};

/* ---- the channel ---- */

static uint64_t reserve(uint64_t *size, uint64_t bytes)
{
	uint64_t at = *size;

	*size += (bytes + 63) & ~(uint64_t)63;
	return at;
}

/* Fills the part before the first schedule of a channel that is all zeros. */
static void lay_out(struct channel *c, const struct channel_options *options)
{
	uint64_t size = (sizeof(*c) + 63) & ~(uint64_t)63;

	c->magic = CHANNEL_MAGIC;
	c->version = CHANNEL_VERSION;
	c->options = *options;
	c->max_actors = options->max_actors ? options->max_actors : MAX_ACTORS;
	c->max_events = options->max_steps + 1;
	c->max_plains = MAX_PLAINS;
	c->max_notices = MAX_NOTICES;
	c->max_stacks = MAX_STACKS;
	c->max_output = MAX_OUTPUT;
	c->max_decisions = c->max_events;
	c->max_sleepers = c->max_actors;
	c->enabled_words = BITSET_WORDS(c->max_actors);
	c->actors = reserve(&size, c->max_actors * sizeof(struct actor));
	c->events = reserve(&size, c->max_events * sizeof(struct event));
	c->enabled = reserve(&size, (c->max_events + 1ull) * c->enabled_words * sizeof(uint64_t));
	c->pending = reserve(&size, c->max_actors * sizeof(struct event));
	c->plains = reserve(&size, MAX_PLAINS * sizeof(struct plain));
	c->notices = reserve(&size, MAX_NOTICES * sizeof(struct notice));
	c->stacks = reserve(&size, MAX_STACKS * sizeof(struct channel_stack));
	c->decisions = reserve(&size, c->max_decisions * sizeof(struct decision));
	c->sleepers = reserve(&size, c->max_sleepers * sizeof(struct event));
	c->facts = reserve(&size, CHANNEL_FACTS * sizeof(struct channel_fact));
	c->contexts = reserve(&size, CHANNEL_CONTEXTS * sizeof(struct channel_context));
	c->withdrawn = reserve(&size, CHANNEL_WITHDRAWN * sizeof(struct withdrawn));
	c->more_size = MORE_BYTES;
	c->more = reserve(&size, MORE_BYTES);
	c->done_size = DONE_BYTES;
	c->done = reserve(&size, DONE_BYTES);
	c->area_size = AREA_BYTES;
	c->area = reserve(&size, AREA_BYTES);
	c->size = (size + 4095) & ~(uint64_t)4095;
}

static int memory_file(const char *name, uint64_t size, bool fixed, struct err *err)
{
	int fd = memfd_create(name, fixed ? MFD_ALLOW_SEALING : 0);

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0) {
		err_set_errno(err, "cannot create shared memory");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	/* Output beyond the end is refused by the kernel: a flood costs no memory. */
	if (fixed)
		fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
	return fd;
}

static bool make_channel(struct program *p, struct err *err)
{
	void *output;

	/* Most of both copies is never touched: that would take a third of the time of a start. */
	p->laid_out = mem_zalloc(sizeof(*p->laid_out));
	lay_out(p->laid_out, &p->options->channel);
	p->channel_size = p->laid_out->size;
	p->channel_fd = memory_file("fermata-channel", p->channel_size, false, err);
	p->capture_fd = memory_file("fermata-output", MAX_OUTPUT, true, err);
	if (p->channel_fd < 0 || p->capture_fd < 0)
		return false;
	p->channel = mmap(NULL, p->channel_size, PROT_READ | PROT_WRITE, MAP_SHARED, p->channel_fd, 0);
	output = mmap(NULL, MAX_OUTPUT, PROT_READ, MAP_SHARED, p->capture_fd, 0);
	if (p->channel == MAP_FAILED || output == MAP_FAILED)
		return err_set_errno(err, "cannot map shared memory");
	p->output = output;
	memcpy(p->channel, p->laid_out, offsetof(struct channel, schedule));
	return true;
}

/* ---- waiting ---- */

/* The kernel's numbers about a process: all 0 if it is gone. */
struct vital {
	char state; /* R running, S sleeping … */
	pid_t parent;
	uint64_t cpu_ns; /* with its children */
};

/* In nanoseconds: /proc counts ticks of 10 ms, and small searches take no longer than that. */
static uint64_t read_own_cpu_ns(pid_t pid)
{
	clockid_t clock;
	struct timespec spent;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &spent) != 0)
		return 0;
	return (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

static struct vital read_vital(pid_t pid)
{
	char path[64], line[1024];
	unsigned long child_user = 0, child_system = 0;
	struct vital vital = {0};
	const char *after;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	if (!file)
		return vital;
	after = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	if (after)
		sscanf(after + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
		       &vital.state, &vital.parent, &child_user, &child_system);
	vital.cpu_ns = read_own_cpu_ns(pid) + (uint64_t)(child_user + child_system) * 1000000000u /
						      (uint64_t)sysconf(_SC_CLK_TCK);
	return vital;
}

/* The time that the process could have run and had no core. */
static uint64_t read_delay_ns(pid_t pid)
{
	char path[64];
	unsigned long delay = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%*u %lu", &delay) != 1)
		delay = 0;
	fclose(file);
	return delay;
}

static uint64_t read_cpu_ns(pid_t pid)
{
	return read_vital(pid).cpu_ns;
}

static void note_death(struct program *p, int status, const struct rusage *usage)
{
	p->is_dead = true;
	p->status = status;
	p->dead_cpu_ns = ((uint64_t)usage->ru_utime.tv_sec + (uint64_t)usage->ru_stime.tv_sec) *
				 1000000000u +
			 ((uint64_t)usage->ru_utime.tv_usec + (uint64_t)usage->ru_stime.tv_usec) *
				 1000u;
}

static bool check_alive(struct program *p)
{
	struct rusage usage;
	int status;

	if (!p->is_dead && wait4(p->pid, &status, WNOHANG, &usage) == p->pid)
		note_death(p, status, &usage);
	return !p->is_dead;
}

/* ---- steps that do not come back ---- */

/* The numbers of the running process that the watchdog saw last. */
struct silence {
	uint32_t events_len;
	pid_t pid;
	uint64_t cpu_ns, delay_ns, since_ns; /* when its last step was seen */
	uint64_t asked_ns;         /* when it was asked where it is; 0 not yet */
	uint64_t asked_delay_ns;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The process that runs: the program itself, or the child that it forked for the run. The number
 * comes from shared memory, so it is believed only if that process is what it should be. */
static pid_t find_runner(const struct program *p, struct vital *vital)
{
	pid_t pid = (pid_t)p->channel->run_pid;

	if (pid > 0 && pid != p->pid && atomic_load(&p->channel->phase) == CHANNEL_READY) {
		*vital = read_vital(pid);
		if (vital->parent == p->pid)
			return pid;
	}
	*vital = read_vital(p->pid);
	return p->pid;
}

static bool is_hurried(const struct program *p)
{
	return p->options->hurry && *p->options->hurry;
}

static uint64_t limit_ns(const struct program *p)
{
	uint64_t ms = p->options->channel.silent_ms;

	if (atomic_load(&p->channel->phase) != CHANNEL_READY)
		ms = ms > START_MS ? ms : START_MS;
	if (is_hurried(p))
		return ms / 2 * 1000000u;
	return ms * (p->patience ? p->patience : 1) * 1000000u;
}

/* Asks a process that has burnt its allowance of CPU time without a visible step, or has slept
 * that long in a call, where it is, which ends the run; kills it if it does not answer. */
static void watch_silence(struct program *p, struct silence *s)
{
	struct vital vital;
	pid_t pid = find_runner(p, &vital);
	uint64_t now = now_ns(), limit = limit_ns(p);
	uint64_t delay = read_delay_ns(pid), took, burnt;
	bool burns, sleeps;

	if (s->pid != pid || s->events_len != p->channel->events_len) {
		*s = (struct silence){p->channel->events_len, pid, vital.cpu_ns, delay, now, 0, 0};
		return;
	}
	/* On a busy machine the process waits for a core: that is not its own doing. */
	took = now - s->since_ns;
	took -= delay - s->delay_ns < took ? delay - s->delay_ns : took;
	burnt = vital.cpu_ns - s->cpu_ns;
	burns = burnt > limit || (took > 3 * limit && burnt > limit / 2);
	sleeps = vital.state == 'S' && took > limit && burnt < limit / 10;
	if (s->asked_ns &&
	    now - s->asked_ns > GRACE_MS * 1000000ull + (delay - s->asked_delay_ns)) {
		p->channel->killed = 1;
		kill(pid, SIGKILL);
	} else if (!s->asked_ns && (burns || sleeps)) {
		s->asked_ns = now;
		s->asked_delay_ns = delay;
		p->patience = 0;
		kill(pid, CHANNEL_SILENCE_SIGNAL);
	}
}

/* Waits until *word is no longer `old`; *sleeper tells the other side to wake us. */
static enum program_answer wait_for_change(struct program *p, _Atomic uint32_t *word, uint32_t old,
					   _Atomic uint32_t *sleeper)
{
	struct timespec look = {.tv_nsec = LOOK_EVERY_MS * 1000000l};
	struct silence silence = {.pid = 0};

	for (int i = 0; i < CHANNEL_YIELDS && atomic_load(word) == old; i++)
		sched_yield();
	while (atomic_load(word) == old) {
		atomic_store(sleeper, 1);
		if (syscall(SYS_futex, word, FUTEX_WAIT, old, &look, NULL, 0) == 0 ||
		    errno == EAGAIN)
			continue;
		if (p->options->stop && *p->options->stop) {
			p->silent_s = silence.since_ns ? (double)(now_ns() - silence.since_ns) / 1e9 : 0;
			return PROGRAM_STOPPED;
		}
		if (!check_layout(p->channel, p->laid_out)) /* it will never answer */
			kill(p->pid, SIGKILL);
		if (!check_alive(p))
			return atomic_load(word) != old ? PROGRAM_ANSWERED : PROGRAM_DIED;
		watch_silence(p, &silence);
	}
	atomic_store(sleeper, 0);
	return PROGRAM_ANSWERED;
}

static void post_request(struct channel *c)
{
	atomic_fetch_add(&c->request, 1);
	if (atomic_load(&c->request_sleeper))
		syscall(SYS_futex, &c->request, FUTEX_WAKE, 1, NULL, NULL, 0);
}

enum program_answer program_request(struct program *p, uint32_t command)
{
	struct channel *c = p->channel;
	uint32_t old = atomic_load(&c->response);

	c->command = command;
	post_request(c);
	return wait_for_change(p, &c->response, old, &c->response_sleeper);
}

bool program_ask(struct program *p)
{
	struct channel *c = p->channel;
	struct vital vital;
	pid_t pid = find_runner(p, &vital);
	uint64_t began = now_ns(), delay = read_delay_ns(pid), took = 0;

	kill(pid, CHANNEL_SILENCE_SIGNAL);
	/* The time for which the process waits for a core does not count, up to a limit. */
	for (int ms = 0; ms < ASK_MS && took < GRACE_MS * 1000000ull; ms++) {
		if (atomic_load(&c->response) == atomic_load(&c->request))
			return true;
		usleep(1000);
		took = now_ns() - began;
		took -= read_delay_ns(pid) - delay < took ? read_delay_ns(pid) - delay : took;
	}
	return false;
}

static bool is_stopped(pid_t pid)
{
	char path[64], line[512];
	const char *after = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	if (file && fgets(line, sizeof(line), file))
		after = strrchr(line, ')');
	if (file)
		fclose(file);
	return after && after[1] == ' ' && after[2] == 'T';
}

pid_t program_request_stopped(struct program *p, uint32_t step)
{
	struct channel *c = p->channel;
	struct timespec pause = {.tv_nsec = 1000000};
	uint32_t old = atomic_load(&c->response);

	c->command = COMMAND_RUN;
	c->stop_at_end = 1;
	c->stop_step = step;
	post_request(c);
	while (!is_stopped((pid_t)c->run_pid)) {
		if (atomic_load(&c->response) != old || !check_alive(p) ||
		    (p->options->stop && *p->options->stop))
			return -1;
		nanosleep(&pause, NULL);
	}
	return (pid_t)c->run_pid;
}

static bool explain_early_death(const struct program *p, struct err *err)
{
	if (p->channel->message[0])
		return err_set_unsupported(err, "cannot test %s: %.*s", p->options->path,
					   (int)sizeof(p->channel->message),
					   p->channel->message);
	if (WIFEXITED(p->status) && WEXITSTATUS(p->status) == 127)
		return err_set(err, "cannot execute %s", p->options->path);
	if (WIFEXITED(p->status))
		return err_set_unsupported(
			err, "%s ended with status %d before it could be controlled%s",
			p->options->path, WEXITSTATUS(p->status),
			p->options->needs_preload ? ""
						  : "; was it built by another version of fermata cc?");
	if (WTERMSIG(p->status) == CHANNEL_SILENCE_SIGNAL) /* by which a program is asked where it is */
		return err_set_unsupported(err, "%s runs and cannot be controlled; was it built by "
					   "another version of fermata cc?", p->options->path);
	return err_set_unsupported(err, "%s was killed by signal %d (%s) before it could be controlled",
				   p->options->path, WTERMSIG(p->status),
				   strsignal(WTERMSIG(p->status)));
}

/* The program has not come to its first thread and the time is over: true if it has stopped
 * where it is and serves runs, which say where. */
static bool ask_place(const struct program *p)
{
	kill(p->pid, CHANNEL_SILENCE_SIGNAL);
	for (int ms = 0; ms < LATE_MS; ms++) {
		if (atomic_load(&p->channel->phase) == CHANNEL_READY)
			return true;
		usleep(1000);
	}
	return false;
}

/* Programs that are under control now: the search has one, and so has the confirmation of a finding. */
static uint32_t programs_alive;

bool program_start(struct program *p, const struct program_options *options, struct err *err)
{
	struct start start;
	pid_t tool;

	*p = (struct program){.options = options, .channel_fd = -1, .capture_fd = -1, .pid = -1,
			      .patience = options->patience};
	if (!make_channel(p, err))
		goto fail;
	programs_alive++;
	p->is_counted = true;
	fflush(NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	tool = getpid();
	start_prepare(&start, p);
	p->pid = vfork();
	if (p->pid == 0)
		start_program(&start, p, tool);
	start_release(&start);
	if (p->pid < 0) {
		err_set_errno(err, "cannot start %s", options->path);
		goto fail;
	}
	switch (wait_for_change(p, &p->channel->phase, CHANNEL_STARTING,
				&p->channel->response_sleeper)) {
	case PROGRAM_ANSWERED:
		return true;
	case PROGRAM_DIED:
		explain_early_death(p, err);
		break;
	case PROGRAM_STOPPED:
		p->is_late = ask_place(p);
		if (p->is_late)
			return true;
		err_set_unsupported(err, "stopped before the program created its first thread");
		break;
	}
fail:
	program_end(p);
	return false;
}

uint64_t program_cpu_ns(const struct program *p)
{
	return p->is_dead ? p->dead_cpu_ns : p->pid > 0 ? read_cpu_ns(p->pid) : 0;
}

static uint64_t read_peak_kb(const char *path)
{
	char line[256];
	unsigned long kb = 0;
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %lu", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb;
}

/* Not from getrusage: ru_maxrss survives exec and includes the process that started us. */
uint64_t program_peak_rss_kb(const struct program *p)
{
	char path[64];
	uint64_t own = read_peak_kb("/proc/self/status"), theirs = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)p->pid);
	if (!p->is_dead)
		theirs = read_peak_kb(path);
	return own > theirs ? own : theirs;
}

/* Files that the runs removed are still there; the program knows how they are called. Another program
 * that is under control has made the same files before its first thread, and needs them. */
static void let_it_clean_up(struct program *p)
{
	struct channel *c = p->channel;

	if (programs_alive || !c->removed[0] ||
	    atomic_load(&c->request) != atomic_load(&c->response))
		return;
	c->command = COMMAND_STOP;
	post_request(c);
	for (int tries = 0; tries < 200 && check_alive(p); tries++)
		usleep(1000);
}

void program_end(struct program *p)
{
	if (p->is_counted)
		programs_alive--;
	p->is_counted = false;
	if (p->pid > 0)
		orphans_kill(p->pid, p->is_dead);
	if (p->pid > 0 && !p->is_dead && p->channel && p->channel != MAP_FAILED)
		let_it_clean_up(p);
	if (p->pid > 0 && !p->is_dead) {
		struct rusage usage;
		int status;

		orphans_kill(p->pid, p->is_dead);
		kill(-p->pid, SIGKILL); /* the group: a run in a child, too */
		kill(p->pid, SIGKILL);
		while (wait4(p->pid, &status, 0, &usage) < 0 && errno == EINTR)
			;
		note_death(p, status, &usage);
	}
	if (p->pid > 0)
		orphans_kill(p->pid, p->is_dead); /* they are ours now, and waited for */
	if (p->channel && p->channel != MAP_FAILED)
		munmap(p->channel, p->channel_size);
	if (p->output)
		munmap((void *)p->output, MAX_OUTPUT);
	if (p->channel_fd >= 0)
		close(p->channel_fd);
	if (p->capture_fd >= 0)
		close(p->capture_fd);
	mem_free(p->laid_out);
	p->laid_out = NULL;
	p->channel = NULL;
	p->output = NULL;
	p->channel_fd = p->capture_fd = -1;
}
