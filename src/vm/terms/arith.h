/* arith.h: arithmetic on any numbers; the operators of Erlang as native functions
 * (bif_erlang_plus_2 and so on, in arith.c) with these helpers. */
#ifndef VM_TERMS_ARITH_H
#define VM_TERMS_ARITH_H

#include "vm/memory/heap.h"

/* Any number as a double; false when t is none or too large. */
bool number_to_double(term t, double *value);

#endif
