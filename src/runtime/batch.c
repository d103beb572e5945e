#include "runtime/batch.h"

#include "runtime/rt.h"
#include "runtime/rt_sys.h"

void rt_batch_start(void)
{
	RT->channel->done_len = 0;
	RT->batch_at = RT->channel->more;
	RT->batch_to = RT->channel->done;
}

/* Only ordinary ends may be followed by another run without the tool's word. */
static bool is_ordinary(const struct channel *c)
{
	return !c->notices_len && !c->stacks_len && !c->record_stacks &&
	       (c->end == END_DONE || c->end == END_EXIT || c->end == END_DEADLOCK ||
		c->end == END_PARKED || c->end == END_ASLEEP);
}

static uint64_t put(uint64_t at, const void *from, uint64_t bytes)
{
	if (bytes)
		rt_memcpy(channel_at(RT->channel, at), from, bytes);
	return at + channel_round(bytes);
}

static uint64_t size_of_trace(const struct channel *c)
{
	return sizeof(struct channel_done) + c->events_len * sizeof(struct event) +
	       (c->events_len + 1ull) * c->enabled_words * sizeof(uint64_t) +
	       c->pending_len * sizeof(struct event) + c->plains_len * sizeof(struct plain) +
	       c->withdrawn_len * sizeof(struct withdrawn) + c->lives_len * sizeof(struct live) +
	       c->held_len * sizeof(struct held) + c->output_len + 64;
}

static void keep_output(uint64_t at, uint64_t len)
{
	if (len)
		rt_syscall4(SYS_pread64, RT->capture_fd, channel_at(RT->channel, at), len, 0);
}

static bool keep_trace(void)
{
	struct channel *c = RT->channel;
	uint64_t start = RT->batch_to, at = start + sizeof(struct channel_done);
	struct channel_done *done = channel_at(c, start);

	if (start + size_of_trace(c) > c->done + c->done_size)
		return false;
	*done = (struct channel_done){
		.events_len = c->events_len, .pending_len = c->pending_len,
		.plains_len = c->plains_len, .withdrawn_len = c->withdrawn_len,
		.lives_len = c->lives_len, .held_len = c->held_len,
		.actors_len = c->actors_len, .end = c->end, .end_actor = c->end_actor,
		.code = c->code, .void_turns = c->void_turns, .dropped = c->dropped,
		.bounded = c->bounded, .assumed = c->assumed, .output_len = c->output_len,
	};
	at = put(at, RT->events, c->events_len * sizeof(struct event));
	at = put(at, RT->enabled_sets,
		 (c->events_len + 1ull) * c->enabled_words * sizeof(uint64_t));
	at = put(at, channel_at(c, c->pending), c->pending_len * sizeof(struct event));
	at = put(at, RT->plains, c->plains_len * sizeof(struct plain));
	at = put(at, channel_at(c, c->withdrawn), c->withdrawn_len * sizeof(struct withdrawn));
	at = put(at, c->lives, c->lives_len * sizeof(struct live));
	at = put(at, c->held, c->held_len * sizeof(struct held));
	keep_output(at, c->output_len);
	at += channel_round(c->output_len);
	done->size = at - start;
	RT->batch_to = at;
	c->done_len++;
	return true;
}

static void load_schedule(void)
{
	struct channel *c = RT->channel;
	const struct schedule *more = channel_at(c, RT->batch_at);
	uint64_t at = RT->batch_at + sizeof(*more);
	uint64_t decisions = more->decisions_len * sizeof(struct decision);
	uint64_t sleepers = more->sleepers_len * sizeof(struct event);
	uint64_t guides = more->guides_len * sizeof(struct guide);

	c->schedule = *more;
	rt_memcpy(channel_at(c, c->decisions), channel_at(c, at), decisions);
	rt_memcpy(channel_at(c, c->sleepers), channel_at(c, at + decisions), sleepers);
	rt_memcpy(c->guides, channel_at(c, at + decisions + sleepers), guides);
	RT->batch_at = at + decisions + sleepers + guides;
}

bool rt_batch_next(void)
{
	struct channel *c = RT->channel;

	if (c->done_len >= c->more_len || !is_ordinary(c) || !keep_trace())
		return false;
	load_schedule();
	return true;
}
