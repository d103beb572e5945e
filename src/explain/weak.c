#include "explain/weak.h"

#include "base/mem.h"
#include "base/strbuf.h"

enum { OLD_READS_SHOWN = 4, FEW = 2, RACES_TRIED = 3000 };

static bool is_atomic(const struct event *e)
{
	return e->kind == EVENT_LOAD || e->kind == EVENT_STORE || e->kind == EVENT_RMW ||
	       e->kind == EVENT_CAS || e->kind == EVENT_FENCE;
}

static bool reads(const struct event *e)
{
	return event_has_source(e) && is_atomic(e) && e->kind != EVENT_STORE;
}

/* Is that the write that `e` read, or after which `e` was placed? */
static bool is_source_of(const struct event *e, const struct event *write)
{
	return event_is_source(write, e->weak.source, e->weak.source_ordinal);
}

static bool have_same_source(const struct event *a, const struct event *b)
{
	return a->weak.source == b->weak.source && a->weak.source_ordinal == b->weak.source_ordinal;
}

static bool writes(const struct event *e)
{
	return event_has_source(e) && e->kind != EVENT_LOAD && !(e->flags & EVENT_FAILED);
}

/* ---- old values ---- */

/* Does `write` come after the source of `read` in modification order, as far as the trace shows it:
 * by a chain of writes, each placed right after the one before? */
static bool is_newer(const struct trace *t, uint32_t write, const struct event *read)
{
	const struct event *at = &t->events[write];

	for (uint32_t left = write + 1; left-- > 0;) {
		const struct event *e = &t->events[left];

		if (!writes(e) || e->accesses[0].object != read->accesses[0].object ||
		    (left != write && !is_source_of(at, e)))
			continue;
		at = e;
		if (have_same_source(at, read))
			return true;
	}
	return false;
}

/* The first write before step `step` that a load of the last value could not have missed, or the
 * number of steps. */
static uint32_t find_missed(const struct trace *t, uint32_t step)
{
	const struct event *read = &t->events[step];

	for (uint32_t i = 0; i < step; i++)
		if (writes(&t->events[i]) && t->events[i].actor != read->actor &&
		    t->events[i].accesses[0].object == read->accesses[0].object &&
		    is_newer(t, i, read))
			return i;
	return t->events_len;
}

/* The first step on the object after the one that a failed try named as its source. */
static uint32_t find_missed_by_try(const struct trace *t, uint32_t step)
{
	const struct event *try = &t->events[step];
	uint32_t missed = t->events_len;

	for (uint32_t i = step; i-- > 0;) {
		const struct event *e = &t->events[i];

		if (!e->access_len || e->accesses[0].object != try->accesses[0].object ||
		    e->flags & EVENT_FAILED)
			continue;
		if (is_source_of(try, e))
			return missed;
		missed = i;
	}
	return try->weak.source == SOURCE_INITIAL ? missed : t->events_len;
}

static bool is_old_try(const struct event *e)
{
	return event_has_source(e) && e->flags & EVENT_FAILED &&
	       (e->kind == EVENT_TRYLOCK || e->kind == EVENT_TRYRDLOCK ||
		e->kind == EVENT_SEM_TRYWAIT);
}

static void add_old_tries(const struct trace *t, struct strbuf *out)
{
	for (uint32_t i = 0; i < t->events_len; i++) {
		uint32_t missed = is_old_try(&t->events[i]) ? find_missed_by_try(t, i)
							    : t->events_len;

		if (missed < t->events_len)
			strbuf_addf(out, "  Step %u (%s) fails by an old value: the %s of step %u was not "
					 "yet visible to it.\n", i + 1,
				    event_kind_text(t->events[i].kind),
				    event_kind_text(t->events[missed].kind), missed + 1);
	}
}

static void add_old_reads(const struct trace *t, struct strbuf *out)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < t->events_len && shown < OLD_READS_SHOWN; i++) {
		uint32_t missed = reads(&t->events[i]) ? find_missed(t, i) : t->events_len;
		char name[ACTOR_NAME_MAX];

		if (missed == t->events_len)
			continue;
		actor_name(t->actors, t->events[i].actor, name);
		strbuf_addf(out, "  Step %u reads %ld, an old value: the %s of step %u was not yet "
				 "visible to %s.\n", i + 1, (long)t->events[i].value,
			    event_kind_text(t->events[missed].kind), missed + 1, name);
		shown++;
	}
}

/* ---- stronger orders ---- */

/* The orders that an event can have, from weak to strong; ends with MEMORY_ORDER_NONE. */
static const uint8_t *orders_of(const struct event *e)
{
	static const uint8_t of_load[] = {MEMORY_ORDER_ACQUIRE, MEMORY_ORDER_SEQ_CST, 0};
	static const uint8_t of_store[] = {MEMORY_ORDER_RELEASE, MEMORY_ORDER_SEQ_CST, 0};
	static const uint8_t of_update[] = {MEMORY_ORDER_ACQUIRE, MEMORY_ORDER_RELEASE,
					    MEMORY_ORDER_ACQ_REL, MEMORY_ORDER_SEQ_CST, 0};

	if (e->kind == EVENT_LOAD || (e->kind == EVENT_CAS && e->flags & EVENT_FAILED))
		return of_load;
	return e->kind == EVENT_STORE ? of_store : of_update;
}

static bool is_stronger(uint8_t order, uint8_t than)
{
	if (than == MEMORY_ORDER_RELAXED)
		return true;
	return order > than && !(order == MEMORY_ORDER_RELEASE && than == MEMORY_ORDER_ACQUIRE);
}

struct trial {
	struct trace *trace; /* a copy, whose events are changed */
	struct event *events;
	struct finding finding;
	uint32_t steps[STRONGER_MAX]; /* atomic events that could be stronger */
	uint32_t len;
};

static bool shows(struct trial *t)
{
	struct finding finding = t->finding;

	return trace_shows(t->trace, &finding);
}

/* Makes one of the events from `from` on stronger, and then up to `more` others, until the finding
 * does not show. Returns the number of changes, 0 if it always shows. */
static uint32_t try_changes(struct trial *t, uint32_t from, uint32_t more,
			    struct stronger *changes)
{
	for (uint32_t i = from; i < t->len; i++) {
		struct event *e = &t->events[t->steps[i]];
		uint8_t was = e->memory_order;

		for (const uint8_t *order = orders_of(e); *order; order++) {
			uint32_t rest = 0;
			bool is_over;

			if (!is_stronger(*order, was))
				continue;
			e->memory_order = *order;
			*changes = (struct stronger){t->steps[i], *order};
			is_over = more ? (rest = try_changes(t, i + 1, more - 1, changes + 1)) > 0
				       : !shows(t);
			e->memory_order = was;
			if (is_over)
				return rest + 1;
		}
	}
	return 0;
}

/* Makes all events seq_cst, then as few and as weak as possible. */
static uint32_t try_all(struct trial *t, struct stronger *changes)
{
	uint8_t were[STRONGER_MAX];
	uint32_t len = 0;

	for (uint32_t i = 0; i < t->len; i++) {
		were[i] = t->events[t->steps[i]].memory_order;
		t->events[t->steps[i]].memory_order = MEMORY_ORDER_SEQ_CST;
	}
	if (shows(t))
		return 0;
	for (uint32_t i = 0; i < t->len; i++) {
		struct event *e = &t->events[t->steps[i]];
		const uint8_t *order = orders_of(e);

		e->memory_order = were[i];
		while (shows(t))
			e->memory_order = *order++;
		if (e->memory_order != were[i])
			changes[len++] = (struct stronger){t->steps[i], e->memory_order};
	}
	return len;
}

/* Is it an atomic step whose order the program has chosen? */
static bool has_order(const struct event *e)
{
	return is_atomic(e) && !(e->kind == EVENT_LOAD && e->flags & EVENT_BY_KERNEL);
}

/* The events whose orders may be changed. Failed compare-and-swaps come last: most programs use another
 * order there for good reason, and `--suggest-orders` cannot try another one. */
static void collect_steps(struct trial *t)
{
	for (uint32_t failed = 0; failed <= EVENT_FAILED; failed += EVENT_FAILED)
		for (uint32_t i = 0; i < t->trace->events_len && t->len < STRONGER_MAX; i++)
			if (has_order(&t->events[i]) && (t->events[i].flags & EVENT_FAILED) == failed &&
			    t->events[i].memory_order != MEMORY_ORDER_SEQ_CST)
				t->steps[t->len++] = i;
}

uint32_t explain_find_stronger(const struct found *found, struct stronger changes[STRONGER_MAX])
{
	struct trial t = {.trace = trace_copy(found->trace), .finding = found->finding};
	uint32_t len = 0;

	t.events = (struct event *)t.trace->events; /* the copy is ours */
	collect_steps(&t);
	for (uint32_t more = 0; more < FEW && !len; more++)
		len = try_changes(&t, 0, more, changes);
	if (!len)
		len = try_all(&t, changes);
	mem_free(t.trace);
	return len;
}

const char *explain_order_words(const struct event *e, uint8_t order, struct arena *arena)
{
	static const char *const words[] = {
		[MEMORY_ORDER_NONE] = "a", [MEMORY_ORDER_RELAXED] = "a relaxed",
		[MEMORY_ORDER_ACQUIRE] = "an acquire", [MEMORY_ORDER_RELEASE] = "a release",
		[MEMORY_ORDER_ACQ_REL] = "an acq_rel", [MEMORY_ORDER_SEQ_CST] = "a seq_cst",
	};

	return arena_printf(arena, "%s %s", words[order], event_kind_text(e->kind));
}

static bool is_acquiring(const struct event *e)
{
	return e->memory_order == MEMORY_ORDER_ACQUIRE || e->memory_order == MEMORY_ORDER_ACQ_REL ||
	       e->memory_order == MEMORY_ORDER_SEQ_CST;
}

/* Does a load of another actor come behind the store, before the next write to the object? Its order may be strong enough.
 * An update that acquires, as that of a spin lock, is one, too. */
static bool is_loaded(const struct trace *t, uint32_t store)
{
	uint64_t object = t->events[store].accesses[0].object;

	for (uint32_t i = store + 1; i < t->events_len; i++) {
		const struct event *e = &t->events[i];

		if (!event_find_access(e, object))
			continue;
		if (e->kind != EVENT_LOAD && !((e->kind == EVENT_RMW || e->kind == EVENT_CAS) && is_acquiring(e)))
			return false;
		if (e->actor != t->events[store].actor)
			return true;
	}
	return false;
}

/* Is it a store whose value a load then reads, one of them or both too weak to hand over what was written before? Another
 * pair, such as two updates of a counter, may order the accesses in this run by chance. */
static bool is_handover(const struct trace *t, const struct stronger *changes, uint32_t len)
{
	bool has_load = false, has_other = false;

	for (uint32_t i = 0; i < len; i++) {
		const struct event *e = &t->events[changes[i].step];

		has_load |= e->kind == EVENT_LOAD || (e->kind == EVENT_STORE && is_loaded(t, changes[i].step));
		has_other |= e->kind != EVENT_LOAD && e->kind != EVENT_STORE;
	}
	return has_load && !has_other;
}

/* Is the variable of these steps what the race is about? A count of references: the last thread frees the
 * block that the others have counted down before.
 * Test: tests/explain/texts, litmus/atomic_refcount. */
static bool is_race_itself(const struct found *found, const struct stronger *changes, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		if (!event_find_access(&found->trace->events[changes[i].step], found->finding.object))
			return false;
	return len;
}

/* A race in a run that is sequentially consistent is asked about only if it is short: every pair of
 * atomic steps is tried. */
static bool may_be_ordered(const struct found *found)
{
	return found->finding.kind == FINDING_RACE &&
	       found->trace->events_len + found->trace->plains_len < RACES_TRIED;
}

static void add_stronger(struct target *target, const struct found *found, struct arena *arena,
			 struct strbuf *out)
{
	bool is_weak = memory_is_weak(found->trace->memory);
	struct stronger changes[STRONGER_MAX];
	uint32_t len = is_weak || may_be_ordered(found) ? explain_find_stronger(found, changes) : 0;

	if (!is_weak && !is_handover(found->trace, changes, len) &&
	    !is_race_itself(found, changes, len))
		return;
	if (len)
		strbuf_adds(out, is_weak ? "  These orders would forbid this run:\n"
					 : "  In this run these orders would order the two:\n");
	for (uint32_t i = 0; i < len; i++) {
		const struct event *e = &found->trace->events[changes[i].step];
		struct target_frame frame = {0};

		target->ops->describe_site(target, e->site, &frame);
		strbuf_addf(out, "    %s at step %u", explain_order_words(e, changes[i].order, arena),
			    changes[i].step + 1);
		if (frame.file)
			strbuf_addf(out, ", %s:%u", frame.file, frame.line);
		strbuf_addc(out, '\n');
	}
}

const char *explain_weak(struct target *target, const struct found *found, struct arena *arena)
{
	struct strbuf text = {0};
	const char *result = NULL;

	if (memory_is_weak(found->trace->memory)) {
		add_old_reads(found->trace, &text);
		add_old_tries(found->trace, &text);
	}
	add_stronger(target, found, arena, &text);
	if (text.len)
		result = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}
