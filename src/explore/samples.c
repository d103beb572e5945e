#include "explore/samples.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "explore/jobs_crew.h"
#include "explore/jobs_text.h"
#include "explore/jobs_worker.h"

enum {
	FAILURES_MAX = 50, /* of workers in a row; then the tool goes on alone */
	DEATHS_MAX = 3,    /* of workers over one share; then the tool makes its runs */
	POLL_MS = 50,
	AHEAD_EACH = 4,    /* shares per worker that are given or wait for their turn */
	RUNS_FIRST = 64, RUNS_MAX = 1 << 16, /* of a share */
};

/* A share should take about so long. */
static const double SHARE_SECONDS = 0.1;

/* In the order of their seeds, one behind the other. */
struct share {
	uint64_t runs;
	struct strategy_share given; /* the state of the sampler before the first run, */
	struct strategy_share after; /* and behind the last run that was made */
	uint64_t made;               /* runs, if it is done: less than `runs` if there is
	                                something to see in the next one */
	struct strbuf sums;
	struct crew_member *worker;  /* NULL: nobody explores it */
	bool is_done;
	uint32_t deaths;
};

struct samples {
	struct strategy *strategy;
	const struct explore_options *options;
	struct explore_result *result;
	struct crew crew;
	VEC(struct share) shares;
	uint64_t share_runs; /* of the next share */
	uint32_t failures;   /* in a row */
	bool own;            /* the tool makes the run before the first share */
	bool is_alone;
	struct strbuf text;
	double began;
};

/* ---- shares ---- */

static void forget_share(struct samples *s, size_t i)
{
	struct share *share = &s->shares.items[i];

	strbuf_release(&share->sums);
	memmove(share, share + 1, (--s->shares.len - i) * sizeof(*share));
}

/* The share is explored anew. */
static void reset(struct share *share)
{
	share->worker = NULL;
	share->is_done = false;
	share->made = 0;
	strbuf_clear(&share->sums);
}

static void end_workers(struct samples *s)
{
	for (uint32_t i = 0; i < s->crew.len; i++)
		crew_end(&s->crew, &s->crew.members[i]);
	for (size_t i = 0; i < s->shares.len; i++)
		if (s->shares.items[i].worker)
			reset(&s->shares.items[i]);
}

static struct share *share_of(struct samples *s, const struct crew_member *m)
{
	for (size_t i = 0; i < s->shares.len; i++)
		if (s->shares.items[i].worker == m)
			return &s->shares.items[i];
	return NULL;
}

/* ---- taking ---- */

static void adapt_size(struct samples *s, double seconds)
{
	if (seconds < SHARE_SECONDS / 2 && s->share_runs < RUNS_MAX)
		s->share_runs *= 2;
	else if (seconds > SHARE_SECONDS * 2 && s->share_runs > 1)
		s->share_runs /= 2;
}

static void take_answer(void *ctx, struct crew_member *m)
{
	struct samples *s = ctx;
	struct share *share = share_of(s, m);
	struct bytes_in in, sums;
	double seconds;

	if (!jobs_receive(m->fd, &s->text)) {
		s->failures++;
		s->result->parts_lost++;
		share->deaths++;
		reset(share);
		crew_end(&s->crew, m);
		return;
	}
	in = (struct bytes_in){.at = s->text.text, .len = s->text.len};
	m->is_busy = false;
	s->failures = 0;
	share->worker = NULL;
	share->is_done = true;
	seconds = (double)bytes_u64(&in) / 1e6;
	share->made = bytes_u64(&in);
	bytes_get(&in, &share->after, sizeof(share->after));
	sums = bytes_text(&in);
	bytes_put(&share->sums, sums.at, sums.len);
	if (share->made == share->runs)
		adapt_size(s, seconds);
}

static void add_sums(struct samples *s, const struct share *share)
{
	struct bytes_in in = {.at = share->sums.text, .len = share->sums.len}, packed;

	s->result->parts++;
	jobs_add_sums(&in, s->result);
	packed = bytes_text(&in);
	if (s->options->unpack && packed.len)
		s->options->unpack(s->options->ctx, packed);
}

/* The next run of the first share is made by the tool. */
static void make_own(struct samples *s)
{
	struct share *share = &s->shares.items[0];

	s->own = true;
	if (--share->runs == 0)
		forget_share(s, 0);
	else
		reset(share);
}

/* The turn of the first share has come, and its result is there. */
static void take_first(struct samples *s)
{
	struct share *share = &s->shares.items[0];

	if (!s->strategy->ops->skip(s->strategy, &share->given, &share->after)) {
		s->result->parts_dropped++;
		reset(share);
		return;
	}
	add_sums(s, share);
	share->runs -= share->made;
	if (share->runs)
		make_own(s);
	else
		forget_share(s, 0);
}

static void take_turns(struct samples *s)
{
	while (s->shares.len && !s->own) {
		if (s->shares.items[0].is_done)
			take_first(s);
		else if (s->shares.items[0].deaths >= DEATHS_MAX && !s->shares.items[0].worker)
			make_own(s);
		else
			return;
	}
}

/* ---- giving ---- */

static uint64_t count_ahead(const struct samples *s, size_t len)
{
	uint64_t runs = s->own;

	for (size_t i = 0; i < len; i++)
		runs += s->shares.items[i].runs;
	return runs;
}

static bool is_used_up(const struct samples *s)
{
	return s->options->max_runs && explore_runs(s->result) >= s->options->max_runs;
}

static bool add_share(struct samples *s)
{
	uint64_t used = explore_runs(s->result) + count_ahead(s, s->shares.len);
	uint64_t runs = s->share_runs;

	if (s->shares.len >= (size_t)crew_places(&s->crew) * AHEAD_EACH)
		return false;
	if (s->options->max_runs && runs > s->options->max_runs - used)
		runs = used < s->options->max_runs ? s->options->max_runs - used : 0;
	if (runs)
		*vec_push(&s->shares) = (struct share){.runs = runs};
	return runs > 0;
}

/* The first share that nobody has, or NULL. */
static struct share *find_share(struct samples *s)
{
	for (size_t i = 0; i < s->shares.len; i++) {
		struct share *share = &s->shares.items[i];

		if (!share->worker && !share->is_done && share->deaths < DEATHS_MAX)
			return share;
	}
	return add_share(s) ? vec_last(&s->shares) : NULL;
}

static void give(struct samples *s, struct crew_member *m)
{
	struct share *share = find_share(s);
	struct strategy *strategy = s->strategy;

	if (!share)
		return;
	strategy->ops->share(strategy, count_ahead(s, (size_t)(share - s->shares.items)),
			     &share->given);
	share->worker = m;
	m->is_busy = true;
	strbuf_clear(&s->text);
	bytes_put_u64(&s->text, share->runs);
	bytes_put(&s->text, &share->given, sizeof(share->given));
	if (!jobs_send(m->fd, &s->text)) {
		s->failures++;
		reset(share);
		crew_end(&s->crew, m);
	}
}

static void give_all(struct samples *s)
{
	for (uint32_t i = 0; i < crew_places(&s->crew); i++) {
		struct crew_member *m = &s->crew.members[i];

		if (m->fd < 0 && !crew_start(&s->crew, m))
			s->failures++;
		if (m->fd >= 0 && !m->is_busy)
			give(s, m);
	}
}

/* ---- the search ---- */

/* The statistics of the first runs are made here, so that they do not depend on the workers. */
static bool is_due(const struct samples *s)
{
	return crew_is_due(&s->crew, s->began) &&
	       (!s->options->count_traces || s->result->statistics.work >= STATISTICS_WORK);
}

static bool go_on_alone(struct samples *s)
{
	end_workers(s);
	while (s->shares.len)
		forget_share(s, s->shares.len - 1);
	s->is_alone = true;
	return true;
}

bool samples_tend(struct samples *s)
{
	s->own = false;
	if (s->is_alone || (!s->result->workers && !is_due(s)))
		return true;
	if (!s->result->workers && crew_has_effects(&s->crew)) {
		s->result->stays_alone = "runs change more than the memory of the program";
		return go_on_alone(s);
	}
	crew_wait(&s->crew, 0, take_answer, s);
	if (crew_has_new_names(&s->crew))
		end_workers(s);
	take_turns(s);
	give_all(s);
	if (s->failures >= FAILURES_MAX)
		return go_on_alone(s);
	if (s->own || !s->shares.len)
		return s->own || !is_used_up(s);
	crew_wait(&s->crew, POLL_MS, take_answer, s);
	return false;
}

struct samples *samples_new(struct walk *walk, const struct explore_options *options,
			    struct explore_result *result)
{
	struct samples *s;

	if (options->jobs < 2 || !walk->strategy->ops->share)
		return NULL;
	s = mem_zalloc(sizeof(*s));
	if (!crew_init(&s->crew, options->jobs, walk, options, result)) {
		mem_free(s);
		return NULL;
	}
	s->strategy = walk->strategy;
	s->options = options;
	s->result = result;
	s->share_runs = RUNS_FIRST;
	s->began = clock_seconds();
	return s;
}

void samples_restart(struct samples *s)
{
	if (!s)
		return;
	end_workers(s);
	while (s->shares.len)
		forget_share(s, s->shares.len - 1);
}

void samples_free(struct samples *s)
{
	if (!s)
		return;
	samples_restart(s);
	vec_release(&s->shares);
	strbuf_release(&s->text);
	crew_release(&s->crew);
	mem_free(s);
}
