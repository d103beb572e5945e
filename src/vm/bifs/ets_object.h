/* ets_object.h: the large binaries of a table, for ets:info/2. */
#ifndef VM_BIFS_ETS_OBJECT_H
#define VM_BIFS_ETS_OBJECT_H

#include "vm/ets/ets.h"

/* [{Address, Size, References}], also of objects that were deleted while the table was fixed. Every
 * process that asks may see them, even of a private table. Never in a search. */
term ets_list_binaries(struct process *p, const struct ets_table *table);

#endif
