/* stem.h: runs of one request that begin alike go on from the place where they part.
 *
 * The schedules of a request (batch.h) are branches of one path, so most of them begin with the same
 * decisions. The first run that comes to a place where a later one parts keeps the state there: the
 * pages that runs write, the actors, and some numbers. The later run goes on from it instead of
 * from the first thread, and its trace begins with the events that are there already.
 *
 *     schedules   a b c d e     a b c f     a b g        places: behind "a b c" and "a b"
 *
 * That is done only where it is simple. A place is kept if nothing but threads, mutexes, atomics and plain
 * accesses was used on the way (rt_running_quietly), so that all other state is as at the
 * beginning of a run, where the server puts it anyhow. With --equivalence rf the writes that loads have read are
 * kept, too (history.h); under a weak memory model no state is. If in doubt a run begins at the beginning.
 *
 * Kept states live as long as the request: nothing that the tool changes between two requests can
 * be missed, and a run that is asked for alone, as those that check the others are, is a whole one.
 */
#ifndef RUNTIME_STEM_H
#define RUNTIME_STEM_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/rt.h"

/* A request begins: its schedules are in the channel. */
void rt_stem_begin(void);

/* Run number `run` of the request is next, counted from 0, and will be made from the beginning or from a place. */
void rt_stem_choose(uint32_t run);

/* All kept states are void: memory is noted anew, or a run has to be made again. */
static inline void rt_stem_forget(void)
{
	RT->stem.kept_len = 0;
	RT->stem.next_at = RT_STEM_NEVER;
}

/* The same for states behind event number `step`, which has changed since. */
void rt_stem_forget_behind(uint32_t step);

/* A later run parts here: keeps the state. Called before a decision, by the fiber that makes it. */
void rt_stem_keep(void);

static inline void rt_stem_pass(void)
{
	if (RT->channel->events_len == RT->stem.next_at)
		rt_stem_keep();
}

/* Does the next run go on from a place? */
static inline bool rt_stem_is_found(void)
{
	return RT->stem.kept_len != 0;
}

/* Puts memory back to how it was there. */
void rt_stem_back(void);

/* Puts the rest of the state back; the server has put everything to the beginning of a run. Returns the actor whose
 * fiber goes on. */
struct rt_actor *rt_stem_resume(void);

#endif
