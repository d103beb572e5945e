/* wakeup_bytes.h: wake-up trees as bytes, for another process or for a file.
 *
 * A tree is written node by node from the top, with a mark behind each node for the way to the
 * next one, because a path can be as long as a run: nothing here calls itself. Runs that were made
 * ahead are not written. */
#ifndef STRATEGY_WAKEUP_BYTES_H
#define STRATEGY_WAKEUP_BYTES_H

#include "base/bytes.h"
#include "base/vec.h"
#include "strategy/wakeup.h"

/* One node with its open races, without its children. */
void wakeup_put_node(struct strbuf *out, const struct wakeup *node);
struct wakeup *wakeup_get_node(struct wakeup_pool *pool, struct wakeup *parent, struct bytes_in *in);

/* A branch: the node and everything below it, not its siblings. wakeup_get returns a branch below
 * the parent, which the caller puts into a list; of damaged bytes a branch that is cut. */
void wakeup_put(struct strbuf *out, const struct wakeup *branch);
struct wakeup *wakeup_get(struct wakeup_pool *pool, struct wakeup *parent, struct bytes_in *in);

/* A wanted sequence: its bytes, and back into the vecs, which the result points into. */
VEC_TYPE(wanted_events, struct event);
VEC_TYPE(wanted_sequence, const struct event *);
void wakeup_put_wanted(struct strbuf *out, const struct wakeup_wanted *wanted);
struct wakeup_wanted wakeup_get_wanted(struct bytes_in *in, struct wanted_events *events,
				       struct wanted_sequence *sequence);

#endif
