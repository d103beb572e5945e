/* The laws of core/dependence.h, each on the smallest pair of events that shows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/dependence.h"

enum { A, B, P }; /* actors */

static const uint64_t mutex = OBJECT(OBJECT_LOCK, 1), box = OBJECT(OBJECT_MAILBOX, 1),
		      key = OBJECT(OBJECT_KEY, 1), cond = OBJECT(OBJECT_COND, 1);

static struct event step(uint32_t actor, uint32_t kind, uint64_t object, uint32_t mode)
{
	struct event event = {.actor = actor, .kind = (uint16_t)kind, .access_len = 1,
			      .accesses = {{.object = object, .mode = (uint16_t)mode}}};

	event_clear_peer(&event);
	event_fix_announced(&event);
	return event;
}

static struct event quiet_step(uint32_t actor)
{
	struct event event = {.actor = actor, .kind = EVENT_FENCE};

	event_clear_peer(&event);
	return event;
}

/* A message whose group of receives is known, and whether no receive took it. */
static struct event send(uint32_t actor, uint32_t group, bool is_left)
{
	struct event event = step(actor, EVENT_SEND, box, ACCESS_SEND);

	access_set_mail_tag(&event.accesses[0], mail_tag(group, is_left));
	return event;
}

static enum dependence depend(struct event e, struct event f)
{
	return dependence_of(&e, &(struct dependence_view){.event = &f, .has_run = true});
}

static bool dependent(struct event a, struct event b)
{
	return event_dependent(&a, &b);
}

static bool forestalls(struct event a, struct event b)
{
	return event_forestalls(&a, &b);
}

static void stores_of_one_value_commute(void **state)
{
	struct event one = step(A, EVENT_ETS_WRITE, key, ACCESS_STORE);
	struct event same = step(B, EVENT_ETS_WRITE, key, ACCESS_STORE), other = same;

	access_set_value(&one.accesses[0], 7);
	access_set_value(&same.accesses[0], 7);
	access_set_value(&other.accesses[0], 8);
	assert_false(dependent(one, same));
	assert_true(dependent(one, other));
	(void)state;
}

static void one_leads_to_the_other(void **state)
{
	struct event create = quiet_step(A), join = quiet_step(A), last = quiet_step(B);
	struct event take = quiet_step(B), sent = quiet_step(A);

	create.kind = EVENT_CREATE;
	event_set_created(&create, B);
	join.kind = EVENT_JOIN;
	event_set_joined(&join, B);
	take.kind = EVENT_RECEIVE;
	event_set_feeder(&take, A, 0);
	assert_true(dependent(create, last));
	assert_false(dependent(quiet_step(A), last));
	assert_true(dependent(last, join));
	assert_true(dependent(sent, take));
	sent.ordinal = 1;
	assert_false(dependent(sent, take));
	(void)state;
}

static void exit_signal_depends_on_its_receiver(void **state)
{
	struct event kill = step(A, EVENT_EXIT_SIGNAL, box, ACCESS_STOP), timer = quiet_step(B);
	struct event end = quiet_step(P);

	event_set_exit_receiver(&kill, P);
	event_set_owner(&timer, P);
	assert_true(dependent(kill, quiet_step(P)));
	assert_true(dependent(kill, timer));
	assert_false(dependent(kill, quiet_step(B)));
	assert_true(forestalls(kill, quiet_step(P)));
	assert_int_equal(depend(kill, quiet_step(P)), DEPENDENCE_RACES);
	kill.flags = EVENT_FAILED; /* it came too late */
	end.kind = EVENT_FINISH;
	assert_int_equal(depend(kill, quiet_step(P)), DEPENDENCE_NONE);
	assert_int_equal(depend(quiet_step(P), kill), DEPENDENCE_NONE);
	assert_int_equal(depend(end, kill), DEPENDENCE_RACES);
	kill.flags |= EVENT_OVERTAKEN; /* because another signal came before it */
	assert_int_equal(depend(end, kill), DEPENDENCE_NONE);
	(void)state;
}

/* The search for races with an event ends at an access that dominates, so no flag or kind of the
 * events may make such a pair independent. */
static void dominating_access_depends_on_all(void **state)
{
	static const uint8_t flags[] = {0, EVENT_FAILED, EVENT_FAILED | EVENT_OVERTAKEN};
	static const uint16_t kinds[] = {EVENT_EXIT_SIGNAL, EVENT_SEND, EVENT_ETS_WRITE};

	for (uint32_t mode = 0; mode < ACCESS_MODES * ACCESS_MODES; mode++)
		for (uint32_t i = 0; i < 3 * 3 * 3; i++) {
			struct event e = step(A, kinds[i % 3], key, mode % ACCESS_MODES);
			struct event f = step(B, kinds[i % 3], key, mode / ACCESS_MODES);

			if (mode % ACCESS_MODES == ACCESS_WORLD ||
			    mode / ACCESS_MODES == ACCESS_WORLD ||
			    access_family(mode % ACCESS_MODES) !=
				    access_family(mode / ACCESS_MODES) ||
			    !access_mode_dominates(mode % ACCESS_MODES))
				continue;
			event_set_exit_receiver(&e, P);
			event_set_exit_receiver(&f, P);
			e.flags = flags[i / 3 % 3];
			f.flags = flags[i / 9];
			assert_int_not_equal(depend(e, f), DEPENDENCE_NONE);
			assert_int_not_equal(depend(f, e), DEPENDENCE_NONE);
			assert_true(dependence_is_plain(&e, &f));
		}
	(void)state;
}

static void timers_keep_the_order_of_deadlines(void **state)
{
	struct event first = quiet_step(A), second = quiet_step(B);

	assert_false(dependence_is_plain(&first, &second));
	first.deadline = 6;
	second.deadline = 11;
	assert_true(event_is_due_before(&first, &second));
	assert_false(event_is_due_before(&second, &first));
	assert_true(dependence_is_plain(&first, &second));
	assert_true(dependence_is_plain(&second, &first));
	second.deadline = 6; /* either may be first */
	assert_false(dependence_is_plain(&first, &second));
	first.deadline = second.deadline = DEADLINE_UNTOLD;
	assert_false(dependence_is_plain(&first, &second));
	(void)state;
}

static void message_forestalls_timeout(void **state)
{
	struct event timer = step(P, EVENT_TIMER, box, ACCESS_POLL);
	struct event elsewhere = step(A, EVENT_SEND, OBJECT(OBJECT_MAILBOX, 2), ACCESS_SEND);

	event_set_owner(&timer, B);
	assert_true(forestalls(send(A, 0, false), timer));
	assert_true(forestalls(quiet_step(B), timer));
	assert_false(forestalls(elsewhere, timer));
	(void)state;
}

static void end_of_run_depends_on_everything(void **state)
{
	struct event end = step(A, EVENT_EXIT, 0, ACCESS_WORLD), blocked = quiet_step(B);

	assert_true(dependent(end, quiet_step(B)));
	assert_true(dependent(quiet_step(B), end));
	assert_int_equal(depend(end, blocked), DEPENDENCE_RACES);
	blocked.flags = EVENT_BLOCKED;
	assert_int_equal(depend(end, blocked), DEPENDENCE_NONE);
	(void)state;
}

static void unlock_opens(void **state)
{
	struct event lock = step(A, EVENT_LOCK, mutex, ACCESS_ACQUIRE);
	struct event unlock = step(A, EVENT_UNLOCK, mutex, ACCESS_RELEASE);
	struct event later = step(B, EVENT_LOCK, mutex, ACCESS_ACQUIRE), try = later;

	assert_int_equal(depend(lock, later), DEPENDENCE_RACES);
	assert_int_equal(depend(unlock, later), DEPENDENCE_OPENS);
	try.flags = EVENT_TRY;
	assert_int_equal(depend(unlock, try), DEPENDENCE_RACES);
	unlock.flags = EVENT_WAS_OPEN;
	assert_int_equal(depend(unlock, later), DEPENDENCE_RACES);
	assert_true(event_locks_out(&lock, &later));
	assert_false(event_locks_out(&unlock, &later));
	(void)state;
}

static void unlock_does_not_depend_on_interrupted_lock(void **state)
{
	struct event unlock = step(A, EVENT_UNLOCK, mutex, ACCESS_RELEASE);
	struct event lock = step(B, EVENT_LOCK, mutex, ACCESS_ACQUIRE);

	assert_false(event_was_kept_waiting(&lock));
	lock.accesses[0].mode = ACCESS_READ; /* it met a signal */
	lock.flags = EVENT_FAILED;
	assert_true(event_was_kept_waiting(&lock));
	assert_false(dependent(unlock, lock));
	lock.flags |= EVENT_TRY; /* the mutex was free */
	assert_false(event_was_kept_waiting(&lock));
	(void)state;
}

static void signal_feeds_the_waiter_that_names_it(void **state)
{
	struct event signal = step(A, EVENT_COND_SIGNAL, cond, ACCESS_SIGNAL);
	struct event wake = step(B, EVENT_COND_WAKE, cond, ACCESS_LEAVE);

	assert_int_equal(depend(signal, wake), DEPENDENCE_RACES);
	event_set_feeder(&wake, A, 0);
	assert_int_equal(depend(signal, wake), DEPENDENCE_FEEDS);
	(void)state;
}

static void messages_matter_to_their_receive(void **state)
{
	struct event kill = step(B, EVENT_EXIT_SIGNAL, box, ACCESS_STOP);
	struct event look = step(B, EVENT_INSPECT, box, ACCESS_LOOK);

	assert_int_equal(depend(send(A, 1, false), send(B, 1, false)), DEPENDENCE_RACES);
	assert_int_equal(depend(send(A, 1, false), send(B, 2, false)), DEPENDENCE_NONE);
	assert_int_equal(depend(send(A, 1, true), send(B, 1, false)), DEPENDENCE_NONE);
	assert_int_equal(depend(send(A, 1, false), kill), DEPENDENCE_NONE);
	assert_int_equal(depend(send(A, 1, true), look), DEPENDENCE_RACES);
	(void)state;
}

static void poll_that_took_does_not_wait_for_others(void **state)
{
	struct event took = send(P, 1, false), other = send(B, 1, false);

	took.kind = EVENT_RECEIVE;
	took.accesses[0].mode = ACCESS_POLL;
	event_set_feeder(&took, A, 0);
	assert_int_equal(depend(took, other), DEPENDENCE_NONE);
	assert_int_equal(depend(other, took), DEPENDENCE_NONE);
	assert_int_equal(depend(send(A, 1, false), took), DEPENDENCE_RACES);
	took.flags = EVENT_FAILED; /* it took nothing: now it depends on every message */
	assert_int_equal(depend(took, other), DEPENDENCE_RACES);
	(void)state;
}

static bool is_weak_initial(struct event event, const struct event *const *sequence, size_t len,
			    enum observers observers)
{
	size_t at;

	return dependence_is_weak_initial(&event, sequence, len, observers, &at);
}

/* All three are in one group; the poll, which found nothing, is at the first place. */
static void poll_depends_on_what_it_would_take(void **state)
{
	struct event poll = step(A, EVENT_RECEIVE, box, ACCESS_POLL);
	struct event wanted = send(B, 1, false), other = send(B, 1, false);

	poll.flags |= EVENT_FAILED;
	access_set_mail_tag(&poll.accesses[0], mail_tag_with_polls(mail_tag(1, false), 1));
	access_set_mail_tag(&wanted.accesses[0], mail_tag_with_polls(mail_tag(1, false), 3));
	access_set_mail_tag(&other.accesses[0], mail_tag_with_polls(mail_tag(1, false), 2));
	assert_int_equal(depend(poll, wanted), DEPENDENCE_RACES);
	assert_int_equal(depend(poll, other), DEPENDENCE_NONE);
	assert_int_equal(depend(other, poll), DEPENDENCE_NONE);
	assert_int_equal(depend(wanted, other), DEPENDENCE_RACES);
}

static void message_comes_first_unless_one_is_taken(void **state)
{
	struct event sent = send(A, 0, false), later = send(B, 0, false);
	struct event receive = step(P, EVENT_RECEIVE, box, ACCESS_RECV);
	const struct event *sequence[] = {&sent, &later, &receive};
	size_t at = 9;

	event_set_feeder(&receive, A, 0);
	assert_true(is_weak_initial(later, sequence, 2, OBSERVERS_MESSAGES));
	assert_false(is_weak_initial(later, sequence, 3, OBSERVERS_MESSAGES));
	assert_false(is_weak_initial(later, sequence, 2, OBSERVERS_NONE));
	assert_true(dependence_is_initial(&sent, sequence, 3, &at));
	assert_int_equal(at, 0);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stores_of_one_value_commute),
		cmocka_unit_test(one_leads_to_the_other),
		cmocka_unit_test(exit_signal_depends_on_its_receiver),
		cmocka_unit_test(dominating_access_depends_on_all),
		cmocka_unit_test(timers_keep_the_order_of_deadlines),
		cmocka_unit_test(message_forestalls_timeout),
		cmocka_unit_test(end_of_run_depends_on_everything),
		cmocka_unit_test(unlock_opens),
		cmocka_unit_test(unlock_does_not_depend_on_interrupted_lock),
		cmocka_unit_test(signal_feeds_the_waiter_that_names_it),
		cmocka_unit_test(messages_matter_to_their_receive),
		cmocka_unit_test(poll_that_took_does_not_wait_for_others),
		cmocka_unit_test(poll_depends_on_what_it_would_take),
		cmocka_unit_test(message_comes_first_unless_one_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
