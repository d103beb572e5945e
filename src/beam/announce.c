#include "beam/announce.h"

#include "beam/atom.h"
#include "beam/bif.h"
#include "beam/compare.h"
#include "beam/ets_store.h"
#include "beam/registry.h"
#include "beam/signal.h"
#include "beam/timer.h"

static struct access *add(struct event *event, uint64_t object, enum access_mode mode)
{
	struct access *access = &event->accesses[event->access_len++];

	*access = (struct access){.object = object, .mode = (uint16_t)mode,
				  .announced = (uint16_t)mode};
	return access;
}

static bool calls(const struct process *p, const char *name)
{
	return p->announced.bif && strcmp(bif_table[p->announced.bif - 1].name, name) == 0;
}

/* ---- processes, messages, names ---- */

/* The pid behind a destination; TERM_NONE when there is none. */
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

static void add_destination(struct objects *objects, struct process *p, term to,
			    struct event *event)
{
	term name = term_is_tuple_of(to, 2) ? tuple_element(to, 0) : to;
	term pid = resolve(p->vm, to);

	if (term_is_atom(name))
		add(event, object_name(objects, name), ACCESS_READ);
	if (pid != TERM_NONE)
		add(event, object_mailbox(pid), ACCESS_SEND);
	if (objects->orders_output && pid == p->group_leader)
		add(event, OBJECT_THE_OUTPUT, ACCESS_WRITE);
	if (term_is_ref(to))
		add(event, object_reference(ref_pid_value(to), ref_counter(to)), ACCESS_READ);
}

static void announce_monitor(struct objects *objects, struct process *p, term target,
			     struct event *event)
{
	term pid = resolve(p->vm, target);

	event->kind = EVENT_MONITOR;
	if (!term_is_pid(target))
		add(event, object_name(objects, term_is_atom(target) ? target : resolve(p->vm, target)),
		    ACCESS_READ);
	if (pid != TERM_NONE)
		add(event, object_process(pid), ACCESS_READ);
	add(event, object_mailbox(p->pid), ACCESS_SEND);
}

static void announce_registry(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;

	if (p->announced.effect == EFFECT_READ_REGISTRY) {
		event->kind = EVENT_WHEREIS;
		if (!p->announced.args_len || !term_is_atom(args[0]))
			add(event, OBJECT_ALL_NAMES, ACCESS_READ);
		else
			add(event, object_name(objects, args[0]), ACCESS_READ);
		return;
	}
	event->kind = p->announced.args_len == 2 ? EVENT_REGISTER : EVENT_UNREGISTER;
	add(event, object_name(objects, args[0]), ACCESS_WRITE);
	add(event, OBJECT_ALL_NAMES, ACCESS_ADD);
	if (p->announced.args_len == 2 && term_is_pid(args[1]))
		add(event, object_process(args[1]), ACCESS_READ);
}

/* Looking at another process: its queue, its life, or all it does. */
static bool announce_inspect(struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	term item = p->announced.args_len > 1 ? args[1] : NIL;

	if (!term_is_pid(args[0]) || args[0] == p->pid)
		return false;
	event->kind = EVENT_INSPECT;
	add(event, object_process(args[0]), ACCESS_READ);
	add(event, object_signals(args[0]), ACCESS_READ);
	if (p->announced.effect != EFFECT_READ_ALIVE && item != A_links && item != A_registered_name)
		add(event, object_mailbox(args[0]), ACCESS_LOOK);
	return true;
}

static bool announce_exit_signal(struct process *p, struct event *event)
{
	term to = p->announced.args[0];

	if (!term_is_pid(to) || to == p->pid)
		return false;
	event->kind = EVENT_EXIT_SIGNAL;
	add(event, object_mailbox(to), ACCESS_SEND);
	add(event, object_signals(to), ACCESS_ADD);
	return true;
}

/* ---- dying ---- */

static bool announce_relation(struct process *p, struct event *event)
{
	const struct relation *relation = signal_exit_relation(p);
	const struct process *other = relation->peer ? relation->peer->owner : NULL;

	if (relation->kind == RELATION_MONITORED) { /* also where nobody listens any more */
		event->kind = EVENT_SEND;
		add(event, object_mailbox(relation->other), ACCESS_SEND);
		add(event, object_monitor(relation->ref_pid, relation->ref_counter), ACCESS_WRITE);
		add(event, object_relations(p->pid), ACCESS_READ);
		return true;
	}
	if (relation->kind != RELATION_LINK ||
	    (p->exit_reason == A_normal && !(other && other->trap_exit)))
		return false;
	event->kind = other && other->trap_exit ? EVENT_SEND : EVENT_EXIT_SIGNAL;
	add(event, object_mailbox(relation->other), ACCESS_SEND);
	add(event, object_relations(p->pid), ACCESS_READ);
	if (event->kind == EVENT_EXIT_SIGNAL)
		add(event, object_signals(relation->other), ACCESS_ADD);
	return true;
}

static bool announce_exit(struct objects *objects, struct process *p, struct event *event)
{
	if (p->status != PROCESS_EXITING) {
		event->kind = EVENT_FINISH;
		add(event, object_process(p->pid), ACCESS_WRITE);
		if (objects->lists_processes)
			add(event, OBJECT_ALL_PROCESSES, ACCESS_ADD);
		return true;
	}
	if (p->timers || p->receive_timer)
		return false;
	if (p->tables) {
		term name = p->tables->name;

		event->kind = EVENT_ETS_WRITE;
		add(event, object_table(objects, p->vm,
					p->tables->is_named ? name : boxed_make(p->tables->id)),
		    ACCESS_WRITE);
		return true;
	}
	if (p->registered_name != TERM_NONE) {
		event->kind = EVENT_UNREGISTER;
		add(event, object_name(objects, p->registered_name), ACCESS_WRITE);
		add(event, OBJECT_ALL_NAMES, ACCESS_ADD);
		return true;
	}
	return p->relations && announce_relation(p, event);
}

/* ---- tables and terms ---- */

static void add_key_write(struct objects *objects, struct process *p, term key, struct event *event,
			  enum access_mode mode, uint32_t value)
{
	term id = p->announced.args[0];

	add(event, object_key(objects, p->vm, id, key), mode)->size = value;
	add(event, object_table(objects, p->vm, id), ACCESS_ADD);
}

/* One tuple by its key; more, or what is none, as a write of the table. */
static void announce_object(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	const struct ets_table *table = ets_find_table(p->vm, args[0]);
	term tuple = args[1];
	bool is_insert = calls(p, "insert");

	if (term_is_cons(tuple) && cons_tail(tuple) == NIL)
		tuple = cons_head(tuple);
	if (!table || !term_is_tuple(tuple) || tuple_size(tuple) < table->keypos) {
		add(event, object_table(objects, p->vm, args[0]), ACCESS_WRITE);
		return;
	}
	add_key_write(objects, p, tuple_element(tuple, table->keypos - 1), event,
		      is_insert ? ACCESS_STORE : ACCESS_WRITE,
		      is_insert ? (uint32_t)term_hash(tuple) : 0);
}

static void announce_ets(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	bool has_args = p->announced.args_len > 0;

	event->kind = EVENT_ETS_READ;
	switch (p->announced.effect) {
	case EFFECT_ETS_READ_KEY:
		add(event, object_key(objects, p->vm, args[0], args[1]), ACCESS_READ);
		add(event, object_table(objects, p->vm, args[0]), ACCESS_USE);
		return;
	case EFFECT_ETS_WRITE_KEY:
		event->kind = EVENT_ETS_WRITE;
		add_key_write(objects, p, args[1], event,
			      calls(p, "delete") ? ACCESS_STORE : ACCESS_WRITE, 0);
		return;
	case EFFECT_ETS_WRITE_OBJECT:
		event->kind = EVENT_ETS_WRITE;
		announce_object(objects, p, event);
		return;
	case EFFECT_ETS_READ_TABLE:
	case EFFECT_ETS_READ_MATCHING:
	case EFFECT_ETS_READ_PATTERN:
	case EFFECT_ETS_READ_NAMES:
		add(event, has_args ? object_table(objects, p->vm, args[0]) : OBJECT(OBJECT_TABLE, 0),
		    ACCESS_READ);
		return;
	case EFFECT_ETS_CONTINUE:
		add(event, object_table(objects, p->vm, term_is_tuple(args[0])
							? tuple_element(args[0], 0) : args[0]),
		    ACCESS_READ);
		return;
	default:
		event->kind = EVENT_ETS_WRITE;
		add(event, object_table(objects, p->vm, args[0]), ACCESS_WRITE);
		if (p->announced.effect == EFFECT_ETS_GIVE && term_is_pid(args[1]))
			add(event, object_mailbox(args[1]), ACCESS_SEND);
		if (p->announced.effect == EFFECT_ETS_NEW || p->announced.effect == EFFECT_ETS_DROP)
			add(event, OBJECT(OBJECT_TABLE, 0), ACCESS_ADD);
	}
}

/* An unnamed table nobody else knows yet. */
static bool is_new_named_table(const struct process *p)
{
	for (term l = p->announced.args[1]; term_is_cons(l); l = cons_tail(l))
		if (cons_head(l) == A_named_table)
			return true;
	return false;
}

/* The logger keeps levels of modules as persistent terms {logger_config, Module}: a cache. */
static bool is_of_logger(term key)
{
	return term_is_tuple_of(key, 2) && term_is_atom(tuple_element(key, 0)) &&
	       strcmp(atom_text(tuple_element(key, 0)), "logger_config") == 0;
}

static void announce_term(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	enum effect effect = p->announced.effect;
	bool is_cell = effect == EFFECT_ATOMIC_READ || effect == EFFECT_ATOMIC_WRITE ||
		       effect == EFFECT_ATOMIC_ADD;
	enum access_mode mode = effect == EFFECT_PTERM_WRITE || effect == EFFECT_ATOMIC_WRITE
					? ACCESS_WRITE
					: effect == EFFECT_ATOMIC_ADD ? ACCESS_ADD : ACCESS_READ;

	event->kind = mode == ACCESS_READ ? EVENT_TERM_READ : EVENT_TERM_WRITE;
	if (effect != EFFECT_PTERM_READ_ALL)
		add(event, is_cell ? object_term(objects, "cell", args[0], args[1])
				   : object_term(objects, "persistent term", args[0], TERM_NONE), mode);
	if (!is_cell && effect != EFFECT_PTERM_READ)
		add(event, OBJECT(OBJECT_TERM, 0), mode == ACCESS_READ ? ACCESS_READ : ACCESS_ADD);
}

/* ---- all ---- */

static bool announce_time(struct process *p, struct event *event)
{
	term ref = p->announced.args_len ? p->announced.args[0] : TERM_NONE;

	switch (p->announced.effect) {
	case EFFECT_TIMER_START:
		event->kind = EVENT_CREATE; /* peer: the timer, once it is there */
		return true;
	case EFFECT_TIMER_CANCEL:
		event->kind = EVENT_CANCEL;
		if (!term_is_ref(ref))
			return false;
		add(event, object_reference(ref_pid_value(ref), ref_counter(ref)), ACCESS_WRITE);
		return true;
	case EFFECT_READ_CLOCK:
		event->kind = EVENT_CLOCK;
		add(event, OBJECT_THE_CLOCK, ACCESS_READ);
		return true;
	default: /* UNIQUE_ORDER */
		event->kind = EVENT_UNIQUE;
		for (; term_is_cons(ref) && cons_head(ref) != A_monotonic; ref = cons_tail(ref))
			;
		if (!term_is_cons(ref) && p->announced.args_len)
			return false;
		add(event, OBJECT(OBJECT_CLOCK, 2), ACCESS_WRITE);
		return true;
	}
}

/* With flush nobody can tell whether the DOWN message came before or not at all. */
static bool announce_demonitor(struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	bool is_flush = p->announced.args_len == 2 && term_is_cons(args[1]) &&
			cons_head(args[1]) == A_flush && cons_tail(args[1]) == NIL;

	event->kind = EVENT_DEMONITOR;
	if (!p->announced.args_len || !term_is_ref(args[0]))
		return false;
	if (ref_flags(args[0]) & REF_ALIAS)
		add(event, object_reference(ref_pid_value(args[0]), ref_counter(args[0])),
		    ACCESS_WRITE);
	if (p->announced.effect == EFFECT_DEMONITOR && !is_flush) {
		add(event, object_monitor(ref_pid_value(args[0]), ref_counter(args[0])),
		    ACCESS_WRITE);
		if (signal_monitored(p, args[0]) != TERM_NONE)
			add(event, object_relations(signal_monitored(p, args[0])), ACCESS_ADD);
	}
	return event->access_len > 0;
}

static bool announce_signal(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;

	switch (p->announced.effect) {
	case EFFECT_SEND:
		event->kind = EVENT_SEND;
		add_destination(objects, p, args[0], event);
		return true;
	case EFFECT_LINK:
		event->kind = calls(p, "link") ? EVENT_LINK : EVENT_UNLINK;
		if (!term_is_pid(args[0]) || args[0] == p->pid)
			return false;
		add(event, object_process(args[0]), ACCESS_READ);
		add(event, object_relations(args[0]), ACCESS_ADD);
		add(event, object_relations(p->pid), ACCESS_ADD);
		return true;
	case EFFECT_MONITOR:
		if (p->announced.args_len < 2 || !(term_is_pid(args[1]) || term_is_atom(args[1]) ||
						   term_is_tuple_of(args[1], 2)))
			return false;
		announce_monitor(objects, p, term_is_tuple(args[1]) ? tuple_element(args[1], 0)
								   : args[1], event);
		return true;
	case EFFECT_DEMONITOR:
	case EFFECT_ALIAS:
		return announce_demonitor(p, event);
	default:
		return announce_exit_signal(p, event);
	}
}

static bool announce_effect(struct objects *objects, struct process *p, struct event *event)
{
	switch (p->announced.effect) {
	case EFFECT_SPAWN:
		event->kind = EVENT_SPAWN;
		if (objects->lists_processes)
			add(event, OBJECT_ALL_PROCESSES, ACCESS_ADD);
		return true;
	case EFFECT_SEND: case EFFECT_LINK: case EFFECT_MONITOR: case EFFECT_DEMONITOR:
	case EFFECT_ALIAS: case EFFECT_EXIT_SIGNAL:
		return announce_signal(objects, p, event);
	case EFFECT_EXIT_STEP:
		return announce_exit(objects, p, event);
	case EFFECT_READ_REGISTRY: case EFFECT_WRITE_REGISTRY:
		announce_registry(objects, p, event);
		return true;
	case EFFECT_READ_ALIVE: case EFFECT_INSPECT: case EFFECT_FLAG_OTHER:
		return p->announced.args_len && announce_inspect(p, event);
	case EFFECT_READ_PROCESSES:
		event->kind = EVENT_INSPECT;
		objects->must_relearn = objects->must_relearn || !objects->lists_processes;
		objects->lists_processes = true;
		add(event, OBJECT_ALL_PROCESSES, ACCESS_READ);
		return true;
	case EFFECT_ETS_NEW:
		if (!is_new_named_table(p))
			return false;
		announce_ets(objects, p, event);
		return true;
	case EFFECT_PTERM_READ: case EFFECT_PTERM_WRITE:
		if (is_of_logger(p->announced.args[0]))
			return false;
		announce_term(objects, p, event);
		return true;
	case EFFECT_PTERM_READ_ALL: case EFFECT_ATOMIC_READ: case EFFECT_ATOMIC_WRITE:
	case EFFECT_ATOMIC_ADD:
		announce_term(objects, p, event);
		return true;
	case EFFECT_TIMER_START: case EFFECT_TIMER_CANCEL: case EFFECT_READ_CLOCK:
	case EFFECT_UNIQUE_ORDER:
		return announce_time(p, event);
	case EFFECT_GROUP_LEADER: case EFFECT_CODE_READ: case EFFECT_CODE_WRITE:
	case EFFECT_ENV_READ: case EFFECT_ENV_WRITE: case EFFECT_NONE:
		return false;
	case EFFECT_IO:
		if (calls(p, "halt")) {
			event->kind = EVENT_EXIT;
			add(event, 0, ACCESS_WORLD);
			return true;
		}
		event->kind = EVENT_IO;
		if (objects->orders_output)
			add(event, OBJECT_THE_OUTPUT, ACCESS_WRITE);
		return objects->orders_output;
	default:
		announce_ets(objects, p, event);
		return true;
	}
}

bool announce_step(struct objects *objects, struct process *p, struct event *event)
{
	event->access_len = 0;
	event->flags = 0;
	event->peer = ACTOR_NONE;
	event->peer_ordinal = 0;
	event->site = (uint64_t)(uintptr_t)p->ip;
	event->value = 0;
	return announce_effect(objects, p, event);
}

void announce_receive(struct process *p, struct event *event, enum access_mode mode)
{
	event->kind = EVENT_RECEIVE;
	event->access_len = 0;
	event->flags = 0;
	event->peer = ACTOR_NONE;
	event->peer_ordinal = 0;
	event->site = (uint64_t)(uintptr_t)p->ip;
	event->value = 0;
	add(event, object_mailbox(p->pid), mode);
}

static bool register_fails(struct process *p)
{
	const term *args = p->announced.args;
	const struct process *of;

	if (p->announced.args_len == 1)
		return !term_is_atom(args[0]) || registry_find(p->vm, args[0]) == TERM_NONE;
	of = process_find(p->vm, args[1]);
	return !of || of->status == PROCESS_EXITING || of->registered_name != TERM_NONE ||
	       registry_find(p->vm, args[0]) != TERM_NONE;
}

static bool insert_new_fails(struct process *p)
{
	const term *args = p->announced.args;
	const struct ets_table *table = ets_find_table(p->vm, args[0]);
	term tuple = term_is_cons(args[1]) ? cons_head(args[1]) : args[1];

	return calls(p, "insert_new") && table && term_is_tuple(tuple) &&
	       tuple_size(tuple) >= table->keypos &&
	       ets_find(table, tuple_element(tuple, table->keypos - 1));
}

void announce_outcome(struct process *p, struct event *event)
{
	if (p->announced.effect == EFFECT_WRITE_REGISTRY && register_fails(p)) {
		event->accesses[0].mode = ACCESS_READ;
		event->accesses[1].mode = ACCESS_USE;
		event->flags |= EVENT_FAILED;
	} else if (p->announced.effect == EFFECT_ETS_WRITE_OBJECT && event->access_len == 2 &&
		   insert_new_fails(p)) {
		event->accesses[0].mode = ACCESS_READ;
		event->accesses[1].mode = ACCESS_USE;
		event->flags |= EVENT_FAILED;
	}
}
