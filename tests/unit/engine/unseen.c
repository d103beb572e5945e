/* Which writes of a run does nobody see? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/object.h"
#include "core/unseen.h"

enum { X = 1, Y, TABLE };

static struct event step(uint32_t kind, uint64_t object, enum access_mode mode)
{
	struct event event = {.kind = (uint16_t)kind, .access_len = 1, .peer = ACTOR_NONE};

	event.accesses[0] = (struct access){.object = object, .mode = (uint16_t)mode};
	return event;
}

static struct event and(struct event event, uint64_t object, enum access_mode mode)
{
	event.accesses[event.access_len++] =
		(struct access){.object = object, .mode = (uint16_t)mode};
	return event;
}

static void check(const struct event *events, uint32_t len, const uint8_t *masks)
{
	struct trace trace = {.events = events, .events_len = len};
	struct unseen unseen = {0};

	unseen_find(&unseen, &trace);
	assert_memory_equal(unseen.masks.items, masks, len);
	unseen_release(&unseen);
}

static void only_the_last_before_a_read_is_seen(void **state)
{
	const struct event events[] = {
		step(EVENT_STORE, X, ACCESS_WRITE), step(EVENT_STORE, X, ACCESS_WRITE),
		step(EVENT_LOAD, X, ACCESS_READ),   step(EVENT_STORE, X, ACCESS_WRITE),
	};

	check(events, 4, (const uint8_t[]){1, 0, 0, 1});
}

static void an_update_sees(void **state)
{
	const struct event events[] = {
		step(EVENT_STORE, X, ACCESS_WRITE), step(EVENT_RMW, X, ACCESS_WRITE),
		step(EVENT_STORE, Y, ACCESS_WRITE), step(EVENT_STORE, X, ACCESS_WRITE),
	};

	check(events, 4, (const uint8_t[]){0, 0, 1, 1});
}

/* A key is overwritten before the table is read, or the table is read in between. */
static void a_part_is_read_with_the_whole(void **state)
{
	struct event insert = and(step(EVENT_ETS_WRITE, X, ACCESS_STORE), TABLE, ACCESS_ADD);
	const struct event before[] = {insert, insert, step(EVENT_ETS_READ, TABLE, ACCESS_READ)};
	const struct event between[] = {insert, step(EVENT_ETS_READ, TABLE, ACCESS_READ), insert};

	check(before, 3, (const uint8_t[]){1, 0, 0});
	check(between, 3, (const uint8_t[]){0, 0, 1});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_last_before_a_read_is_seen),
		cmocka_unit_test(an_update_sees),
		cmocka_unit_test(a_part_is_read_with_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
