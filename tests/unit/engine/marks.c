/* Marks of many actors beside a list of all accesses: an access races with a mark if and only if it
 * races with some earlier access, however many marks were taken out; also after a part of the
 * accesses was taken back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "core/object.h"
#include "detect/marks.h"

enum { ACTORS = 80, STEPS = 1500, GRANULES = 3, LOCKS = 3, PROGRAMS = 24 };

/* An access, or a step on a lock. */
struct step {
	bool is_access;
	uint64_t granule;
	struct mark mark;
	struct event event;
	size_t changes; /* before it */
	size_t events;
};

struct world {
	struct sync sync;
	struct marks marks;
	struct mark_list racing;
	struct step steps[STEPS];
	uint32_t len;
	size_t events;
	uint64_t raced, orderly;
	size_t longest;
	uint32_t atomics; /* of eight accesses */
};

static struct event lock_event(uint32_t actor, uint64_t lock, bool is_unlock)
{
	struct event event = {.actor = actor, .peer = ACTOR_NONE, .access_len = 1,
			      .kind = is_unlock ? EVENT_UNLOCK : EVENT_LOCK};

	event.accesses[0].mode = is_unlock ? ACCESS_RELEASE : ACCESS_ACQUIRE;
	event.accesses[0].object = OBJECT(OBJECT_LOCK, 0x9000 + lock * 64);
	return event;
}

static bool is_race(const struct world *w, const struct step *old, const struct mark *new)
{
	const struct mark *mark = &old->mark;

	return mark->bytes & new->bytes && mark->actor != new->actor &&
	       (mark->act != ACT_READ || new->act != ACT_READ) &&
	       !(mark->is_atomic && new->is_atomic) &&
	       !sync_knows(&w->sync, new->actor, mark->actor, mark->time);
}

static bool races_with_any(const struct world *w, const struct step *new)
{
	for (uint32_t i = 0; i < w->len; i++)
		if (w->steps[i].is_access && w->steps[i].granule == new->granule &&
		    is_race(w, &w->steps[i], &new->mark))
			return true;
	return false;
}

static struct step *next_step(struct world *w)
{
	struct step *step = &w->steps[w->len];

	*step = (struct step){.changes = w->marks.changes.len, .events = w->events};
	return step;
}

static void take_event(struct world *w, struct event event)
{
	struct step *step = next_step(w);

	step->event = event;
	sync_take(&w->sync, &step->event);
	w->events++;
	w->len++;
}

static void access_memory(struct world *w, uint32_t actor, uint64_t granule, struct mark mark)
{
	struct step *step = next_step(w);
	bool expected;

	step->is_access = true;
	step->granule = granule;
	step->mark = mark;
	step->mark.actor = actor;
	step->mark.time = sync_time(&w->sync, actor);
	expected = races_with_any(w, step);
	marks_put(&w->marks, &w->sync, granule, &step->mark, &w->racing);
	assert_int_equal(w->racing.len > 0, expected);
	w->raced += expected;
	w->orderly += !expected;
	w->len++;
}

/* Mostly under the lock of the granule, so that the accesses are ordered. Each granule has bytes
 * that are only read. */
static void random_turn(struct world *w, struct rng *rng)
{
	uint32_t actor = (uint32_t)rng_below(rng, ACTORS);
	uint64_t granule = rng_below(rng, GRANULES);
	bool is_locked = rng_below(rng, 60) > 0;
	struct mark mark = {.bytes = rng_below(rng, 2) ? 0x0f : 0x03,
			    .act = (uint8_t)rng_below(rng, 2),
			    .is_atomic = rng_below(rng, 8) < w->atomics};

	if (rng_below(rng, 3) == 0)
		access_memory(w, actor, granule, (struct mark){.bytes = 0xf0, .act = ACT_READ});
	if (is_locked)
		take_event(w, lock_event(actor, granule, false));
	access_memory(w, actor, granule, mark);
	if (is_locked)
		take_event(w, lock_event(actor, granule, true));
}

static void take_back(struct world *w, uint32_t len)
{
	if (len >= w->len)
		return;
	marks_back(&w->marks, w->steps[len].changes);
	sync_back(&w->sync, w->steps[len].events);
	w->events = w->steps[len].events;
	w->len = len;
}

static size_t longest_list(const struct marks *marks)
{
	size_t longest = 0;

	for (size_t g = 0; g < marks->granules.len; g++) {
		size_t len = 0;

		for (uint32_t at = marks->granules.items[g].heads[LIST_OTHERS]; at != MARK_END;
		     at = marks->items.items[at].next)
			len++;
		longest = len > longest ? len : longest;
	}
	return longest;
}

static void run_program(struct world *w, struct rng *rng, bool is_final)
{
	w->sync.is_final = w->marks.is_final = is_final;
	sync_start(&w->sync, ACTORS);
	marks_start(&w->marks);
	w->len = 0;
	w->events = 0;
	w->atomics = (uint32_t)rng_below(rng, 8);
	while (w->len + 4 < STEPS) {
		random_turn(w, rng);
		if (!is_final && rng_below(rng, 100) == 0)
			take_back(w, (uint32_t)rng_below(rng, w->len + 1));
		if (w->atomics < 3)
			w->longest = w->longest > longest_list(&w->marks)
					     ? w->longest : longest_list(&w->marks);
	}
}

static void test_same_as_all_accesses(void **state)
{
	static struct world w;
	struct rng rng = rng_seeded(11);

	(void)state;
	for (int program = 0; program < PROGRAMS; program++)
		run_program(&w, &rng, program % 2);
	assert_true(w.raced > 100 && w.orderly > 10000);
	assert_true(w.longest < ACTORS); /* marks are taken out */
	sync_release(&w.sync);
	marks_release(&w.marks);
	vec_release(&w.racing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_all_accesses)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
