#include "detect/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A list that is longer is searched for marks that a new access covers. */
enum { LONG = 16 };

enum change_kind { CHANGE_OF_MARK, CHANGE_NEW, CHANGE_OF_HEAD };

struct marks_change {
	uint32_t kind;
	uint32_t place;  /* of the mark; else twice the granule's, and the list */
	struct mark old; /* if CHANGE_OF_MARK; its `next` is the old head if CHANGE_OF_HEAD */
};

static uint32_t *head_at(struct marks *m, uint32_t place)
{
	return &m->granules.items[place / LISTS].heads[place % LISTS];
}

/* ---- which marks race ---- */

/* The end of a thread or of a function against an atomic access to its stack. It often ends after it has read
 * what another stored there; then the access is over, also if the orders are relaxed. */
static bool is_end_beside_atomic(const struct mark *end, const struct mark *other)
{
	return (end->act == ACT_END || end->act == ACT_RETURN) && other->is_atomic;
}

static bool is_racing(const struct sync *sync, const struct mark *old, const struct mark *new)
{
	if (!old->is_object && !new->is_object &&
	    (is_end_beside_atomic(old, new) || is_end_beside_atomic(new, old)))
		return false;
	return (old->bytes & new->bytes) && old->actor != new->actor &&
	       (old->act != ACT_READ || new->act != ACT_READ) &&
	       !(old->is_atomic && new->is_atomic) &&
	       !sync_knows(sync, new->actor, old->actor, old->time);
}

/* Is the old mark superfluous? Every access that races with it races with the new one, too. */
static bool replaces(const struct mark *new, const struct mark *old)
{
	return old->actor == new->actor && !(old->bytes & ~new->bytes) &&
	       old->act == new->act && old->is_atomic == new->is_atomic &&
	       old->is_object == new->is_object;
}

/* The same of a mark of another actor that the new access comes after. */
static bool covers(const struct sync *sync, const struct mark *new, const struct mark *old)
{
	bool is_as_strong = new->act == ACT_WRITE ? old->act <= ACT_WRITE
						  : new->act == ACT_READ && old->act == ACT_READ;

	return is_as_strong && !(old->bytes & ~new->bytes) && old->is_object == new->is_object &&
	       (old->is_atomic || !new->is_atomic) && old->actor != new->actor &&
	       sync_knows(sync, new->actor, old->actor, old->time);
}

/* ---- lists ---- */

static void note(struct marks *m, enum change_kind kind, uint32_t place, const struct mark *old)
{
	if (!m->is_final)
		*vec_push(&m->changes) = (struct marks_change){kind, place, *old};
}

static void replace(struct marks *m, uint32_t place, const struct mark *new)
{
	struct mark *mark = &m->items.items[place];
	uint32_t next = mark->next;

	note(m, CHANGE_OF_MARK, place, mark);
	*mark = *new;
	mark->next = next;
}

static uint32_t push(struct marks *m, uint32_t place, const struct mark *new)
{
	uint32_t *head = head_at(m, place);

	note(m, CHANGE_NEW, place, new);
	*vec_push(&m->items) = *new;
	vec_last(&m->items)->next = *head;
	return *head = (uint32_t)m->items.len - 1;
}

/* Takes the mark behind `before` (MARK_END: the first one) out of the list. */
static void unlink_mark(struct marks *m, uint32_t place, uint32_t before, uint32_t mark)
{
	uint32_t next = m->items.items[mark].next;

	m->era++; /* it may be the recent read of its actor */
	if (before == MARK_END) {
		note(m, CHANGE_OF_HEAD, place, &(struct mark){.next = mark});
		*head_at(m, place) = next;
	} else {
		note(m, CHANGE_OF_MARK, before, &m->items.items[before]);
		m->items.items[before].next = next;
	}
}

/* The new access comes with its own mark, so nothing is lost. */
static void take_out_covered(struct marks *m, const struct sync *sync, uint32_t place,
			     const struct mark *new)
{
	uint32_t before = MARK_END;

	for (uint32_t at = *head_at(m, place), next; at != MARK_END; at = next) {
		next = m->items.items[at].next;
		if (covers(sync, new, &m->items.items[at]))
			unlink_mark(m, place, before, at);
		else
			before = at;
	}
}

/* Adds the marks of the list that race. Returns the mark of the same actor that the new one
 * replaces, or MARK_END. */
static uint32_t search(struct marks *m, const struct sync *sync, uint32_t place,
		       const struct mark *new, struct mark_list *racing)
{
	uint32_t own = MARK_END, len = 0;

	for (uint32_t at = *head_at(m, place); at != MARK_END; at = m->items.items[at].next) {
		const struct mark *old = &m->items.items[at];

		len++;
		if (is_racing(sync, old, new))
			*vec_push(racing) = at;
		if (replaces(new, old))
			own = at;
	}
	if (len > LONG)
		take_out_covered(m, sync, place, new);
	return own;
}

/* ---- plain reads ---- */

static bool is_plain_read(const struct mark *mark)
{
	return mark->act == ACT_READ && !mark->is_atomic && !mark->is_object;
}

static struct recent_read *recent_of(struct marks *m, uint64_t granule, uint32_t actor)
{
	uint64_t hash = (granule * 0x9e3779b97f4a7c15u >> 20) ^ actor * 0x85ebca6bu;

	if (!m->recent)
		m->recent = mem_zalloc(RECENT_READS * sizeof(*m->recent));
	return &m->recent[hash % RECENT_READS];
}

/* A plain read among plain reads: only the actor's own mark matters. */
static void put_read(struct marks *m, uint32_t place, uint64_t granule, const struct mark *new)
{
	struct recent_read *recent = recent_of(m, granule, new->actor);
	uint32_t at = MARK_END;

	if (recent->era == m->era && recent->granule == granule && recent->actor == new->actor &&
	    replaces(new, &m->items.items[recent->mark]))
		at = recent->mark;
	else
		for (uint32_t i = *head_at(m, place); i != MARK_END; i = m->items.items[i].next)
			if (replaces(new, &m->items.items[i]))
				at = i;
	if (at == MARK_END)
		at = push(m, place, new);
	else
		replace(m, at, new);
	*recent = (struct recent_read){granule, new->actor, at, m->era};
}

/* ---- accesses ---- */

static uint32_t find_granule(struct marks *m, uint64_t granule)
{
	bool is_new;
	uint64_t *index = map_put(&m->index, granule, &is_new);

	if (is_new) {
		*index = m->granules.len;
		*vec_push(&m->granules) = (struct granule){{MARK_END, MARK_END}, 0};
	}
	return (uint32_t)*index;
}

static int compare_newest_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

void marks_put(struct marks *m, const struct sync *sync, uint64_t granule,
	       const struct mark *new, struct mark_list *racing)
{
	uint32_t index = find_granule(m, granule);
	uint32_t reads = index * LISTS + LIST_PLAIN_READS, others = index * LISTS + LIST_OTHERS;
	uint32_t own;

	racing->len = 0;
	if (m->granules.items[index].read_bytes & new->bytes && new->act != ACT_READ)
		search(m, sync, reads, new, racing);
	own = search(m, sync, others, new, racing);
	if (racing->len > 1)
		qsort(racing->items, racing->len, sizeof(*racing->items), compare_newest_first);
	if (is_plain_read(new)) {
		m->granules.items[index].read_bytes |= new->bytes;
		put_read(m, reads, granule, new);
	} else if (own != MARK_END) {
		replace(m, own, new);
	} else {
		push(m, others, new);
	}
}

static void forget_granule(struct marks *m, uint32_t index)
{
	for (uint32_t place = index * LISTS; place < (index + 1) * LISTS; place++) {
		uint32_t *head = head_at(m, place);

		if (*head == MARK_END)
			continue;
		note(m, CHANGE_OF_HEAD, place, &(struct mark){.next = *head});
		*head = MARK_END;
	}
}

void marks_forget(struct marks *m, uint64_t low, uint64_t high)
{
	m->era++;
	if (high - low > m->index.len) {
		for (size_t i = 0; i < m->index.len; i++)
			if (m->index.entries[i].key >= low && m->index.entries[i].key < high)
				forget_granule(m, (uint32_t)m->index.entries[i].value);
		return;
	}
	for (uint64_t granule = low; granule < high; granule++) {
		const uint64_t *index = map_get(&m->index, granule);

		if (index)
			forget_granule(m, (uint32_t)*index);
	}
}

void marks_back(struct marks *m, size_t changes)
{
	while (m->changes.len > changes) {
		const struct marks_change *change = &vec_pop(&m->changes);

		if (change->kind == CHANGE_OF_MARK)
			m->items.items[change->place] = change->old;
		else if (change->kind == CHANGE_OF_HEAD)
			*head_at(m, change->place) = change->old.next;
		else
			*head_at(m, change->place) = vec_pop(&m->items).next;
	}
	m->era++;
}

void marks_start(struct marks *m)
{
	map_clear(&m->index);
	m->granules.len = m->items.len = m->changes.len = 0;
	m->era++;
}

void marks_release(struct marks *m)
{
	map_release(&m->index);
	vec_release(&m->granules);
	vec_release(&m->items);
	vec_release(&m->changes);
	mem_free(m->recent);
}
