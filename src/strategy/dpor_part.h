/* dpor_part.h: branches that another process explores before their turn.
 *
 * dpor walks its tree depth first. A branch whose turn comes later can be explored now by another
 * process: its sleep set is known, and the result is the same then as now, unless something is
 * added below the branch until its turn comes. So the *giver* hands a branch out as a *part* and
 * goes on with its own branches. It notes sequences that are wanted below the branch meanwhile.
 * When the turn of the branch comes, the giver takes the result if no sequence was noted; otherwise
 * it throws the result away, adds the sequences and explores the branch itself. The giver alone
 * decides which schedules there are, in one order, so the number of runs and their classes are
 * those of a search without parts. docs/architecture.md says why a search would lose classes if the
 * worker that took a part explored it for good.
 *
 *     giver, between two runs                    worker
 *     out = dpor_part_give(dpor, reach, &text);
 *                              ---- text ---->   dpor_part_load(dpor, text);
 *                                                next(), learn(), … until next() returns false,
 *                                                or any time after learn()
 *                              <--- text -----   dpor_part_result(dpor, &text);
 *     dpor_part_back(dpor, out, text);
 *     … the turn of the branch comes: others->taken() …
 *
 * Once runs have messages the result also depends on the levels above the branch: there a race that
 * is looked at again wants other sequences each time. Such a part is *checked*: the worker gets a
 * copy of these levels, and the giver compares when the turn comes (dpor_checked.c).
 *
 * If the worker fails, dpor_part_withdraw(dpor, out): the branch is explored by the giver. A
 * worker may stop before its part is finished; the giver goes on with the rest. Reversals that the
 * runs of a part want at levels of the giver come back with the result.
 */
#ifndef STRATEGY_DPOR_PART_H
#define STRATEGY_DPOR_PART_H

#include "base/bytes.h"
#include "strategy/strategy.h"
#include "strategy/wakeup.h"

/* ---- the giver ---- */

struct dpor_others {
	/* The turn of a branch has come that is out: called until its part is back or withdrawn. */
	void (*wait)(void *ctx, struct wakeup_out *out);
	/* The result of the part counts, or it is thrown away; `out` is freed afterwards. */
	void (*taken)(void *ctx, struct wakeup_out *out, bool counts);
	void *ctx;
};

/* Before the first branch is given away. Borrows. */
void dpor_part_set_others(struct strategy *dpor, const struct dpor_others *others);

/* Gives a branch away. Levels that have one are counted from the last step up; the branch is of
 * level number `reach`, or of the first level that has one if there are fewer. NULL: there is
 * none. */
struct wakeup_out *dpor_part_give(struct strategy *dpor, uint32_t reach, struct strbuf *text);

/* The result is there; `out` belongs to the giver's strategy from now on. */
void dpor_part_back(struct strategy *dpor, struct wakeup_out *out, struct bytes_in text);

/* The result of the part will not count, because something was added below its branch. The worker
 * need not go on. A checked part can be given anew. */
bool dpor_part_is_stale(const struct wakeup_out *out);

/* Throws away results that will not count. */
void dpor_part_drop_stale(struct strategy *dpor);

/* So many workers have died in the part. True if they are DPOR_DEATHS_MAX by now: then the branch is
 * not given away again. */
enum { DPOR_DEATHS_MAX = 3 };
bool dpor_part_add_deaths(struct wakeup_out *out, uint32_t deaths);

/* The decisions that lead to the part, if `to` is not NULL. Returns how many they are. */
size_t dpor_part_path(const struct strategy *dpor, const struct wakeup_out *out,
		      struct decision *to);

/* There will be no result. Frees `out`. */
void dpor_part_withdraw(struct strategy *dpor, struct wakeup_out *out);

/* ---- the worker ---- */

/* Replaces the state by that of a part. False if the text is damaged. */
bool dpor_part_load(struct strategy *dpor, struct bytes_in text);

/* So many steps are common to all runs of the part: a run that could not be followed so far means
 * that the part cannot be explored. */
uint32_t dpor_part_shared(const struct strategy *dpor);

/* The part cannot be explored apart after all, and has no result. */
bool dpor_part_is_tangled(const struct strategy *dpor);

void dpor_part_result(struct strategy *dpor, struct strbuf *text);

#endif
