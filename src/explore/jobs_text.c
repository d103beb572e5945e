#include "explore/jobs_text.h"

#include "base/mem.h"

void jobs_put_schedule(struct strbuf *out, const struct schedule *s)
{
	bytes_put_u32(out, s->sleep_from);
	bytes_put_u32(out, s->tail);
	bytes_put_u64(out, s->seed);
	bytes_put_u32(out, s->decisions_len);
	bytes_put(out, s->decisions, s->decisions_len * sizeof(*s->decisions));
	bytes_put_u32(out, s->sleepers_len);
	bytes_put(out, s->sleepers, s->sleepers_len * sizeof(*s->sleepers));
}

void jobs_put_run(struct strbuf *out, const struct trace *trace)
{
	struct schedule schedule = {.tail = TAIL_FIRST, .decisions_len = trace->events_len};
	struct decision *decisions = mem_alloc((trace->events_len + 1) * sizeof(*decisions));

	for (uint32_t i = 0; i < trace->events_len; i++)
		decisions[i] = decision_as_ran(&trace->events[i]);
	schedule.decisions = decisions;
	jobs_put_schedule(out, &schedule);
	mem_free(decisions);
}

struct jobs_schedule jobs_get_schedule(struct bytes_in *in)
{
	struct jobs_schedule s = {0};
	uint32_t len;

	s.schedule.sleep_from = bytes_u32(in);
	s.schedule.tail = bytes_u32(in);
	s.schedule.seed = bytes_u64(in);
	len = bytes_count(in, sizeof(struct decision));
	vec_reserve(&s.decisions, len + 1);
	bytes_get(in, s.decisions.items, len * sizeof(struct decision));
	s.schedule.decisions_len = len;
	len = bytes_count(in, sizeof(struct event));
	vec_reserve(&s.sleepers, len + 1);
	bytes_get(in, s.sleepers.items, len * sizeof(struct event));
	s.schedule.sleepers_len = len;
	s.schedule.decisions = s.decisions.items;
	s.schedule.sleepers = s.sleepers.items;
	return s;
}

void jobs_schedule_release(struct jobs_schedule *s)
{
	vec_release(&s->decisions);
	vec_release(&s->sleepers);
}

void jobs_put_sums(struct strbuf *out, const struct explore_result *from)
{
	bytes_put_u64(out, from->executions);
	bytes_put_u64(out, from->blocked);
	bytes_put_u64(out, from->spins);
	bytes_put_u64(out, from->completed);
	bytes_put_u64(out, from->steps);
	bytes_put_u64(out, from->traces_hash);
	bytes_put_u64(out, from->statistics.dropped);
	bytes_put_u32(out, from->bounded);
	bytes_put_u64(out, from->assumed);
	bytes_put_u32(out, from->actors_len);
	bytes_put_u32(out, (uint32_t)from->outcomes.len);
	for (size_t i = 0; i < from->outcomes.len; i++) {
		bytes_put_u64(out, from->outcomes.entries[i].key);
		bytes_put_u64(out, from->outcomes.entries[i].value);
	}
}

void jobs_add_sums(struct bytes_in *in, struct explore_result *to)
{
	uint32_t actors_len, len;

	to->executions += bytes_u64(in);
	to->blocked += bytes_u64(in);
	to->spins += bytes_u64(in);
	to->completed += bytes_u64(in);
	to->steps += bytes_u64(in);
	to->traces_hash += bytes_u64(in);
	to->statistics.dropped += bytes_u64(in);
	to->bounded |= bytes_u32(in);
	to->assumed |= bytes_u64(in);
	actors_len = bytes_u32(in);
	if (actors_len > to->actors_len)
		to->actors_len = actors_len;
	len = bytes_count(in, 2 * sizeof(uint64_t));
	for (uint32_t i = 0; i < len; i++) {
		uint64_t key = bytes_u64(in);

		*map_put(&to->outcomes, key, NULL) += bytes_u64(in);
	}
}
