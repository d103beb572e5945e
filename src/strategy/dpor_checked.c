/* dpor_checked.c: parts of a search with messages.
 *
 * With messages the runs of a part depend on more than the sleep set of its branch: on the tags of
 * the steps above the branch (dependence.h), on the races that are open there, and on whether the
 * branches of those levels cover a sequence that a run of the part wants. All of these can change
 * until the turn of the branch comes. So the worker gets a copy of them, and the giver checks at
 * the turn that the copy was right:
 *
 *   basis     the text of the part (sleep sets, steps above the branch, open races, the tree below
 *             the branch), written anew, is the text that the worker got;
 *   answers   the worker notes, in order, each tag that it changed and each sequence that it added
 *             to its copy, with the answer (`is_open`). The giver does the same in its own tree and
 *             must get the same answers.
 *
 * If one differs, the giver takes everything back and explores the branch itself. If none does, the
 * worker has made exactly the runs that the giver would have made now, because every step of dpor
 * reads nothing else: so the number of runs does not depend on the workers.
 *
 * A sequence whose way into the tree leads through the branch itself would be added to the worker's
 * own part of the tree, which the giver does not have: such a part is refused ("tangled").
 */
#include "base/bug.h"
#include "base/hash.h"
#include "strategy/dpor.h"
#include "strategy/wakeup_bytes.h"

enum note { NOTE_EVENT, NOTE_WANTED };

/* ---- the worker ---- */

void dpor_checked_note_event(struct dpor *d, const struct event *event, uint32_t place)
{
	if (!d->is_checked || place >= d->shared)
		return;
	bytes_put_u8(&d->wants, NOTE_EVENT);
	bytes_put_u32(&d->wants, place);
	bytes_put(&d->wants, event, sizeof(*event));
	d->wants_len++;
	map_clear(&d->answers);
}

/* A sequence that a branch covered once is covered by it again, with the same answer: trees above
 * the part only grow, at the end of their lists. So it is not noted again, as long as no tag
 * changes. */
bool dpor_checked_want(struct dpor *d, const struct level *level, uint32_t place,
		       struct wakeup_wanted wanted)
{
	size_t start = d->wants.len, at;
	const struct wakeup *added;
	uint64_t *answer;
	bool is_open;

	d->is_tangled |= wakeup_covers(level_event(level), &wanted, &at);
	bytes_put_u8(&d->wants, NOTE_WANTED);
	bytes_put_u32(&d->wants, place);
	wakeup_put_wanted(&d->wants, &wanted);
	answer = map_put(&d->answers, hash_bytes(d->wants.text + start, d->wants.len - start), NULL);
	if (*answer) {
		d->wants.len = start;
		return *answer == 2;
	}
	added = wakeup_insert(&d->pool, (*level->list)->parent, level->list, wanted, &is_open);
	if (!added)
		*answer = is_open ? 2 : 1;
	bytes_put_u8(&d->wants, is_open);
	d->wants_len++;
	return is_open;
}

/* The notes, and the open races of the levels above the branch. */
void dpor_checked_put(const struct dpor *d, struct strbuf *text)
{
	bytes_put_u32(text, d->wants_len);
	bytes_put(text, d->wants.text, d->wants.len);
	for (uint32_t i = 0; i + 1 < d->shared; i++)
		wakeup_put_node(text, *d->levels.items[i].list);
}

/* ---- the giver ---- */

/* To take everything back. */
struct before {
	struct event_vec events; /* of the path down to the branch */
	VEC(struct wakeup *) added;
	bool was_taken; /* the branch */
};

static void remember(const struct dpor *d, const struct wakeup *branch, struct before *before)
{
	for (uint32_t i = 0; i <= branch->at; i++)
		*vec_push(&before->events) = *level_event(&d->levels.items[i]);
	before->was_taken = branch->is_taken;
}

static void take_back(struct dpor *d, struct wakeup *branch, struct before *before)
{
	while (before->added.len)
		wakeup_remove_first(&d->pool,
				    dpor_find_in_list(d, before->added.items[--before->added.len]));
	for (uint32_t i = 0; i <= branch->at; i++)
		(*d->levels.items[i].list)->event = before->events.items[i];
	branch->is_taken = before->was_taken;
}

/* Adds the wanted sequence as the worker did. Is the answer the same? */
static bool repeat_wanted(struct dpor *d, uint32_t place, struct bytes_in *in,
			  struct before *before)
{
	struct wanted_sequence sequence = {0};
	struct wanted_events events = {0};
	struct wakeup_wanted wanted = wakeup_get_wanted(in, &events, &sequence);
	struct wakeup **list = d->levels.items[place].list, *added;
	bool answer = bytes_u8(in), is_open;

	added = wakeup_insert(&d->pool, (*list)->parent, list, wanted, &is_open);
	if (added)
		*vec_push(&before->added) = added;
	vec_release(&events);
	vec_release(&sequence);
	return is_open == answer;
}

static bool repeat(struct dpor *d, const struct wakeup *branch, struct bytes_in *in,
		   struct before *before)
{
	uint32_t len = bytes_u32(in);

	for (uint32_t i = 0; i < len; i++) {
		enum note note = bytes_u8(in);
		uint32_t place = bytes_u32(in);
		struct wakeup *node;

		BUG_ON(in->is_short || place > branch->at, "notes of a part are damaged");
		if (note == NOTE_WANTED) {
			if (!repeat_wanted(d, place, in, before))
				return false;
			continue;
		}
		node = *d->levels.items[place].list;
		bytes_get(in, &node->event, sizeof(node->event));
		node->is_taken = true;
	}
	return true;
}

bool dpor_checked_take(struct dpor *d, struct wakeup *branch, const struct wakeup_out *out,
		       struct bytes_in *in)
{
	struct before before = {0};
	bool ok;

	if (dpor_part_basis(d, branch) != out->basis)
		return false;
	remember(d, branch, &before);
	ok = repeat(d, branch, in, &before);
	if (!ok)
		take_back(d, branch, &before);
	for (size_t i = 0; ok && i < before.added.len; i++)
		dpor_ahead_note(d, before.added.items[i]);
	for (uint32_t i = 0; ok && i < branch->at; i++)
		dpor_part_take_node(d, *d->levels.items[i].list, in);
	vec_release(&before.events);
	vec_release(&before.added);
	return ok;
}
