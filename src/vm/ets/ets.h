/* ets.h: ETS tables: their properties, their owners, and how they are found.
 *
 * A table lies in the region like everything a run can change. It has a reference (made by its
 * creator: spawn-tree place and counter) and may have a name. The objects are in a store
 * (ets_store.h) whose order does not depend on history: two inserts of different keys leave the
 * same table in either order. So such inserts are independent steps.
 *
 * safe_fixtable: while a process fixes a table, objects deleted from a hash store stay as tombstones,
 * so that next/2 of their key works. A fixation ends with its process, by a step of dying for each
 * table that the process fixes. The number of these steps must not depend on other processes, so a
 * table that was deleted meanwhile counts, too.
 */
#ifndef VM_ETS_ETS_H
#define VM_ETS_ETS_H

#include "vm/ets/ets_object.h"
#include "vm/memory/ref_table.h"
#include "vm/process/process.h"

enum ets_type { ETS_SET, ETS_ORDERED_SET, ETS_BAG, ETS_DUPLICATE_BAG };
enum ets_protection { ETS_PRIVATE, ETS_PROTECTED, ETS_PUBLIC };
enum ets_access { ETS_INFO, ETS_READ, ETS_WRITE };

struct ets_fix {
	struct ets_fix *next;
	term pid;
	uint64_t count;
};

/* A table that a process fixes; the process has a list of them. */
struct ets_fixation {
	struct ets_fixation *next;
	term id[REF_WORDS]; /* the words of the table's reference */
};

struct ets_table {
	struct vm *vm;
	term id[REF_WORDS]; /* the reference's words */
	term name;
	term owner; /* pid */
	term heir;  /* pid or none */
	struct message *heir_data; /* holds the heir's term; NULL without heir */
	struct ets_table *owner_next, *owner_prev;
	struct ets_table *all_next, *all_prev;
	struct ets_fix *fixes;
	uint64_t fixed_since_ns;
	uint32_t keypos; /* from 1 */
	uint8_t type;
	uint8_t protection;
	bool is_named;
	bool is_compressed;
	bool has_read_concurrency;
	bool has_spread_counters; /* decentralized_counters: only shown, as the next one is */
	term write_concurrency; /* false, true, auto, or a number of locks; a private table has none */
	bool is_gone; /* ets_delete_by */

	/* the store */
	size_t len;    /* objects, tombstones not counted */
	size_t tombstones;
	size_t words;  /* of all objects */
	struct ets_object **buckets; /* hash: 1 << buckets_log of them, by its high bits */
	unsigned buckets_log;
	struct ets_object *root; /* ordered_set */
};

struct ets_tables {
	struct ref_table by_id;
	struct ref_table compiled; /* match specs: match_compiled.c */
	struct ets_table **names; /* open addressing by the name's hash */
	uint32_t names_cap;
	uint32_t names_len;
	struct ets_table *first; /* the newest one first */
	struct ets_table *gone;  /* under exploration: ets_find_shape; the last one first */
	uint32_t len;
};

struct ets_options {
	uint32_t keypos;
	uint8_t type;
	uint8_t protection;
	bool is_named;
	bool is_compressed;
	bool has_read_concurrency;
	term write_concurrency;   /* TERM_NONE: not given */
	bool has_many_locks;      /* write_concurrency is auto, or a number of locks */
	term spread_counters;     /* decentralized_counters, or TERM_NONE */
	bool is_gone; /* ets_delete_by */
	term heir;
	term heir_data;
};

/* Makes the tables that exist from the start: ac_tab and logger. */
void ets_open(struct vm *vm);

/* The owner ends: deletes one of its tables or gives it to its heir. */
void ets_owner_exit_step(struct process *p);

/* The name must be free if the table is to be named. */
struct ets_table *ets_create(struct process *p, term name, const struct ets_options *options);
void ets_delete(struct ets_table *table);
/* The same by p. Under exploration a table of another process stays as one of the steps of its
 * owner's dying, because the number of these steps must not depend on other processes. */
void ets_delete_by(struct process *p, struct ets_table *table);

/* The table with this name, or NULL. */
struct ets_table *ets_find_name(struct vm *vm, term name);
/* The table of a name or reference, or NULL. */
struct ets_table *ets_find_table(struct vm *vm, term id);
/* The same, or a copy of the last table of that name or reference that was deleted. Of a copy only
 * name, reference, type and position of the key are valid. An operation that was announced before
 * the table was deleted names the keys that it would touch; so must an operation that is announced
 * after that, or one class of runs would look like two. */
const struct ets_table *ets_find_shape(struct vm *vm, term id);
/* The same if p has the right of access; else raises badarg and returns NULL. */
struct ets_table *ets_get(struct process *p, term id, enum ets_access access);

/* The table's reference on p's heap; its name if it has one. */
term ets_reference(struct process *p, const struct ets_table *table);
term ets_identifier(struct process *p, const struct ets_table *table);

void ets_rename(struct ets_table *table, term name);
/* heir is a pid or none. */
void ets_set_heir(struct ets_table *table, term heir, term data);
/* Sends the new owner an 'ETS-TRANSFER' message. */
void ets_give(struct ets_table *table, struct process *to, term data);

void ets_fix(struct ets_table *table, struct process *p);
void ets_unfix(struct ets_table *table, struct process *p);
/* p ends: releases the first of the tables that it fixes. */
void ets_fixer_exit_step(struct process *p);

#endif
