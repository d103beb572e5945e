/* registry.h: registered names. State of the run, in the region. */
#ifndef VM_PROCESS_REGISTRY_H
#define VM_PROCESS_REGISTRY_H

#include "vm/vm.h"

/* The pid registered under name, or TERM_NONE. */
term registry_find(struct vm *vm, term name);
/* False when the name is taken. */
bool registry_add(struct vm *vm, term name, term pid);
bool registry_remove(struct vm *vm, term name);
/* All names, in text order, as a list on p's heap. */
term registry_names(struct process *p);

#endif
