#include "explore/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "explore/jobs_text.h"
#include "explore/jobs_worker.h"
#include "strategy/dpor_part.h"

enum {
	REACH_MAX = 64,
	FAILURES_MAX = 50, /* of workers in a row; then the tool goes on alone */
	POLL_MS = 50,
	END_MS = 1000,     /* for an idle worker to end */
	TEND_EVERY = 4,    /* runs between two looks at the workers */
};

/* A search that ends sooner is not worth starting processes for. A part that took less time than
 * SHORT_SECONDS was too small. */
static const double START_SECONDS = 0.2, SHORT_SECONDS = 0.02;

struct worker {
	pid_t pid;
	int fd;                 /* -1: not running */
	struct wakeup_out *out; /* the part it explores; NULL: idle */
	uint64_t allowance;     /* runs it may make */
	uint32_t part;          /* number of the part */
};

struct jobs {
	struct walk *walk;
	struct strategy *dpor;
	const struct explore_options *options;
	struct explore_result *result;
	struct worker *workers;
	uint32_t workers_len;
	VEC(struct jobs_schedule) looks; /* schedules to look at */
	struct jobs_schedule current;
	struct strbuf text;
	uint32_t reach;    /* how far up the stack a branch is taken from */
	uint32_t failures; /* in a row */
	uint32_t turns;
	uint32_t parts;    /* given so far */
	uint32_t actors_len;   /* of the table, when the workers were started */
	uint32_t values_len;   /* numbered by the target, then */
	uint64_t waiting_runs; /* in results that wait for their turn */
	volatile uint32_t *hurry; /* shared with the workers: the part that is waited for */
	struct dpor_others others;
	double began;
};

/* ---- processes ---- */

static void note_usage(struct jobs *j, const struct rusage *usage)
{
	j->result->workers_cpu_seconds +=
		(double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec +
		(double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* An idle worker ends by itself when the socket is closed, and waits for its program. */
static void wait_for_end(const struct worker *w, struct rusage *usage)
{
	struct timespec pause = {.tv_nsec = 1000000};
	int tries = w->out ? 0 : END_MS;

	while (tries-- > 0) {
		if (wait4(w->pid, NULL, WNOHANG, usage) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	kill(w->pid, SIGKILL);
	while (wait4(w->pid, NULL, 0, usage) < 0)
		if (errno != EINTR)
			return;
}

/* Ends the worker; the branch it had is as it was. */
static void end_worker(struct jobs *j, struct worker *w)
{
	struct rusage usage = {0};

	if (w->fd < 0)
		return;
	close(w->fd);
	wait_for_end(w, &usage);
	note_usage(j, &usage);
	if (w->out)
		dpor_part_withdraw(j->dpor, w->out);
	*w = (struct worker){.fd = -1};
}

static void end_workers(struct jobs *j)
{
	for (uint32_t i = 0; i < j->workers_len; i++)
		end_worker(j, &j->workers[i]);
}

static void close_others(const struct jobs *j)
{
	for (uint32_t i = 0; i < j->workers_len; i++)
		if (j->workers[i].fd >= 0)
			close(j->workers[i].fd);
}

static bool start_worker(struct jobs *j, struct worker *w)
{
	struct jobs_worker child = {.tool = getpid(),
				    .number = (uint32_t)(w - j->workers) + 1,
				    .hurry = &j->hurry[w - j->workers],
				    .target = j->walk->target,
				    .detectors = j->walk->detectors,
				    .options = j->options};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0) {
		close_others(j);
		close(ends[0]);
		child.fd = ends[1];
		jobs_worker_serve(&child);
	}
	close(ends[1]);
	if (w->pid < 0) {
		close(ends[0]);
		return false;
	}
	w->fd = ends[0];
	j->result->workers++;
	return true;
}

/* ---- answers ---- */

static void add_look(struct jobs *j, struct bytes_in *in)
{
	struct jobs_schedule schedule = jobs_get_schedule(in);

	if (in->is_short)
		jobs_schedule_release(&schedule);
	else
		*vec_push(&j->looks) = schedule;
}

/* A part that took little time was too small, or too near: the tool had come to it already. */
static void adapt_reach(struct jobs *j, double seconds)
{
	if (seconds < SHORT_SECONDS && j->reach < REACH_MAX)
		j->reach++;
}

/* The sums wait, with the part, for the turn of its branch. */
static void take_result(struct jobs *j, struct worker *w, struct bytes_in in)
{
	double seconds = (double)bytes_u64(&in) / 1e6;
	uint64_t runs = bytes_u64(&in);
	struct bytes_in sums = bytes_text(&in);

	j->failures = 0;
	j->waiting_runs += runs;
	bytes_put_u64(&w->out->extra, runs);
	bytes_put(&w->out->extra, sums.at, sums.len);
	dpor_part_back(j->dpor, w->out, in);
	w->out = NULL;
	adapt_reach(j, seconds);
}

static void take_part(void *ctx, struct wakeup_out *out, bool counts)
{
	struct bytes_in in = {.at = out->extra.text, .len = out->extra.len};
	struct jobs *j = ctx;
	struct bytes_in packed;

	j->waiting_runs -= bytes_u64(&in);
	if (!counts) {
		j->result->parts_dropped++;
		if (j->reach > 1)
			j->reach--;
		return;
	}
	j->result->parts++;
	jobs_add_sums(&in, j->result);
	packed = bytes_text(&in);
	if (j->options->unpack && packed.len)
		j->options->unpack(j->options->ctx, packed);
}

/* An answer of the worker is there, or the worker is gone. */
static void take_answer(struct jobs *j, struct worker *w)
{
	enum jobs_answer answer;
	struct bytes_in in;
	uint32_t looks;

	if (!jobs_receive(w->fd, &j->text)) {
		j->failures++;
		j->result->parts_lost++;
		end_worker(j, w);
		return;
	}
	in = (struct bytes_in){.at = j->text.text, .len = j->text.len};
	answer = bytes_u8(&in);
	looks = bytes_u32(&in);
	for (uint32_t i = 0; i < looks && !in.is_short; i++)
		add_look(j, &in);
	if (answer == JOBS_RESULT) {
		take_result(j, w, in);
	} else {
		dpor_part_withdraw(j->dpor, w->out);
		w->out = NULL;
	}
}

/* Takes all answers that are there; waits for one at most so long. */
static void take_answers(struct jobs *j, int wait_ms)
{
	struct pollfd fds[256];

	for (uint32_t i = 0; i < j->workers_len; i++)
		fds[i] = (struct pollfd){.fd = j->workers[i].out ? j->workers[i].fd : -1,
					 .events = POLLIN};
	if (poll(fds, j->workers_len, wait_ms) <= 0)
		return;
	for (uint32_t i = 0; i < j->workers_len; i++)
		if (fds[i].fd >= 0 && fds[i].revents)
			take_answer(j, &j->workers[i]);
}

static bool is_stopped(const struct jobs *j)
{
	return (j->options->stop && *j->options->stop) ||
	       (j->options->max_seconds > 0 &&
		clock_seconds() - j->began > j->options->max_seconds);
}

/* The tool has come to a branch that a worker explores: the worker shall return what it has. */
static void wait_for_worker(void *ctx, struct wakeup_out *out)
{
	struct jobs *j = ctx;

	for (uint32_t i = 0; i < j->workers_len; i++)
		if (j->workers[i].out == out)
			j->hurry[i] = j->workers[i].part;
	take_answers(j, POLL_MS);
	if (is_stopped(j))
		end_workers(j);
}

/* ---- giving ---- */

/* Runs that a part may have, so that --max-runs is kept. */
static uint64_t find_allowance(const struct jobs *j)
{
	uint64_t used = explore_runs(j->result) + j->waiting_runs;

	if (!j->options->max_runs)
		return UINT64_MAX;
	for (uint32_t i = 0; i < j->workers_len; i++)
		used += j->workers[i].out ? j->workers[i].allowance : 0;
	if (used >= j->options->max_runs)
		return 0;
	return (j->options->max_runs - used) / (2 * (j->workers_len + 1));
}

static void give(struct jobs *j, struct worker *w)
{
	w->allowance = find_allowance(j);
	if (!w->allowance)
		return;
	w->part = ++j->parts;
	strbuf_clear(&j->text);
	bytes_put_u32(&j->text, w->part);
	bytes_put_u64(&j->text, w->allowance);
	w->out = dpor_part_give(j->dpor, j->reach, &j->text);
	if (w->out && !jobs_send(w->fd, &j->text)) {
		j->failures++;
		end_worker(j, w);
	}
}

/* Workers do not know the numbers of actors and values that were met after they were started. */
static void check_names(struct jobs *j)
{
	const struct walk *walk = j->walk;

	if (walk->actors_len == j->actors_len && walk->values_len == j->values_len)
		return;
	end_workers(j);
	j->actors_len = walk->actors_len;
	j->values_len = walk->values_len;
}

static bool is_due(const struct jobs *j)
{
	if (j->options->jobs_after != UINT64_MAX)
		return explore_runs(j->result) >= j->options->jobs_after;
	return clock_seconds() - j->began >= START_SECONDS;
}

/* Two instances of a program that changes more than its memory get in each other's way. */
static bool has_effects(const struct jobs *j)
{
	struct target_facts facts;

	j->walk->target->ops->facts(j->walk->target, &facts);
	return strcmp(facts.restart, "fork") == 0;
}

bool jobs_tend(struct jobs *j)
{
	if (j->looks.len)
		return true;
	if (j->turns++ % TEND_EVERY || !is_due(j))
		return false;
	if (dpor_part_is_off(j->dpor) || (!j->result->workers && has_effects(j))) {
		j->result->stays_alone = dpor_part_is_off(j->dpor)
			? "the order of messages matters"
			: "runs change more than the memory of the program";
		return false;
	}
	take_answers(j, 0);
	check_names(j);
	for (uint32_t i = 0; i < j->workers_len && j->failures < FAILURES_MAX && !j->looks.len; i++) {
		struct worker *w = &j->workers[i];

		if (w->fd < 0 && !start_worker(j, w))
			j->failures++;
		if (w->fd >= 0 && !w->out)
			give(j, w);
	}
	return j->looks.len > 0;
}

const struct schedule *jobs_look(struct jobs *j)
{
	jobs_schedule_release(&j->current);
	j->current = j->looks.items[0];
	memmove(j->looks.items, j->looks.items + 1, --j->looks.len * sizeof(*j->looks.items));
	return &j->current.schedule;
}

struct jobs *jobs_new(struct walk *walk, const struct explore_options *options,
		      struct explore_result *result)
{
	struct strategy *strategy = walk->strategy;
	uint32_t *hurry;
	struct jobs *j;

	if (options->jobs < 2 || !strategy->ops->parts)
		return NULL;
	hurry = mmap(NULL, options->jobs * sizeof(*hurry), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (hurry == MAP_FAILED)
		return NULL;
	j = mem_zalloc(sizeof(*j));
	j->hurry = hurry;
	j->walk = walk;
	j->dpor = strategy->ops->parts(strategy);
	j->options = options;
	j->result = result;
	j->workers_len = options->jobs - 1;
	j->workers = mem_zalloc(j->workers_len * sizeof(*j->workers));
	for (uint32_t i = 0; i < j->workers_len; i++)
		j->workers[i].fd = -1;
	j->reach = 4;
	j->began = clock_seconds();
	j->others = (struct dpor_others){wait_for_worker, take_part, j};
	dpor_part_set_others(j->dpor, &j->others);
	return j;
}

static void drop_looks(struct jobs *j)
{
	for (size_t i = 0; i < j->looks.len; i++)
		jobs_schedule_release(&j->looks.items[i]);
	j->looks.len = 0;
}

void jobs_restart(struct jobs *j)
{
	if (!j)
		return;
	end_workers(j);
	j->waiting_runs = 0;
	drop_looks(j); /* their names mean something else now */
}

void jobs_free(struct jobs *j)
{
	if (!j)
		return;
	jobs_restart(j);
	jobs_schedule_release(&j->current);
	vec_release(&j->looks);
	strbuf_release(&j->text);
	munmap((void *)j->hurry, j->options->jobs * sizeof(*j->hurry));
	mem_free(j->workers);
	mem_free(j);
}
