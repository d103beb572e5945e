#include "vm/ets/ets.h"

#include "vm/bifs/bif.h"
#include "vm/ets/ets_store.h"
#include "vm/memory/region.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

enum { NAMES_CAP_FIRST = 16 };

/* ---- names: open addressing; removing a name moves later entries up ---- */

static uint32_t name_slot(const struct ets_tables *tables, term name)
{
	return (uint32_t)(atom_name(name)->hash & (tables->names_cap - 1));
}

static uint32_t find_name(const struct ets_tables *tables, term name)
{
	uint32_t i = name_slot(tables, name);

	while (tables->names[i] && tables->names[i]->name != name)
		i = (i + 1) & (tables->names_cap - 1);
	return i;
}

static void grow_names(struct ets_tables *tables)
{
	struct ets_table **old = tables->names;
	uint32_t old_cap = tables->names_cap;

	tables->names_cap = old_cap ? old_cap * 2 : NAMES_CAP_FIRST;
	tables->names = region_zalloc(tables->names_cap * sizeof(*tables->names));
	for (uint32_t i = 0; i < old_cap; i++)
		if (old[i])
			tables->names[find_name(tables, old[i]->name)] = old[i];
	region_free(old, old_cap * sizeof(*old));
}

static void add_name(struct ets_tables *tables, struct ets_table *table)
{
	if ((tables->names_len + 1) * 2 > tables->names_cap)
		grow_names(tables);
	tables->names[find_name(tables, table->name)] = table;
	tables->names_len++;
}

static void remove_name(struct ets_tables *tables, const struct ets_table *table)
{
	uint32_t i = find_name(tables, table->name);

	tables->names[i] = NULL;
	tables->names_len--;
	for (;;) {
		struct ets_table *moved;

		i = (i + 1) & (tables->names_cap - 1);
		moved = tables->names[i];
		if (!moved)
			return;
		tables->names[i] = NULL;
		tables->names[find_name(tables, moved->name)] = moved;
	}
}

struct ets_table *ets_find_name(struct vm *vm, term name)
{
	struct ets_tables *tables = vm->ets;

	return tables->names_len ? tables->names[find_name(tables, name)] : NULL;
}

struct ets_table *ets_find_table(struct vm *vm, term id)
{
	if (term_is_atom(id))
		return ets_find_name(vm, id);
	return term_is_ref(id) ? ref_table_find(&vm->ets->by_id, id) : NULL;
}

const struct ets_table *ets_find_shape(struct vm *vm, term id)
{
	const struct ets_table *table = ets_find_table(vm, id);

	if (table || (!term_is_atom(id) && !term_is_ref(id)))
		return table;
	for (table = vm->ets->gone; table; table = table->all_next)
		if (term_is_atom(id) ? table->is_named && table->name == id
				     : refs_are_equal(boxed_make(table->id), id))
			break;
	return table;
}

static void keep_shape(const struct ets_table *table)
{
	struct ets_tables *tables = table->vm->ets;
	struct ets_table *copy = region_alloc(sizeof(*copy));

	*copy = (struct ets_table){.vm = table->vm, .name = table->name, .type = table->type,
				   .keypos = table->keypos, .is_named = table->is_named,
				   .all_next = tables->gone};
	memcpy(copy->id, table->id, sizeof(copy->id));
	tables->gone = copy;
}

/* ---- access ---- */

static bool is_table_id(term id)
{
	return term_is_atom(id) || (term_is_ref(id) && (ref_flags(id) & REF_TABLE));
}

static bool is_allowed(const struct ets_table *table, term pid, enum ets_access access)
{
	if (access == ETS_INFO || table->owner == pid)
		return true;
	return table->protection >= (access == ETS_READ ? ETS_PROTECTED : ETS_PUBLIC);
}

struct ets_table *ets_get(struct process *p, term id, enum ets_access access)
{
	struct ets_table *table = ets_find_table(p->vm, id);

	if (!table) {
		bif_badarg_cause(p, is_table_id(id) ? A_id : A_type);
		return NULL;
	}
	if (!is_allowed(table, p->pid, access)) {
		bif_badarg_cause(p, A_access);
		return NULL;
	}
	return table;
}

term ets_reference(struct process *p, const struct ets_table *table)
{
	return heap_import(p, boxed_make(table->id));
}

term ets_identifier(struct process *p, const struct ets_table *table)
{
	return table->is_named ? table->name : ets_reference(p, table);
}

/* ---- life ---- */

static void link_owner(struct ets_table *table, struct process *owner)
{
	table->owner = owner->pid;
	table->owner_prev = NULL;
	table->owner_next = owner->tables;
	if (owner->tables)
		owner->tables->owner_prev = table;
	owner->tables = table;
}

static void unlink_owner(struct ets_table *table)
{
	if (table->owner_prev)
		table->owner_prev->owner_next = table->owner_next;
	else
		process_find(table->vm, table->owner)->tables = table->owner_next;
	if (table->owner_next)
		table->owner_next->owner_prev = table->owner_prev;
}

void ets_set_heir(struct ets_table *table, term heir, term data)
{
	if (table->heir_data)
		message_free(table->heir_data);
	table->heir = heir;
	table->heir_data = heir == A_none ? NULL : message_new(data, A_system);
}

static void link_all(struct ets_tables *tables, struct ets_table *table)
{
	table->all_next = tables->first;
	if (tables->first)
		tables->first->all_prev = table;
	tables->first = table;
	tables->len++;
}

static void unlink_all(struct ets_tables *tables, struct ets_table *table)
{
	if (table->all_prev)
		table->all_prev->all_next = table->all_next;
	else
		tables->first = table->all_next;
	if (table->all_next)
		table->all_next->all_prev = table->all_prev;
	tables->len--;
}

/* Counters are spread if the program asks for it, and else in trees and with many locks. */
static void set_concurrency(struct ets_table *table, const struct ets_options *options)
{
	table->write_concurrency = A_false;
	if (options->protection == ETS_PRIVATE || options->write_concurrency == TERM_NONE)
		return;
	table->write_concurrency = options->write_concurrency;
	if (table->write_concurrency == A_false)
		return;
	table->has_spread_counters =
		options->spread_counters == A_true ||
		(options->spread_counters == TERM_NONE &&
		 (ets_is_tree(table) || options->has_many_locks));
}

struct ets_table *ets_create(struct process *p, term name, const struct ets_options *options)
{
	struct ets_tables *tables = p->vm->ets;
	struct ets_table *table = region_zalloc(sizeof(*table));

	table->vm = p->vm;
	memcpy(table->id, boxed_ptr(process_make_ref(p, REF_TABLE)), sizeof(table->id));
	table->name = name;
	table->type = options->type;
	table->protection = options->protection;
	table->keypos = options->keypos;
	table->is_named = options->is_named;
	table->is_compressed = options->is_compressed;
	table->has_read_concurrency = options->has_read_concurrency;
	set_concurrency(table, options);
	ets_set_heir(table, options->heir, options->heir_data);
	ref_table_add(&tables->by_id, boxed_make(table->id), table);
	link_owner(table, p);
	link_all(tables, table);
	if (table->is_named)
		add_name(tables, table);
	return table;
}

/* From now on no process finds the table. */
static void empty_table(struct ets_table *table)
{
	struct ets_tables *tables = table->vm->ets;

	if (table->vm->is_explored)
		keep_shape(table);
	unlink_all(tables, table);
	if (table->is_named)
		remove_name(tables, table);
	ref_table_remove(&tables->by_id, boxed_make(table->id));
	while (table->fixes) {
		struct ets_fix *fix = table->fixes;

		table->fixes = fix->next;
		region_free(fix, sizeof(*fix));
	}
	ets_remove_all(table);
	ets_set_heir(table, A_none, NIL);
}

static void free_table(struct ets_table *table)
{
	unlink_owner(table);
	region_free(table, sizeof(*table));
}

void ets_delete(struct ets_table *table)
{
	empty_table(table);
	free_table(table);
}

void ets_delete_by(struct process *p, struct ets_table *table)
{
	if (!p->vm->is_explored || table->owner == p->pid) {
		ets_delete(table);
		return;
	}
	empty_table(table);
	table->is_gone = true;
}

void ets_rename(struct ets_table *table, term name)
{
	if (table->is_named)
		remove_name(table->vm->ets, table);
	table->name = name;
	if (table->is_named)
		add_name(table->vm->ets, table);
}

void ets_give(struct ets_table *table, struct process *to, term data)
{
	struct process *from = process_find(table->vm, table->owner);
	term *hp = heap_alloc(from, TUPLE_WORDS(4));
	term id = ets_identifier(from, table);

	unlink_owner(table);
	link_owner(table, to);
	signal_message(to, tuple_build4(&hp, A_ETS_TRANSFER, id, from->pid, data), from->pid);
}

/* The heir gets the table if it is alive and is not the process that ends. */
void ets_owner_exit_step(struct process *p)
{
	struct ets_table *table = p->tables;
	struct process *heir = table->heir == A_none ? NULL : process_find(p->vm, table->heir);

	if (table->is_gone) {
		free_table(table);
		return;
	}
	if (!heir || heir == p || heir->status == PROCESS_EXITING) {
		ets_delete(table);
		return;
	}
	ets_give(table, heir, table->heir_data->content);
}

/* ---- fixing ---- */

static struct ets_fix **find_fix(struct ets_table *table, term pid)
{
	struct ets_fix **link = &table->fixes;

	while (*link && (*link)->pid != pid)
		link = &(*link)->next;
	return link;
}

void ets_fix(struct ets_table *table, struct process *p)
{
	struct ets_fix **link = find_fix(table, p->pid);
	struct ets_fixation *fixation;

	if (!table->fixes)
		table->fixed_since_ns = p->vm->now_ns;
	if (!*link) {
		*link = region_zalloc(sizeof(**link));
		(*link)->pid = p->pid;
		fixation = region_alloc(sizeof(*fixation));
		memcpy(fixation->id, table->id, sizeof(table->id));
		fixation->next = p->fixations;
		p->fixations = fixation;
	}
	(*link)->count++;
}

static void release(struct ets_table *table, struct ets_fix **link)
{
	struct ets_fix *fix = *link;

	*link = fix->next;
	region_free(fix, sizeof(*fix));
	if (!table->fixes)
		ets_remove_tombstones(table);
}

static void forget_fixation(struct ets_fixation **link)
{
	struct ets_fixation *fixation = *link;

	*link = fixation->next;
	region_free(fixation, sizeof(*fixation));
}

void ets_unfix(struct ets_table *table, struct process *p)
{
	struct ets_fix **link = find_fix(table, p->pid);
	struct ets_fixation **fixation = &p->fixations;

	if (!*link || --(*link)->count)
		return;
	while (!refs_are_equal(boxed_make((*fixation)->id), boxed_make(table->id)))
		fixation = &(*fixation)->next;
	forget_fixation(fixation);
	release(table, link);
}

void ets_fixer_exit_step(struct process *p)
{
	struct ets_table *table = ets_find_table(p->vm, boxed_make(p->fixations->id));
	struct ets_fix **link = table ? find_fix(table, p->pid) : NULL;

	forget_fixation(&p->fixations);
	if (link && *link)
		release(table, link);
}

/* ---- what exists from the start ---- */

static struct ets_table *create_system(struct process *init, const char *name)
{
	struct ets_options options = {
		.keypos = 1,
		.type = ETS_SET,
		.protection = ETS_PUBLIC,
		.is_named = true,
		.has_read_concurrency = true,
		.heir = A_none,
	};

	return ets_create(init, atom_from_string(name), &options);
}

/* As on a real node. The level in force is `none`: see persistent_open and fermata_logger.erl. */
static term primary_config(struct process *init)
{
	term pairs[] = {
		atom_from_string("level"), atom_from_string("notice"),
		atom_from_string("filter_default"), atom_from_string("log"),
		atom_from_string("filters"), NIL,
		atom_from_string("handlers"), heap_cons(init, A_default, NIL),
		atom_from_string("metadata"), tmap_from_pairs(init, NULL, 0),
	};

	return tmap_from_pairs(init, pairs, sizeof(pairs) / sizeof(*pairs) / 2);
}

/* fermata_logger:start/0 makes it again when the logger starts. */
static term default_handler(struct process *init)
{
	term pairs[] = {
		atom_from_string("id"), A_default,
		atom_from_string("module"), atom_from_string("fermata_logger"),
		atom_from_string("level"), A_all,
		atom_from_string("filter_default"), atom_from_string("stop"),
		atom_from_string("filters"), NIL,
		atom_from_string("config"), tmap_from_pairs(init, NULL, 0),
		atom_from_string("formatter"),
		heap_tuple2(init, atom_from_string("logger_formatter"),
			    tmap_from_pairs(init, NULL, 0)),
	};

	return tmap_from_pairs(init, pairs, sizeof(pairs) / sizeof(*pairs) / 2);
}

void ets_open(struct vm *vm)
{
	struct process *init = process_find(vm, vm->init_pid);
	struct ets_table *logger;

	vm->ets = region_zalloc(sizeof(*vm->ets));
	create_system(init, "ac_tab");
	logger = create_system(init, "logger");
	ets_put(logger, heap_tuple2(init, atom_from_string("$primary_config$"),
				    primary_config(init)));
	ets_put(logger, heap_tuple2(init, heap_tuple2(init, atom_from_string("$handler_config$"),
						      A_default), default_handler(init)));
}
