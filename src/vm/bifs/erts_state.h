/* erts_state.h: the part of erts_debug:get_internal_state/1 that is about one process. */
#ifndef VM_BIFS_ERTS_STATE_H
#define VM_BIFS_ERTS_STATE_H

#include "vm/terms/term.h"

struct process;

/* item: link_list, monitor_list or process_status. undefined if the process does not exist. */
term process_state(struct process *p, const char *item, term pid);

#endif
