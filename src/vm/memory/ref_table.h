/* ref_table.h: finds the object that a reference stands for.
 *
 * ETS tables, atomics, counters and compiled match specs are handed to programs as references.
 * A reference carries only (pid value, counter), which is the same in every schedule; this hash
 * table maps the pair to the object in the region. The owner of the table decides when an entry is
 * removed. Entries of atomics stay until the end of the run, since it is not known when the
 * program has dropped the last copy of their reference.
 *
 * The flags of such a reference (enum ref_flags in process.h) say for which kind of object it was
 * made, so that a deleted table differs from a reference that never was a table.
 */
#ifndef VM_MEMORY_REF_TABLE_H
#define VM_MEMORY_REF_TABLE_H

#include "vm/process/process.h"

struct ref_entry {
	struct ref_entry *next;
	uint64_t pid_value;
	uint64_t counter;
	void *object;
};

/* Zero is empty. Lies in the region. */
struct ref_table {
	struct ref_entry **buckets;
	uint32_t buckets_len; /* a power of two, or 0 */
	uint32_t len;
};

/* The object of ref, which must be a reference, or NULL. */
void *ref_table_find(const struct ref_table *table, term ref);
void ref_table_add(struct ref_table *table, term ref, void *object);
void ref_table_remove(struct ref_table *table, term ref);

#endif
