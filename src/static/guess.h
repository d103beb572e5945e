/* guess.h: how a function could be called to get to a race in it, without a test that does.
 *
 * A function that is exported can be called by anybody. What it wants as arguments is guessed
 * from what its code asks of them: the atoms it compares them with; 1 where it wants an integer;
 * else some atom, which serves as a key or a name. A guess that is wrong costs a run that does
 * not get there, so nothing is claimed here, and what cannot be guessed at all (a pid, a
 * tuple) is said. A table that the pair is about has to be there: the function that creates it,
 * if it can be called, is to be called first.
 */
#ifndef STATIC_GUESS_H
#define STATIC_GUESS_H

#include "static/analysis.h"
#include "static/suspect.h"

struct suspect_driver guess_driver(struct analysis *a, struct arena *arena, uint32_t fn,
				   const struct table_info *table);

#endif
