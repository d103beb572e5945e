#include "prop/scouts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/mem.h"
#include "base/parent.h"

enum { LOOK_EVERY_MS = 100 };

struct patrol {
	struct scouts *scouts;
	struct model *model;
	const struct prop_options *options;
	scout_work *work;
	void *ctx;
	double deadline;          /* 0: none */
	_Atomic uint64_t *failed; /* shared: the lowest number of a test that did not pass */
	pid_t *pids;
	struct pollfd *fds;
};

static bool is_over(const struct patrol *p)
{
	return (p->options->stop && *p->options->stop) ||
	       (p->deadline > 0 && clock_seconds() >= p->deadline);
}

/* ---- a scout ---- */

static void note_failed(struct patrol *p, uint64_t number)
{
	uint64_t lowest = atomic_load(p->failed);

	while (number < lowest && !atomic_compare_exchange_weak(p->failed, &lowest, number))
		;
}

static bool send(int fd, const struct scouted *test)
{
	return write(fd, test, sizeof(*test)) == sizeof(*test);
}

static struct scouted sums_of(const struct prop_result *counts, uint64_t number)
{
	return (struct scouted){number, counts->runs, counts->steps, counts->undecided,
				counts->discarded, counts->assumed, counts->bounded, true};
}

_Noreturn static void scout(struct patrol *p, uint32_t nth, int fd, pid_t tool)
{
	const struct target_ops *target = p->model->ops->target(p->model)->ops;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct err err = {0};
	struct model *model;

	end_with_parent(tool);
	sigaction(SIGPIPE, &ignore, NULL);
	cores_pin_worker(nth);
	/* An Erlang machine was copied by the fork; a native program is started once more. */
	model = target->again_here ? p->model->ops->again(p->model, &err) : p->model;
	for (uint64_t i = p->scouts->from + nth; model && i < p->options->tests;
	     i += p->options->jobs) {
		struct prop_result counts = {0};
		struct scouted test;

		if (i > atomic_load(p->failed) || is_over(p))
			break;
		if (p->work(p->ctx, model, i, &counts, &err) != ATTEMPT_PASSED) {
			note_failed(p, i);
			break;
		}
		test = sums_of(&counts, i);
		if (is_over(p) || !send(fd, &test))
			break; /* the test may have been cut */
		model->ops->forget(model, true);
	}
	if (model && model != p->model)
		model->ops->free(model);
	_exit(0);
}

static void start(struct patrol *p, uint32_t nth)
{
	pid_t tool = getpid();
	int ends[2];

	p->fds[nth] = (struct pollfd){.fd = -1, .events = POLLIN};
	if (pipe(ends) != 0)
		return;
	fflush(NULL);
	p->pids[nth] = fork();
	if (p->pids[nth] == 0) {
		close(ends[0]);
		scout(p, nth, ends[1], tool);
	}
	close(ends[1]);
	if (p->pids[nth] > 0)
		p->fds[nth].fd = ends[0];
	else
		close(ends[0]);
}

/* ---- the tool ---- */

static void take(struct patrol *p, const struct scouted *test)
{
	size_t place = (size_t)(test->number - p->scouts->from);

	while (p->scouts->tests.len <= place)
		*vec_push(&p->scouts->tests) = (struct scouted){0};
	p->scouts->tests.items[place] = *test;
}

/* Whole records, because each was written at once. False: the scout has ended. */
static bool receive(struct patrol *p, int fd)
{
	struct scouted tests[64];
	ssize_t n = read(fd, tests, sizeof(tests));

	if (n < 0 && errno == EINTR)
		return true;
	for (ssize_t i = 0; i < n / (ssize_t)sizeof(*tests); i++)
		take(p, &tests[i]);
	return n > 0;
}

/* False when all have ended. */
static bool listen(struct patrol *p)
{
	uint32_t running = 0;

	if (poll(p->fds, p->options->jobs, LOOK_EVERY_MS) < 0 && errno != EINTR)
		return false;
	for (uint32_t i = 0; i < p->options->jobs; i++) {
		if (p->fds[i].fd >= 0 && p->fds[i].revents && !receive(p, p->fds[i].fd)) {
			close(p->fds[i].fd);
			p->fds[i].fd = -1;
		}
		running += p->fds[i].fd >= 0;
	}
	return running > 0;
}

static void end(struct patrol *p, uint32_t nth)
{
	if (p->fds[nth].fd >= 0) {
		close(p->fds[nth].fd);
		kill(p->pids[nth], SIGKILL);
	}
	while (p->pids[nth] > 0 && waitpid(p->pids[nth], NULL, 0) < 0 && errno == EINTR)
		;
}

static void show_progress(struct patrol *p, double *last)
{
	struct prop_result so_far = {0};

	if (!p->options->progress || clock_seconds() - *last < 0.5)
		return;
	*last = clock_seconds();
	for (size_t i = 0; i < p->scouts->tests.len; i++)
		so_far.tests += scouts_has_passed(p->scouts, p->scouts->from + i, &so_far);
	p->options->progress(p->options->ctx, &so_far, 0);
}

void scouts_run(struct scouts *scouts, struct model *model, const struct prop_options *options,
		uint64_t from, double deadline, scout_work *work, void *ctx)
{
	struct patrol p = {scouts, model, options, work, ctx, deadline, NULL, NULL, NULL};
	double shown = clock_seconds();

	scouts->from = from;
	p.failed = mmap(NULL, sizeof(*p.failed), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p.failed == MAP_FAILED)
		return;
	atomic_store(p.failed, UINT64_MAX);
	p.pids = mem_zalloc(options->jobs * sizeof(*p.pids));
	p.fds = mem_zalloc(options->jobs * sizeof(*p.fds));
	for (uint32_t i = 0; i < options->jobs; i++)
		start(&p, i);
	while (listen(&p) && !is_over(&p))
		show_progress(&p, &shown);
	for (uint32_t i = 0; i < options->jobs; i++)
		end(&p, i);
	mem_free(p.pids);
	mem_free(p.fds);
	munmap((void *)p.failed, sizeof(*p.failed));
}

bool scouts_has_passed(const struct scouts *scouts, uint64_t number, struct prop_result *result)
{
	const struct scouted *test;

	if (number < scouts->from || number - scouts->from >= scouts->tests.len)
		return false;
	test = &scouts->tests.items[number - scouts->from];
	if (!test->has_passed)
		return false;
	result->runs += test->runs;
	result->steps += test->steps;
	result->undecided += test->undecided;
	result->discarded += test->discarded;
	result->assumed |= test->assumed;
	result->bounded |= test->bounded;
	return true;
}

void scouts_release(struct scouts *scouts)
{
	vec_release(&scouts->tests);
}
