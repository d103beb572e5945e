/* posix_error.h: {error, Name} from an errno value. */
#ifndef VM_BIFS_POSIX_ERROR_H
#define VM_BIFS_POSIX_ERROR_H

#include "vm/terms/term.h"

struct process;

/* {error, Name} for an errno value, the name in lower case. */
term posix_error(struct process *p, int number);

#endif
