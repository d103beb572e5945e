/* erts_state.h: parts of erts_debug:get_internal_state/1 and set_internal_state/2. */
#ifndef VM_BIFS_ERTS_STATE_H
#define VM_BIFS_ERTS_STATE_H

#include "vm/terms/term.h"

struct process;

/* item: link_list, monitor_list or process_status. undefined if the process does not exist. */
term process_state(struct process *p, const char *item, term pid);

/* Sets the item and stores what set_internal_state/2 returns; false: refused. */
bool state_change(struct process *p, const char *item, term value, term *result);

#endif
