/* wakeup.h: wake-up trees (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014).
 *
 * At a node of the search a wake-up tree holds the beginnings of executions still to
 * be explored from there, as an ordered tree of events. Following its first branch
 * to a leaf and then running freely never ends in a sleep-set block, and each
 * equivalence class is run exactly once.
 *
 * Trees are lists of siblings, each with its own list of children; nodes come from a
 * pool. The current execution is a path of first siblings. A leaf whose run has been
 * analysed has grown: below it hang the rest of that run and what the run showed to be
 * left; whatever begins like the leaf is covered by them.
 */
#ifndef STRATEGY_WAKEUP_H
#define STRATEGY_WAKEUP_H

#include <stddef.h>

#include "core/event.h"
#include "core/order.h"

struct trace;

struct wakeup {
	struct event event;
	struct wakeup *parent; /* NULL at the top */
	struct wakeup *children;
	struct wakeup *next;
	struct trace *ahead;   /* owned: the run of this branch, if it was made already */
	uint32_t at;           /* the step it is: as many nodes are above it */
	uint32_t unmade;       /* branches below it without a run; not kept up on the stack */
	bool grown;
};

struct wakeup_pool {
	struct wakeup *unused;
	struct wakeup **blocks;
	size_t blocks_len, blocks_cap;
};

/* A new leaf below the parent; the caller puts it into a list. */
struct wakeup *wakeup_leaf(struct wakeup_pool *pool, struct wakeup *parent,
			   const struct event *event);

/* Adds the sequence, which is to come before `first`, to the list, which is below the parent,
 * unless a branch covers it already. Of a sequence that is not covered only the first `kept`
 * events are added, at least one. Uses the array up. Returns the new branch or NULL. */
struct wakeup *wakeup_insert(struct wakeup_pool *pool, struct wakeup *parent, struct wakeup **list,
			     const struct event *first, struct event *sequence, size_t len,
			     size_t kept, enum order_observers observers);

/* Takes the first branch out and gives its nodes back. */
void wakeup_remove_first(struct wakeup_pool *pool, struct wakeup **tree);

/* Is the actor of `event`, whose next step it is, a weak initial of the sequence: could
 * the sequence just as well begin with it? On yes, *at is its place in the sequence,
 * or len when it does not occur there. Depending on whose eyes count a message may also
 * be moved before others to the same process, if nobody receives any of them in the sequence, and
 * a write before other writes, if in the sequence it is overwritten before anybody reads it. */
bool wakeup_is_weak_initial(const struct event *event, const struct event *sequence, size_t len,
			    enum order_observers observers, size_t *at);

/* Do the two, which are dependent, have messages or a poll in common, and does nobody in the
 * sequence, which follows them, take one of two messages? Only a quick look: no is certain. */
bool wakeup_may_be_untold(const struct event *a, const struct event *b,
			  const struct event *sequence, size_t len);

/* The same of a sequence that is to come before `first`. Where the event is no part of it and there
 * may be no `first` after it, what begins with the event is not what is wanted. */
bool wakeup_covers(const struct event *event, const struct event *first,
		   const struct event *sequence, size_t len, enum order_observers observers,
		   size_t *at);

void wakeup_pool_release(struct wakeup_pool *pool);

#endif
