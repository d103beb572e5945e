/* posix_error.h: {error, enoent} and friends. */
#ifndef BEAM_POSIX_ERROR_H
#define BEAM_POSIX_ERROR_H

#include "beam/term.h"

struct process;

/* {error, Name} for an errno value, the name in lower case. */
term posix_error(struct process *p, int number);

#endif
