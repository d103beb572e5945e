#include "explore/history.h"

#include "base/hash.h"
#include "explore/jobs_text.h"

static bool has_new_name(struct history *h, const struct trace *trace)
{
	bool is_new = trace->actors_len > h->actors_len || trace->objects_len > h->objects_len;

	if (trace->actors_len > h->actors_len)
		h->actors_len = trace->actors_len;
	if (trace->objects_len > h->objects_len)
		h->objects_len = trace->objects_len;
	return is_new;
}

static bool has_new_blocks(struct history *h, const struct trace *trace)
{
	bool is_new, is_first;

	if (trace->end != END_DONE || trace->void_turns)
		return false;
	is_first = !h->has_complete;
	h->has_complete = true;
	map_put(&h->blocks, hash_bytes(trace->lives, trace->lives_len * sizeof(*trace->lives)),
		&is_new);
	return is_first || (is_new && trace->lives_len);
}

/* A run that was cut goes on beyond its cut if its steps are repeated: so the schedule is kept. */
void history_note(struct history *h, const struct walk *walk)
{
	struct strbuf text = {0};
	bool is_cut;

	if (!h)
		return;
	if (!has_new_name(h, &walk->trace) & !has_new_blocks(h, &walk->trace))
		return;
	is_cut = walk->trace.end == END_DIVERGED || walk->trace.end == END_ASLEEP;
	bytes_put_u64(&text, trace_exact_hash(&walk->trace));
	if (is_cut)
		jobs_put_schedule(&text, &walk->schedule);
	else
		jobs_put_run(&text, &walk->trace);
	*vec_push(&h->runs) = text;
}

static void forget_runs(struct history *h)
{
	for (size_t i = 0; i < h->runs.len; i++)
		strbuf_release(&h->runs.items[i]);
	h->runs.len = 0;
}

void history_restart(struct history *h)
{
	if (!h)
		return;
	forget_runs(h);
	map_clear(&h->blocks);
	h->has_complete = false;
	h->actors_len = h->objects_len = 0;
}

bool history_repeat(struct history *h, struct walk *walk, struct bytes_in run, struct err *err)
{
	struct bytes_in in = run;
	uint64_t hash = bytes_u64(&in);
	struct jobs_schedule schedule = jobs_get_schedule(&in);
	struct strbuf text = {0};
	bool ok = !in.is_short && walk_run(walk, &schedule.schedule, err) == WALK_RAN &&
		  trace_exact_hash(&walk->trace) == hash;

	if (ok) {
		has_new_name(h, &walk->trace);
		has_new_blocks(h, &walk->trace);
		bytes_put(&text, run.at, run.len);
		*vec_push(&h->runs) = text;
	}
	jobs_schedule_release(&schedule);
	return ok;
}

void history_release(struct history *h)
{
	forget_runs(h);
	vec_release(&h->runs);
	map_release(&h->blocks);
}
