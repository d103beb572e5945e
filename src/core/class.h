/* class.h: the equivalence class of a run, as a number.
 *
 * Two runs are equivalent if one becomes the other by swapping neighbouring steps that do not
 * depend on each other (Mazurkiewicz traces). A class is given by its steps and by the order of
 * each dependent pair; the number is a sum over both, so the order of independent steps does not
 * show in it.
 *
 * This is the slow and obvious way: every pair of steps is asked whether it depends
 * (dependence.h). It shares nothing with order.c, which finds the same relation by clocks and
 * chains, so that one can be tested against the other. It also serves to test dpor against dfs:
 * on a program that dfs can exhaust both must show the same set of numbers.
 */
#ifndef CORE_CLASS_H
#define CORE_CLASS_H

#include <stdint.h>

#include "core/trace.h"

uint64_t class_hash(const struct trace *trace);

#endif
