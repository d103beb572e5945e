/* ets_scan.h: going through the objects of a table that a match spec could match.
 *
 * When every clause gives its key exactly, only those keys are looked up, in the order of the
 * table. When the only clause gives the beginning of the key of an ordered_set, only that part of
 * the table is walked. Otherwise the whole table is walked. In all three cases a scan can go on
 * after a given key; so a continuation holds just a key, and the table need not be fixed. The table
 * must not be changed while a scan is open.
 */
#ifndef VM_ETS_ETS_SCAN_H
#define VM_ETS_ETS_SCAN_H

#include "vm/ets/ets_store.h"
#include "vm/ets/match_spec.h"

VEC_TYPE(term_list, term);

struct ets_scan {
	struct ets_table *table;
	bool is_backward;
	bool is_keyed;
	struct term_list keys; /* in the order of the scan, each once */
	size_t key_at;
	struct ets_object *at; /* keyed: the next object of the current key */
	term prefix; /* ordered_set: the pattern of the only clause's key, or TERM_NONE */
	struct ets_cursor cursor;
};

void ets_scan_open(struct ets_scan *scan, struct ets_table *table,
		   const struct match_program *program, bool is_backward);
/* Goes on after the first `seen` objects of key (0: after all of them). */
void ets_scan_resume(struct ets_scan *scan, term key, size_t seen);
struct ets_object *ets_scan_next(struct ets_scan *scan);
void ets_scan_close(struct ets_scan *scan);

#endif
