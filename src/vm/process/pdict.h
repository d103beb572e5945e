/* pdict.h: the process dictionary. Its terms are roots of the process's heap. */
#ifndef VM_PROCESS_PDICT_H
#define VM_PROCESS_PDICT_H

#include "vm/process/process.h"

/* The value, or TERM_NONE. */
term pdict_get(const struct process *p, term key);
/* The old value, or TERM_NONE. */
term pdict_put(struct process *p, term key, term value);
term pdict_erase(struct process *p, term key);
void pdict_clear(struct process *p);
/* All pairs as a list of {Key, Value}, on the heap of `on`, in exact key order. */
term pdict_list(const struct process *p, struct process *on);

#endif
