#include "runtime/history.h"

#include "runtime/rt_sys.h"

enum { NOTHING = 0, MATCHES_MAX = 64 };

/* ---- the lists ---- */

static struct rt_write *write_at(uint32_t index)
{
	return &RT->history.writes[index];
}

static void begin_run(void)
{
	struct rt_history *h = &RT->history;

	if (h->run == RT->runs)
		return;
	h->run = RT->runs;
	h->writes_len = h->variables_len = 1; /* index 0 is NOTHING */
	h->unsettled = NOTHING;
}

static uint32_t new_write(uint32_t source, uint32_t ordinal, uint32_t variable)
{
	struct rt_history *h = &RT->history;

	if (h->writes_len == RT_MAX_WRITES)
		rt_history_retreat("so many writes to atomic variables in one run");
	if (h->writes_len == RT_MAX_WRITES)
		rt_lost("more than %u writes to atomic variables in one run", RT_MAX_WRITES);
	h->writes[h->writes_len] = (struct rt_write){.source = source, .ordinal = ordinal,
						     .variable = variable};
	return h->writes_len++;
}

static uint32_t *slot_of(uint64_t granule)
{
	struct rt_history *h = &RT->history;
	uint64_t i = (granule * 0x9e3779b97f4a7c15u) >> 40;

	for (;; i++) {
		struct rt_history_slot *slot = &h->slots[i % RT_HISTORY_SLOTS];

		if (slot->run != RT->runs) {
			slot->run = RT->runs;
			slot->granule = granule;
			slot->first = NOTHING;
		}
		if (slot->granule == granule)
			return &slot->first;
	}
}

static bool overlaps(const struct rt_variable *variable, uint64_t at, size_t size)
{
	return variable->at < at + size && at < variable->at + variable->size;
}

/* A variable in the granule that has bytes of the range, after `after` (NOTHING: the first). */
static uint32_t find_in_granule(uint64_t granule, uint64_t at, size_t size, uint32_t after)
{
	const struct rt_variable *variables = RT->history.variables;
	uint32_t v = after ? variables[after].next : *slot_of(granule);

	while (v && !overlaps(&variables[v], at, size))
		v = variables[v].next;
	return v;
}

/* The variable with exactly these bytes, or NOTHING. Variables have at most 16 bytes, so one of
 * them can begin in the granule before. */
static uint32_t find_variable(uint64_t at, size_t size)
{
	for (uint64_t granule = at / 8 - 1; granule <= (at + size - 1) / 8; granule++)
		for (uint32_t v = NOTHING; (v = find_in_granule(granule, at, size, v));) {
			const struct rt_variable *variable = &RT->history.variables[v];

			if (variable->at == at && variable->size == size)
				return v;
			rt_history_retreat("atomic accesses of different sizes to the same bytes");
			rt_lost("atomic accesses of different sizes to the same bytes; they have "
				"no meaning under --memory tso or rc11");
		}
	return NOTHING;
}

static uint32_t add_variable(uint64_t at, size_t size)
{
	struct rt_history *h = &RT->history;
	uint32_t *first, v = h->variables_len, w;

	if (v == RT_MAX_VARIABLES)
		rt_history_retreat("so many atomic variables in one run");
	if (v == RT_MAX_VARIABLES)
		rt_lost("more than %u atomic variables in one run", RT_MAX_VARIABLES);
	h->variables_len++;
	first = slot_of(at / 8);
	w = new_write(SOURCE_INITIAL, 0, v);
	rt_memcpy(&write_at(w)->value, (void *)at, size);
	h->variables[v] = (struct rt_variable){.at = at, .size = (uint32_t)size, .first = w,
					       .last = w, .next = *first};
	*first = v;
	return v;
}

static bool is_equal(const void *a, const void *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((const char *)a)[i] != ((const char *)b)[i])
			return false;
	return true;
}

/* The value of the last write is in memory; a plain write only then has it for good. */
static struct rt_variable *refresh(uint32_t v)
{
	struct rt_variable *variable = &RT->history.variables[v];
	struct rt_write *last = write_at(variable->last);

	if (!last->is_plain && !is_equal(&last->value, (void *)variable->at, variable->size))
		rt_warn_uncontrolled("a write without a hook to an atomic variable");
	rt_memcpy(&last->value, (void *)variable->at, variable->size);
	last->is_plain = false;
	return variable;
}

static uint32_t look_up(const volatile void *address, size_t size)
{
	uint32_t v;

	begin_run();
	v = find_variable((uint64_t)address, size);
	return v ? v : add_variable((uint64_t)address, size);
}

/* ---- choosing ---- */

static uint32_t find_write(const struct rt_variable *variable, uint32_t source, uint32_t ordinal)
{
	uint32_t w = variable->first;

	while (w && (write_at(w)->source != source || write_at(w)->ordinal != ordinal))
		w = write_at(w)->next;
	return w;
}

const void *rt_history_choose(struct event *did, const volatile void *address, size_t size)
{
	const struct rt_variable *variable = refresh(look_up(address, size));
	const struct follower *f = &RT->follower;
	uint32_t chosen = variable->last;

	if (f->source) {
		uint32_t named = find_write(variable, f->source, f->source_ordinal);

		if (!named && !f->schedule.relaxed)
			rt_end_now(END_DIVERGED, RT->current);
		chosen = named ? named : chosen;
	}
	did->weak.source = write_at(chosen)->source;
	did->weak.source_ordinal = write_at(chosen)->ordinal;
	did->weak.matches = ~(uint64_t)0;
	RT->history.chosen = chosen;
	return &write_at(chosen)->value;
}

const struct rt_write *rt_history_first(const volatile void *address, size_t size)
{
	return write_at(refresh(look_up(address, size))->first);
}

static uint64_t hash_value(const void *value, size_t size)
{
	uint64_t words[2] = {0, 0};

	rt_memcpy(words, value, size);
	return words[0] ^ words[1] * 0x9e3779b97f4a7c15u;
}

static void append(const struct event *did, uint32_t v, uint32_t after, bool is_plain)
{
	uint32_t w = new_write(source_of_actor(did->actor), did->ordinal, v);
	struct rt_variable *variable = &RT->history.variables[v];

	write_at(w)->is_plain = is_plain;
	write_at(w)->step = (uint32_t)(did - RT->events);
	write_at(w)->next = write_at(after)->next;
	write_at(after)->next = w;
	if (variable->last == after)
		variable->last = w;
	RT->history.chosen = w;
}

void rt_history_write(struct event *did, volatile void *address, const void *value, size_t size)
{
	uint32_t after = RT->history.chosen, v = write_at(after)->variable;

	did->weak.written = hash_value(value, size);
	append(did, v, after, false);
	rt_memcpy(&write_at(RT->history.chosen)->value, value, size);
	if (RT->history.variables[v].last == RT->history.chosen)
		rt_memcpy((void *)address, value, size);
}

void rt_history_expect(struct event *did, const void *expected, size_t size)
{
	const struct rt_variable *variable =
		&RT->history.variables[write_at(RT->history.chosen)->variable];
	uint32_t i = 0;

	did->weak.written = hash_value(expected, size);
	did->weak.matches = 0;
	for (uint32_t w = variable->first; w; w = write_at(w)->next, i++) {
		if (i == MATCHES_MAX)
			rt_history_retreat("so many writes to a variable of a compare-and-swap");
		if (i == MATCHES_MAX)
			rt_lost("more than %u writes to a variable of a compare-and-swap",
				MATCHES_MAX);
		if (is_equal(&write_at(w)->value, expected, size))
			did->weak.matches |= (uint64_t)1 << i;
	}
}

/* ---- --equivalence rf ---- */

void rt_history_retreat(const char *what)
{
	struct channel *channel = RT->channel;
	size_t len = rt_strlen(what) + 1;

	if (channel->options.memory != MEMORY_RF || !channel->weaker)
		return;
	channel->weaker = 0;
	rt_memcpy(channel->uncovered, what,
		  len < sizeof(channel->uncovered) ? len : sizeof(channel->uncovered) - 1);
	rt_relearn();
}

/* Have two threads written the variable? */
static bool is_written_by_two(const struct rt_variable *variable)
{
	uint32_t first = write_at(variable->first)->next;

	for (uint32_t w = first; w; w = write_at(w)->next)
		if (write_at(w)->source != write_at(first)->source)
			return true;
	return false;
}

void rt_history_plain_read(const void *address, size_t size)
{
	uint64_t at = (uint64_t)address, end = at + size;

	if (RT->channel->options.memory != MEMORY_RF || RT->history.run != RT->runs)
		return;
	for (uint64_t granule = at / 8 - 1; granule <= (end - 1) / 8; granule++)
		for (uint32_t v = NOTHING; (v = find_in_granule(granule, at, size, v));)
			if (is_written_by_two(&RT->history.variables[v]))
				rt_history_retreat("a plain read of an atomic variable that two "
						   "threads have written");
}

/* ---- plain writes ---- */

static void write_plainly(uint32_t v, uint64_t site)
{
	struct rt_variable *variable = refresh(v);
	struct event event = rt_event(EVENT_PLAIN_WRITE, site);
	struct event *did;

	event.is_weak = 1;
	rt_mem_access(&event, (void *)variable->at, variable->size, ACCESS_WRITE);
	did = rt_step(&event, NULL, NULL);
	variable = refresh(v); /* others may have written meanwhile */
	did->weak.source = write_at(variable->last)->source;
	did->weak.source_ordinal = write_at(variable->last)->ordinal;
	append(did, v, variable->last, true);
}

void rt_history_plain_write(const void *address, size_t size, uint64_t site)
{
	uint64_t at = (uint64_t)address, end = at + size;

	if (RT->history.run != RT->runs)
		return;
	for (uint64_t granule = at / 8 - 1; granule <= (end - 1) / 8; granule++)
		for (uint32_t v = NOTHING; (v = find_in_granule(granule, at, size, v));) {
			write_plainly(v, site);
			rt_self()->turn.in_call = true;
		}
	rt_self()->turn.in_call = false;
}

/* ---- plain accesses that race ---- */

void rt_history_plain(const void *address, size_t size, bool is_write, uint64_t site)
{
	struct event event = rt_event(is_write ? EVENT_PLAIN_WRITE : EVENT_PLAIN_READ, site);
	struct rt_history *h = &RT->history;
	const void *value;
	struct event *did;

	event.is_weak = 1;
	event.flags = EVENT_EXPOSED;
	rt_mem_access(&event, address, size, is_write ? ACCESS_WRITE : ACCESS_READ);
	did = rt_step(&event, NULL, NULL);
	value = rt_history_choose(did, address, size);
	if (is_write) {
		uint32_t v = write_at(h->chosen)->variable;

		append(did, v, h->chosen, true);
		h->unsettled = h->variables[v].last == h->chosen ? NOTHING : v;
		h->unsettled_write = h->chosen;
		return;
	}
	rt_memcpy(&did->value, value, size < sizeof(did->value) ? size : sizeof(did->value));
	if (h->variables[write_at(h->chosen)->variable].last == h->chosen)
		return;
	h->unsettled = write_at(h->chosen)->variable;
	h->unsettled_write = NOTHING;
	rt_memcpy((void *)address, value, size);
}

void rt_history_settle(void)
{
	struct rt_history *h = &RT->history;
	const struct rt_variable *variable = &h->variables[h->unsettled];

	h->unsettled = NOTHING;
	if (h->run != RT->runs)
		return;
	if (h->unsettled_write) {
		rt_memcpy(&write_at(h->unsettled_write)->value, (void *)variable->at, variable->size);
		write_at(h->unsettled_write)->is_plain = false;
	}
	rt_memcpy((void *)variable->at, &write_at(variable->last)->value, variable->size);
}

/* ---- states that are kept ---- */

bool rt_history_keep(struct rt_history_kept *kept)
{
	const struct rt_history *h = &RT->history;
	bool is_begun = h->run == RT->runs;

	kept->writes_len = is_begun ? h->writes_len : 1;
	kept->variables_len = is_begun ? h->variables_len : 1;
	if ((is_begun && h->unsettled) || kept->writes_len > RT_KEPT_WRITES ||
	    kept->variables_len > RT_KEPT_VARIABLES)
		return false;
	rt_memcpy(kept->writes, h->writes, kept->writes_len * sizeof(*kept->writes));
	rt_memcpy(kept->variables, h->variables, kept->variables_len * sizeof(*kept->variables));
	return true;
}

/* The slots belong to the run: the variables are put into them in the order in which they came. */
void rt_history_back(const struct rt_history_kept *kept)
{
	struct rt_history *h = &RT->history;

	begin_run();
	h->writes_len = kept->writes_len;
	h->variables_len = kept->variables_len;
	rt_memcpy(h->writes, kept->writes, kept->writes_len * sizeof(*kept->writes));
	rt_memcpy(h->variables, kept->variables, kept->variables_len * sizeof(*kept->variables));
	for (uint32_t v = 1; v < h->variables_len; v++)
		*slot_of(h->variables[v].at / 8) = v;
}

/* ---- waiting ---- */

static bool never(struct rt_actor *actor, void *thing)
{
	return false;
}

void rt_history_stay(const struct event *event, struct event *did)
{
	struct event waits = *event;

	if (did->accesses[0].mode == ACCESS_TAKE)
		did->accesses[0].mode = ACCESS_PEEK;
	else if (did->accesses[0].mode != ACCESS_LEAVE)
		did->accesses[0].mode = ACCESS_TRY;
	did->flags |= EVENT_FAILED;
	waits.flags = 0;
	rt_self()->stays_since = RT->channel->events_len;
	rt_self()->turn.in_call = true; /* it is not a turn of a loop */
	rt_step(&waits, never, NULL);
	__builtin_unreachable();
}

bool rt_history_is_old(struct event *did)
{
	const struct follower *f = &RT->follower;
	const struct event *last = did;

	if (!did->is_weak || f->source == SOURCE_NONE)
		return false;
	did->weak.source = f->source;
	did->weak.source_ordinal = f->source_ordinal;
	while (last-- > RT->events)
		if (last->access_len && last->accesses[0].object == did->accesses[0].object &&
		    !(last->flags & EVENT_FAILED))
			return !event_is_source(last, f->source, f->source_ordinal);
	return f->source != SOURCE_INITIAL;
}

/* ---- spin loops ---- */

const uint64_t *rt_history_find(const uint64_t *words, const uint64_t *end)
{
	const struct rt_history *h = &RT->history;
	const uint64_t *first = NULL;

	for (uint32_t v = 1; h->run == RT->runs && v < h->variables_len; v++) {
		const uint64_t *low = (const uint64_t *)(h->variables[v].at & ~7ul);
		const uint64_t *high = (const uint64_t *)(h->variables[v].at + h->variables[v].size);

		if (low >= end || high <= words)
			continue;
		low = low < words ? words : low;
		first = !first || low < first ? low : first;
	}
	return first;
}

static bool is_overwritten(const struct event *look)
{
	for (uint32_t w = 1; w < RT->history.writes_len; w++) {
		if (write_at(w)->source != look->weak.source ||
		    write_at(w)->ordinal != look->weak.source_ordinal)
			continue;
		/* The initial value has no actor: the variable tells. */
		if (OBJECT(OBJECT_MEMORY, rt_name((void *)RT->history.variables[
						  write_at(w)->variable].at)) !=
		    look->accesses[0].object)
			continue;
		for (w = write_at(w)->next; w; w = write_at(w)->next)
			if (!(RT->events[write_at(w)->step].flags & EVENT_VOID))
				return true;
		return false;
	}
	return false;
}

bool rt_history_is_stale(const struct rt_actor *actor)
{
	for (uint32_t i = actor->turn.from; i < RT->channel->events_len; i++) {
		const struct event *event = &RT->events[i];

		if (event->actor == actor->index && event_has_source(event) && is_overwritten(event))
			return true;
	}
	return false;
}
