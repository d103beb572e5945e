/* guess.h: guesses how to call a function so that a race in it is reached, if no test does.
 *
 * An exported function can be called from outside. Its arguments are guessed from its code: the
 * atoms that an argument is compared with; 1 for an argument that must be an integer; otherwise
 * some atom, which serves as a key or a name. A wrong guess only costs a run that does not reach
 * the race. If an argument cannot be guessed (a pid, a tuple), the reason is reported. The table of
 * the race must exist: the function that creates it is called first, if it can be called.
 */
#ifndef STATIC_GUESS_H
#define STATIC_GUESS_H

#include "static/analysis.h"
#include "static/suspect.h"

struct suspect_driver guess_driver(struct analysis *a, struct arena *arena, uint32_t fn,
				   const struct table_info *table);

#endif
