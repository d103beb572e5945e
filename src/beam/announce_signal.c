/* Announcing what processes do to each other: signals, names, looking, dying. */
#include "beam/announce_parts.h"

#include "core/dependence.h"
#include "vm/ets/ets.h"
#include "vm/process/boot.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/process/suspend.h"
#include "vm/terms/atom.h"

/* ---- messages ---- */

/* The pid behind a destination, or TERM_NONE. */
static term resolve(struct vm *vm, term to)
{
	if (term_is_tuple_of(to, 2))
		to = tuple_element(to, 0);
	if (term_is_atom(to))
		return registry_find(vm, to);
	if (term_is_ref(to))
		return pid_make(ref_pid_value(to));
	return term_is_pid(to) ? to : TERM_NONE;
}

bool announce_is_of_system(struct vm *vm, term pid)
{
	const struct process *of = pid == TERM_NONE ? NULL : process_find(vm, pid);

	return of && boot_is_done(vm) && pid != vm->group_leader && of->is_system;
}

term announce_system_name(struct vm *vm, term pid)
{
	return process_find(vm, pid)->registered_name;
}

/* A message to a system process, or to the name of one that is started by it. The answer comes
 * within the step. */
static bool add_system(struct objects *objects, struct process *p, term name, term pid,
		       struct event *event)
{
	if (!announce_is_of_system(p->vm, pid) &&
	    !(pid == TERM_NONE && term_is_atom(name) && boot_begins_with(p, name)))
		return false;
	announce_wakes_system(objects, pid == TERM_NONE ? name : announce_system_name(p->vm, pid),
			      event);
	if (!event_touches_all(event))
		announce_add(event, object_mailbox(p->pid), ACCESS_SEND);
	return true;
}

static void add_destination(struct objects *objects, struct process *p, term to,
			    struct event *event)
{
	term name = term_is_tuple_of(to, 2) ? tuple_element(to, 0) : to;
	term pid = resolve(p->vm, to);

	if (term_is_atom(name))
		announce_add(event, object_name(objects, name), ACCESS_READ);
	if (pid != TERM_NONE && signal_goes_by_channel(p->vm, p->pid, pid))
		return; /* the delivery is what others notice */
	if (add_system(objects, p, name, pid, event))
		return;
	if (pid != TERM_NONE)
		announce_add(event, object_mailbox(pid), ACCESS_SEND);
	if (objects->orders_output && pid == p->group_leader)
		announce_add(event, OBJECT_THE_OUTPUT, ACCESS_WRITE);
	if (term_is_ref(to))
		announce_add(event, object_reference(objects, ref_pid_value(to), ref_counter(to)),
			     ref_flags(to) & REF_ONCE ? ACCESS_WRITE : ACCESS_READ);
}

void announce_add_tie(struct objects *objects, struct event *event, term pid)
{
	/* An event that asks has no room for more than the steps then. */
	if (objects->is_async && objects_know(objects, LEARNED_TIES))
		announce_add(event, object_steps(pid), ACCESS_WRITE);
	else
		announce_add(event, object_process(pid),
			     objects_know(objects, LEARNED_TIES) ? ACCESS_ADD : ACCESS_READ);
}

/* The signal arrives before or after one that ends its receiver. */
static void add_arrival(struct event *event, term pid)
{
	announce_add(event, object_signals(pid), ACCESS_USE);
}

void announce_tie(struct objects *objects, term pid, struct event *event)
{
	announce_add_tie(objects, event, pid);
	add_arrival(event, pid);
}

static void announce_monitor(struct objects *objects, struct process *p, term target,
			     struct event *event)
{
	term pid = resolve(p->vm, target);

	event->kind = EVENT_MONITOR;
	if (term_is_atom(target))
		announce_add(event, object_name(objects, target), ACCESS_READ);
	if (pid != TERM_NONE && !signal_goes_by_channel(p->vm, p->pid, pid))
		announce_tie(objects, pid, event);
	if (p->announced.args[0] == A_port) /* the DOWN of one that is closed comes at once */
		announce_add(event, object_mailbox(p->pid), ACCESS_SEND);
}

/* With flush the caller cannot tell whether the DOWN message had come. Others can, if they look at
 * its messages or monitors; and an abnormal end is not a finding if another process hears of it. */
static bool is_silent_flush(const struct objects *objects, const struct process *p)
{
	const term *args = p->announced.args;

	return p->announced.args_len == 2 && term_is_cons(args[1]) &&
	       cons_head(args[1]) == A_flush && cons_tail(args[1]) == NIL &&
	       !objects_know(objects, LEARNED_ENDS) && !objects_know(objects, LEARNED_TIES) &&
	       !objects_know(objects, LEARNED_LOOKS);
}

/* Options that demonitor/2 does not know: it fails, and nothing happens. */
static bool has_bad_options(const struct process *p)
{
	term list = p->announced.args_len == 2 ? p->announced.args[1] : NIL;

	for (; term_is_cons(list); list = cons_tail(list))
		if (cons_head(list) != A_flush && cons_head(list) != A_info)
			return true;
	return list != NIL;
}

/* The end of a monitor that others can notice. An alias that goes with it stands for both. */
static void add_unwatching(struct objects *objects, struct process *p, struct event *event)
{
	const term ref = p->announced.args[0];
	term watched = signal_monitored(p, ref);

	if (watched != TERM_NONE && signal_goes_by_channel(p->vm, p->pid, watched))
		watched = TERM_NONE; /* it hears of that by a signal, if at all */
	if (!signal_alias_goes(p, ref))
		announce_add(event, object_monitor(objects, ref_pid_value(ref), ref_counter(ref)),
			     ACCESS_WRITE);
	if (watched != TERM_NONE)
		announce_add(event, object_relations(watched), ACCESS_ADD);
	if (watched != TERM_NONE && objects_know(objects, LEARNED_TIES))
		announce_add_tie(objects, event, watched);
	if (p->announced.args_len == 2 && objects_know(objects, LEARNED_LOOKS) &&
	    (objects->is_async || !objects_know(objects, LEARNED_STEPS)))
		announce_add(event, object_mailbox(p->pid), ACCESS_RECV);
}

static bool announce_demonitor(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	bool is_alias = p->announced.effect == EFFECT_ALIAS;

	event->kind = EVENT_DEMONITOR;
	if (!p->announced.args_len || !term_is_ref(args[0]) || (!is_alias && has_bad_options(p)))
		return false;
	if (is_alias ? ref_flags(args[0]) & REF_ALIAS : signal_alias_goes(p, args[0]))
		announce_add(event, object_reference(objects, ref_pid_value(args[0]),
						     ref_counter(args[0])), ACCESS_WRITE);
	if (!is_alias && !is_silent_flush(objects, p))
		add_unwatching(objects, p, event);
	else if (p->has_own_outside && objects_know(objects, LEARNED_LOOKS))
		announce_add(event, object_mailbox(p->pid), ACCESS_RECV); /* takes own ones out */
	return event->access_len > 0;
}

static bool announce_exit_signal(struct objects *objects, struct process *p, struct event *event)
{
	term to = p->announced.args[0];

	if (!term_is_pid(to))
		return false;
	event->kind = EVENT_EXIT_SIGNAL; /* to itself, too: another's may come before it */
	if (signal_goes_by_channel(p->vm, p->pid, to))
		return true;
	announce_add(event, object_signals(to), ACCESS_ADD);
	if (announce_is_of_system(p->vm, to))
		announce_wakes_system(objects, announce_system_name(p->vm, to), event);
	else
		announce_add(event, object_mailbox(to), ACCESS_SEND);
	return true;
}

/* A link to a process that has ended is answered at once if the caller traps exits. */
static void add_refusal(const struct process *p, struct event *event)
{
	if (event->kind == EVENT_LINK && p->trap_exit)
		announce_add(event, object_mailbox(p->pid), ACCESS_SEND);
}

/* Linking and unlinking. By a channel the other process gets the request later. The step changes the
 * caller's own end only, and it matters which signals of the other process have come before:
 *     Q: link(P)     P: link(Q)     sends no request of its own if Q's request is there
 * Otherwise both ends change at once. Two links of the same processes commute, and so do two unlinks.
 *     P: unlink(Q)   Q: link(P)     they are linked, or not: the two depend
 *     P: unlink(Q)   R: unlink(P)   independent, unless the order of P's links matters */
static void add_link(struct objects *objects, struct process *p, struct event *event)
{
	term other = p->announced.args[0];

	if (signal_goes_by_channel(p->vm, p->pid, other)) {
		announce_add(event, object_relations(p->pid), ACCESS_WRITE);
		if (event->kind == EVENT_LINK) /* with a process that has ended it fails */
			announce_add(event, object_process(other), ACCESS_READ);
		add_refusal(p, event);
		return;
	}
	if (event->kind == EVENT_UNLINK)
		announce_add(event, object_relations(other), ACCESS_ADD);
	announce_add(event, object_link(objects, p->pid, other),
		     event->kind == EVENT_LINK ? ACCESS_READ : ACCESS_ADD);
	announce_add_tie(objects, event, other);
	if (event->kind == EVENT_LINK)
		add_arrival(event, other);
	add_refusal(p, event);
}

bool announce_link_is_made(struct process *p)
{
	const struct process *other = process_find(p->vm, p->announced.args[0]);

	return other && other->status != PROCESS_EXITING;
}

bool announce_signal(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;

	switch (p->announced.effect) {
	case EFFECT_SEND:
		event->kind = EVENT_SEND;
		add_destination(objects, p, args[0], event);
		return true;
	case EFFECT_SEND_OPEN:
		event->kind = EVENT_SEND;
		announce_add(event, object_persistent(objects, args[1]), ACCESS_READ);
		add_destination(objects, p, args[0], event);
		return true;
	case EFFECT_LINK: case EFFECT_UNLINK:
		event->kind = p->announced.effect == EFFECT_LINK ? EVENT_LINK : EVENT_UNLINK;
		if (!term_is_pid(args[0]) || args[0] == p->pid)
			return false;
		add_link(objects, p, event);
		return true;
	case EFFECT_MONITOR:
		if (p->announced.args_len < 2 ||
		    !(term_is_pid(args[1]) || term_is_atom(args[1]) || term_is_port(args[1]) ||
		      term_is_tuple_of(args[1], 2)))
			return false;
		announce_monitor(objects, p, term_is_tuple(args[1]) ? tuple_element(args[1], 0)
								   : args[1], event);
		return true;
	case EFFECT_DEMONITOR:
	case EFFECT_ALIAS:
		return announce_demonitor(objects, p, event);
	default:
		return announce_exit_signal(objects, p, event);
	}
}

/* ---- names ---- */

/* A process has at most one name, so two registrations of one process conflict. An unregister of a
 * name that no process has at the moment may take it from any process. */
static void add_name_of(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	term of = p->announced.args_len == 2 ? args[1] : resolve(p->vm, args[0]);

	if (of != TERM_NONE && term_is_pid(of))
		announce_add(event, object_name_of(objects, of), ACCESS_WRITE);
	else if (p->announced.args_len == 1)
		announce_add(event, OBJECT_ALL_NAMES, ACCESS_WRITE);
}

/* A process that another one knows to be dead gets no name, so the step does more to it than read. */
static void order_behind_questions(struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (OBJECT_CLASS(event->accesses[a].object) == OBJECT_ACTOR)
			event->accesses[a].mode = event->accesses[a].announced = ACCESS_ADD;
}

void announce_registry(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	term pid;

	if (p->announced.effect == EFFECT_READ_REGISTRY) {
		event->kind = EVENT_WHEREIS;
		if (!p->announced.args_len || !term_is_atom(args[0]))
			announce_add(event, OBJECT_ALL_NAMES, ACCESS_READ);
		else
			announce_add(event, object_name(objects, args[0]), ACCESS_READ);
		return;
	}
	event->kind = p->announced.args_len == 2 ? EVENT_REGISTER : EVENT_UNREGISTER;
	announce_add(event, object_name(objects, args[0]), ACCESS_WRITE);
	announce_add(event, OBJECT_ALL_NAMES, ACCESS_ADD);
	pid = p->announced.args_len == 2 ? args[1] : resolve(p->vm, args[0]);
	if (pid != TERM_NONE && term_is_pid(pid))
		announce_add_tie(objects, event, pid);
	add_name_of(objects, p, event);
	if (pid != p->pid && p->announced.args_len == 2 && objects_know(objects, LEARNED_DEATHS))
		order_behind_questions(event);
	if (pid != p->pid)
		objects_learn(objects, LEARNED_NAMES);
}

bool announce_register_fails(struct process *p)
{
	const term *args = p->announced.args;
	const struct process *of;

	if (p->announced.args_len == 1)
		return !term_is_atom(args[0]) || registry_find(p->vm, args[0]) == TERM_NONE;
	of = process_find(p->vm, args[1]);
	return !of || of->status == PROCESS_EXITING || of->is_known_dead ||
	       of->registered_name != TERM_NONE || registry_find(p->vm, args[0]) != TERM_NONE;
}

/* ---- looking at another process, and changing it ---- */

enum asked { ASKED_LIFE, ASKED_QUEUE, ASKED_ALL };

static enum asked classify(term item)
{
	static const term constants[] = {
		A_initial_call, A_heap_size, A_total_heap_size, A_stack_size, A_reductions,
		A_garbage_collection, A_garbage_collection_info, A_memory, A_parent, A_binary,
		A_catchlevel, A_message_queue_data, A_sensitive, A_min_heap_size, A_async_dist};

	if (item == A_messages || item == A_message_queue_len)
		return ASKED_QUEUE;
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++)
		if (item == constants[i])
			return ASKED_LIFE;
	return ASKED_ALL;
}

/* The largest class among the items that p asks for. */
static enum asked what_is_asked(const struct process *p)
{
	term item = p->announced.args_len > 1 ? p->announced.args[1] : TERM_NONE;
	enum asked most = ASKED_LIFE;

	if (p->announced.effect == EFFECT_READ_ALIVE || p->announced.effect == EFFECT_FLAG_OTHER)
		return ASKED_LIFE;
	if (p->announced.effect != EFFECT_INSPECT || item == TERM_NONE)
		return ASKED_ALL;
	if (!term_is_list(item))
		return classify(item);
	for (; term_is_cons(item); item = cons_tail(item))
		if (classify(cons_head(item)) > most)
			most = classify(cons_head(item));
	return most;
}

static bool add_questions(struct objects *objects, struct process *p, term pid,
			  struct event *event)
{
	enum asked asked = what_is_asked(p);

	if (!term_is_pid(pid) || pid == p->pid)
		return false;
	event->kind = EVENT_INSPECT;
	if (!objects->is_async || asked != ASKED_ALL)
		announce_add(event, object_process(pid), ACCESS_READ);
	if (asked == ASKED_LIFE) {
		announce_add(event, object_signals(pid), ACCESS_READ);
	} else {
		objects_learn(objects, LEARNED_LOOKS);
		announce_add(event, object_mailbox(pid), ACCESS_LOOK);
	}
	if (asked == ASKED_ALL) {
		objects_learn(objects, LEARNED_TIES);
		objects_learn(objects, LEARNED_STEPS);
	}
	if (asked == ASKED_ALL || (asked == ASKED_QUEUE && !objects->is_async &&
				   objects_know(objects, LEARNED_STEPS)))
		announce_add(event, object_steps(pid), ACCESS_READ);
	if (!objects->is_async)
		return true;
	objects_learn(objects, LEARNED_QUESTIONS);
	announce_add(event, object_channel(objects, p->pid, pid), ACCESS_TAKE);
	return true;
}

/* Can other processes change this item of the process that asks? */
static bool is_from_others(const struct objects *objects, term item)
{
	return item == A_messages || item == A_message_queue_len || item == A_links ||
	       item == A_monitored_by || item == A_monitors || item == A_suspending ||
	       (item == A_group_leader && objects_know(objects, LEARNED_LEADERS)) ||
	       (item == A_registered_name && objects_know(objects, LEARNED_NAMES));
}

static bool announce_own(struct objects *objects, struct process *p, struct event *event)
{
	term item = p->announced.args_len > 1 ? p->announced.args[1] : TERM_NONE;
	bool is_event = item == TERM_NONE || is_from_others(objects, item);

	for (; item != TERM_NONE && term_is_cons(item); item = cons_tail(item))
		is_event = is_event || is_from_others(objects, cons_head(item));
	if (!is_event)
		return false;
	objects_learn(objects, LEARNED_TIES);
	if (objects->is_async)
		objects_learn(objects, LEARNED_STEPS);
	event->kind = EVENT_INSPECT;
	announce_add(event, object_process(p->pid), ACCESS_READ);
	announce_add(event, object_mailbox(p->pid), ACCESS_LOOK);
	announce_add(event, object_relations(p->pid), ACCESS_READ);
	return true;
}

bool announce_inspect(struct objects *objects, struct process *p, struct event *event)
{
	if (p->announced.effect == EFFECT_INSPECT && p->announced.args[0] == p->pid)
		return announce_own(objects, p, event);
	return p->announced.args_len && add_questions(objects, p, p->announced.args[0], event);
}

bool announce_hold(struct objects *objects, struct process *p, term pid, enum access_mode mode,
		   struct event *event)
{
	if (!term_is_pid(pid) || pid == p->pid)
		return false;
	objects_learn(objects, LEARNED_SUSPENDS);
	objects_learn(objects, LEARNED_STEPS);
	if (mode == ACCESS_SHARE)
		event->flags |= EVENT_TRY;
	event->kind = EVENT_FLAG;
	announce_add(event, object_hold(pid), mode);
	add_arrival(event, pid);
	return true;
}

/* Suspending or resuming another process. If p has suspended it already, the step only changes how
 * often p must resume it. Resuming a process that p has not suspended fails, whatever others do. */
static bool announce_suspending(struct objects *objects, struct process *p, struct event *event)
{
	bool is_resuming = p->announced.effect == EFFECT_RESUME;
	const struct suspension *suspension = suspension_find(p, p->announced.args[0]);

	if (!suspension && is_resuming)
		return false;
	if (suspension && !(is_resuming && suspension->count == 1)) {
		event->kind = EVENT_FLAG;
		add_arrival(event, p->announced.args[0]);
		return true;
	}
	return announce_hold(objects, p, p->announced.args[0],
			     is_resuming ? ACCESS_UNSHARE : ACCESS_SHARE, event);
}

bool announce_other(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;

	event->kind = EVENT_INSPECT;
	if (p->announced.effect == EFFECT_GROUP_LEADER && !p->announced.args_len)
		return objects_know(objects, LEARNED_LEADERS);
	if (p->announced.effect == EFFECT_GROUP_LEADER) {
		if (p->announced.args_len < 2 || !term_is_pid(args[1]) || args[1] == p->pid)
			return false;
		objects_learn(objects, LEARNED_STEPS);
		objects_learn(objects, LEARNED_LEADERS);
		event->kind = EVENT_FLAG;
		announce_add(event, object_steps(args[1]), ACCESS_WRITE);
		announce_add(event, object_process(args[1]), ACCESS_READ);
		if (!objects->is_async) {
			add_arrival(event, args[1]);
			return true;
		}
		objects_learn(objects, LEARNED_QUESTIONS);
		announce_add(event, object_channel(objects, p->pid, args[1]), ACCESS_TAKE);
		return true;
	}
	if (p->announced.effect == EFFECT_SUSPEND || p->announced.effect == EFFECT_RESUME)
		return announce_suspending(objects, p, event);
	if (p->announced.effect == EFFECT_SYSTEM_TASK)
		return add_questions(objects, p, p->announced.args[p->announced.args_len - 3], event);
	return add_questions(objects, p, args[0], event); /* FLAG_OTHER: it fails if that has ended */
}

term announce_asked(const struct process *p)
{
	const struct announced *announced = &p->announced;
	term pid = announced->args_len ? announced->args[0] : TERM_NONE;

	if (announced->effect == EFFECT_GROUP_LEADER)
		pid = announced->args_len > 1 ? announced->args[1] : TERM_NONE;
	else if (announced->effect == EFFECT_SYSTEM_TASK)
		pid = announced->args[announced->args_len - 3];
	else if (announced->effect != EFFECT_READ_ALIVE && announced->effect != EFFECT_INSPECT &&
		 announced->effect != EFFECT_FLAG_OTHER)
		return TERM_NONE; /* suspending and resuming do not wait */
	return pid != TERM_NONE && term_is_pid(pid) ? pid : TERM_NONE;
}

bool announce_own_flag(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;

	if (args[0] != A_trap_exit || args[1] == atom_from_bool(p->trap_exit))
		return false;
	objects_learn(objects, LEARNED_TRAPS);
	event->kind = EVENT_FLAG;
	announce_add(event, object_signals(p->pid), ACCESS_WRITE);
	return true;
}
