/* Announcing what is done to shared data: ETS tables, persistent terms, atomics and counters,
 * variables of the environment. */
#include "beam/announce_parts.h"

#include "base/rng.h"
#include "vm/code/code.h"
#include "vm/ets/ets_store.h"
#include "vm/process/boot.h"
#include "vm/terms/atom.h"

/* ---- tables ---- */

/* Tables of system processes are also written by their owners, within the steps of those who
 * ask them to. */
static void add_system(struct process *p, term id, enum access_mode mode, struct event *event)
{
	const struct ets_table *table = boot_is_done(p->vm) ? ets_find_table(p->vm, id) : NULL;
	const struct process *owner = table ? process_find(p->vm, table->owner) : NULL;

	if (owner && owner->is_system)
		announce_add(event, OBJECT_THE_SYSTEM, mode);
}

/* The bit of a key in accesses to the table (access_parts). */
static uint32_t part_of(uint64_t key) { return 1u << (rng_mix(key) >> 59); }

/* An access to the table itself. The parts count unless it is a READ or a WRITE. */
static void add_table(struct objects *objects, struct process *p, struct event *event,
		      enum access_mode mode, uint32_t parts)
{
	struct access *access = announce_add(
		event, object_table(objects, p->vm, p->announced.args[0]), mode);

	if (mode != ACCESS_READ && mode != ACCESS_WRITE)
		access_set_parts(access, parts);
}

static void add_key_read(struct objects *objects, struct process *p, term key, struct event *event)
{
	term id = p->announced.args[0];
	uint64_t object = object_key(objects, p->vm, id, key);

	if (object)
		announce_add(event, object, ACCESS_READ);
	add_table(objects, p, event, object ? ACCESS_USE : ACCESS_READ, part_of(object));
}

static void add_key_write(struct objects *objects, struct process *p, term key, struct event *event,
			  enum access_mode mode, uint32_t value)
{
	term id = p->announced.args[0];
	uint64_t object = object_key(objects, p->vm, id, key);

	if (object)
		access_set_value(announce_add(event, object, mode), value);
	add_table(objects, p, event, object ? ACCESS_ADD : ACCESS_WRITE, part_of(object));
}

/* As many keys as fit beside the table and the accesses that are added later. */
static uint32_t room_for_keys(const struct objects *objects, const struct process *p)
{
	const struct ets_table *table = ets_find_table(p->vm, p->announced.args[0]);
	const struct process *owner = table ? process_find(p->vm, table->owner) : NULL;

	return EVENT_ACCESSES - 1 - (owner && owner->is_system) -
	       !!objects_know(objects, LEARNED_STEPS) - !!objects_know(objects, LEARNED_SUSPENDS);
}

/* The objects of the keys that the operation names; 0 of them: it may touch others. */
static uint32_t list_keys(struct objects *objects, struct process *p, struct announce_keys *keys,
			  uint64_t *found)
{
	if (!announce_list_keys(p, room_for_keys(objects, p), keys))
		return 0;
	for (uint32_t i = 0; i < keys->len; i++) {
		found[i] = object_key(objects, p->vm, p->announced.args[0], keys->keys[i]);
		if (!found[i])
			return 0;
	}
	return keys->len;
}

/* An empty list of objects. The table must be there all the same. */
static bool inserts_nothing(const struct process *p)
{
	return (p->announced.effect == EFFECT_ETS_STORE_OBJECT ||
		p->announced.effect == EFFECT_ETS_NEW_OBJECT) && p->announced.args[1] == NIL;
}

/* The parts of a list of objects that is too long for an access to each key. */
static bool add_up_parts(struct objects *objects, struct process *p, uint32_t *parts)
{
	const struct ets_table *table = ets_find_table(p->vm, p->announced.args[0]);
	term list = p->announced.args[1];

	if (!table || (p->announced.effect != EFFECT_ETS_STORE_OBJECT &&
		       p->announced.effect != EFFECT_ETS_NEW_OBJECT))
		return false;
	for (; term_is_cons(list); list = cons_tail(list)) {
		term tuple = cons_head(list);
		uint64_t key;

		if (!term_is_tuple(tuple) || tuple_size(tuple) < table->keypos)
			return false;
		key = object_key(objects, p->vm, p->announced.args[0],
				 tuple_element(tuple, table->keypos - 1));
		if (!key)
			return false;
		*parts |= part_of(key);
	}
	return list == NIL;
}

/* Writes of the keys that are named, or of the table. */
static void announce_keys_written(struct objects *objects, struct process *p, struct event *event)
{
	struct announce_keys keys;
	uint64_t found[EVENT_ACCESSES];
	uint32_t len = list_keys(objects, p, &keys, found);
	bool is_insert = p->announced.effect == EFFECT_ETS_STORE_OBJECT;
	uint32_t parts = 0;

	for (uint32_t i = 0; i < len; i++) {
		bool is_store = is_insert && keys.objects[i] != TERM_NONE;
		struct access *access = announce_add(event, found[i],
						     is_store ? ACCESS_STORE : ACCESS_WRITE);

		access_set_value(access, is_store ? object_value(objects, keys.objects[i]) : 0);
		parts |= part_of(found[i]);
	}
	if (len || inserts_nothing(p))
		add_table(objects, p, event, len ? ACCESS_ADD : ACCESS_USE, parts);
	else if (add_up_parts(objects, p, &parts))
		add_table(objects, p, event, ACCESS_FILL, parts);
	else
		add_table(objects, p, event, ACCESS_WRITE, 0);
}

static void announce_keys_read(struct objects *objects, struct process *p, struct event *event)
{
	struct announce_keys keys;
	uint64_t found[EVENT_ACCESSES];
	uint32_t len = list_keys(objects, p, &keys, found), parts = 0;

	for (uint32_t i = 0; i < len; i++) {
		announce_add(event, found[i], ACCESS_READ);
		parts |= part_of(found[i]);
	}
	add_table(objects, p, event, len ? ACCESS_USE : ACCESS_READ, parts);
}

/* The table that an operation is about; TERM_NONE: all of them. */
static term table_of(const struct process *p)
{
	const term *args = p->announced.args;

	if (!p->announced.args_len)
		return TERM_NONE;
	if (p->announced.effect == EFFECT_ETS_CONTINUE && term_is_tuple(args[0]))
		return tuple_element(args[0], 0);
	return args[0];
}

static void announce_reading(struct objects *objects, struct process *p, struct event *event)
{
	term id = table_of(p);

	event->kind = EVENT_ETS_READ;
	if (id == TERM_NONE)
		objects_learn(objects, LEARNED_TABLES);
	if (p->announced.effect == EFFECT_ETS_READ_KEY)
		add_key_read(objects, p, p->announced.args[1], event);
	else if (p->announced.effect == EFFECT_ETS_READ_MATCHING ||
		 p->announced.effect == EFFECT_ETS_READ_PATTERN)
		announce_keys_read(objects, p, event);
	else
		announce_add(event,
			     id == TERM_NONE ? OBJECT_ALL_TABLES : object_table(objects, p->vm, id),
			     ACCESS_READ);
	if (id != TERM_NONE)
		add_system(p, id, ACCESS_READ, event);
}

/* The owner of the table will have one table less to drop when it dies. */
static void add_owner(const struct process *p, struct event *event)
{
	const struct ets_table *table = ets_find_table(p->vm, p->announced.args[0]);

	if (!table || table->owner == p->pid)
		return;
	announce_add(event, object_process(table->owner), ACCESS_READ);
	announce_add(event, object_relations(table->owner), ACCESS_ADD);
}

static void announce_writing(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	enum effect effect = p->announced.effect;

	event->kind = EVENT_ETS_WRITE;
	if (effect == EFFECT_ETS_WRITE_KEY || effect == EFFECT_ETS_DELETE_KEY)
		add_key_write(objects, p, args[1], event,
			      effect == EFFECT_ETS_DELETE_KEY ? ACCESS_STORE : ACCESS_WRITE, 0);
	else if (effect == EFFECT_ETS_WRITE_OBJECT || effect == EFFECT_ETS_STORE_OBJECT ||
		 effect == EFFECT_ETS_NEW_OBJECT || effect == EFFECT_ETS_WRITE_MATCHING)
		announce_keys_written(objects, p, event);
	else
		announce_add(event, object_table(objects, p->vm, args[0]), ACCESS_WRITE);
	if (effect == EFFECT_ETS_GIVE && term_is_pid(args[1])) {
		announce_add(event, object_process(args[1]), ACCESS_READ);
		if (!objects->is_async)
			announce_add(event, object_mailbox(args[1]), ACCESS_SEND);
	}
	if (effect == EFFECT_ETS_DROP)
		add_owner(p, event);
	if (effect == EFFECT_ETS_RENAME && term_is_atom(args[1]))
		announce_add(event, object_table(objects, p->vm, args[1]), ACCESS_WRITE);
	if (effect == EFFECT_ETS_NEW || effect == EFFECT_ETS_DROP || effect == EFFECT_ETS_RENAME)
		announce_add(event, OBJECT_ALL_TABLES, ACCESS_ADD);
	else
		add_system(p, args[0], ACCESS_ADD, event);
}

/* No other process knows an unnamed table yet, unless it asks for all tables. */
static bool is_new_named_table(const struct process *p)
{
	for (term l = p->announced.args[1]; term_is_cons(l); l = cons_tail(l))
		if (cons_head(l) == A_named_table)
			return true;
	return false;
}

static bool announce_new_unnamed(const struct objects *objects, struct event *event)
{
	event->kind = EVENT_ETS_WRITE;
	announce_add(event, OBJECT_ALL_TABLES, ACCESS_ADD);
	return objects_know(objects, LEARNED_TABLES);
}

bool announce_ets(struct objects *objects, struct process *p, struct event *event)
{
	switch (p->announced.effect) {
	case EFFECT_ETS_READ_KEY: case EFFECT_ETS_READ_TABLE: case EFFECT_ETS_READ_MATCHING:
	case EFFECT_ETS_READ_PATTERN: case EFFECT_ETS_READ_NAMES: case EFFECT_ETS_CONTINUE:
		announce_reading(objects, p, event);
		return true;
	default:
		if (p->announced.effect == EFFECT_ETS_NEW && !is_new_named_table(p))
			return announce_new_unnamed(objects, event);
		announce_writing(objects, p, event);
		return true;
	}
}

static bool has_others(const struct process *p)
{
	for (const struct process *q = p->vm->first_process; q; q = q->all_next)
		if (q != p && !q->is_system && q->status != PROCESS_EXITING)
			return true;
	return false;
}

bool announce_goes_through(struct process *p)
{
	enum effect effect = p->announced.effect;
	struct announce_keys keys;
	const struct ets_table *table;

	if (effect != EFFECT_ETS_READ_MATCHING && effect != EFFECT_ETS_READ_PATTERN &&
	    effect != EFFECT_ETS_WRITE_MATCHING)
		return false;
	table = ets_find_table(p->vm, p->announced.args[0]);
	if (!table || (table->protection != ETS_PUBLIC && table->owner == p->pid))
		return false;
	return !announce_list_keys(p, 1, &keys) && has_others(p);
}

void announce_ets_outcome(const struct process *p, struct event *event)
{
	bool has_keys = OBJECT_CLASS(event->accesses[0].object) == OBJECT_KEY;
	bool has_table = ets_find_table(p->vm, p->announced.args[0]) != NULL;

	if (!announce_changes_nothing(p))
		return;
	for (uint32_t i = 0; i < event->access_len; i++) {
		struct access *access = &event->accesses[i];

		if (OBJECT_CLASS(access->object) == OBJECT_KEY)
			access->mode = ACCESS_READ;
		else if (OBJECT_CLASS(access->object) == OBJECT_TABLE)
			access->mode = has_keys || !has_table ? ACCESS_USE : ACCESS_READ;
	}
	if (p->announced.effect == EFFECT_ETS_NEW_OBJECT || !has_table)
		event->flags |= EVENT_FAILED;
}

/* ---- terms ---- */

/* The module logger_config keeps levels of modules as persistent terms {logger_config, Module}: a
 * cache, which every process may fill, and which the logger writes within the steps of those who ask
 * it to. Filling it is not a step. `where`: the function that looks or writes. */
static bool is_of_logger(const struct process *p, term key, struct code_place *where)
{
	return term_is_tuple_of(key, 2) && term_is_atom(tuple_element(key, 0)) &&
	       strcmp(atom_text(tuple_element(key, 0)), "logger_config") == 0 && p->ip &&
	       code_find_place(p->ip, where) && where->module == tuple_element(key, 0);
}

/* logger_config:allow(Level, Module) looks for the level of the module, and if nobody has asked for it
 * before, for that of all modules, which it puts into the cache. The first look is the step for both:
 * with a step for each, a process would take as many as it finds depend on who asked earlier. */
static bool announce_level(const struct process *p, const struct code_place *where,
			   struct event *event)
{
	bool fills_cache = where->arity == 2 && strcmp(atom_text(where->function), "allow") == 0 &&
			   tuple_element(p->announced.args[0], 1) == A_dollar_primary_config;

	event->kind = EVENT_TERM_READ;
	announce_add(event, OBJECT_THE_SYSTEM, ACCESS_READ);
	return p->announced.effect == EFFECT_PTERM_READ && !fills_cache;
}

/* One of a family: its own object, and the family for those who read all of it. */
static void add_member(struct event *event, uint64_t object, uint64_t all, bool is_write)
{
	event->kind = is_write ? EVENT_TERM_WRITE : EVENT_TERM_READ;
	announce_add(event, object, is_write ? ACCESS_WRITE : ACCESS_READ);
	if (is_write)
		announce_add(event, all, ACCESS_ADD);
}

static void add_all(struct event *event, uint64_t all)
{
	event->kind = EVENT_TERM_READ;
	announce_add(event, all, ACCESS_READ);
}

static void announce_cell(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	enum effect effect = p->announced.effect;

	event->kind = effect == EFFECT_ATOMIC_READ ? EVENT_TERM_READ : EVENT_TERM_WRITE;
	announce_add(event, object_cell(objects, args[0], args[1]),
		     effect == EFFECT_ATOMIC_READ ? ACCESS_READ
		     : effect == EFFECT_ATOMIC_ADD ? ACCESS_ADD : ACCESS_WRITE);
}

bool announce_term(struct objects *objects, struct process *p, struct event *event)
{
	const term *args = p->announced.args;
	enum effect effect = p->announced.effect;
	struct code_place where;

	switch (effect) {
	case EFFECT_PTERM_READ: case EFFECT_PTERM_WRITE:
		if (is_of_logger(p, args[0], &where))
			return announce_level(p, &where, event);
		add_member(event, object_persistent(objects, args[0]), OBJECT_ALL_TERMS,
			   effect == EFFECT_PTERM_WRITE);
		return true;
	case EFFECT_PTERM_READ_ALL:
		add_all(event, OBJECT_ALL_TERMS);
		return true;
	case EFFECT_ENV_READ: case EFFECT_ENV_WRITE:
		if (p->announced.args_len)
			add_member(event, object_variable(objects, args[0]), OBJECT_ALL_VARIABLES,
				   effect == EFFECT_ENV_WRITE);
		else
			add_all(event, OBJECT_ALL_VARIABLES);
		return true;
	default:
		announce_cell(objects, p, event);
		return true;
	}
}
