/* suggest.h: --suggest-orders: which memory orders a program needs.
 *
 * If the program is proved, each place with an atomic operation is tried with weaker orders, one
 * place at a time. The weakest orders with which the program is still proved are printed. If the
 * program fails, orders are made stronger where that would forbid the failing run (explain/weak.h),
 * until a search proves the program; then the changes that are not needed are undone. Each answer
 * is a search of its own. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "cli/option.h"
#include "target/target.h"

/* Prints the suggestions to the standard output. The target is a native one. */
void suggest_orders(const struct test_options *options, struct target *target);

#endif
