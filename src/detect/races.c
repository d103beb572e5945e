/* races.c: data races by the rules of C11 and C++20.
 *
 * Two accesses to the same bytes by different threads, at least one a write, at least
 * one not atomic, not ordered by synchronisation (sync.h). For every 8 bytes the
 * accesses that could still race with a later one are kept (marks.h). Freeing a block is a write to
 * all of it.
 *
 * A lock, condition, semaphore … is memory that the C library uses, which has no hooks: a step on
 * it is marked like an atomic access to all of it. Plain accesses race with it, and so does
 * free(). Initialising one is a plain write. A woken waiter uses a condition or a barrier
 * until it has left the call, unless another thread destroys it: that waits for all of them.
 *
 * In many programs no memory is written plainly by one actor and accessed plainly by another, and most
 * atomic variables are never accessed plainly. A look at a run begins with a rough search for memory
 * that may have races, in this run or in an earlier one; other memory needs no marks.
 *
 * Marks on each 8 bytes are many where a program computes. So the same search is made with marks on whole pages
 * first. An access that races with another one races with it in their page, too, so a page without races
 * there has none. A page with one is looked at more closely from then on (`close`).
 *
 * A run mostly begins as the run before (trace.repeats). The marks and clocks behind that part are
 * taken back, and only the rest of the run is looked at.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "core/object.h"
#include "detect/detect.h"
#include "detect/marks.h"
#include "detect/slots.h"
#include "detect/sync.h"

/* Pages that are looked at closely are known by their hash, so some others are, too. */
enum { PAGE_BITS = 12, CLOSE_BITS = 4096 };

/* The marks of a page are those of a granule that no address has. */
#define PAGE_MARKS ((uint64_t)1 << 62)

/* After so many runs that had little in common with the run before, the next is taken to be like
 * them: nothing is kept in order to take it back. */
enum { RUNS_APART = 8 };

/* With more objects or granules than this the next look begins at the first step. */
enum { KNOWN_MAX = 1 << 16 };

struct races {
	struct detector base;
	struct sync sync;
	struct marks marks;
	struct mark_list racing; /* with the access that is looked at */
	VEC(size_t) steps; /* number of changes of marks before each step of the run looked at
	                      last; none: marks and clocks are not those of that run */
	uint32_t apart; /* how many runs in a row had little in common with the run before */
	struct slots slots; /* of all runs since the last restart */
	uint64_t close[CLOSE_BITS / 64];
	bool is_closer; /* this look at the run has found a page that must be looked at closely */
	struct {
		uint64_t key; /* 0: none */
		uint32_t actor;
		enum act act;
	} last_page; /* of the last mark on a page, as long as no step comes */
};

/* "has freed the memory", of what makes the use of an object wrong. */
static const char *const ends[] = {"", "has written over the object", "has freed the memory",
				   "has ended, in whose stack it is",
				   "has left the function whose local it is"};

/* A step on an object against what happens to its memory. */
static void report_object(const struct trace *trace, const struct mark *old,
			  const struct mark *new, struct finding *finding)
{
	static const char *const verbs[] = {"reads", "writes over the object", "frees", "ends",
					   "has left the function"};
	const struct mark *use = old->is_object ? old : new;
	const struct mark *end = old->is_object ? new : old;
	const struct event *e = &trace->events[use->key];
	char user[ACTOR_NAME_MAX], owner[ACTOR_NAME_MAX];

	*finding = (struct finding){.kind = FINDING_MEMORY, .object = e->accesses[0].object};
	actor_name(trace->actors, use->actor, user);
	actor_name(trace->actors, end->actor, owner);
	snprintf(finding->message, sizeof(finding->message),
		 "%s of %s may come when %s %s: nothing orders the two", event_kind_text(e->kind),
		 user, owner, ends[end->act]);
	finding_add_site(finding, use->site, use->actor, use->key, FINDING_USES_OBJECT);
	finding_add_site(finding, end->site, end->actor, end->key, "%s", verbs[end->act]);
	finding_set_fingerprint(finding);
}

static const char *how(const struct mark *mark)
{
	return mark->is_object ? " (in the C library)" : mark->is_atomic ? " (atomic)" : "";
}

static void report(struct races *r, const struct trace *trace, const struct mark *old,
		   const struct mark *new, uint64_t granule, struct finding_vec *findings)
{
	static const char *const verbs[] = {"reads", "writes", "frees",
					   "gives up, at its end,",
					   "gives up, leaving a function,"};
	struct finding *finding = vec_push(findings);
	char first[ACTOR_NAME_MAX], second[ACTOR_NAME_MAX];

	if ((old->is_object && new->act != ACT_READ) || (new->is_object && old->act != ACT_READ)) {
		report_object(trace, old, new, finding);
		return;
	}
	*finding = (struct finding){.kind = FINDING_RACE};
	finding->object = OBJECT(OBJECT_MEMORY,
				 granule * 8 + (uint64_t)__builtin_ctz(old->bytes & new->bytes));
	actor_name(trace->actors, old->actor, first);
	actor_name(trace->actors, new->actor, second);
	snprintf(finding->message, sizeof(finding->message),
		 "data race: %s %s and %s %s the same memory, and nothing orders the two", first,
		 verbs[old->act], second, verbs[new->act]);
	finding_add_site(finding, old->site, old->actor, old->key, "%s%s", verbs[old->act],
			 how(old));
	finding_add_site(finding, new->site, new->actor, new->key, "%s%s", verbs[new->act],
			 how(new));
	finding_set_fingerprint(finding);
}

/* ---- shared memory ---- */

static bool is_plain(const struct event *e)
{
	return e->kind == EVENT_PLAIN_READ || e->kind == EVENT_PLAIN_WRITE;
}

static bool is_memory(const struct access *access)
{
	return OBJECT_CLASS(access->object) == OBJECT_MEMORY && access_bytes(access);
}

/* The address of a lock, a condition, … */
static uint64_t object_address(uint64_t object)
{
	return OBJECT_NAME_OF(object_of_all_rounds(object)) & ~3ul;
}

/* The size of the object of the C library that an access is to; 0 for objects without memory. A
 * spin lock and a pthread_once_t have four bytes, as have locks whose size is not known. */
static uint32_t object_bytes(const struct access *access)
{
	uint32_t bytes = access_lock_bytes(access);

	switch (OBJECT_CLASS(access->object)) {
	case OBJECT_LOCK:
		return bytes ? bytes : 4;
	case OBJECT_ONCE:
		return 4;
	case OBJECT_SEM:
		return sizeof(sem_t);
	case OBJECT_COND:
		return sizeof(pthread_cond_t);
	case OBJECT_BARRIER:
		return sizeof(pthread_barrier_t);
	default:
		return 0;
	}
}

/* The first plain access behind event number step - 1. */
static uint32_t first_plain(const struct trace *trace, uint32_t step)
{
	uint32_t low = 0, high = trace->plains_len;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace->plains[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Notes the plain accesses from that step on. Was some memory not accessed plainly by the same actor
 * before? Then steps that touched it may have no marks, and may be shared by now. */
static bool add_plains(struct races *r, const struct trace *trace, uint32_t from)
{
	bool is_news = false;

	if (slots_are_full(&r->slots))
		return false;
	for (uint32_t i = first_plain(trace, from); i < trace->plains_len; i++) {
		const struct plain *plain = &trace->plains[i];

		if (plain->is_write == ACT_MAP || plain->is_again)
			continue;
		is_news |= slots_add(&r->slots, plain->address, plain->size, plain->actor,
				     plain->is_write != ACT_READ);
	}
	for (uint32_t i = from; i < trace->events_len; i++) {
		const struct event *e = &trace->events[i];

		for (uint32_t a = 0; is_plain(e) && a < e->access_len; a++)
			is_news |= is_memory(&e->accesses[a]) &&
				   slots_add(&r->slots, OBJECT_NAME_OF(e->accesses[a].object),
					     access_bytes(&e->accesses[a]), e->actor,
					     e->kind == EVENT_PLAIN_WRITE);
	}
	return is_news;
}

/* Does a step touch memory that another actor accesses plainly? */
static bool has_shared_step(struct races *r, const struct trace *trace, uint32_t from)
{
	for (uint32_t i = from; i < trace->events_len; i++) {
		const struct event *e = &trace->events[i];

		for (uint32_t a = 0; a < e->access_len; a++) {
			const struct access *access = &e->accesses[a];

			if (is_memory(access) ? slots_shared(&r->slots, OBJECT_NAME_OF(access->object),
							  access_bytes(access), e->actor)
					      : slots_shared(&r->slots, object_address(access->object),
							  object_bytes(access), e->actor))
				return true;
		}
	}
	return false;
}

/* May two accesses of the run race? Most often they may not. */
static bool may_race(struct races *r, const struct trace *trace)
{
	bool is_news = add_plains(r, trace, trace->repeats);

	if (is_news)
		r->steps.len = 0;
	if (!r->slots.may_race)
		r->slots.may_race = has_shared_step(r, trace, is_news ? 0 : trace->repeats);
	return r->slots.may_race;
}

/* ---- races ---- */

/* The part of the access that is in the granule. */
static void touch_granule(struct races *r, const struct trace *trace, uint64_t granule,
			  uint64_t address, uint64_t end, struct mark *mark,
			  struct finding_vec *findings)
{
	unsigned low = granule * 8 < address ? (unsigned)(address - granule * 8) : 0;
	unsigned high = granule * 8 + 8 > end ? (unsigned)(end - granule * 8) : 8;

	mark->bytes = (uint8_t)((0xffu << low) & (0xffu >> (8 - high)));
	marks_put(&r->marks, &r->sync, granule, mark, &r->racing);
	for (size_t i = 0; i < r->racing.len; i++)
		report(r, trace, &r->marks.items.items[r->racing.items[i]], mark, granule, findings);
}

static uint64_t *close_word(struct races *r, uint64_t page, uint64_t *bit)
{
	uint64_t hash = (page * 0x9e3779b97f4a7c15u >> 32) % CLOSE_BITS;

	*bit = (uint64_t)1 << hash % 64;
	return &r->close[hash / 64];
}

static bool is_close(struct races *r, uint64_t page)
{
	uint64_t bit;

	return *close_word(r, page, &bit) & bit;
}

/* The part of the access that is in a page without races so far. */
static void touch_page(struct races *r, uint64_t page, struct mark *mark)
{
	uint64_t bit, key = page | PAGE_MARKS;

	if (r->last_page.key == key && r->last_page.actor == mark->actor && r->last_page.act == mark->act)
		return;
	mark->bytes = 0xff;
	marks_put(&r->marks, &r->sync, key, mark, &r->racing);
	r->last_page.key = mark->is_atomic ? 0 : key;
	r->last_page.actor = mark->actor;
	r->last_page.act = mark->act;
	if (r->racing.len) {
		*close_word(r, page, &bit) |= bit;
		r->is_closer = true;
	}
}

/* The part of the access from `address` to `end`, which is in one page. */
static void touch_part(struct races *r, const struct trace *trace, uint64_t address, uint64_t end,
		       struct mark *mark, struct finding_vec *findings)
{
	uint64_t page = address >> PAGE_BITS;
	bool looks_closely = is_close(r, page);

	for (uint64_t granule = address / 8; granule * 8 < end; granule++) {
		if (!slots_use(&r->slots, granule))
			continue;
		if (!looks_closely) {
			touch_page(r, page, mark);
			return;
		}
		touch_granule(r, trace, granule, address, end, mark, findings);
	}
}

static void touch(struct races *r, const struct trace *trace, uint64_t address, uint32_t size,
		  struct mark *mark, struct finding_vec *findings)
{
	uint64_t end = address + size, stop;

	mark->time = sync_time(&r->sync, mark->actor);
	for (; address < end; address = stop) {
		stop = ((address >> PAGE_BITS) + 1) << PAGE_BITS;
		touch_part(r, trace, address, stop < end ? stop : end, mark, findings);
	}
}

/* New memory (marks_forget). Of a page that it has a part of, the rest stays. */
static void touch_new(struct races *r, uint64_t address, uint64_t end)
{
	uint64_t low = (address + (1 << PAGE_BITS) - 1) >> PAGE_BITS, high = end >> PAGE_BITS;

	marks_forget(&r->marks, address / 8, (end + 7) / 8);
	if (low < high)
		marks_forget(&r->marks, low | PAGE_MARKS, high | PAGE_MARKS);
	r->last_page.key = 0;
}

/* Has another thread destroyed the object since the thread of that step began to wait on it? Then
 * destroying it has waited for the thread. */
static bool is_destroyed_since(const struct trace *trace, uint32_t step, uint64_t object)
{
	const struct event *leaves = &trace->events[step];

	while (step-- > 0) {
		const struct event *e = &trace->events[step];

		if (e->actor == leaves->actor &&
		    (e->kind == EVENT_COND_WAIT || e->kind == EVENT_BARRIER_ARRIVE))
			return false;
		if (e->kind == EVENT_DESTROY &&
		    object_address(e->accesses[0].object) == object_address(object))
			return true;
	}
	return false;
}

/* Does the step use the object so that its memory must be there? */
static bool uses_object(const struct trace *trace, uint32_t step, uint64_t object)
{
	enum event_kind kind = trace->events[step].kind;

	return (kind != EVENT_COND_WAKE && kind != EVENT_BARRIER_LEAVE) ||
	       OBJECT_CLASS(object) == OBJECT_LOCK || !is_destroyed_since(trace, step, object);
}

/* Does the C library only look at the object there? */
static bool only_reads(const struct access *access)
{
	return access->mode == ACCESS_PEEK || access->mode == ACCESS_TRY ||
	       (access->mode == ACCESS_SHARE && OBJECT_CLASS(access->object) == OBJECT_ONCE);
}

static void touch_object(struct races *r, const struct trace *trace, uint32_t step,
			 const struct access *access, struct finding_vec *findings)
{
	const struct event *e = &trace->events[step];
	struct mark mark = {.actor = e->actor,
			    .site = e->site,
			    .key = step,
			    .is_atomic = 1,
			    .is_object = 1,
			    .act = only_reads(access) ? ACT_READ : ACT_WRITE};
	uint64_t address = object_address(access->object);
	uint32_t bytes = object_bytes(access);

	if (slots_shared(&r->slots, address, bytes, e->actor) && uses_object(trace, step, access->object))
		touch(r, trace, address, bytes, &mark, findings);
}

/* Visible memory steps race with plain ones, and with each other if they are plain
 * accesses that were made visible. */
static void touch_event(struct races *r, const struct trace *trace, uint32_t step,
			struct finding_vec *findings)
{
	const struct event *e = &trace->events[step];

	for (uint32_t a = 0; a < e->access_len; a++) {
		const struct access *access = &e->accesses[a];
		bool reads = access->mode == ACCESS_READ || access->mode == ACCESS_AWAIT;
		struct mark mark = {.actor = e->actor, .site = e->site, .key = step,
				    .is_atomic = !is_plain(e),
				    .act = reads ? ACT_READ : ACT_WRITE};

		if (is_memory(access))
			touch(r, trace, OBJECT_NAME_OF(access->object), access_bytes(access),
			      &mark, findings);
		else if (object_bytes(access))
			touch_object(r, trace, step, access, findings);
	}
}

/* ---- the part that runs have in common ---- */

/* Marks and clocks as before that step of the last run. */
static void take_back(struct races *r, uint32_t step)
{
	marks_back(&r->marks, r->steps.items[step]);
	sync_back(&r->sync, step);
	r->steps.len = step;
}

static void start(struct races *r, const struct trace *trace)
{
	r->sync.is_final = r->marks.is_final = r->apart >= RUNS_APART;
	sync_start(&r->sync, trace->actors_len);
	marks_start(&r->marks);
	r->steps.len = 0;
}

/* The step at which the look at the run begins. */
static uint32_t start_or_go_on(struct races *r, const struct trace *trace)
{
	r->apart = trace->repeats < trace->events_len / 8 ? r->apart + 1 : 0;
	if (trace->repeats >= r->steps.len || r->apart >= RUNS_APART ||
	    r->sync.width != trace->actors_len || r->marks.granules.len > KNOWN_MAX ||
	    r->sync.object_index.len > KNOWN_MAX) {
		start(r, trace);
		return 0;
	}
	take_back(r, trace->repeats);
	return trace->repeats;
}

static void touch_plain(struct races *r, const struct trace *trace, uint32_t i, struct finding_vec *findings)
{
	const struct plain *plain = &trace->plains[i];
	struct mark mark = {.actor = plain->actor,
			    .site = plain->site,
			    .key = i | 1u << 31,
			    .act = (uint8_t)plain->is_write};

	if (plain->is_again)
		return;
	if (plain->is_write == ACT_MAP)
		touch_new(r, plain->address, plain->address + plain->size);
	else
		touch(r, trace, plain->address, plain->size, &mark, findings);
}

/* Looks at the run from that step on. */
static void look_from(struct races *r, const struct trace *trace, uint32_t from, struct finding_vec *findings)
{
	uint32_t p = first_plain(trace, from);

	r->is_closer = false;
	for (uint32_t i = from; i <= trace->events_len; i++) {
		*vec_push(&r->steps) = r->marks.changes.len;
		r->last_page.key = 0;
		for (; p < trace->plains_len && trace->plains[p].step == i; p++)
			touch_plain(r, trace, p, findings);
		if (i < trace->events_len) {
			touch_event(r, trace, i, findings);
			sync_take(&r->sync, &trace->events[i]);
		}
	}
}

static void races_look(struct detector *self, const struct trace *trace,
		       struct finding_vec *findings)
{
	struct races *r = (struct races *)self;
	size_t before = findings->len;

	if (!may_race(r, trace))
		return;
	look_from(r, trace, start_or_go_on(r, trace), findings);
	if (r->is_closer) {
		findings->len = before;
		start(r, trace);
		look_from(r, trace, 0, findings);
	}
	if (r->sync.is_final)
		r->steps.len = 0;
}

static void races_restart(struct detector *self)
{
	struct races *r = (struct races *)self;

	r->steps.len = 0;
	r->apart = RUNS_APART; /* until a run has much in common with the run before */
	slots_clear(&r->slots);
	memset(r->close, 0, sizeof(r->close));
}

static void races_free(struct detector *self)
{
	struct races *r = (struct races *)self;

	sync_release(&r->sync);
	marks_release(&r->marks);
	vec_release(&r->racing);
	vec_release(&r->steps);
	mem_free(r);
}

static const struct detector_ops races_ops = {
	.look = races_look, .restart = races_restart, .free = races_free};

struct detector *detect_races(void)
{
	struct races *r = mem_zalloc(sizeof(*r));

	r->base.ops = &races_ops;
	races_restart(&r->base);
	return &r->base;
}
