/* dependence.h: which events depend on each other.
 *
 * Every predicate that says whether two events (or two accesses) depend, race, feed, open,
 * forestall, lock out or may be swapped is here; every proof of the tool rests on them. No other
 * file decides this by looking at kinds or modes. The rules for pairs of modes are data
 * (dependence.def).
 *
 * From the plainest relation to the finest:
 *
 *   access_conflict         two accesses to one object that do not commute
 *   event_dependent         the plain relation: conflict, or one event leads to the other.
 *   dependence_is_plain     the same in both orders, and no more than that: it defines the
 *                           equivalence classes of runs (class.h) and of certificates.
 *   dependence_of           the same for two events of a finished run, and what kind of
 *                           dependence it is; messages whose order no receive can
 *                           distinguish are independent here (enum observers).
 *   dependence_is_weak_initial  may an event come first in a sequence of events?
 *
 * order.h joins the second and third into clocks; wakeup.h uses the last.
 *
 * Each predicate has its law, an example and a test: the program that showed the predicate to be
 * necessary where there is one, else a program that depends on it. "litmus" is a folder of
 * tests/litmus, "orders", "gaps" or "counts" a function of that file in tests/explore, "unit" a
 * test of tests/unit/engine, by default of strategy_dpor.c; unit dependence checks each law by
 * itself.
 *
 * The part that the follower calls inside the tested program is inline and does not use libc.
 */
#ifndef CORE_DEPENDENCE_H
#define CORE_DEPENDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/access.h"
#include "core/event.h"

/* ---- accesses ---- */

/* One line of dependence.def; each member is a set of modes. */
struct access_rule {
	uint32_t conflicts, opens, feeds;
};

#define M(name) (1u << ACCESS_##name)
static const struct access_rule access_rules[ACCESS_MODES] = {
#define RULE(name, conflicts, opens, feeds)                                    \
	[ACCESS_##name] = {(conflicts) | M(WORLD), opens, feeds},
#include "core/dependence.def"
#undef RULE
};
#undef M

/* The set of modes that do not commute with this one. */
static inline uint32_t access_mode_conflicts(uint32_t mode)
{
	return access_rules[mode].conflicts;
}

/* Do two accesses in these modes to one object not commute? */
static inline bool access_modes_conflict(uint32_t a, uint32_t b)
{
	return access_rules[a].conflicts >> b & 1;
}

/* Does an access of this mode leave its object as it was? A look commutes with every other look, but
 * for two joins, of which the second is an error.
 *     a lookup of a key, process_info        looks
 *     a receive that polls                   not a look: it may take a message
 * Test: unit access; tests/explore/polling.erl. */
static inline bool access_mode_looks(uint32_t mode)
{
	return 1u << mode & (1u << ACCESS_READ | 1u << ACCESS_USE | 1u << ACCESS_PEEK |
			     1u << ACCESS_LOOK | 1u << ACCESS_JOIN);
}

/* Does the first mode only make the second one possible? (unlock, lock) */
static inline bool access_mode_opens(uint32_t first, uint32_t second)
{
	return access_rules[first].opens >> second & 1;
}

/* The same of a wait that a signal interrupted: it did not need the end that it waited for. */
static inline bool access_mode_ends_wait(uint32_t first, uint32_t second)
{
	return access_mode_opens(first, second) ||
	       (first == ACCESS_FINISH && second == ACCESS_JOIN);
}

/* May an access in the second mode need one in the first? (signal, leave) */
static inline bool access_mode_feeds(uint32_t first, uint32_t second)
{
	return access_rules[first].feeds >> second & 1;
}

/* Does an access in the first mode make one in the second possible, whatever was before? */
static inline bool access_mode_lets_go(uint32_t first, uint32_t second)
{
	return (first == ACCESS_RELEASE || first == ACCESS_GIVE || first == ACCESS_FINISH) &&
	       access_mode_ends_wait(first, second);
}

/* Does the mode conflict with every mode of its family? Then an access in that mode is
 * ordered after everything that happened to the object before, and a search for races need not
 * look behind it. So no rule may make two accesses in conflicting modes independent if one of the
 * modes dominates: a step that did less than it announced has a weaker mode instead.
 *     A: acquire m     B: share m      C: acquire m     C races with B; A's acquire is
 *                                                       before B anyway
 * Test: unit counts_locks, agrees_with_dfs. */
bool access_mode_dominates(uint32_t mode);

/* Can a step that announced the second mode turn out to be the first? Only if the first conflicts
 * with nothing but what the second conflicts with; then swaps that were allowed stay allowed.
 *     announced: write (a compare-and-swap)   happened: read (it failed)   allowed
 *     announced: read                         happened: write              not allowed
 * A mode of another family means that the step left the object alone: a sem-wait that a signal
 * interrupted has not touched the semaphore. A try that failed is a TRY, also of a lock to be
 * shared: an exclusive holder was there, so no sharing holder was. Test: unit contract. */
bool access_mode_is_weaker(uint32_t happened, uint32_t announced);

/* Two accesses conflict if they touch one object in modes that do not commute. Two stores of
 * the same value commute; the end of the run conflicts with everything.
 *     A: insert {k, 1}   B: insert {k, 1}      independent
 *     A: insert {k, 1}   B: insert {k, 2}      dependent
 *     A: insert {k, 1}   B: lookup k           dependent
 *     A: insert [{k, 1}, {l, 1}, …]   B: lookup m       independent
 * Test: orders insert_new, two_keys; counts many_inserts; unit counts_readers_and_writers. */
static inline bool access_conflict(const struct access *a, const struct access *b)
{
	if (a->object != b->object)
		return a->mode == ACCESS_WORLD || b->mode == ACCESS_WORLD;
	return access_modes_conflict(a->mode, b->mode) &&
	       !(a->mode == ACCESS_STORE && b->mode == ACCESS_STORE &&
		 access_value(a) == access_value(b)) &&
	       !access_are_apart(a, b);
}

/* Of two accesses that conflict, a before b in one finished run: could a receive, or another
 * process that looks, distinguish their order? Only mailboxes have accesses whose order is not
 * observed. Two messages matter to each other if the receive that took the first could have
 * taken the second, so the order of a message that was never taken does not matter to a later
 * one. A process that is ended while it waits could have taken what comes later; messages that
 * had come by then did not match. It is ended once: the access that ends it has a tag.
 *     A: send x to P   B: send y to P   P: receive x, then y        not observed
 *     A: send x to P   B: send y to P   P: receive any              observed
 *     A: send x to P   B: send y to P   P never receives either     not observed
 *     A: send x to P   P: receive y -> … after 0 -> … end           not observed
 * Test: orders two_kinds, told_late, killed_waiting, killed_twice; counts polls, polled_for. */
bool access_is_observed(const struct access *a, const struct access *b);

/* ---- the parts that an event plays ---- */

/* The event depends on every other one: it ends the run, or does more than accesses can name.
 * Test: unit counts_ends; tests/explore/atomic.erl. */
static inline bool event_touches_all(const struct event *event)
{
	return event->access_len && event->accesses[0].mode == ACCESS_WORLD;
}

/* A read that can happen only when the variable has a certain value.
 *     A: while (!ready);     one event, which waits for a write of another value than 0
 * Test: litmus await_values. */
static inline bool event_waits_for_value(const struct event *event)
{
	return event->access_len && event->accesses[0].mode == ACCESS_AWAIT;
}

/* A receive that does not wait (`after 0`): it could have come before the message it took.
 *     A: send x to P     P: receive x -> … after 0 -> none end     both orders are possible
 * Test: orders poll, timeout_then_poll. */
static inline bool event_polls(const struct event *event)
{
	return event->kind == EVENT_RECEIVE && event->access_len &&
	       event->accesses[0].mode == ACCESS_POLL;
}

/* An event that comes after its feeder, which sent the message it takes or brought the signal that
 * ends its actor.
 *     A: send x to P     P: receive x     the receive takes, and its feeder is A's send
 * Test: orders senders, down_is_last. */
static inline bool event_takes(const struct event *event)
{
	return event_kind_flags(event->kind) & EVENT_KIND_TAKES;
}

/* An event that could not happen, whatever the schedule, without the feeder it names.
 * Test: unit coverage, hapset. */
static inline bool event_needs_feeder(const struct event *event)
{
	return (event_kind_flags(event->kind) & EVENT_KIND_FED) &&
	       event_peer(event) != ACTOR_NONE && !(event->flags & EVENT_FAILED);
}

/* The event takes one of what was given one by one: of a semaphore, not of a pipe or of signals.
 * Test: tests/property/found/wait_behind_own_timer_counted.program. */
bool event_takes_one(const struct event *event);
/* The event waits until all has arrived that was given, as a question does for the signals of the process that
 * asks. Test: tests/explore/found/asked_behind_two.erl. */
bool event_needs_all(const struct event *event);

/* The event puts a message into a mailbox. Test: orders senders. */
static inline bool event_sends(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_SEND)
			return true;
	return false;
}

/* The event creates an actor, and every step of that actor comes after it.
 * Test: litmus thread_tree; orders nested. */
static inline bool event_creates(const struct event *event)
{
	return event_created(event) != ACTOR_NONE;
}

/* An event that leaves a waiting set; a signal that woke it is its feeder. It may have been able
 * to take an earlier signal, which another waiter took.
 *     A, B: wait c     C: signal c, signal c     either signal may wake either waiter
 * Test: litmus cond_wrong_waiter. */
static inline bool event_is_woken(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_LEAVE)
			return true;
	return false;
}

/* A timer that fires only when no other actor is enabled: it is after everything before it, and
 * everything later is after it. It can change places only with another such timer that ends at the
 * same moment (order_find_tie). Test: litmus time_wait_alone. */
static inline bool event_is_last_resort(const struct event *event)
{
	return event->kind == EVENT_IDLE_TIMER;
}

/* Of a step that depends on every other one, and an actor that was blocked when the run ended: may the
 * actor be blocked because of that step? The end of the run blocks nobody. The end of the test, if it has
 * more accesses than room, is such a step, and no timer fires behind it.
 *     A: send_after(5, …)    P: ends    A's timer could have fired before
 * Test: tests/explore/found/timer_beside_widened_end.erl. */
static inline bool event_may_stop(const struct event *step, const struct event *blocked)
{
	return blocked->kind == EVENT_TIMER && !(event_kind_flags(step->kind) & EVENT_KIND_ENDS);
}

/* Two timers that fired, a before b, in the order of their deadlines: b cannot have gone before a
 * without another step, which keeps a from firing. No access shows that.
 *     A: send_after(5, …)    B: send_after(10, …)    B's timer fires behind A's timer
 * Test: orders armed_behind_rivals. */
static inline bool event_is_due_before(const struct event *a, const struct event *b)
{
	return a->deadline > DEADLINE_UNTOLD && a->deadline < b->deadline;
}

/* ---- the plain relation ---- */

/* Do accesses of the two conflict? The end of the run conflicts with steps that touch nothing,
 * too. Test: unit agrees_with_dfs, counts_ends. */
static inline bool event_accesses_conflict(const struct access *a, uint32_t a_len,
					   const struct access *b, uint32_t b_len)
{
	if (!a_len || !b_len)
		return (a_len && a[0].mode == ACCESS_WORLD) ||
		       (b_len && b[0].mode == ACCESS_WORLD);
	if (a_len == 1 && b_len == 1)
		return access_conflict(a, b); /* most often, and faster than the loops */
	for (uint32_t i = 0; i < a_len; i++)
		for (uint32_t j = 0; j < b_len; j++)
			if (access_conflict(&a[i], &b[j]))
				return true;
	return false;
}

static inline bool event_conflict(const struct event *a, const struct event *b)
{
	return event_accesses_conflict(a->accesses, a->access_len, b->accesses, b->access_len);
}

/* Is a an exit signal to the actor of b, or to the owner of the timer b? Then everything b does
 * depends on it, whatever the two touch.
 *     A: exit(P, kill)      P: insert {k, 1} happens or does not happen: the two depend
 *     P: insert {k, 1}      although they touch different objects.
 * Test: orders kill, killed_or_timed_out (the timer). */
static inline bool event_is_upon(const struct event *a, const struct event *b)
{
	uint32_t receiver = event_exit_receiver(a);

	return receiver != ACTOR_NONE &&
	       (receiver == b->actor || receiver == event_owner(b));
}

/* Does the second event need the first, or is one of them an exit signal or a timer of the
 * other's actor? Not symmetric.
 *     A: create B      B: first step       leads to
 *     B: last step     A: join B           leads to
 *     A: send x        B: receive x        leads to
 * Test: litmus thread_tree, thread_results; orders senders, timed_receive. */
static inline bool event_leads_to(const struct event *a, const struct event *b)
{
	if (a->peer == b->actor && event_created(a) == b->actor)
		return true;
	if (b->peer == a->actor &&
	    (event_joined(b) == a->actor || (event_takes(b) && event_is_fed_by(b, a))))
		return true;
	return event_is_upon(a, b) || event_is_upon(b, a) || event_owner(a) == b->actor ||
	       event_owner(b) == a->actor;
}

/* Of two events of one trace, a before b: must a stay before b? Not transitive. Two runs are
 * equivalent if one becomes the other by swaps of neighbours that are not dependent.
 *     A: write x     B: read y      independent
 *     A: write x     B: read x      dependent
 * Test: unit agrees_with_dfs; tests/property/run. */
static inline bool event_dependent(const struct event *a, const struct event *b)
{
	return a->actor == b->actor || event_conflict(a, b) || event_leads_to(a, b);
}

/* The same, in one order or the other: may the two not be swapped where they are neighbours?
 * Test: unit agrees_with_dfs, counts_what_wakes_sleepers. */
static inline bool event_dependent_anyhow(const struct event *a, const struct event *b)
{
	if (a->actor == b->actor || event_conflict(a, b))
		return true;
	if (event_peer(a) == ACTOR_NONE && event_peer(b) == ACTOR_NONE)
		return false; /* nearly always: neither can lead to another event */
	return event_leads_to(a, b) || event_leads_to(b, a);
}

/* ---- steps that go elsewhere ---- */

/* Does f find its objects behind a name or in a table, and does e change the name, or make or
 * delete the table? Then f may touch objects that it did not announce if it goes before e.
 *     A: unregister(n)     e
 *     B: n ! x             f, which fails. Before e it is a message to the process with the name.
 * The same holds of the news of an end if e gives up the monitor or the link, of giving up a monitor
 * if e is the news, and of an exit signal if e begins to trap exits: before e it ends the process.
 * Test: gaps unregistered_or_not, deleted_twice, deleted_beside_poll, demonitored_or_told,
 * demonitored_beside_look; tests/explore/found/trapped_or_ended.erl. */
bool event_is_redirected(const struct event *e, const struct event *f);

/* f as it may be before e: it may do all that it announced. If it finds its objects behind a name
 * that e changes, nobody knows what it touches there: it depends on every other event. An exit
 * signal to a process that begins to trap exits with e ends the process before e.
 * Test: tests/explore/found/trapped_or_ended.erl; gaps unregistered_or_not. */
struct event event_expected_before(const struct event *e, const struct event *f);

/* ---- forestalling and locking out ---- */

/* May it be that b does not happen at all if a comes first? Because a ends the actor of b, by a
 * signal or by delivering one, or because b is a timer and a gives its owner what the owner
 * waits for. A run that begins with a does not cover a wanted run with b in it.
 *     P: receive x after 10 -> …       A: send x to P forestalls the timeout of P.
 *     A: exit(Q, kill)                 Q: send y: A forestalls it.
 * Test: orders killed_or_refused (the kill), timed_beside_clock (the timer). */
bool event_forestalls(const struct event *a, const struct event *b);

/* Did a take a lock in a way that keeps b from what it announces?
 *     A: read-lock l       B: write-lock l     locked out by both readers: to go before one it
 *     C: read-lock l                           has to go before the other, too.
 * Test: litmus rwlock_two_readers_wait. */
bool event_locks_out(const struct event *a, const struct event *b);

/* Did the step announce that it waits for the object, and meet a signal instead? */
static inline bool access_is_interrupted(const struct access *access)
{
	return access->mode == ACCESS_READ &&
	       access_family(access->announced) != ACCESS_FAMILY_MEMORY;
}

/* Did the event announce that it waits for an object, and meet a signal instead, whether or not it
 * had to wait?
 *     A: kill B            B's lock meets the signal. It did not touch m, and may take m if it goes
 *     B: lock m            before the kill.
 * Test: tests/property/found/signal_before_other_exit.program. */
static inline bool event_is_interrupted(const struct event *event)
{
	for (uint32_t a = 0; (event->flags & EVENT_FAILED) && a < event->access_len; a++)
		if (access_is_interrupted(&event->accesses[a]))
			return true;
	return false;
}

/* Did the event have to wait when it met a signal? Without the signal it goes on when its object
 * lets it; this may be later, by a step that does not depend on the event.
 *     A: lock m            B's lock meets the signal. A's unlock does not depend on that. If A's
 *     C: kill B            unlock comes first, B's lock may also come before the kill.
 *     B: lock m
 *     A: unlock m
 * Test: tests/property/found/spurious_before_signal.program, unit dependence. */
static inline bool event_was_kept_waiting(const struct event *event)
{
	return !(event->flags & EVENT_TRY) && event_is_interrupted(event);
}

/* Did the event leave a waiting set because its thread had been cancelled? A cancelled wait takes no
 * signal, also where there was one. Test: tests/property/found/cancelled_wait_before_signal.program. */
static inline bool event_was_cancelled(const struct event *event)
{
	return (event->flags & EVENT_FAILED) && event_is_woken(event) && !event_is_interrupted(event);
}

/* Is e a cancellation of the thread of f, which looks for that? */
static inline bool event_cancels(const struct event *e, const struct event *f)
{
	return e->kind == EVENT_CANCEL && event_find_access(f, e->accesses[0].object);
}

/* Does the event wait for the first of several signals? Each of them lets it go on.
 *     A: kill P with x         P's sigwait for x has met both signals. It can go before A's kill: the
 *     B: kill P with y         handler of y lets it go on. So it can if A's kill came first in the run.
 *     P: sigwait x
 * Test: tests/property/found/signal_lets_go.program. */
static inline bool event_waits_for_any(const struct event *event)
{
	return event->kind == EVENT_SIGNAL_TAKE && !(event->flags & EVENT_TRY);
}

/* Does the event never wait for the object of its access? A process that suspends another one does
 * not wait for that one, but while it is suspended itself it waits.
 *     P: suspend Q     Q: suspend P     Q waits until P resumes it
 * Test: gaps suspend_each_other. */
static inline bool event_tries(const struct event *event, const struct access *access)
{
	return (event->flags & EVENT_TRY) && access->mode != ACCESS_PASS;
}

/* The mode of access number i, or the one in which the event would have waited for the object if it
 * had not met a signal (which makes it a failed one). */
static inline uint32_t event_mode_of_wait(const struct event *event, uint32_t i)
{
	const struct access *access = &event->accesses[i];

	return (event->flags & EVENT_FAILED) && access_is_interrupted(access) ? access->announced
									      : access->mode;
}

/* Without a, would b have had to wait for an object? Returns that object, whose door a opened, or
 * 0. If b met a signal instead, the wait is the one that it announced.
 *     A: kill B            B's read met the signal when there was a byte, too. It cannot go before
 *     A: write a byte      the kill: then there is neither the signal nor the byte.
 *     B: read
 * Test: litmus signal_interrupts, signal_twice. */
uint64_t event_opened_door(const struct event *a, const struct event *b);

/* Did the event close the door of the object for b?
 *     A: lock m            closes the door for B's lock; A's unlock opens it again.
 * Test: litmus cond_timedwait, signal_under_lock. */
bool event_closes_door(const struct event *a, const struct event *b, uint64_t object);

/* Could the second event of a relaxed schedule not have happened without the first, through
 * accesses in these modes? Then a run in the other order need not be tried. A guess: nothing is
 * concluded from it. Test: unit strategy_sample. */
bool event_mode_is_needed(const struct event *first, uint32_t first_mode,
			  const struct event *second, uint32_t second_mode);

/* ---- two events of a finished run ---- */

/* Which orders count. */
enum observers {
	OBSERVERS_MESSAGES, /* of messages those that a receive can distinguish, of others all */
	OBSERVERS_NONE,     /* all */
	OBSERVERS_OLD_MESSAGES, /* as OBSERVERS_MESSAGES, for a sequence of steps that come from
	                           several runs: their mail tags cannot be compared */
};

static inline enum observers observers_of_old(enum observers observers)
{
	return observers == OBSERVERS_NONE ? OBSERVERS_NONE : OBSERVERS_OLD_MESSAGES;
}

enum dependence {
	DEPENDENCE_NONE,
	DEPENDENCE_RACES, /* in the other order it would be another run */
	DEPENDENCE_OPENS, /* the first only lets the second go: see dependence.def */
	DEPENDENCE_FEEDS, /* the second cannot happen without the first */
};

/* The second event of a pair, and how it is looked at. */
struct dependence_view {
	const struct event *event;
	bool has_run; /* false: it was announced and did not happen (a ghost, see order.h) */
	enum observers observers;
};

/* How does e, which ran before f, stand to f, by their accesses, by timers and by exit signals?
 * Of several accesses the strongest relation counts: FEEDS, then OPENS, then RACES.
 *     A: lock m    B: lock m       RACES
 *     A: unlock m  B: lock m       OPENS
 *     A: signal c  B: wake up      FEEDS if B names A's signal, else RACES
 * Test: unit agrees_with_dfs; litmus cond_two_signals, sem_trywait, await_values. */
enum dependence dependence_of(const struct event *e, const struct dependence_view *f);

/* Two accesses of e and f that conflict: can nothing distinguish their order? A poll that took
 * a message would have taken it whatever came behind that message.
 *     A: send x to P     P polls and takes x     B: send y to P     P's poll and B's send
 *                                                                   are not observed
 * Test: orders poll, hibernating; unit dependence. */
bool dependence_is_unobserved(const struct event *e, const struct access *first,
			      const struct dependence_view *f, const struct access *second);

/* If e and f depend only because both send into one mailbox: that mailbox, else 0.
 * Then the pair matters only if an observer follows (order_observer).
 *     A: send x to P   B: send y to P, insert {k, 1}     the mailbox of P, unless A
 *                                                        touches k, too
 * Test: orders told_late with --delivery async. */
uint64_t dependence_common_mailbox(const struct event *e, const struct dependence_view *f);

/* Does the event look at all messages of the mailbox? Test: orders shown_queue. */
bool event_looks_into(const struct event *event, uint64_t mailbox);

/* Does the event take from the mailbox the message that `send` put there? Test: orders told_late. */
bool event_takes_from(const struct event *event, const struct event *send, uint64_t mailbox);

/* Is there an object that all three touch? Test: litmus rwlock_and_count. */
bool event_share_object(const struct event *a, const struct event *b, const struct event *c);

/* ---- the relations of a certificate ---- */

/* May the two not change places where every order counts? The plain relation, with three
 * differences: a timer of last resort keeps its place, timers keep their order, and an exit signal
 * that came too late does not depend on what the dead process still does.
 * Test: litmus mutex_timedlock_deadlock; examples/erlang/counter_case.ex. */
bool dependence_is_plain(const struct event *a, const struct event *b);

/* May they not change places by the relation of searches or by that of certificates? A search within a
 * bound swaps only steps that are independent by both, because it costs a class by any of its orders.
 * Test: unit strategy_bounded. */
static inline bool dependence_by_either(const struct event *a, const struct event *b)
{
	return event_dependent_anyhow(a, b) || dependence_is_plain(a, b);
}

/* May they not change places whatever the run shows? The plain relation without the messages and
 * polls of one mailbox, whose order counts only if a receive can distinguish it.
 *     A: send x to P   B: send y to P          not certain: it depends on what P receives
 *     A: send x to P   B: look at P's mailbox  certain
 * Test: tests/explore/run, where every proof is certified. */
bool dependence_is_certain(const struct event *a, const struct event *b);

/* Of two events that are dependent, but not for certain, a before b in one finished run whose
 * messages have their tags: can an order be distinguished? */
bool dependence_is_shown(const struct event *a, const struct dependence_view *b);

/* The same for two events that both happen in either order: does the order change anything else?
 * A process that waits for a message is ended (a), and the message comes (b): they depend, because
 * had the message come first it could have been taken. But if it comes first and is not taken, the
 * run is the same.
 *     A: exit(P, kill)   B: send x to P        shown: P could have received x
 *     B: send x to P     A: exit(P, kill)      the same run, if P did not receive x
 * Test: orders killed_waiting. */
bool dependence_is_shown_by_order(const struct event *a, const struct dependence_view *b);

/* Was the withdrawn event done by the step that withdrew it? A receive that finds no message takes
 * the signals that its process has sent itself, and their delivery is withdrawn.
 *     P: monitor(process, nobody)    P: receive x after 0 finds the DOWN in the mailbox, whether
 *                                    or not it was delivered before
 * Test: orders own_down. */
bool event_is_swallowed(const struct event *withdrawn);

/* Is it the delivery of a signal that the actor of the poll has sent itself? A poll that finds no
 * message takes such signals along: whether one was delivered before makes no difference. The answer
 * of a process that is still ending is not such a signal.
 *     P: monitor Q, which is ending     Q sends the DOWN: P's next poll need not find it
 * Test: orders nobody_or_message; gaps monitored_while_ending. */
bool event_is_taken_along(const struct event *delivery, const struct event *poll);

/* Can an actor that announces the event have to wait until it is possible? Test: litmus sem_two_at_once. */
bool event_may_wait(const struct event *event);

/* ---- events and sequences ----
 * A sequence is an array of pointers: it is put together from steps of traces and trees. */

/* May the event come before the whole sequence, where every order counts? The sequence may contain
 * the event: *at is its place, or len. No event before that place may depend on it.
 *     sequence: A writes x, B reads y      B's read is an initial
 *     sequence: A writes y, B reads y      it is not: A's write comes before it
 * Test: unit counts_what_wakes_sleepers, counts_whole_reversals; litmus late_waker. */
bool dependence_is_initial(const struct event *event, const struct event *const *sequence,
			   size_t len, size_t *at);

/* A word for that question: of two events whose words have no bit in common, neither depends on the other. The words of
 * a sequence lie side by side; its events lie far apart. */
uint64_t dependence_mark(const struct event *event);

/* The answer of dependence_is_initial(); `marks` are those of the sequence. */
bool dependence_is_marked_initial(const struct event *event, const struct event *const *sequence,
				  const uint64_t *marks, size_t len, size_t *at);

/* The same where of messages only the orders count that the sequence shows: a message may then
 * come before others to the same process if no event of the sequence takes one of them.
 *     sequence: A sends x to P, B sends y to P          B's send is a weak initial,
 *     sequence: …, P receives x                         and now it is not.
 * Test: orders told_late, senders, both also with --delivery async. */
bool dependence_is_weak_initial(const struct event *event, const struct event *const *sequence,
				size_t len, enum observers observers, size_t *at);

#endif
