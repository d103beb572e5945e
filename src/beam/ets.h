/* ets.h: ETS tables, as the rest of the VM needs them. */
#ifndef BEAM_ETS_H
#define BEAM_ETS_H

#include "beam/process.h"

/* Makes the tables that exist from the start: ac_tab and logger. */
void ets_open(struct vm *vm);

/* The owner ends: deletes one of its tables or gives it to its heir. */
void ets_owner_exit_step(struct process *p);

#endif
