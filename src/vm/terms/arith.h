/* arith.h: arithmetic on any numbers. The operators of Erlang are native functions
 * (bif_erlang_plus_2 and so on, in arith.c); this is the helper that others need too. */
#ifndef VM_TERMS_ARITH_H
#define VM_TERMS_ARITH_H

#include "vm/memory/heap.h"

/* Any number as a double; false when t is not a number or too large. */
bool number_to_double(term t, double *value);

#endif
