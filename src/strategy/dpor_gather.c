/* dpor_gather.c: changes to the tree when a run shows that a step covers more than was known.
 *
 * As long as it is not known whether a timer can fire at a node, the timer's branch covers only
 * sequences that begin with the timer (wakeup.h). Other sequences that contain the timer, or that
 * it does not depend on, get branches of their own behind it. Once a run has taken the timer there,
 * its branch covers them like any other, and it must have them: in branches behind it they would be
 * explored with the timer asleep. The runs in which the timer comes first would then be left to the
 * timer's branch, which does not know of them.
 *
 *     branches: T, then x T        T is taken: its branch gets x, and x T goes.
 *     branches: T, then x          T is taken: its branch gets x, too. x stays, for the runs in which
 *                                  a later step has to come before T.
 *
 * The same holds of a step that was expected to depend on every other (event_expected_before), and
 * that depends on a few only, as a run has shown now.
 */
#include "strategy/dpor.h"

static struct wakeup *first_leaf(struct wakeup *node)
{
	while (node->children)
		node = node->children;
	return node;
}

/* The next leaf of the branch, or NULL. */
static struct wakeup *next_leaf(const struct wakeup *branch, struct wakeup *leaf)
{
	while (leaf != branch && !leaf->next)
		leaf = leaf->parent;
	return leaf == branch ? NULL : first_leaf(leaf->next);
}

/* Fills d->sequence with the steps from the branch down to the leaf. */
static void list_steps(struct dpor *d, const struct wakeup *branch, const struct wakeup *leaf)
{
	size_t len = leaf->at - branch->at + 1;

	vec_reserve(&d->sequence, len);
	d->sequence.len = len;
	for (const struct wakeup *node = leaf; len-- > 0; node = node->parent)
		d->sequence.items[len] = &node->event;
}

/* Adds the sequence of the leaf below the step if that covers it. Returns whether the leaf is not
 * needed any more. */
static bool add_below(struct dpor *d, struct wakeup *step, const struct wakeup *branch,
		      const struct wakeup *leaf)
{
	struct wakeup_wanted wanted = {.observers = observers_of_old(d->order.observers)};
	struct wakeup *added;
	bool is_open;
	size_t at;

	list_steps(d, branch, leaf);
	wanted.sequence = d->sequence.items;
	wanted.first = wanted.sequence[0];
	wanted.len = wanted.kept = wanted.firm = d->sequence.len;
	if (!wakeup_covers(&step->event, &wanted, &at))
		return false;
	if (at < wanted.len)
		wakeup_consume(&wanted, at);
	added = wanted.len ? wakeup_insert(&d->pool, step, &step->children, wanted, &is_open)
			   : NULL;
	if (added)
		dpor_ahead_note(d, added);
	return wanted.len < d->sequence.len;
}

void dpor_gather(struct dpor *d, struct wakeup *step)
{
	for (struct wakeup *branch = step->next, *next; branch; branch = next) {
		next = branch->next;
		for (struct wakeup *leaf = first_leaf(branch), *later; leaf; leaf = later) {
			later = next_leaf(branch, leaf);
			if (add_below(d, step, branch, leaf))
				wakeup_remove_leaf(&d->pool, &step->next, branch, leaf);
		}
	}
}
