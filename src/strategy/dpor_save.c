/* dpor_save.c: the whole state of dpor as bytes, between two runs, for a search that goes on in
 * another process later (explore/resume.h).
 *
 * The levels of the stack are written as in the result of a part: sleep set, the step being
 * explored, the branches behind it. Two things are left out, because the search that goes on makes
 * them anew with the same result: runs that were made ahead, and branches that another process
 * explores now. Such a branch is written as it was before it was given away, with the sequences
 * that were noted for it.
 */
#include "base/mem.h"
#include "strategy/dpor.h"
#include "strategy/wakeup_bytes.h"

enum { FLAG_STARTED = 1, FLAG_FINISHED = 2, FLAG_OBSERVES = 4, FLAG_IMPOSSIBLE = 1 };

/* ---- saving ---- */

static void put_branch(struct strbuf *text, struct wakeup *branch)
{
	const struct wakeup_out *out = branch->out;
	bool was_run = out && out->is_back && !out->is_checked;
	struct event event = branch->event;
	bool is_taken = branch->is_taken;

	if (was_run) {
		branch->event = out->was;
		branch->is_taken = out->was_taken;
	}
	wakeup_put(text, branch);
	branch->event = event;
	branch->is_taken = is_taken;
	bytes_put_u32(text, out ? out->late_len : 0);
	if (out)
		bytes_put(text, out->late.text, out->late.len);
}

/* The step of the last level may have steps below it that were added after its run. */
static void put_level(const struct dpor *d, size_t i, const struct event_vec *sleepers,
		      const struct event_vec *above, struct strbuf *text)
{
	const struct level *level = &d->levels.items[i];
	struct wakeup *first = *level->list;
	uint32_t len = 0;

	dpor_part_put_sleepers(text, sleepers, above);
	bytes_put_u32(text, level->explored);
	bytes_put_u8(text, level->impossible ? FLAG_IMPOSSIBLE : 0);
	if (i + 1 < d->levels.len)
		wakeup_put_node(text, first);
	else
		wakeup_put(text, first);
	for (const struct wakeup *w = first->next; w; w = w->next)
		len++;
	bytes_put_u32(text, len);
	for (struct wakeup *w = first->next; w; w = w->next)
		put_branch(text, w);
}

void dpor_save(const struct strategy *self, struct strbuf *text)
{
	const struct dpor *d = (const struct dpor *)self;
	struct event_vec sleepers = {0}, above = {0};

	bytes_put_u8(text, (uint8_t)((d->started ? FLAG_STARTED : 0) |
				     (d->finished ? FLAG_FINISHED : 0) |
				     (d->observes ? FLAG_OBSERVES : 0)));
	bytes_put_u32(text, (uint32_t)d->levels.len);
	for (size_t i = 0; i < d->levels.len; i++) {
		struct event_vec swap = above;

		above = sleepers;
		sleepers = swap;
		sleepers.len = 0;
		dpor_list_sleepers(d, &d->levels.items[i], &sleepers);
		put_level(d, i, &sleepers, &above, text);
	}
	vec_release(&sleepers);
	vec_release(&above);
}

/* ---- loading ---- */

static void get_branch(struct dpor *d, struct wakeup **list, struct wakeup *parent,
		       struct bytes_in *in)
{
	struct wakeup *branch = *list = wakeup_get(&d->pool, parent, in);
	uint32_t late_len = bytes_u32(in);

	dpor_part_add_wanted(d, branch, late_len, in);
}

static void get_level(struct dpor *d, struct wakeup **list, struct wakeup *parent, bool is_last,
		      struct bytes_in *in)
{
	struct level level = {.list = list};
	uint32_t len;

	dpor_part_get_sleepers(d, &level, d->levels.len ? vec_last(&d->levels) : NULL, in);
	level.explored = bytes_u32(in);
	level.impossible = bytes_u8(in) & FLAG_IMPOSSIBLE;
	*list = is_last ? wakeup_get(&d->pool, parent, in) : wakeup_get_node(&d->pool, parent, in);
	len = bytes_count(in, sizeof(struct event));
	list = &(*list)->next;
	for (uint32_t i = 0; i < len && !in->is_short; i++) {
		get_branch(d, list, parent, in);
		list = &(*list)->next;
	}
	*vec_push(&d->levels) = level;
}

bool dpor_load(struct strategy *self, struct bytes_in *in)
{
	struct dpor *d = dpor_of(self);
	struct wakeup **list = &d->tree, *parent = NULL;
	uint32_t levels_len;
	uint8_t flags;

	self->ops->restart(self);
	flags = bytes_u8(in);
	d->started = flags & FLAG_STARTED;
	d->finished = flags & FLAG_FINISHED;
	d->observes = flags & FLAG_OBSERVES;
	levels_len = bytes_count(in, sizeof(struct event));
	for (uint32_t i = 0; i < levels_len && !in->is_short; i++) {
		get_level(d, list, parent, i + 1 == levels_len, in);
		parent = *list;
		list = &parent->children;
	}
	return !in->is_short;
}
