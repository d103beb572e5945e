/* jobs_state.h: the state of a search as text, for a worker that was not forked from it.
 *
 * A worker that is forked from the tool knows everything that the tool knew then. A worker on
 * another machine (fleet/) gets the same as text: the strategy and its parameters, the target's
 * knowledge of the program, and the history of the search (history.h), whose runs it makes again.
 * Each trace must be the one that the tool saw, and all actors and values must have got the same
 * numbers; otherwise the worker refuses, because a part of the search would mean something else
 * there.
 *
 * The text is bytes of this build of the tool (base/bytes.h): the reader must be the same build.
 */
#ifndef EXPLORE_JOBS_STATE_H
#define EXPLORE_JOBS_STATE_H

#include "base/bytes.h"
#include "explore/explore.h"
#include "explore/history.h"
#include "explore/walk.h"

/* The walk must have a history. */
void jobs_state_put(struct strbuf *out, const struct walk *walk,
		    const struct explore_options *options);

/* Of a state that was read. The walk borrows the target and the history; all are released by
 * jobs_state_release(). */
struct jobs_state {
	char strategy[32];
	struct explore_options options; /* of the search, as far as a worker needs them */
	struct walk walk;
	struct history history;
};

/* Brings a new target and a walk to the state. False with err if that is not possible here. */
bool jobs_state_load(struct jobs_state *state, struct target *target, struct bytes_in in,
		     struct err *err);
void jobs_state_release(struct jobs_state *state);

#endif
