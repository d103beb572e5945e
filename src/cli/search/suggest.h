/* suggest.h: --suggest-orders: which memory orders a program needs.
 *
 * Of a program that is proved, each place with an atomic operation is tried with weaker orders, one
 * place at a time, and the weakest that is still proved is printed. Of a program that fails, orders are
 * made stronger where they would forbid the failing run (explain_weak.h), until a search proves the
 * program; then those that are not needed are taken back. Each answer is a search of its own. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "cli/option.h"
#include "target/target.h"

/* Prints the suggestions to the standard output. The target is a native one. */
void suggest_orders(const struct test_options *options, struct target *target);

#endif
