/* history.h: the runs that another process must make again to know what this search knows.
 *
 * The names of objects depend on the order in which runs met them (numbers of Erlang values), and
 * the detector of leaks compares runs with earlier ones. Both follow from runs that were made. So
 * each run in which a name was new, or that left other blocks behind than any run before, is kept
 * as a schedule with the hash of its trace. Another process makes these runs again, in the same
 * order, and refuses to go on if a trace is another one. There are two such processes: one that
 * resumes a saved search (resume.h), and a worker on another machine (jobs_state.h).
 */
#ifndef EXPLORE_HISTORY_H
#define EXPLORE_HISTORY_H

#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/walk.h"

struct history {
	VEC(struct strbuf) runs;
	struct map blocks;                /* sets of blocks left behind, by hash */
	bool has_complete;                /* a complete run was kept */
	uint32_t actors_len, objects_len; /* the most of any run */
};

/* Keeps the last run of the walk if it is such a run; before the strategy learns from it. */
void history_note(struct history *history, const struct walk *walk);

/* The search begins anew: names mean something else now. */
void history_restart(struct history *history);

/* Makes a run of another process's history again, and keeps it. False if the program does not run
 * as it did there; with err only if it could not be run at all. */
bool history_repeat(struct history *history, struct walk *walk, struct bytes_in run,
		    struct err *err);

void history_release(struct history *history);

#endif
