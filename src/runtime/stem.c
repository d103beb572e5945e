#include "runtime/stem.h"

#include <sys/mman.h>

#include "runtime/fiber.h"
#include "runtime/history.h"
#include "runtime/restore.h"
#include "runtime/rt_sys.h"

enum {
	STATES = 16,
	PAGES_MAX = 128,
	ACTORS_MAX = 64,    /* one word of a set */
	TOKENS_MAX = 8,
	GAP_MIN = 3,        /* steps that cost as much as keeping a state of few pages, */
	PAGES_PER_STEP = 4, /* and how many more pages are worth one more step */
	RUNS_BEFORE = 64,   /* a short search does not pay for the memory */
};

/* The state before event number `at`. */
struct state {
	uint32_t at;
	uint32_t actor; /* whose fiber decides */
	uint32_t plains_len, pages_len, actors_high, last;
	uint32_t identity, bounded, awaited_len;
	uint64_t assumed, ready, asked;
	uint32_t tokens_len;
	struct rt_token tokens[TOKENS_MAX];
	struct rt_history_kept history;
	struct rt_actor actors[ACTORS_MAX];
	_Alignas(RT_PAGE) char pages[PAGES_MAX][RT_PAGE];
};

/* In a mapping of its own, like struct rt. */
struct store {
	_Alignas(16) char stack[65536]; /* of keep_state() */
	struct state states[STATES];
};

#define STORE ((struct store *)0x5f8000000000)

static bool map_store(void)
{
	if (!RT->stem.is_mapped)
		RT->stem.is_mapped = rt_syscall6(SYS_mmap, (long)STORE, sizeof(struct store),
						 PROT_READ | PROT_WRITE,
						 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
						 -1, 0) == (long)STORE;
	return RT->stem.is_mapped;
}

static struct state *last_kept(void)
{
	return &STORE->states[RT->stem.kept_len - 1];
}

void rt_stem_forget_behind(uint32_t step)
{
	while (RT->stem.kept_len && last_kept()->at > step)
		RT->stem.kept_len--;
}

/* ---- where schedules part ---- */

static bool is_same(const struct decision *a, const struct decision *b)
{
	return !((a->actor ^ b->actor) | (a->ordinal ^ b->ordinal) | (uint32_t)(a->kind ^ b->kind) |
		 (a->object ^ b->object) | (a->source ^ b->source) |
		 (a->source_ordinal ^ b->source_ordinal));
}

/* Only schedules whose decisions are followed one by one. */
static bool is_plain(const struct schedule *s)
{
	return s->relaxed == FOLLOW_STRICT && !s->guides_len && s->grain == GRAIN_EVENT && !s->resumes &&
	       !s->is_patient &&
	       (s->tail == TAIL_FIRST || s->tail == TAIL_RANDOM || s->tail == TAIL_LOWEST);
}

/* How many decisions of the second schedule are those of the first. Its sleepers sleep behind them. */
static uint32_t count_alike(const struct schedule *a, const struct decision *of_a, const struct schedule *b,
			    const struct decision *of_b)
{
	uint32_t most = a->decisions_len < b->decisions_len ? a->decisions_len : b->decisions_len, i = 0;

	if (!is_plain(a) || !is_plain(b))
		return 0;
	if (b->sleepers_len && b->sleep_from < most)
		most = b->sleep_from;
	while (i < most && is_same(&of_a[i], &of_b[i]))
		i++;
	return i;
}

void rt_stem_begin(void)
{
	struct channel *c = RT->channel;
	struct rt_stem *stem = &RT->stem;
	const struct schedule *before = &c->schedule;
	const struct decision *of_before = channel_at(c, c->decisions);
	uint64_t at = c->more;

	rt_stem_forget();
	stem->runs_len = 0;
	if (!c->more_len || stem->is_off || RT->use_fork || RT->runs < RUNS_BEFORE || RT->shared.len ||
	    memory_is_weak(c->options.memory) || !map_store())
		return;
	stem->alike[stem->runs_len++] = 0;
	for (uint32_t i = 0; i < c->more_len && stem->runs_len < RT_STEM_RUNS; i++) {
		const struct schedule *next = channel_at(c, at);
		const struct decision *of_next = (const struct decision *)(next + 1);

		stem->alike[stem->runs_len++] = count_alike(before, of_before, next, of_next);
		at += sizeof(*next) + next->decisions_len * sizeof(struct decision) +
		      next->sleepers_len * sizeof(struct event) + next->guides_len * sizeof(struct guide);
		before = next;
		of_before = of_next;
	}
}

/* ---- which states to keep ---- */

/* Fewer steps than this cost less than keeping a state. */
static uint32_t least_gap(void)
{
	return GAP_MIN + rt_restore_sticky() / PAGES_PER_STEP;
}

/* The places on the way of this run where later runs part, the last one first. */
static void list_wanted(uint32_t run)
{
	struct rt_stem *stem = &RT->stem;
	uint32_t least = RT_STEM_NEVER;

	stem->wanted_len = 0;
	for (uint32_t later = run + 1; later < stem->runs_len; later++) {
		if (stem->alike[later] >= least)
			continue;
		least = stem->alike[later];
		stem->wanted[stem->wanted_len++] = least;
	}
}

/* The next place that is far enough from the last kept one. */
static void choose_next(void)
{
	struct rt_stem *stem = &RT->stem;
	uint32_t from = stem->kept_len ? last_kept()->at : 0, gap = least_gap();

	stem->next_at = RT_STEM_NEVER;
	while (stem->kept_len < STATES && stem->wanted_len && stem->next_at == RT_STEM_NEVER) {
		uint32_t at = stem->wanted[--stem->wanted_len];

		if (at >= from + gap)
			stem->next_at = at;
	}
}

void rt_stem_choose(uint32_t run)
{
	struct rt_stem *stem = &RT->stem;

	stem->is_loud = false;
	if (run >= stem->runs_len) {
		rt_stem_forget();
		return;
	}
	while (stem->kept_len && last_kept()->at > stem->alike[run])
		stem->kept_len--;
	list_wanted(run);
	choose_next();
}

/* ---- keeping ---- */

static bool is_quiet_kind(uint32_t kind)
{
	switch (kind) {
	case EVENT_CREATE:
	case EVENT_JOIN:
	case EVENT_FINISH:
	case EVENT_LOAD:
	case EVENT_STORE:
	case EVENT_RMW:
	case EVENT_CAS:
	case EVENT_FENCE:
	case EVENT_PLAIN_READ:
	case EVENT_PLAIN_WRITE:
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
	case EVENT_UNLOCK:
	case EVENT_COND_WAIT:
	case EVENT_COND_WAKE:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		return true;
	default:
		return false;
	}
}

/* Has the actor nothing outside of what is kept: no timer, no memory of the heap? */
static bool is_quiet_actor(const struct rt_actor *actor)
{
	return !actor->act && !actor->deadline_ns &&
	       actor->heap_next == (actor == RT->main ? RT->saved.main.heap_next : 0);
}

/* Is all that is not kept as at the beginning of a run? */
static bool is_quiet(void)
{
	const struct channel *c = RT->channel;

	if (RT->stem.is_loud || RT->actors_high > ACTORS_MAX || rt_restore_sticky() > PAGES_MAX ||
	    RT->late_len || c->signal_is_event || c->record_stacks ||
	    RT->tokens_len > TOKENS_MAX || RT->memory.spinners || RT->probing || RT->trying || RT->newborns ||
	    c->void_turns || c->withdrawn_len || c->options.spurious ||
	    c->notices_len != RT->early_notices || c->made_len != RT->early_made ||
	    !rt_restore_has_stack(RT->main->sp))
		return false;
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (!is_quiet_actor(&RT->actors[i]))
			return false;
	for (uint32_t i = RT->stem.kept_len ? last_kept()->at : 0; i < c->events_len; i++)
		if (!is_quiet_kind(RT->events[i].kind))
			return false;
	return true;
}

/* Of their sets only the words that are in use. */
static void copy_tokens(struct rt_token *to, const struct rt_token *from, uint32_t len)
{
	size_t used = __builtin_offsetof(struct rt_token, eligible) + RT->channel->enabled_words * sizeof(uint64_t);

	for (uint32_t i = 0; i < len; i++)
		rt_memcpy(&to[i], &from[i], used);
}

/* Copies the parts of the actor that are in use, without its call stacks: they are not recorded. */
static void copy_actor(struct rt_actor *to, const struct rt_actor *from)
{
	uint32_t sites = from->turn.sites_len, reads = from->turn.reads_len, held = from->held_len;

	rt_memcpy(to, from, RT_ACTOR_HEAD);
	if (sites)
		rt_memcpy(to->turn.sites, from->turn.sites, sites * sizeof(*to->turn.sites));
	if (reads) {
		rt_memcpy(to->turn.reads, from->turn.reads, reads * sizeof(*to->turn.reads));
		rt_memcpy(to->turn.read_steps, from->turn.read_steps, reads * sizeof(*to->turn.read_steps));
	}
	if (held)
		rt_memcpy(to->held, from->held, held * sizeof(*to->held));
}

/* The fiber that decides has stopped: its registers have been saved. */
static void keep_state(void)
{
	const struct channel *c = RT->channel;
	struct state *state;

	if (!is_quiet())
		return;
	state = &STORE->states[RT->stem.kept_len];
	if (rt_history_on() && !rt_history_keep(&state->history))
		return;
	RT->stem.kept_len++;
	state->at = c->events_len;
	state->actor = RT->current;
	state->plains_len = c->plains_len;
	state->actors_high = RT->actors_high;
	state->last = RT->follower.last;
	state->identity = RT->identity;
	state->awaited_len = RT->awaited_len;
	state->bounded = c->bounded;
	state->assumed = c->assumed;
	state->ready = RT->ready[0];
	state->asked = RT->asked[0];
	for (uint32_t i = 0; i < RT->actors_high; i++)
		copy_actor(&state->actors[i], &RT->actors[i]);
	state->tokens_len = RT->tokens_len;
	copy_tokens(state->tokens, RT->tokens, RT->tokens_len);
	state->pages_len = rt_restore_keep(state->pages);
}

void rt_stem_keep(void)
{
	rt_fiber_keep(rt_self(), keep_state, STORE->stack + sizeof(STORE->stack));
	choose_next();
}

/* ---- going on ---- */

void rt_stem_back(void)
{
	rt_restore_back_to(last_kept()->pages, last_kept()->pages_len);
}

struct rt_actor *rt_stem_resume(void)
{
	const struct state *state = last_kept();
	struct channel *c = RT->channel;
	struct follower *f = &RT->follower;

	c->events_len = f->next = f->step = state->at;
	f->last = state->last;
	c->plains_len = state->plains_len;
	c->bounded = state->bounded;
	c->assumed |= state->assumed;
	RT->identity = state->identity;
	RT->awaited_len = state->awaited_len;
	RT->current = state->actor;
	RT->actors_high = state->actors_high;
	RT->ready[0] = state->ready;
	RT->asked[0] = state->asked;
	for (uint32_t i = 0; i < state->actors_high; i++)
		copy_actor(&RT->actors[i], &state->actors[i]);
	RT->tokens_len = state->tokens_len;
	copy_tokens(RT->tokens, state->tokens, state->tokens_len);
	if (rt_history_on())
		rt_history_back(&state->history);
	return &RT->actors[state->actor];
}
