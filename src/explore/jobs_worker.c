#include "explore/jobs_worker.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/parent.h"
#include "explore/jobs_state.h"
#include "explore/jobs_text.h"
#include "explore/tally.h"
#include "strategy/dpor_part.h"

enum { LOOKS_MAX = 64 };

/* The longer a part takes, the more probable it is that its result must be thrown away. */
static const double PART_SECONDS = 0.5;

/* ---- messages ---- */

static bool write_all(int fd, const char *at, size_t len)
{
	while (len > 0) {
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool jobs_send(int fd, const struct strbuf *text)
{
	uint64_t len = text->len;

	return len <= JOBS_MESSAGE_MAX && write_all(fd, (const char *)&len, sizeof(len)) &&
	       write_all(fd, text->text, len);
}

static bool read_all(int fd, char *to, size_t len)
{
	while (len > 0) {
		ssize_t n = recv(fd, to, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		to += n;
		len -= (size_t)n;
	}
	return true;
}

bool jobs_receive(int fd, struct strbuf *text)
{
	char block[1 << 16];
	uint64_t len;

	strbuf_clear(text);
	if (!read_all(fd, (char *)&len, sizeof(len)) || len > JOBS_MESSAGE_MAX)
		return false;
	while (len > 0) {
		size_t n = len < sizeof(block) ? (size_t)len : sizeof(block);

		if (!read_all(fd, block, n))
			return false;
		strbuf_add(text, block, n);
		len -= n;
	}
	return true;
}

/* ---- a part ---- */

struct part {
	struct jobs_worker *worker;
	struct walk walk;
	struct explore_result sums;
	struct map seen;     /* fingerprints and blocks left behind that were sent before */
	struct strbuf looks; /* schedules for the tool to look at, */
	uint32_t looks_len;  /* and how many */
	uint64_t runs_left;
	uint32_t number;     /* of the part */
	uint32_t actors_len; /* of the table, as it was when the worker began */
	uint32_t values_len; /* numbered by the target, as above */
	double began;
	bool is_refused;     /* it cannot be explored here */
};

static void add_look(struct part *p)
{
	jobs_put_run(&p->looks, &p->walk.trace);
	p->looks_len++;
}

/* The tool's own detectors compare runs by the blocks that they leave behind: it looks at each set
 * of blocks once. */
static bool has_new_blocks(struct part *p)
{
	const struct trace *trace = &p->walk.trace;
	bool is_new;

	if (!trace->lives_len || trace->end != END_DONE)
		return false;
	map_put(&p->seen, hash_bytes(trace->lives, trace->lives_len * sizeof(*trace->lives)),
		&is_new);
	return is_new;
}

static void look(struct part *p)
{
	bool is_wanted = has_new_blocks(p);

	for (size_t i = 0; i < p->walk.findings.len; i++) {
		const struct finding *finding = &p->walk.findings.items[i];
		bool is_new;

		if (p->worker->options->ignored >> finding->kind & 1)
			continue;
		map_put(&p->seen, finding->fingerprint, &is_new);
		is_wanted |= is_new;
	}
	if (is_wanted)
		add_look(p);
}

/* The tool alone deals with runs that are cut, and it numbers new actors and values. A part in which
 * everything is new is better explored by the tool. */
static bool is_unusual(const struct part *p)
{
	const struct trace *trace = &p->walk.trace;

	return p->looks_len > LOOKS_MAX || trace->end == END_SILENT || trace->end == END_STEPS ||
	       trace->actors_len > p->actors_len || trace->values_len > p->values_len;
}

static void take_run(struct part *p)
{
	look(p);
	if (is_unusual(p) || walk_expose(&p->walk) != WALK_RAN) {
		p->is_refused = true;
		return;
	}
	tally_run(&p->sums, p->worker->options, &p->walk.trace, false, false);
	p->runs_left--;
	walk_learn(&p->walk);
	p->is_refused = dpor_part_is_tangled(p->walk.strategy);
}

/* The next run. False when there is none, or the part is refused. */
static bool take_step(struct part *p)
{
	struct err err = {0};

	switch (walk_next(&p->walk, &err)) {
	case WALK_RAN:
		take_run(p);
		break;
	case WALK_IMPOSSIBLE:
		p->sums.blocked++;
		p->is_refused = p->walk.trace.events_len < dpor_part_shared(p->walk.strategy);
		break;
	case WALK_DRY:
		return false;
	default:
		p->is_refused = true;
	}
	return !p->is_refused;
}

/* A step that turned out to be impossible is dealt with by the next one. */
static bool is_over(const struct part *p)
{
	return p->walk.trace.end != END_DIVERGED &&
	       (p->runs_left == 0 || *p->worker->hurry == p->number ||
		clock_seconds() - p->began > PART_SECONDS);
}

static void explore_part(struct part *p, struct bytes_in in)
{
	p->began = clock_seconds();
	p->number = bytes_u32(&in);
	p->runs_left = bytes_u64(&in);
	p->is_refused = !dpor_part_load(p->walk.strategy, in);
	while (!p->is_refused && take_step(p) && !is_over(p))
		;
}

static void put_sums(const struct part *p, struct strbuf *sums)
{
	struct strbuf packed = {0};

	if (p->worker->options->pack)
		p->worker->options->pack(p->worker->options->ctx, &packed);
	jobs_put_sums(sums, &p->sums);
	bytes_put_text(sums, packed.text, packed.len);
	strbuf_release(&packed);
}

/* ---- a share ---- */

/* Is there something to see in the last run? Then the tool makes it itself. */
static bool is_worth_a_look(struct part *p)
{
	look(p);
	return p->looks_len > 0 || is_unusual(p);
}

/* The runs of a share, up to the first one in which there is something to see. */
static void explore_share(struct part *p, struct bytes_in in, struct strbuf *text)
{
	struct strategy *strategy = p->walk.strategy;
	uint64_t runs = bytes_u64(&in), made = 0;
	struct strategy_share share;
	struct strbuf sums = {0};
	struct err err = {0};

	bytes_get(&in, &share, sizeof(share));
	p->began = clock_seconds();
	strategy->ops->load(strategy, &share, runs);
	p->walk.repeats = 0;
	for (; made < runs; made++) {
		if (walk_next(&p->walk, &err) != WALK_RAN || is_worth_a_look(p))
			break;
		tally_run(&p->sums, p->worker->options, &p->walk.trace, false, true);
		walk_learn(&p->walk);
		strategy->ops->share(strategy, 0, &share);
	}
	bytes_put_u64(text, (uint64_t)((clock_seconds() - p->began) * 1e6));
	bytes_put_u64(text, made);
	bytes_put(text, &share, sizeof(share));
	put_sums(p, &sums);
	bytes_put_text(text, sums.text, sums.len);
	strbuf_release(&sums);
}

/* ---- the answer ---- */

static void write_answer(struct part *p, struct strbuf *text)
{
	struct strbuf sums = {0};

	bytes_put_u8(text, p->is_refused ? JOBS_REFUSED : JOBS_RESULT);
	bytes_put_u32(text, p->looks_len);
	bytes_put(text, p->looks.text, p->looks.len);
	if (p->is_refused)
		return;
	bytes_put_u64(text, (uint64_t)((clock_seconds() - p->began) * 1e6));
	bytes_put_u64(text, explore_runs(&p->sums));
	put_sums(p, &sums);
	bytes_put_text(text, sums.text, sums.len);
	dpor_part_result(p->walk.strategy, text);
	strbuf_release(&sums);
}

static void clear(struct part *p)
{
	tally_restart(&p->sums, p->worker->options);
	p->sums.statistics.work = STATISTICS_WORK; /* the tool has measured enough */
	strbuf_clear(&p->looks);
	p->looks_len = 0;
}

static void prepare_process(const struct jobs_worker *worker)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL};

	end_with_parent(worker->tool);
	sigaction(SIGINT, &ignore, NULL); /* the tool hears it, too, and ends its workers */
	sigaction(SIGALRM, &ignore, NULL);
	sigaction(SIGTERM, &normal, NULL);
	cores_pin_worker(worker->number);
}

/* The numbers of actors and values that the tool knows. */
static bool count_names(struct part *p)
{
	struct target *target = p->walk.target;
	struct schedule schedule = {.tail = TAIL_FIRST};
	struct trace trace;
	struct err err = {0};

	if (!target->ops->run(target, &schedule, &trace, &err) || trace.end == END_RELEARN)
		return false;
	p->actors_len = trace.actors_len;
	p->values_len = trace.values_len;
	return true;
}

/* Answers each part or share until the other side is gone. */
static void serve(struct part *part, bool is_sampling)
{
	struct strbuf text = {0}, answer = {0};

	while (jobs_receive(part->worker->fd, &text)) {
		struct bytes_in in = {.at = text.text, .len = text.len};

		clear(part);
		strbuf_clear(&answer);
		if (is_sampling) {
			explore_share(part, in, &answer);
		} else {
			explore_part(part, in);
			write_answer(part, &answer);
		}
		if (!jobs_send(part->worker->fd, &answer))
			break;
	}
	strbuf_release(&text);
	strbuf_release(&answer);
}

_Noreturn void jobs_worker_serve(struct jobs_worker *worker)
{
	const struct target_ops *ops = worker->target->ops;
	struct part part = {.worker = worker};
	struct explore_options options = *worker->options;
	struct target *target;
	struct err err = {0};
	bool is_sampling;

	options.ran = options.ran_apart;
	worker->options = &options;
	prepare_process(worker);
	/* An Erlang machine was copied by the fork; a native program is started once more. */
	target = ops->again_here ? ops->again_here(worker->target, &err) : worker->target;
	if (!target)
		_exit(1);
	is_sampling = strategy_is_sampler(options.strategy);
	walk_init(&part.walk, target, is_sampling ? options.strategy : "dpor", &options.params);
	detectors_free(part.walk.detectors);
	part.walk.detectors = worker->detectors;
	if (count_names(&part))
		serve(&part, is_sampling);
	if (target != worker->target)
		target->ops->free(target);
	_exit(0);
}

void jobs_worker_serve_state(struct jobs_worker *worker, struct jobs_state *state)
{
	struct part part = {.worker = worker, .walk = state->walk};

	state->options.ran = state->options.ran_apart;
	worker->options = &state->options;
	if (count_names(&part))
		serve(&part, strategy_is_sampler(state->strategy));
	state->walk = part.walk;
	map_release(&part.seen);
	strbuf_release(&part.looks);
	explore_result_release(&part.sums);
}
