#include "explore/jobs.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "explore/jobs_crew.h"
#include "explore/jobs_text.h"
#include "explore/jobs_worker.h"
#include "strategy/dpor_part.h"

enum {
	REACH_MAX = 64,
	FAILURES_MAX = 50, /* of workers in a row; then the tool goes on alone */
	POLL_MS = 50,
	TEND_EVERY = 4,    /* runs between two looks at the workers */
};

/* A part that took less time was too small. */
static const double SHORT_SECONDS = 0.02;

/* Looking at the workers costs as much as a short run, so it is not done more often. */
static const double TEND_SECONDS = 0.0003;

/* The work that a worker was given. */
struct given {
	struct wakeup_out *out; /* the part it explores; NULL: idle */
	uint64_t allowance;     /* runs it may make */
};

struct jobs {
	struct strategy *dpor;
	const struct explore_options *options;
	struct explore_result *result;
	struct crew crew;
	struct given *given; /* to each member of the crew */
	VEC(struct jobs_schedule) looks; /* schedules to look at */
	struct jobs_schedule current;
	struct strbuf text;
	uint32_t reach;    /* how far up the stack a branch is taken from */
	uint32_t failures; /* in a row */
	uint32_t turns;
	uint32_t parts;    /* given so far */
	uint64_t waiting_runs; /* in results that wait for their turn */
	struct dpor_others others;
	double began;
	double tended;     /* when the workers were looked at last */
};

/* ---- the crew ---- */

static struct given *given_to(struct jobs *j, const struct crew_member *m)
{
	return &j->given[m - j->crew.members];
}

/* Three workers have died in the part. The tool explores it, and may die as well: so its schedule is
 * handed on first. */
static void report_deadly(struct jobs *j, const struct wakeup_out *out)
{
	VEC(struct decision) decisions = {0};

	if (j->options->deadly && out->branch) {
		vec_reserve(&decisions, dpor_part_path(j->dpor, out, NULL));
		decisions.len = dpor_part_path(j->dpor, out, decisions.items);
		j->options->deadly(j->options->ctx, decisions.items, (uint32_t)decisions.len);
	}
	vec_release(&decisions);
}

/* The worker died in its part, or `deaths` workers did. */
static void lose_part(struct jobs *j, struct crew_member *m, uint32_t deaths)
{
	struct given *given = given_to(j, m);

	j->result->parts_lost++;
	if (given->out && dpor_part_add_deaths(given->out, deaths))
		report_deadly(j, given->out);
}

/* Ends the worker; the branch it had is as it was. */
static void end_worker(struct jobs *j, struct crew_member *m)
{
	struct given *given = given_to(j, m);

	crew_end(&j->crew, m);
	if (given->out)
		dpor_part_withdraw(j->dpor, given->out);
	*given = (struct given){0};
}

static void end_workers(struct jobs *j)
{
	for (uint32_t i = 0; i < j->crew.len; i++)
		end_worker(j, &j->crew.members[i]);
}

static void be_idle(struct jobs *j, struct crew_member *m)
{
	given_to(j, m)->out = NULL;
	m->is_busy = false;
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
static void take_result(struct jobs *j, struct crew_member *m, struct bytes_in in)
{
	struct wakeup_out *out = given_to(j, m)->out;
	double seconds = (double)bytes_u64(&in) / 1e6;
	uint64_t runs = bytes_u64(&in);
	struct bytes_in sums = bytes_text(&in);

	j->failures = 0;
	j->waiting_runs += runs;
	bytes_put_u64(&out->extra, runs);
	bytes_put(&out->extra, sums.at, sums.len);
	be_idle(j, m);
	dpor_part_back(j->dpor, out, in);
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
static void take_answer(void *ctx, struct crew_member *m)
{
	struct jobs *j = ctx;
	enum jobs_answer answer;
	struct bytes_in in;
	uint32_t looks;

	if (!jobs_receive(m->fd, &j->text)) {
		j->failures++;
		lose_part(j, m, 1);
		end_worker(j, m);
		return;
	}
	in = (struct bytes_in){.at = j->text.text, .len = j->text.len};
	answer = bytes_u8(&in);
	looks = bytes_u32(&in);
	for (uint32_t i = 0; i < looks && !in.is_short; i++)
		add_look(j, &in);
	if (answer == JOBS_RESULT) {
		take_result(j, m, in);
	} else {
		if (answer == JOBS_DEADLY)
			lose_part(j, m, DPOR_DEATHS_MAX);
		if (j->crew.hurry[m - j->crew.members] == m->part)
			adapt_reach(j, 0); /* its turn came before anybody had begun with it */
		dpor_part_withdraw(j->dpor, given_to(j, m)->out);
		be_idle(j, m);
	}
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

	for (uint32_t i = 0; i < j->crew.len; i++)
		if (j->given[i].out == out)
			j->crew.hurry[i] = j->crew.members[i].part;
	crew_wait(&j->crew, POLL_MS, take_answer, j);
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
	for (uint32_t i = 0; i < j->crew.len; i++)
		used += j->given[i].out ? j->given[i].allowance : 0;
	if (used >= j->options->max_runs)
		return 0;
	return (j->options->max_runs - used) / (2 * (crew_places(&j->crew) + 1));
}

static void give(struct jobs *j, struct crew_member *m)
{
	struct given *given = given_to(j, m);

	given->allowance = find_allowance(j);
	if (!given->allowance)
		return;
	m->part = ++j->parts;
	strbuf_clear(&j->text);
	bytes_put_u32(&j->text, m->part);
	bytes_put_u64(&j->text, given->allowance);
	given->out = dpor_part_give(j->dpor, j->reach, &j->text);
	m->is_busy = given->out != NULL;
	if (given->out && !jobs_send(m->fd, &j->text)) {
		j->failures++;
		end_worker(j, m);
	}
}

/* Something was added below a branch: the worker shall stop, and begin with another one. */
static void drop_stale(struct jobs *j)
{
	for (uint32_t i = 0; i < j->crew.len; i++)
		if (j->given[i].out && dpor_part_is_stale(j->given[i].out))
			j->crew.hurry[i] = j->crew.members[i].part;
	dpor_part_drop_stale(j->dpor);
}

/* A test that asks for workers after so many runs (jobs_after) has no time to lose. */
static bool is_time_to_tend(struct jobs *j)
{
	double now;

	if (j->turns++ % TEND_EVERY || !crew_is_due(&j->crew, j->began))
		return false;
	now = clock_seconds();
	if (now - j->tended < TEND_SECONDS && j->options->jobs_after == UINT64_MAX)
		return false;
	j->tended = now;
	return true;
}

bool jobs_tend(struct jobs *j)
{
	uint32_t places;

	if (j->looks.len)
		return true;
	if (!is_time_to_tend(j))
		return false;
	if (!j->result->workers && crew_has_effects(&j->crew)) {
		j->result->stays_alone = "runs change more than the memory of the program";
		return false;
	}
	crew_wait(&j->crew, 0, take_answer, j);
	drop_stale(j);
	if (crew_has_new_names(&j->crew))
		end_workers(j);
	places = crew_places(&j->crew);
	for (uint32_t i = 0; i < places && j->failures < FAILURES_MAX && !j->looks.len; i++) {
		struct crew_member *m = &j->crew.members[i];

		if (m->fd < 0 && !crew_start(&j->crew, m))
			j->failures++;
		if (m->fd >= 0 && !m->is_busy)
			give(j, m);
	}
	return j->looks.len > 0;
}

bool jobs_has_looks(const struct jobs *j)
{
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
	struct jobs *j;

	if (options->jobs < 2 || !strategy->ops->parts)
		return NULL;
	j = mem_zalloc(sizeof(*j));
	if (!crew_init(&j->crew, options->jobs - 1, walk, options, result)) {
		mem_free(j);
		return NULL;
	}
	j->given = mem_zalloc(j->crew.len * sizeof(*j->given));
	j->dpor = strategy->ops->parts(strategy);
	j->options = options;
	j->result = result;
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
	crew_release(&j->crew);
	mem_free(j->given);
	mem_free(j);
}
