/* shrink.c: shorter schedules that still fail.
 *
 * First the end is cut off: the shortest beginning after which the default order still leads
 * to the finding. Then a run is cut into blocks, stretches of one actor. Joining two blocks
 * of the same actor by moving the later one up (or the earlier one down) takes away
 * switches; leaving blocks out, many at a time, then fewer, or the ends of blocks, takes
 * away events. Each candidate is run relaxed (decisions that are not possible are dropped) and
 * is taken if the same finding shows and the run is better: fewer preemptions, then fewer
 * events. Repeated until nothing helps: the result is locally minimal, or the budget is used
 * up and it is only shorter. It is never worse than the start. */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "explore/spare.h"

struct block {
	uint32_t start, len;
};

struct shrinker {
	struct spare *spare;
	struct found *found;
	double deadline;
	uint32_t runs_left;
	const volatile sig_atomic_t *stop;
	uint64_t *runs_done;
	VEC(struct block) blocks;
	VEC(struct decision) candidate;
};

static void cut_into_blocks(struct shrinker *s)
{
	const struct found *f = s->found;

	s->blocks.len = 0;
	for (uint32_t i = 0; i < f->decisions_len; i++) {
		if (i == 0 || f->decisions[i].actor != f->decisions[i - 1].actor)
			*vec_push(&s->blocks) = (struct block){i, 0};
		vec_last(&s->blocks)->len++;
	}
}

static bool is_better(const struct trace *trace, const struct found *than)
{
	uint32_t preemptions = trace_preemptions(trace);

	if (preemptions != than->preemptions)
		return preemptions < than->preemptions;
	return trace->events_len < than->trace->events_len;
}

static void adopt(struct found *found, const struct trace *trace)
{
	mem_free(found->trace);
	found->trace = trace_copy(trace);
	found->preemptions = trace_preemptions(trace);
	found->decisions_len = trace->events_len;
	mem_free(found->decisions);
	found->decisions = found_decisions(trace);
	found_keep_output(found, trace);
}

static bool has_budget(const struct shrinker *s)
{
	return s->runs_left > 0 && clock_seconds() < s->deadline && !(s->stop && *s->stop);
}

static bool run_candidate(struct shrinker *s, struct trace *trace)
{
	struct schedule schedule = {.decisions = s->candidate.items,
				    .decisions_len = (uint32_t)s->candidate.len,
				    .tail = TAIL_FIRST, .relaxed = true,
				    .resumes = true};

	s->runs_left--;
	++*s->runs_done;
	return spare_run(s->spare, &schedule, trace);
}

/* Runs the candidate; adopts the run if it is better and still fails. */
static bool is_improved_by_candidate(struct shrinker *s)
{
	struct trace trace;

	if (!run_candidate(s, &trace) || !is_better(&trace, s->found) ||
	    !trace_shows(&trace, &s->found->finding))
		return false;
	adopt(s->found, &trace);
	cut_into_blocks(s);
	return true;
}

/* Finds the shortest beginning that still leads to the finding, by bisection. A run that is adopted
 * on the way begins like its candidate, so the bisection continues in that run. */
static bool try_cutting(struct shrinker *s)
{
	uint32_t low = 0, high = s->found->decisions_len;
	bool any = false;

	while (low < high && has_budget(s)) {
		uint32_t middle = low + (high - low) / 2;
		struct finding finding = s->found->finding;
		struct trace trace;

		s->candidate.len = 0;
		vec_append(&s->candidate, s->found->decisions, middle);
		if (!run_candidate(s, &trace) || !trace_shows(&trace, &finding)) {
			low = middle + 1;
			continue;
		}
		high = middle;
		if (is_better(&trace, s->found)) {
			s->found->finding = finding;
			adopt(s->found, &trace);
			any = true;
		}
	}
	cut_into_blocks(s);
	return any;
}

static void add_block(struct shrinker *s, size_t b)
{
	vec_append(&s->candidate, s->found->decisions + s->blocks.items[b].start,
		   s->blocks.items[b].len);
}

/* Block `from` is put right after block `after`. */
static void build_moved(struct shrinker *s, size_t from, size_t after)
{
	s->candidate.len = 0;
	for (size_t b = 0; b < s->blocks.len; b++) {
		if (b != from)
			add_block(s, b);
		if (b == after)
			add_block(s, from);
	}
}

static void build_without(struct shrinker *s, size_t from, size_t len)
{
	s->candidate.len = 0;
	for (size_t b = 0; b < s->blocks.len; b++)
		if (b < from || b >= from + len)
			add_block(s, b);
}

static uint32_t actor_of(const struct shrinker *s, size_t b)
{
	return s->found->decisions[s->blocks.items[b].start].actor;
}

/* The next block of the same actor, or blocks.len. */
static size_t next_block(const struct shrinker *s, size_t i)
{
	size_t j = i + 1;

	while (j < s->blocks.len && actor_of(s, i) != actor_of(s, j))
		j++;
	return j;
}

/* Joins two neighbouring blocks of one actor, in either direction. */
static bool try_joins(struct shrinker *s)
{
	bool any = false;

	for (size_t i = 0; i < s->blocks.len && has_budget(s);) {
		size_t j = next_block(s, i);
		bool joined = false;

		if (j < s->blocks.len) {
			build_moved(s, j, i);
			joined = is_improved_by_candidate(s);
		}
		if (!joined && j < s->blocks.len && has_budget(s)) {
			build_moved(s, i, j - 1);
			joined = is_improved_by_candidate(s);
		}
		any |= joined;
		i += !joined; /* a joined block may have more to join with */
	}
	return any;
}

static bool try_leaving_out(struct shrinker *s)
{
	bool any = false;

	for (size_t len = s->blocks.len / 2; len > 0; len /= 2)
		for (size_t at = s->blocks.len; at > 0 && has_budget(s);) {
			size_t from = at > len ? at - len : 0;

			build_without(s, from, at - from);
			any |= is_improved_by_candidate(s);
			at = from < s->blocks.len ? from : s->blocks.len;
		}
	return any;
}

/* Block `cut` keeps only its first `len` decisions. */
static void build_cut(struct shrinker *s, size_t cut, uint32_t len)
{
	s->candidate.len = 0;
	for (size_t b = 0; b < s->blocks.len; b++)
		if (b != cut)
			add_block(s, b);
		else
			vec_append(&s->candidate, s->found->decisions + s->blocks.items[b].start, len);
}

/* Makes block b shorter: only its first 1, 2, 4 … steps, or all but the last … 4, 2, 1. */
static bool try_ends_of(struct shrinker *s, size_t b)
{
	uint32_t len = s->blocks.items[b].len, part = 1;

	for (; part < len && has_budget(s); part *= 2) {
		build_cut(s, b, part);
		if (is_improved_by_candidate(s))
			return true;
	}
	for (part /= 2; part > 0 && has_budget(s); part /= 2) {
		build_cut(s, b, len - part);
		if (is_improved_by_candidate(s))
			return true;
	}
	return false;
}

/* Switches come earlier. */
static bool try_shortening(struct shrinker *s)
{
	bool any = false;

	for (size_t b = 0; b < s->blocks.len && has_budget(s);) {
		bool is_shorter = try_ends_of(s, b);

		any |= is_shorter;
		b += !is_shorter;
	}
	return any;
}

void shrink(struct spare *spare, struct found *found, const struct shrink_budget *budget,
	    uint64_t *runs)
{
	struct shrinker s = {.spare = spare, .found = found,
			     .deadline = clock_seconds() + budget->seconds,
			     .runs_left = budget->runs, .stop = budget->stop, .runs_done = runs};

	cut_into_blocks(&s);
	while (has_budget(&s) &&
	       (try_cutting(&s) | try_joins(&s) | try_leaving_out(&s) | try_shortening(&s)))
		;
	found->is_cut = !has_budget(&s);
	vec_release(&s.blocks);
	vec_release(&s.candidate);
}
