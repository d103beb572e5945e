/* ets_scan.h: going through the objects of a table that a match spec could match.
 *
 * When every clause names its key exactly, only those keys are looked up, in the table's own order.
 * An ordered_set whose only clause says how the key begins is walked where such keys are.
 * Otherwise the whole table is walked. Either way a scan can be taken up again after a given key,
 * which is all that a continuation holds: it needs no fixed table. Nothing may be changed in
 * the table while a scan is open.
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
