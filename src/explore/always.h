/* always.h: does the test fail in every schedule? Then the failure does not depend on timing.
 *
 * A finding of the first run may have nothing to do with timing: an argument is missing, an
 * application was not started, a lock is taken twice. To say so needs a proof, because a bug of
 * timing may fail in nearly every schedule:
 *
 *	main creates a thread that counts to 12, and looks at the count without joining it
 *
 * passes only if all steps of the thread come before the look of main, which no random schedule
 * does. So some random schedules are tried first, because most bugs of timing spare one of them, and then
 * dpor runs all schedules there are, as far as the budget lasts.
 *
 * A run counts as failing whichever finding it shows. The finding itself may need a certain order
 * all the same: two bugs of timing, one for each order of two steps, fail in every schedule
 * together. So the runs that show this finding are counted, too. But one failure may have several
 * guises: a server that calls itself ends in every schedule, and the test sees that as the answer
 * of its call or as an exit signal. A run in which the same process failed first, at the same place
 * and with the same reason, and the test ended for that reason, shows the same failure.
 */
#ifndef EXPLORE_ALWAYS_H
#define EXPLORE_ALWAYS_H

#include "explore/found.h"

struct spare;

/* Runs some random schedules, until the time `end` (base/clock.h). `tried` of the finding is how many
 * failed, or 0 if one of them did not. True if all were run and failed. */
bool always_try_random(struct spare *spare, struct found *found,
		       const struct shrink_budget *budget, double end);

/* Runs all schedules, until the time `end`. If every schedule fails, `always` of the finding is how
 * many there are, `shown` in how many of them it shows, and `always_assumed` the assumptions of these
 * runs. `tried` is then 0, and also if a schedule does not fail. */
void always_try_all(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		    double end);

/* Runs some schedules in which the sleeps of the test (timer:sleep) last until no other actor can
 * go on: first the failing one, as far as it can be followed, then random ones. `patient` of the
 * finding is how many they were if none of them fails and a sleep of the failing run ended earlier,
 * else 0. A test that sleeps to let others do their work fails like that, which says nothing about
 * the work:
 *
 *	spawn(fun() -> ets:insert(t, {k, 1}) end), timer:sleep(50), [{k, 1}] = ets:lookup(t, k)
 */
void always_try_patience(struct spare *spare, struct found *found,
			 const struct shrink_budget *budget, double end);

#endif
