#include "core/dependence.h"

/* ---- accesses ---- */

static bool conflicts_with_family(uint32_t mode)
{
	for (uint32_t other = 0; other < ACCESS_MODES; other++)
		if (access_family(other) == access_family(mode) &&
		    !access_modes_conflict(mode, other))
			return false;
	return true;
}

bool access_mode_dominates(uint32_t mode)
{
	static uint32_t known, dominating; /* sets of modes, filled as they are asked for */

	if (!(known >> mode & 1)) {
		known |= 1u << mode;
		dominating |= (uint32_t)conflicts_with_family(mode) << mode;
	}
	return dominating >> mode & 1;
}

bool access_mode_is_weaker(uint32_t happened, uint32_t announced)
{
	return happened == announced || announced == ACCESS_WORLD ||
	       (happened == ACCESS_TRY && announced == ACCESS_SHARE) ||
	       (happened != ACCESS_WORLD && access_family(happened) != access_family(announced)) ||
	       !(access_rules[happened].conflicts & ~access_rules[announced].conflicts);
}

bool access_is_observed(const struct access *a, const struct access *b)
{
	if (!access_is_mail(a) || a->mode == ACCESS_LOOK || b->mode == ACCESS_LOOK ||
	    b->mode == ACCESS_WORLD)
		return true;
	if (a->mode == ACCESS_SEND &&
	    (b->mode == ACCESS_STOP || (b->mode == ACCESS_SEND && access_is_left(a))))
		return false;
	if (a->mode == ACCESS_STOP && b->mode == ACCESS_STOP)
		return access_mail_tag(a) != 0;
	if (a->mode == ACCESS_POLL && b->mode == ACCESS_SEND)
		return access_would_take(a, b);
	if (a->mode == ACCESS_SEND && b->mode == ACCESS_POLL)
		return access_would_take(b, a);
	return access_is_same_group(a, b);
}

/* ---- forestalling and locking out ---- */

/* b is a timer. Does a end what its owner waits for? */
static bool forestalls_timer(const struct event *a, const struct event *b)
{
	return b->access_len && event_owner(b) != ACTOR_NONE &&
	       (event_owner(b) == a->actor ||
		event_accesses_conflict(a->accesses, a->access_len, b->accesses, 1));
}

bool event_forestalls(const struct event *a, const struct event *b)
{
	if (event_is_upon(a, b) || forestalls_timer(a, b))
		return true;
	for (uint32_t i = 0; a->kind == EVENT_DELIVER && i < a->access_len; i++)
		if (OBJECT_CLASS(a->accesses[i].object) == OBJECT_STEPS &&
		    event_find_access(b, a->accesses[i].object))
			return true;
	return false;
}

bool event_locks_out(const struct event *a, const struct event *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++)
			if (access_mode_locks(a->accesses[i].mode) &&
			    access_mode_needs_lock(b->accesses[j].mode) &&
			    !event_tries(b, &b->accesses[j]) &&
			    access_conflict(&a->accesses[i], &b->accesses[j]))
				return true;
	return false;
}

bool event_mode_is_needed(const struct event *first, uint32_t first_mode,
			  const struct event *second, uint32_t second_mode)
{
	if (access_mode_feeds(first_mode, second_mode) && event_is_fed_by(second, first))
		return true;
	return access_mode_opens(first_mode, second_mode) && !(first->flags & EVENT_WAS_OPEN) &&
	       !(second->flags & (EVENT_TRY | EVENT_FAILED));
}

/* ---- two events of a finished run ---- */

/* The access of e opened a door that f then went through. Could f have gone before e? Yes if the
 * door was open already. Yes also if f never waits: then it would have failed, which makes a
 * difference unless e itself was such a failure. A read that waits for a value names the write
 * before which it could have gone. */
static bool could_pass(const struct event *e, const struct access *access, const struct event *f,
		       const struct access *second)
{
	if (access_family(access->mode) == ACCESS_FAMILY_MEMORY)
		return event_is_fed_by(f, e);
	return (e->flags & EVENT_WAS_OPEN) ||
	       (event_tries(f, second) && access->mode != ACCESS_TRY &&
		access->mode != ACCESS_PEEK);
}

/* An attempt that failed opens no door: it proves that the door was closed, so a step that went
 * through later has waited for another one. */
static bool mode_is_attempt(uint32_t mode)
{
	return mode == ACCESS_TRY || mode == ACCESS_PEEK;
}

bool event_takes_one(const struct event *event)
{
	return event->kind == EVENT_SEM_WAIT || event->kind == EVENT_SEM_TRYWAIT;
}

bool event_needs_all(const struct event *event)
{
	return event->kind == EVENT_INSPECT || event->kind == EVENT_FLAG;
}

uint64_t event_opened_door(const struct event *a, const struct event *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++) {
			const struct access *first = &a->accesses[i], *second = &b->accesses[j];
			bool could = access_is_interrupted(second)
					     ? a->flags & EVENT_WAS_OPEN
					     : could_pass(a, first, b, second);

			if (first->object == second->object && !could &&
			    !mode_is_attempt(first->mode) &&
			    access_mode_ends_wait(first->mode, event_mode_of_wait(b, j)))
				return first->object;
		}
	return 0;
}

bool event_closes_door(const struct event *a, const struct event *b, uint64_t object)
{
	const struct access *first = event_find_access(a, object);
	const struct access *second = event_find_access(b, object);
	uint32_t mode;

	if (!first || !second)
		return false;
	mode = event_mode_of_wait(b, (uint32_t)(second - b->accesses));
	return access_mode_conflicts(mode) >> first->mode & 1 &&
	       !access_mode_opens(first->mode, mode);
}

/* A poll that took a message does not depend on messages that came behind that one. */
static bool is_beside_poll(const struct event *e, const struct access *first,
			   const struct event *f, const struct access *second)
{
	if (first->mode == ACCESS_POLL && second->mode == ACCESS_SEND)
		return event_polls(e) && !(e->flags & EVENT_FAILED);
	return first->mode == ACCESS_SEND && event_polls(f) && !(f->flags & EVENT_FAILED) &&
	       !event_is_fed_by(f, e);
}

bool dependence_is_unobserved(const struct event *e, const struct access *first,
			      const struct dependence_view *f, const struct access *second)
{
	return f->observers != OBSERVERS_NONE &&
	       (!access_is_observed(first, second) ||
		(f->has_run && is_beside_poll(e, first, f->event, second)));
}

static bool access_depends(const struct event *e, const struct access *first,
			   const struct dependence_view *f, const struct access *second)
{
	return access_conflict(first, second) && !dependence_is_unobserved(e, first, f, second);
}

/* A failed attempt of e at an object that f waits for says nothing about the other objects of f. In
 * a program with signals every step also looks for signals:
 *     A: sem-wait, which looked for signals and found none
 *     B: sem-wait, blocked; a signal would let it go as well        B could have gone before A */
static enum dependence relate_accesses(const struct event *e, const struct dependence_view *view)
{
	const struct event *f = view->event;
	enum dependence result = DEPENDENCE_NONE;
	bool is_attempt = true;

	for (uint32_t i = 0; i < e->access_len; i++)
		for (uint32_t j = 0; j < f->access_len; j++) {
			const struct access *first = &e->accesses[i], *second = &f->accesses[j];

			if (!access_depends(e, first, view, second))
				continue;
			if (access_mode_feeds(first->mode, second->mode) && event_is_fed_by(f, e))
				return DEPENDENCE_FEEDS;
			if (access_mode_opens(first->mode, second->mode) &&
			    !could_pass(e, first, f, second)) {
				is_attempt = is_attempt && mode_is_attempt(first->mode);
				if (result == DEPENDENCE_NONE || !is_attempt)
					result = DEPENDENCE_OPENS;
			} else if (result == DEPENDENCE_NONE || is_attempt) {
				result = DEPENDENCE_RACES;
			}
		}
	return result;
}

/* Is a an exit signal that came too late for the actor of b? Then its order to the end of that
 * actor counts, and not its order to what the dead actor still does: DOWN messages, tables. If
 * another signal had ended the actor, the order to that signal counts instead. */
static bool is_too_late_for(const struct event *a, const struct event *b)
{
	return (a->flags & EVENT_FAILED) && event_exit_receiver(a) == b->actor &&
	       ((a->flags & EVENT_OVERTAKEN) || b->kind != EVENT_FINISH);
}

/* A timer f against the step of its owner that withdrew it; a timer e against the next step of its
 * owner, if that can do without; an exit signal against the step of
 * its receiver before it, or the step that it withdrew. A signal that came too late to end its
 * receiver does not race with what comes later. The end of the run against a step that touches
 * nothing. */
static bool races_without_accesses(const struct event *e, const struct event *f)
{
	return event_owner(f) == e->actor || event_owner(e) == f->actor ||
	       (event_is_upon(e, f) && !(e->flags & EVENT_FAILED)) ||
	       (event_is_upon(f, e) && !is_too_late_for(f, e)) ||
	       ((!e->access_len || !f->access_len) && event_conflict(e, f));
}

enum dependence dependence_of(const struct event *e, const struct dependence_view *f)
{
	enum dependence result;

	if ((f->event->flags & EVENT_BLOCKED) && event_touches_all(e) && !event_may_stop(e, f->event))
		return DEPENDENCE_NONE;
	result = relate_accesses(e, f);
	if (result == DEPENDENCE_NONE && races_without_accesses(e, f->event))
		result = DEPENDENCE_RACES;
	return result;
}

uint64_t dependence_common_mailbox(const struct event *e, const struct dependence_view *view)
{
	const struct event *f = view->event;
	uint64_t mailbox = 0;

	for (uint32_t i = 0; i < e->access_len; i++)
		for (uint32_t j = 0; j < f->access_len; j++) {
			const struct access *first = &e->accesses[i], *second = &f->accesses[j];

			if (!access_depends(e, first, view, second))
				continue;
			if (first->mode != ACCESS_SEND || second->mode != ACCESS_SEND)
				return 0;
			mailbox = second->object;
		}
	return mailbox;
}

bool event_looks_into(const struct event *event, uint64_t mailbox)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == mailbox &&
		    event->accesses[a].mode == ACCESS_LOOK)
			return true;
	return false;
}

bool event_takes_from(const struct event *event, const struct event *send, uint64_t mailbox)
{
	return event->kind == EVENT_RECEIVE && event_is_fed_by(event, send) &&
	       event->access_len && event->accesses[0].object == mailbox;
}

bool event_share_object(const struct event *a, const struct event *b, const struct event *c)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		if (event_find_access(b, a->accesses[i].object) &&
		    event_find_access(c, a->accesses[i].object))
			return true;
	return false;
}

/* ---- the relations of a certificate ---- */

static bool keeps_place(const struct event *a, const struct event *b)
{
	return event_is_last_resort(a) || event_is_last_resort(b) || event_is_due_before(a, b) ||
	       event_is_due_before(b, a);
}

static bool leads(const struct event *a, const struct event *b)
{
	return !is_too_late_for(a, b) && !is_too_late_for(b, a) &&
	       (event_leads_to(a, b) || event_leads_to(b, a));
}

bool dependence_is_plain(const struct event *a, const struct event *b)
{
	return keeps_place(a, b) || a->actor == b->actor || leads(a, b) ||
	       event_conflict(a, b);
}

static bool may_be_unobserved(const struct access *a, const struct access *b)
{
	uint32_t modes = 1u << ACCESS_SEND | 1u << ACCESS_POLL | 1u << ACCESS_STOP;

	return (modes >> a->mode & 1) && (modes >> b->mode & 1);
}

bool dependence_is_certain(const struct event *a, const struct event *b)
{
	if (keeps_place(a, b) || a->actor == b->actor || leads(a, b))
		return true;
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++)
			if (access_conflict(&a->accesses[i], &b->accesses[j]) &&
			    !may_be_unobserved(&a->accesses[i], &b->accesses[j]))
				return true;
	return event_touches_all(a) || event_touches_all(b);
}

bool dependence_is_shown(const struct event *a, const struct dependence_view *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->event->access_len; j++)
			if (access_depends(a, &a->accesses[i], b, &b->event->accesses[j]))
				return true;
	return false;
}

bool dependence_is_shown_by_order(const struct event *a, const struct dependence_view *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->event->access_len; j++)
			if (access_depends(a, &a->accesses[i], b, &b->event->accesses[j]) &&
			    (a->accesses[i].mode != ACCESS_STOP ||
			     b->event->accesses[j].mode != ACCESS_SEND))
				return true;
	return false;
}

bool event_is_swallowed(const struct event *withdrawn)
{
	return withdrawn->kind == EVENT_DELIVER && (withdrawn->flags & EVENT_TO_ITSELF);
}

bool event_is_taken_along(const struct event *delivery, const struct event *poll)
{
	return event_is_swallowed(delivery) && event_polls(poll) &&
	       event_is_fed_since(delivery, poll->actor, 0) &&
	       event_find_access(delivery, poll->accesses[0].object);
}

bool event_may_wait(const struct event *event)
{
	uint32_t waiting = 1u << ACCESS_ACQUIRE | 1u << ACCESS_SHARE | 1u << ACCESS_TAKE |
			   1u << ACCESS_LEAVE | 1u << ACCESS_AWAIT | 1u << ACCESS_JOIN |
			   1u << ACCESS_RECV | 1u << ACCESS_EXPIRE | 1u << ACCESS_PASS;

	for (uint32_t i = 0; i < event->access_len; i++)
		if ((waiting >> event->accesses[i].announced & 1) ||
		    (waiting >> event->accesses[i].mode & 1))
			return true;
	return event->deadline || event_owner(event) != ACTOR_NONE;
}

/* ---- events and sequences ---- */

/* The access of the event of the sequence that is this one, if it is there: its tag is of the same
 * run as those of the others. */
static const struct access *find_in_sequence(const struct event *event, uint64_t mailbox,
					     const struct event *const *sequence, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (sequence[i]->actor == event->actor && sequence[i]->ordinal == event->ordinal)
			return event_find_access(sequence[i], mailbox);
	return NULL;
}

/* Could the receive, which takes one message, have taken the other one? Not if the run put the two
 * into different groups: then the other message did not match, or an earlier receive took it, in
 * the run as well as in the sequence. */
static bool could_take(const struct access *receive, const struct access *message)
{
	return !message || !access_mail_tag(receive) || !access_mail_tag(message) ||
	       access_is_same_group(receive, message);
}

/* a and b are messages to one mailbox, and the sequence goes on behind b. Does an event of the
 * sequence take one of them where it could take the other, or look at them? */
static bool are_sends_distinguished(const struct event *a, const struct event *b,
				    uint64_t mailbox, const struct event *const *sequence,
				    size_t len, enum observers observers)
{
	for (size_t i = 0; i < len; i++) {
		const struct access *access = event_find_access(sequence[i], mailbox);
		const struct access *other;

		if (event_looks_into(sequence[i], mailbox))
			return true;
		if (!access || access->mode == ACCESS_SEND)
			continue;
		if (event_is_fed_by(sequence[i], a))
			other = event_find_access(b, mailbox);
		else if (event_is_fed_by(sequence[i], b))
			other = find_in_sequence(a, mailbox, sequence, len);
		else
			continue;
		if (observers == OBSERVERS_OLD_MESSAGES || could_take(access, other))
			return true;
	}
	return false;
}

/* One of a and b is a poll of the mailbox, the other a message to it. Would the poll take the
 * message? A poll that took another message would not. A look at the mailbox distinguishes both.
 * `a` NULL: what it will do is not known. Nor is it where the two tags may come from different runs. */
static bool would_poll_take(const struct event *a, const struct event *b, uint64_t mailbox,
			    enum observers observers)
{
	const struct event *poll = event_polls(b) ? b : a;
	const struct event *send = event_polls(b) ? a : b;
	const struct access *x, *y;

	if (!a)
		return true;
	x = event_find_access(poll, mailbox);
	y = event_find_access(send, mailbox);
	if (!x || !y || x->mode == ACCESS_LOOK || y->mode == ACCESS_LOOK)
		return true;
	if (event_polls(poll) && !(poll->flags & EVENT_FAILED))
		return event_is_fed_by(poll, send);
	return observers == OBSERVERS_OLD_MESSAGES || !access_mail_tag(x) || !access_mail_tag(y) ||
	       access_would_take(x, y);
}

/* Can the sequence, in which the event is at `place`, distinguish the order of the event and the
 * event number i? */
static bool are_distinguished(const struct event *event, const struct event *const *sequence,
			      size_t len, size_t i, size_t place, enum observers observers)
{
	const struct event *other = sequence[i], *self = place < len ? sequence[place] : NULL;

	for (uint32_t a = 0; a < event->access_len; a++)
		for (uint32_t b = 0; b < other->access_len; b++) {
			const struct access *mine = &event->accesses[a];
			const struct access *mail = &other->accesses[b];

			if (!access_conflict(mine, mail))
				continue;
			if (!access_is_mail(mine) || !access_is_mail(mail))
				return true;
			if (mine->mode == ACCESS_SEND && mail->mode == ACCESS_SEND
				    ? are_sends_distinguished(event, other, mail->object,
							      sequence + i + 1, len - i - 1,
							      observers)
				    : would_poll_take(self, other, mail->object, observers))
				return true;
		}
	/* Without accesses: the end of the run, or one leads to the other. */
	return !event->access_len || !other->access_len || event->actor == other->actor ||
	       event_leads_to(event, other) || event_leads_to(other, event);
}

bool dependence_is_initial(const struct event *event, const struct event *const *sequence,
			   size_t len, size_t *at)
{
	for (*at = 0; *at < len && sequence[*at]->actor != event->actor; ++*at)
		if (event_dependent_anyhow(event, sequence[*at]))
			return false;
	return true;
}

/* A bit for its actor and one for each object. An event that may depend on others without a common object has all
 * bits. */
uint64_t dependence_mark(const struct event *event)
{
	enum { OBJECT_BITS = 48, ACTOR_BITS = 64 - OBJECT_BITS };
	uint64_t mark = (uint64_t)1 << (OBJECT_BITS + event->actor % ACTOR_BITS);

	if (event_peer(event) != ACTOR_NONE || event_touches_all(event))
		return UINT64_MAX;
	for (uint32_t a = 0; a < event->access_len; a++) {
		uint64_t hash = event->accesses[a].object * 0x9e3779b97f4a7c15u >> 32;

		mark |= (uint64_t)1 << (hash * OBJECT_BITS >> 32);
	}
	return mark;
}

bool dependence_is_marked_initial(const struct event *event, const struct event *const *sequence,
				  const uint64_t *marks, size_t len, size_t *at)
{
	uint64_t mark = dependence_mark(event);

	for (*at = 0; *at < len; ++*at) {
		if (!(marks[*at] & mark))
			continue;
		if (sequence[*at]->actor == event->actor)
			return true;
		if (event_dependent_anyhow(event, sequence[*at]))
			return false;
	}
	return true;
}

bool dependence_is_weak_initial(const struct event *event, const struct event *const *sequence,
				size_t len, enum observers observers, size_t *at)
{
	size_t i, place = 0;

	if (observers == OBSERVERS_NONE)
		return dependence_is_initial(event, sequence, len, at);
	while (place < len && sequence[place]->actor != event->actor)
		place++;
	for (i = 0; i < place; i++)
		if (event_dependent_anyhow(event, sequence[i]) &&
		    are_distinguished(event, sequence, len, i, place, observers))
			return false;
	*at = place;
	return true;
}
