#include "core/class.h"

#include "base/hash.h"
#include "core/dependence.h"

/* The name of a step: the n-th of its actor. */
static uint64_t hash_name(const struct trace *trace, const struct event *event)
{
	return hash_combine(actor_hash(trace->actors, event->actor), event->ordinal);
}

/* The name of the step and its effect. */
static uint64_t hash_step(const struct trace *trace, const struct event *event)
{
	uint64_t hash = hash_combine(hash_name(trace, event), event->kind);

	hash = hash_combine(hash, event->value);
	for (uint32_t a = 0; a < event->access_len; a++) {
		hash = hash_combine(hash, event->accesses[a].object);
		hash = hash_combine(hash, event->accesses[a].mode);
	}
	return hash;
}

uint64_t class_hash(const struct trace *trace)
{
	uint64_t sum = hash_combine(trace->end, trace->events_len);

	for (uint32_t j = 0; j < trace->events_len; j++) {
		const struct event *later = &trace->events[j];
		uint64_t name = hash_name(trace, later);

		sum += hash_step(trace, later);
		for (uint32_t i = 0; i < j; i++)
			if (trace->events[i].actor != later->actor &&
			    dependence_is_plain(&trace->events[i], later))
				sum += hash_combine(hash_name(trace, &trace->events[i]), name);
	}
	return sum;
}
