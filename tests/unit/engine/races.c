/* Races in runs that begin as the run before (trace.repeats): what is found in the rest of such a
 * run must be what a new detector finds there which takes all memory for memory that may have races. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "detect/detect.h"
#include "detect/marks.h"
#include "detect/slots.h"

enum { ACTORS = 4, STEPS_MAX = 24, PLAINS_MAX = 64, RUNS = 40 };

static const struct actor actors[ACTORS] = {{.kind = ACTOR_REAL, .parent = ACTOR_NONE, .nth = 1},
					    {.kind = ACTOR_REAL, .parent = 0, .nth = 1},
					    {.kind = ACTOR_REAL, .parent = 0, .nth = 2},
					    {.kind = ACTOR_REAL, .parent = 0, .nth = 3}};

struct run {
	struct event events[STEPS_MAX];
	struct plain plains[PLAINS_MAX];
	uint32_t events_len, plains_len;
	const struct habits *habits;
};

/* How often in a thousand times: a step may be on memory, plain accesses come before a step, a plain
 * access is a write. Memory that is only read, or accessed by few, has no races. */
static const struct habits {
	uint32_t memory, plains, writes;
} habits[] = {{1000, 667, 500}, {3, 667, 3}, {300, 30, 0}};

/* A few variables of eight bytes, some of them read and written by atomic steps as well, also by halves. */
static uint64_t random_address(struct rng *rng)
{
	return 0x1000 + rng_below(rng, 6) * 8;
}

static struct event random_event(const struct run *run, struct rng *rng)
{
	enum { WITHOUT_MEMORY = 5 };
	static const struct {
		uint16_t kind;
		uint8_t mode;
		bool is_memory;
	} steps[] = {
		{EVENT_LOCK, ACCESS_ACQUIRE, false}, {EVENT_UNLOCK, ACCESS_RELEASE, false},
		{EVENT_SEM_POST, ACCESS_GIVE, false}, {EVENT_SEM_WAIT, ACCESS_TAKE, false},
		{EVENT_FENCE, ACCESS_READ, false},    {EVENT_LOAD, ACCESS_READ, true},
		{EVENT_STORE, ACCESS_WRITE, true},    {EVENT_RMW, ACCESS_WRITE, true},
		{EVENT_PLAIN_WRITE, ACCESS_WRITE, true},
	};
	bool has_memory = rng_below(rng, 1000) < run->habits->memory;
	size_t which = rng_below(rng, has_memory ? sizeof(steps) / sizeof(*steps) : WITHOUT_MEMORY);
	struct event event = {.actor = (uint32_t)rng_below(rng, ACTORS), .kind = steps[which].kind,
			      .access_len = 1, .peer = ACTOR_NONE, .site = rng_below(rng, 1000)};
	uint32_t bytes = rng_below(rng, 2) ? 8 : 4;
	uint64_t address = random_address(rng) + (bytes == 4 && steps[which].is_memory ? rng_below(rng, 2) * 4 : 0);

	event.memory_order = (uint8_t)(MEMORY_ORDER_RELAXED + rng_below(rng, 5));
	event.accesses[0].mode = steps[which].mode;
	event.accesses[0].object =
		OBJECT(steps[which].is_memory ? OBJECT_MEMORY : OBJECT_LOCK, address);
	if (steps[which].is_memory)
		access_set_bytes(&event.accesses[0], bytes);
	return event;
}

static uint16_t random_act(const struct run *run, struct rng *rng)
{
	if (rng_below(rng, 1000) >= run->habits->writes)
		return ACT_READ;
	return rng_below(rng, 5) ? ACT_WRITE : ACT_FREE;
}

static void add_plains(struct run *run, struct rng *rng)
{
	uint64_t len = rng_below(rng, 1000) < run->habits->plains ? 1 + rng_below(rng, 2) : 0;

	for (; len && run->plains_len < PLAINS_MAX; len--)
		run->plains[run->plains_len++] = (struct plain){
			.actor = (uint32_t)rng_below(rng, ACTORS),
			.step = run->events_len,
			.address = random_address(rng) + rng_below(rng, 2) * 4,
			.site = rng_below(rng, 1000),
			.size = 4,
			.is_write = random_act(run, rng),
		};
}

/* Keeps the first `kept` steps and makes the others anew. */
static void make_run(struct run *run, uint32_t kept, struct rng *rng)
{
	uint32_t len = kept + (uint32_t)rng_below(rng, STEPS_MAX - kept + 1);

	run->events_len = kept;
	while (run->plains_len && run->plains[run->plains_len - 1].step >= kept)
		run->plains_len--;
	while (run->events_len < len) {
		add_plains(run, rng);
		run->events[run->events_len++] = random_event(run, rng);
	}
	add_plains(run, rng);
}

/* Is the later of the two accesses in the rest of the run? */
static bool is_behind(const struct run *run, const struct finding *finding, uint32_t kept)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		uint32_t key = finding->sites[i].step;
		uint32_t step = key >> 31 ? run->plains[key & 0x7fffffff].step : key;

		if (step >= last)
			last = step;
	}
	return last >= kept;
}

/* The next finding in the rest of the run, from number `at` on; NULL: none. */
static const struct finding *next_behind(const struct run *run, const struct finding_vec *findings,
					 size_t *at, uint32_t kept)
{
	while (*at < findings->len)
		if (is_behind(run, &findings->items[(*at)++], kept))
			return &findings->items[*at - 1];
	return NULL;
}

/* A detector that has seen a run in which all memory was written. */
static struct detectors *new_without_filter(void)
{
	const struct plain all = {.address = 0x1000, .size = 1 << 12, .is_write = ACT_WRITE};
	struct trace trace = {.actors = actors, .actors_len = ACTORS, .plains = &all,
			      .plains_len = 1};
	struct detectors *detectors = detectors_new();
	struct finding_vec none = {0};

	detectors_look(detectors, &trace, &none);
	assert_int_equal(none.len, 0);
	vec_release(&none);
	return detectors;
}

static void compare(struct detectors *used, const struct run *run, uint32_t kept)
{
	struct trace trace = {.actors = actors, .actors_len = ACTORS, .events = run->events,
			      .events_len = run->events_len, .plains = run->plains,
			      .plains_len = run->plains_len};
	struct detectors *fresh = new_without_filter();
	struct finding_vec all = {0}, rest = {0};
	const struct finding *a, *b;
	size_t i = 0, j = 0;

	detectors_look(fresh, &trace, &all);
	trace.repeats = kept;
	detectors_look(used, &trace, &rest);
	do {
		a = next_behind(run, &all, &i, kept);
		b = next_behind(run, &rest, &j, kept);
		assert_int_equal(a != NULL, b != NULL);
		if (a)
			assert_string_equal(a->message, b->message);
		if (a)
			assert_int_equal(a->fingerprint, b->fingerprint);
	} while (a);
	vec_release(&all);
	vec_release(&rest);
	detectors_free(fresh);
}

static void test_repeated_runs(void **state)
{
	const char *programs = getenv("FERMATA_TEST_PROGRAMS");
	uint64_t count = programs ? strtoull(programs, NULL, 10) : 1500;
	struct rng rng = rng_seeded(7);

	(void)state;
	for (uint64_t program = 0; program < count; program++) {
		struct detectors *detectors = detectors_new();
		struct run run = {.habits = &habits[program % (sizeof(habits) / sizeof(*habits))]};
		uint32_t kept = 0;

		for (int i = 0; i < RUNS; i++) {
			make_run(&run, kept, &rng);
			compare(detectors, &run, kept);
			kept = (uint32_t)rng_below(&rng, run.events_len + 1);
		}
		detectors_free(detectors);
	}
}

/* A setting that two actors read, and beside it, in the same eight bytes, a variable of four. */
static void test_neighbours(void **state)
{
	static struct slots slots;

	(void)state;
	slots_clear(&slots);
	assert_true(slots_add(&slots, 0x1000, 4, 1, false));
	assert_true(slots_add(&slots, 0x1000, 4, 2, false));
	assert_true(slots_shared(&slots, 0x1000, 4, 1));
	assert_true(slots_shared(&slots, 0x1000, 8, 3));
	assert_true(slots_shared(&slots, 0x1003, 2, 3));
	assert_false(slots_shared(&slots, 0x1004, 4, 1));
	assert_true(slots_use(&slots, 0x1000 / 8));
	assert_false(slots.may_race);
	slots_add(&slots, 0x1002, 1, 3, true);
	assert_true(slots.may_race);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_repeated_runs),
					   cmocka_unit_test(test_neighbours)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
