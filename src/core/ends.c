#include "core/ends.h"

#include "core/trace.h"

bool ends_are_bad(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->deaths_len; i++)
		if (!death_is_handled(trace->deaths[i].actor, trace->deaths[i].flags,
				      trace->exits_any))
			return true;
	for (uint32_t i = 0; i < trace->waiters_len; i++)
		if (!waiter_is_at_rest(trace->waiters[i].actor, trace->waiters[i].flags,
				       trace->stuck))
			return true;
	return false;
}
