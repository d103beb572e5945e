#include "beam/announce.h"

#include "base/bug.h"
#include "beam/announce_parts.h"
#include "beam/declared.h"
#include "core/dependence.h"
#include "vm/bifs/bif.h"
#include "vm/process/timer.h"
#include "vm/terms/atom.h"

struct access *announce_add(struct event *event, uint64_t object, enum access_mode mode)
{
	struct access *access = &event->accesses[event->access_len++];

	*access = (struct access){.object = object, .mode = (uint16_t)mode,
				  .announced = (uint16_t)mode};
	return access;
}

static void clear(const struct process *p, struct event *event)
{
	event->access_len = 0;
	event->flags = 0;
	event_clear_peer(event);
	event->site = (uint64_t)(uintptr_t)p->ip;
	event->value = 0;
}

bool announce_world(enum event_kind kind, struct event *event)
{
	uint64_t object = event->access_len ? event->accesses[0].object : 0;

	event->kind = kind;
	event->access_len = 0;
	/* Decisions know a step by its first object: it is the same if there is room for it. */
	announce_add(event, object, ACCESS_WORLD);
	return true;
}

void announce_wakes_system(const struct objects *objects, term name, struct event *event)
{
	if (objects_know(objects, learned_system(name)) || objects_know(objects, LEARNED_PROCESSES))
		announce_world(event->kind, event);
	else
		announce_add(event, OBJECT_THE_SYSTEM, ACCESS_WRITE);
}

void announce_widen(struct event *event)
{
	struct access kept[EVENT_ACCESSES];
	uint32_t len = 0;

	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_TAKE || event->accesses[a].mode == ACCESS_LOOK)
			kept[len++] = event->accesses[a];
	BUG_ON(len + 2 > EVENT_ACCESSES, "a question with %u things to keep", len); /* room for a mark, too */
	announce_world(event->kind, event);
	for (uint32_t a = 0; a < len; a++)
		announce_add(event, kept[a].object, kept[a].mode);
}

void announce_mark(const struct objects *objects, const struct process *p, struct event *event)
{
	uint32_t marks = !!objects_know(objects, LEARNED_STEPS) +
			 !!objects_know(objects, LEARNED_SUSPENDS);

	if (!marks)
		return;
	if (event->access_len + marks > EVENT_ACCESSES && event->kind == EVENT_INSPECT &&
	    !objects->is_async && !objects_know(objects, LEARNED_SUSPENDS))
		return; /* looking changes nothing; async, the delivery of a kill must find it */
	if (event->access_len + marks > EVENT_ACCESSES)
		announce_widen(event);
	if (objects_know(objects, LEARNED_STEPS) && !event_touches_all(event))
		announce_add(event, object_steps(p->pid), ACCESS_ADD);
	/* A step that depends on every other waits, too, while its process is suspended. The end of a
	 * process that a signal has ended does not. */
	if (objects_know(objects, LEARNED_SUSPENDS) && !p->is_doomed)
		announce_add(event, object_hold(p->pid), ACCESS_PASS);
}

bool announce_reads_clock(const struct process *p)
{
	return p->announced.effect == EFFECT_READ_CLOCK ||
	       (p->announced.effect == EFFECT_UNIQUE_ORDER && !p->announced.args_len); /* now/0 */
}

/* A timer ends with the process that it is for. */
static void add_timer_goal(const struct process *p, term ref, struct event *event)
{
	const struct timer *timer = timer_find(p->vm, ref);

	if (timer && term_is_pid(timer->destination) && timer->destination != p->pid)
		announce_add(event, object_process(timer->destination), ACCESS_READ);
}

static bool announce_time(struct objects *objects, struct process *p, struct event *event)
{
	term ref = p->announced.args_len ? p->announced.args[0] : TERM_NONE;
	bool shows_clock = objects_know(objects, LEARNED_CLOCK);

	switch (p->announced.effect) {
	case EFFECT_TIMER_START:
		event->kind = EVENT_CREATE; /* peer: the timer, once it is there */
		break;
	case EFFECT_TIMER_CANCEL:
		event->kind = EVENT_CANCEL;
		if (!term_is_ref(ref))
			return false;
		announce_add(event, object_reference(objects, ref_pid_value(ref), ref_counter(ref)),
			     ACCESS_WRITE);
		add_timer_goal(p, ref, event);
		break;
	case EFFECT_READ_CLOCK:
		event->kind = EVENT_CLOCK;
		shows_clock = true;
		break;
	default: /* UNIQUE_ORDER */
		event->kind = EVENT_UNIQUE;
		for (; term_is_cons(ref) && cons_head(ref) != A_monotonic; ref = cons_tail(ref))
			;
		if (!term_is_cons(ref) && p->announced.args_len)
			return false;
		announce_add(event, OBJECT_THE_COUNTER, ACCESS_WRITE);
		shows_clock = !p->announced.args_len; /* now/0 */
	}
	objects->asks_time |= event->kind == EVENT_CLOCK ||
			      (event->kind == EVENT_UNIQUE && shows_clock);
	if (shows_clock)
		announce_add(event, OBJECT_THE_CLOCK, ACCESS_READ);
	return true;
}

/* The next call of any process may go into the changed module. Loading a module for the first time
 * changes nothing: a call would have loaded it. */
static bool announce_code(struct objects *objects, const struct process *p, struct event *event)
{
	event->kind = EVENT_INSPECT;
	if (p->announced.effect == EFFECT_CODE_READ)
		return objects_know(objects, LEARNED_CODE);
	if (p->announced.effect == EFFECT_CODE_ENSURE)
		return false;
	objects_learn(objects, LEARNED_CODE);
	return announce_world(EVENT_CODE, event);
}

static bool announce_output(struct objects *objects, struct event *event)
{
	event->kind = EVENT_IO;
	if (objects->orders_output)
		announce_add(event, OBJECT_THE_OUTPUT, ACCESS_WRITE);
	return objects->orders_output;
}

static bool announce_effect(struct objects *objects, struct process *p, struct event *event)
{
	switch (p->announced.effect) {
	case EFFECT_SPAWN:
		event->kind = EVENT_SPAWN;
		if (objects_know(objects, LEARNED_PROCESSES))
			announce_add(event, OBJECT_ALL_PROCESSES, ACCESS_ADD);
		return true;
	case EFFECT_SEND: case EFFECT_SEND_OPEN:
	case EFFECT_LINK: case EFFECT_UNLINK: case EFFECT_MONITOR:
	case EFFECT_DEMONITOR: case EFFECT_ALIAS: case EFFECT_EXIT_SIGNAL:
		return announce_signal(objects, p, event);
	case EFFECT_EXIT_STEP:
		return announce_exit(objects, p, event);
	case EFFECT_READ_REGISTRY: case EFFECT_WRITE_REGISTRY:
		announce_registry(objects, p, event);
		return true;
	case EFFECT_READ_ALIVE: case EFFECT_INSPECT:
		return announce_inspect(objects, p, event);
	case EFFECT_FLAG_OTHER: case EFFECT_GROUP_LEADER: case EFFECT_SUSPEND: case EFFECT_RESUME:
	case EFFECT_SYSTEM_TASK:
		return announce_other(objects, p, event);
	case EFFECT_FLAG_OWN:
		return announce_own_flag(objects, p, event);
	case EFFECT_SYSTEM_FLAG:
		return announce_world(EVENT_FLAG, event);
	case EFFECT_SYSTEM_INFO:
		if (p->announced.args[0] != A_process_count)
			return false;
		/* fallthrough */
	case EFFECT_READ_PROCESSES:
		event->kind = EVENT_INSPECT;
		objects_learn(objects, LEARNED_PROCESSES);
		announce_add(event, OBJECT_ALL_PROCESSES, ACCESS_READ);
		return true;
	case EFFECT_PTERM_READ: case EFFECT_PTERM_WRITE: case EFFECT_PTERM_READ_ALL:
	case EFFECT_ATOMIC_READ: case EFFECT_ATOMIC_WRITE: case EFFECT_ATOMIC_ADD:
	case EFFECT_ENV_READ: case EFFECT_ENV_WRITE:
		return announce_term(objects, p, event);
	case EFFECT_TIMER_START: case EFFECT_TIMER_CANCEL: case EFFECT_READ_CLOCK:
	case EFFECT_UNIQUE_ORDER:
		return announce_time(objects, p, event);
	case EFFECT_CODE_READ: case EFFECT_CODE_WRITE: case EFFECT_CODE_ENSURE:
		return announce_code(objects, p, event);
	case EFFECT_NONE: case EFFECT_ANSWER:
		return false;
	case EFFECT_DECLARED:
		declared_announce((uint32_t)p->ip[1], p->announced.args, p->announced.args_len,
				  event);
		return true;
	case EFFECT_IO:
		return announce_output(objects, event);
	case EFFECT_HALT:
		return announce_world(EVENT_EXIT, event);
	default:
		return announce_ets(objects, p, event);
	}
}

/* p asks about another process, and may learn that a signal has ended it: then processes/0 does not
 * list that process any more, although it has not begun to die. */
static void add_knowledge(const struct objects *objects, const struct process *p,
			  struct event *event)
{
	term asked = announce_asked(p);

	if (!objects_know(objects, LEARNED_DEATHS) || !objects_know(objects, LEARNED_PROCESSES) ||
	    asked == TERM_NONE || asked == p->pid || event_touches_all(event))
		return;
	if (event->access_len + 1 + !!objects_know(objects, LEARNED_STEPS) > EVENT_ACCESSES)
		announce_widen(event);
	else
		announce_add(event, OBJECT_ALL_PROCESSES, ACCESS_ADD);
}

/* The answer to a question is a message in the own mailbox, among those of other processes. */
static bool add_answer(const struct process *p, struct event *event, bool is_event)
{
	if (!p->announced.bif || bif_table[p->announced.bif - 1].kind != BIF_ANSWERED)
		return is_event;
	if (!is_event) {
		clear(p, event);
		event->kind = EVENT_INSPECT;
	}
	if (event->access_len == EVENT_ACCESSES)
		announce_widen(event);
	else if (!event_touches_all(event))
		announce_add(event, object_mailbox(p->pid), ACCESS_SEND);
	return true;
}

bool announce_step(struct objects *objects, struct process *p, struct event *event)
{
	clear(p, event);
	if (!add_answer(p, event, announce_effect(objects, p, event)))
		return false;
	add_knowledge(objects, p, event);
	if (p->status != PROCESS_EXITING)
		announce_mark(objects, p, event);
	return true;
}

void announce_receive(struct objects *objects, struct process *p, struct event *event,
		      enum access_mode mode)
{
	clear(p, event);
	event->kind = EVENT_RECEIVE;
	announce_add(event, object_mailbox(p->pid), mode);
	announce_mark(objects, p, event);
}

void announce_waiting(struct objects *objects, struct process *p, struct event *event)
{
	clear(p, event);
	event->kind = EVENT_SLEEP;
	announce_add(event, OBJECT_THE_CLOCK, ACCESS_READ);
	announce_mark(objects, p, event);
}

void announce_outcome(struct process *p, struct event *event)
{
	if (!event->access_len || event->accesses[0].mode == ACCESS_WORLD)
		return;
	if (event->kind == EVENT_ETS_WRITE) {
		announce_ets_outcome(p, event);
	} else if (event->kind == EVENT_LINK && announce_link_is_made(p)) {
		for (uint32_t a = 0; a < event->access_len; a++)
			if (event->accesses[a].mode == ACCESS_SEND) /* no answer */
				event->accesses[a].mode = ACCESS_USE;
	} else if (p->announced.effect == EFFECT_WRITE_REGISTRY && announce_register_fails(p) &&
		   OBJECT_CLASS(event->accesses[0].object) == OBJECT_NAME) {
		event->accesses[0].mode = ACCESS_READ;
		event->accesses[1].mode = ACCESS_USE;
		event->flags |= EVENT_FAILED;
	}
}
