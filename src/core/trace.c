#include "core/trace.h"

#include <string.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "base/mem.h"

static const char *const end_texts[] = {
	[END_DONE] = "done",         [END_EXIT] = "exit",       [END_ABORT] = "abort",
	[END_CRASH] = "crash",       [END_DEADLOCK] = "deadlock", [END_SPIN] = "spin",
	[END_PARKED] = "parked",     [END_ASLEEP] = "asleep",   [END_STEPS] = "steps",
	[END_SILENT] = "silent",     [END_DIVERGED] = "diverged", [END_STOPPED] = "stopped",
	[END_RELEARN] = "relearn",   [END_LOST] = "lost",
};

const char *trace_end_text(uint32_t end)
{
	return end < sizeof(end_texts) / sizeof(end_texts[0]) ? end_texts[end] : "?";
}

uint32_t trace_list_assumptions(uint64_t assumed, const char *texts[ASSUMPTIONS_MAX])
{
	static const char *const table[] = {
#define ASSUMED(name, text) text,
#include "core/assumed.def"
#undef ASSUMED
	};
	uint32_t len = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (assumed >> i & 1 && table[i][0])
			texts[len++] = table[i];
	return len;
}

uint64_t trace_outcome_hash(const struct trace *trace)
{
	uint64_t h = hash_combine(trace->end, (uint64_t)(int64_t)trace->code);

	return hash_combine(h, hash_bytes(trace->output, trace->output_len));
}

uint64_t trace_exact_hash(const struct trace *trace)
{
	uint64_t h = trace_outcome_hash(trace);

	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];

		h = hash_combine(h, (uint64_t)event->actor << 32 | event->kind);
		h = hash_combine(h, event->value);
		for (uint32_t a = 0; a < event->access_len; a++)
			h = hash_combine(h, event->accesses[a].object + event->accesses[a].mode);
	}
	return h;
}

uint32_t trace_preemptions(const struct trace *trace)
{
	uint32_t last = ACTOR_NONE, count = 0;

	for (uint32_t i = 0; i < trace->events_len; i++) {
		uint32_t actor = trace->events[i].actor;

		if (actor_is_virtual(&trace->actors[actor]))
			continue;
		if (last != ACTOR_NONE && last != actor &&
		    bitset_has(trace_enabled(trace, i), last))
			count++;
		last = actor;
	}
	return count;
}

/* Appends an array to the block being filled and points *where at the copy. */
static char *put(char *at, const void *items, size_t bytes, const void **where)
{
	*where = at;
	if (bytes)
		memcpy(at, items, bytes);
	return at + ((bytes + 15) & ~(size_t)15);
}

struct trace *trace_copy(const struct trace *trace)
{
	size_t enabled_len = ((size_t)trace->events_len + 1) * trace->enabled_words;
	size_t message_len = trace->message ? strlen(trace->message) + 1 : 0;
	const struct {
		const void *items;
		size_t bytes;
		size_t member;
	} parts[] = {
#define PART(field, len)                                                       \
		{trace->field, (len) * sizeof(*trace->field), offsetof(struct trace, field)}
		PART(actors, trace->actors_len),       PART(events, trace->events_len),
		PART(enabled, enabled_len),            PART(pending, trace->pending_len),
		PART(plains, trace->plains_len),       PART(notices, trace->notices_len),
		PART(withdrawn, trace->withdrawn_len), PART(lives, trace->lives_len),
		PART(held, trace->held_len),           PART(deaths, trace->deaths_len),
		PART(waiters, trace->waiters_len),     PART(waits, trace->waits_len),
		PART(message, message_len),            PART(output, trace->output_len),
		PART(refusals, trace->refusals_len),   PART(states, trace->states_len),
#undef PART
	};
	enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
	size_t total = sizeof(struct trace) + 16;
	struct trace *copy;
	char *at;

	for (size_t p = 0; p < PARTS; p++)
		total += (parts[p].bytes + 15) & ~(size_t)15;
	copy = mem_alloc(total);
	*copy = *trace;
	copy->repeats = 0;
	at = (char *)copy + ((sizeof(*copy) + 15) & ~(size_t)15);
	for (size_t p = 0; p < PARTS; p++)
		at = put(at, parts[p].items, parts[p].bytes,
			 (const void **)((char *)copy + parts[p].member));
	if (!trace->message)
		copy->message = NULL;
	return copy;
}

bool trace_event_ends(const struct trace *trace, const struct event *event, uint32_t actor)
{
	const struct actor *way = &trace->actors[event->actor];

	if (event_exit_receiver(event) == actor)
		return true;
	for (uint32_t a = 0; way->kind == ACTOR_CHANNEL && way->nth == actor && a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_STOP)
			return true;
	return false;
}
