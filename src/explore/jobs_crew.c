#include "explore/jobs_crew.h"

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
#include "explore/jobs_state.h"
#include "explore/jobs_worker.h"

enum { END_MS = 1000 }; /* for an idle worker to end */

/* A search that ends sooner is not worth starting processes for. */
static const double START_SECONDS = 0.05;

bool crew_init(struct crew *c, uint32_t len, struct walk *walk,
	       const struct explore_options *options, struct explore_result *result)
{
	uint32_t *hurry = mmap(NULL, len * sizeof(*hurry), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (hurry == MAP_FAILED)
		return false;
	*c = (struct crew){.walk = walk, .options = options, .result = result, .len = len,
			   .hurry = hurry};
	c->members = mem_zalloc(len * sizeof(*c->members));
	for (uint32_t i = 0; i < len; i++)
		c->members[i].fd = -1;
	return true;
}

void crew_release(struct crew *c)
{
	munmap((void *)c->hurry, c->len * sizeof(*c->hurry));
	mem_free(c->members);
	strbuf_release(&c->state);
}

/* ---- processes ---- */

static void note_usage(struct crew *c, const struct rusage *usage)
{
	c->result->workers_cpu_seconds +=
		(double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec +
		(double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* An idle worker ends by itself when the socket is closed, and waits for its program. One that has
 * parts explored elsewhere has no program, and may be waiting for a server that is away. */
static void wait_for_end(const struct crew *c, const struct crew_member *m, struct rusage *usage)
{
	struct timespec pause = {.tv_nsec = 1000000};
	int tries = m->is_busy || c->options->elsewhere ? 0 : END_MS;

	while (tries-- > 0) {
		if (wait4(m->pid, NULL, WNOHANG, usage) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	kill(m->pid, SIGKILL);
	while (wait4(m->pid, NULL, 0, usage) < 0)
		if (errno != EINTR)
			return;
}

void crew_end(struct crew *c, struct crew_member *m)
{
	struct rusage usage = {0};

	if (m->fd < 0)
		return;
	close(m->fd);
	wait_for_end(c, m, &usage);
	note_usage(c, &usage);
	*m = (struct crew_member){.fd = -1};
}

static void close_others(const struct crew *c)
{
	for (uint32_t i = 0; i < c->len; i++)
		if (c->members[i].fd >= 0)
			close(c->members[i].fd);
}

static bool is_empty(const struct crew *c)
{
	for (uint32_t i = 0; i < c->len; i++)
		if (c->members[i].fd >= 0)
			return false;
	return true;
}

/* All members work with one state: it is written when the first of them starts. */
static void write_state(struct crew *c)
{
	if (!c->options->elsewhere || !is_empty(c))
		return;
	strbuf_clear(&c->state);
	jobs_state_put(&c->state, c->walk, c->options);
	c->epoch++;
}

_Noreturn static void serve(struct jobs_worker *child)
{
	const struct jobs_elsewhere *elsewhere = child->options->elsewhere;

	if (elsewhere)
		elsewhere->serve(elsewhere->ctx, child);
	jobs_worker_serve(child);
}

bool crew_start(struct crew *c, struct crew_member *m)
{
	struct jobs_worker child = {.tool = getpid(),
				    .number = (uint32_t)(m - c->members) + 1,
				    .hurry = &c->hurry[m - c->members],
				    .target = c->walk->target,
				    .detectors = c->walk->detectors,
				    .options = c->options,
				    .state = &c->state};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	write_state(c);
	child.epoch = c->epoch;
	fflush(NULL);
	m->pid = fork();
	if (m->pid == 0) {
		close_others(c);
		close(ends[0]);
		child.fd = ends[1];
		serve(&child);
	}
	close(ends[1]);
	if (m->pid < 0) {
		close(ends[0]);
		return false;
	}
	m->fd = ends[0];
	c->result->workers++;
	return true;
}

uint32_t crew_places(const struct crew *c)
{
	const struct jobs_elsewhere *elsewhere = c->options->elsewhere;
	uint32_t places = elsewhere ? elsewhere->places(elsewhere->ctx) : c->len;

	return places < c->len ? places : c->len;
}

void crew_wait(struct crew *c, int wait_ms, void (*take)(void *ctx, struct crew_member *member),
	       void *ctx)
{
	struct pollfd fds[256];

	for (uint32_t i = 0; i < c->len; i++)
		fds[i] = (struct pollfd){.fd = c->members[i].is_busy ? c->members[i].fd : -1,
					 .events = POLLIN};
	if (poll(fds, c->len, wait_ms) <= 0)
		return;
	for (uint32_t i = 0; i < c->len; i++)
		if (fds[i].fd >= 0 && fds[i].revents)
			take(ctx, &c->members[i]);
}

/* ---- when ---- */

bool crew_has_new_names(struct crew *c)
{
	const struct walk *walk = c->walk;

	if (walk->actors_len == c->actors_len && walk->values_len == c->values_len)
		return false;
	c->actors_len = walk->actors_len;
	c->values_len = walk->values_len;
	return true;
}

bool crew_has_effects(const struct crew *c)
{
	struct target_facts facts;

	c->walk->target->ops->facts(c->walk->target, &facts);
	return strcmp(facts.restart, "fork") == 0;
}

bool crew_is_due(const struct crew *c, double began)
{
	if (c->options->jobs_after != UINT64_MAX)
		return explore_runs(c->result) >= c->options->jobs_after;
	return clock_seconds() - began >= START_SECONDS;
}
