#include "report/rows.h"

#include <string.h>

#include "base/mem.h"
#include "report/table.h"

enum {
	FEW_LINES = 15,  /* a table of so many lines is shown as a whole, */
	LINES = 14,      /* and a longer one has about so many, */
	MOST_LINES = 15, /* or so many, if the others are rows of processes before the two steps; */
	LINES_ALONE = 16, /* one in which no two steps are known whose order matters, so many */
	FOR_WRITERS = 2, /* of these are for rows that have written what others read; */
	BEFORE_PAIR = 1, /* rows kept before the first of the two steps; */
	BEFORE_OWN = 1,  /* of each of them, rows of its actor, however far before, */
	AFTER_PAIR = 3,  /* plain accesses that belong to it, */
	SAME_MAX = 6,    /* and rows behind it that touch the same thing, if there are not more */
	AT_END = 3,      /* rows kept at the end; */
	OWN_LAST = 3,    /* last rows of a process that fails, with the rows that sent what it took; */
	KILLS = 2,       /* last rows by which a process ends another one */
	SMALL_GAP = 2,   /* lines that are shown if they alone would be left out */
	ABOVE = 10,      /* lines above the table, for which there is room; for each more the table has one line less, */
	LESS_MAX = 5,    /* but not more than so many */
};

bool rows_matter(const struct report_finding *finding, const struct report_event *event)
{
	return !finding->slice_len || event->in_slice;
}

/* Lines that these rows take: a second one is the source, unless that is the line of the row before. */
static uint32_t count_lines(const struct report_finding *f, const bool *kept)
{
	const struct report_event *before = NULL;
	uint32_t lines = 0;

	for (uint32_t i = 0; i < f->interleaving_len; i++) {
		if (!kept[i])
			continue;
		lines += 1 + table_has_place(&f->interleaving[i], before);
		before = &f->interleaving[i];
	}
	return lines;
}

/* Keeps up to `wanted` rows that matter before `from`; those of one actor only, unless it is NULL. */
static void keep_before(const struct report_finding *f, bool *kept, uint32_t from, uint32_t wanted,
			const char *actor)
{
	for (uint32_t i = from; i-- > 0 && wanted;) {
		const struct report_event *row = &f->interleaving[i];

		if (!rows_matter(f, row) || (actor && strcmp(row->actor, actor) != 0))
			continue;
		kept[i] = true;
		wanted--;
	}
}

/* The plain accesses between the step and the next step of its actor, up to one that is part of the bug. */
static void keep_accesses(const struct report_finding *f, bool *kept, uint32_t step)
{
	uint32_t wanted = AFTER_PAIR;

	for (uint32_t i = step + 1; i < f->interleaving_len && wanted; i++) {
		const struct report_event *row = &f->interleaving[i];

		if (row->step != REPORT_BETWEEN || row->is_culprit ||
		    strcmp(row->actor, f->interleaving[step].actor) != 0)
			return;
		if (rows_matter(f, row)) {
			kept[i] = true;
			wanted--;
		}
	}
}

static bool touch_the_same(const struct report_event *a, const struct report_event *b)
{
	return a->object && b->object && a->object[0] && strcmp(a->object, b->object) == 0;
}

/* The row in which a call that the step made is taken, with its reply: "take call from P1.2: get → nil". */
static void keep_taken(const struct report_finding *f, bool *kept, uint32_t sent)
{
	static const char take[] = "take call ";

	for (uint32_t i = sent + 1; i < f->interleaving_len; i++) {
		const struct report_event *row = &f->interleaving[i];

		if (rows_matter(f, row) && row->from == f->interleaving[sent].step &&
		    strncmp(row->text, take, strlen(take)) == 0)
			kept[i] = true;
	}
}

/* The last call before this one that its actor made to the same server: what it asked before it acted. */
static void keep_question(const struct report_finding *f, bool *kept, uint32_t sent)
{
	const struct report_event *one = &f->interleaving[sent];

	for (uint32_t i = sent; i-- > 0;) {
		const struct report_event *row = &f->interleaving[i];

		if (!rows_matter(f, row) || !row->kind || strcmp(row->kind, "send") != 0 ||
		    strcmp(row->actor, one->actor) != 0 || !touch_the_same(row, one))
			continue;
		keep_taken(f, kept, i);
		return;
	}
}

/* Of a call that a server takes all calls on the same server, which tell what it had in between: "take call from
 * P1.2: get → 0". */
static void keep_served(const struct report_finding *f, bool *needed, uint32_t sent)
{
	static const char take[] = "take call ", call[] = "call ";
	const struct report_event *one = &f->interleaving[sent];
	uint32_t served = 0;

	if (strncmp(one->text, call, strlen(call)) != 0)
		return;
	for (uint32_t pass = 0; pass < 2 && served <= SAME_MAX; pass++)
		for (uint32_t i = 0; i < f->interleaving_len; i++) {
			const struct report_event *row = &f->interleaving[i];

			if (!rows_matter(f, row) || strncmp(row->text, take, strlen(take)) != 0 ||
			    !touch_the_same(row, one))
				continue;
			served += pass == 0;
			needed[i] |= pass == 1;
		}
}

/* Keeps also the read that the other actor of the pair made of the same object before, so that the reader sees
 * "ets:lookup(t, k) → []" of both. */
static void keep_other_look(const struct report_finding *f, bool *needed, uint32_t pair)
{
	const struct report_event *one = &f->interleaving[pair], *other = NULL;

	for (uint32_t i = pair + 1; i < f->interleaving_len; i++)
		if (f->interleaving[i].is_reversed)
			other = &f->interleaving[i];
	for (uint32_t i = pair; i-- > 0 && other;) {
		const struct report_event *row = &f->interleaving[i];

		if (!rows_matter(f, row) || !touch_the_same(row, one) || strcmp(row->actor, other->actor) != 0 ||
		    !row->mode || strcmp(row->mode, "read") != 0)
			continue;
		needed[i] = true;
		return;
	}
}

static void keep_around(const struct report_finding *f, bool *kept, uint32_t pair, bool is_first)
{
	const struct report_event *one = &f->interleaving[pair];
	uint32_t same = 0;

	if (is_first)
		keep_before(f, kept, pair, BEFORE_PAIR, NULL);
	keep_before(f, kept, pair, BEFORE_OWN, one->actor);
	keep_accesses(f, kept, pair);
	keep_taken(f, kept, pair);
	keep_question(f, kept, pair);
	for (uint32_t i = pair; i < f->interleaving_len; i++)
		same += rows_matter(f, &f->interleaving[i]) && touch_the_same(one, &f->interleaving[i]);
	/* A lock or a mailbox that all actors use all the time is not worth a row each time. */
	for (uint32_t i = pair; i < f->interleaving_len && same <= SAME_MAX; i++)
		if (rows_matter(f, &f->interleaving[i]) && touch_the_same(one, &f->interleaving[i]))
			kept[i] = true;
}

/* Does the step change what it touches? */
static bool changes(const struct report_event *row)
{
	return row->mode && (strcmp(row->mode, "write") == 0 || strcmp(row->mode, "store") == 0 ||
			     strcmp(row->mode, "add") == 0);
}

/* The first and the last row of the pair; false if there are not two. */
static bool find_pair(const struct report_finding *f, uint32_t *first, uint32_t *last)
{
	*first = f->interleaving_len;
	*last = 0;
	for (uint32_t i = 0; i < f->interleaving_len; i++)
		if (f->interleaving[i].is_reversed) {
			*first = *first < i ? *first : i;
			*last = i;
		}
	return *first < *last;
}

/* The rows between the two steps that change the variable of both: "head 0 → 1", "head 1 → 0". */
static void keep_between(const struct report_finding *f, bool *kept)
{
	uint32_t first, last, between = 0;

	if (!find_pair(f, &first, &last) ||
	    !touch_the_same(&f->interleaving[first], &f->interleaving[last]))
		return;
	for (uint32_t pass = 0; pass < 2 && between <= SAME_MAX; pass++)
		for (uint32_t i = first + 1; i < last; i++) {
			const struct report_event *row = &f->interleaving[i];

			if (!rows_matter(f, row) || !changes(row) ||
			    !touch_the_same(row, &f->interleaving[first]))
				continue;
			between += pass == 0;
			kept[i] |= pass == 1;
		}
}

/* Between the two steps, "load stopping = 1" is understood with the row in which another actor has stored
 * the 1. */
static void keep_writers(const struct report_finding *f, bool *kept)
{
	uint32_t first, last;

	if (!find_pair(f, &first, &last))
		return;
	for (uint32_t i = first + 1; i < last; i++) {
		const struct report_event *row = &f->interleaving[i];
		uint32_t j = i;

		if (!kept[i] || !row->mode || strcmp(row->mode, "read") != 0)
			continue;
		while (j-- > 0)
			if (touch_the_same(row, &f->interleaving[j]) && changes(&f->interleaving[j]))
				break;
		if (j < i && rows_matter(f, &f->interleaving[j]) &&
		    strcmp(f->interleaving[j].actor, row->actor) != 0)
			kept[j] = true;
	}
}

/* A small gap is about as long as its rows. */
static void fill_small_gaps(const struct report_finding *f, bool *kept)
{
	uint32_t gap = 0, lines = 0;

	for (uint32_t i = 0; i < f->interleaving_len; i++) {
		const struct report_event *row = &f->interleaving[i];

		if (!rows_matter(f, row))
			continue;
		if (kept[i] && lines <= SMALL_GAP)
			keep_before(f, kept, i, gap, NULL);
		gap = kept[i] ? 0 : gap + 1;
		lines = kept[i] ? 0 : lines + 1 + table_has_place(row, NULL);
	}
}

static bool is_of_kind(const struct report_event *row, const char *kind)
{
	return row->kind && strcmp(row->kind, kind) == 0;
}

/* Does the step only make something that later ones use? */
static bool is_set_up(const struct report_event *row)
{
	return strstr(row->text, "ets:new(") || strstr(row->text, "ets.new(") || is_of_kind(row, "register");
}

/* The last rows of a process before its end, which is part of the bug, and the rows that sent it what it took
 * there; the last exit signals. */
static void keep_last(const struct report_finding *f, bool *kept, uint32_t end)
{
	uint32_t kills = 0, left = OWN_LAST;

	for (uint32_t i = end; i-- > 0 && left;) {
		const struct report_event *row = &f->interleaving[i];

		if (!rows_matter(f, row) || strcmp(row->actor, f->interleaving[end].actor) != 0)
			continue;
		left--;
		kept[i] = true;
		for (uint32_t j = i; j-- > 0 && row->from != REPORT_NO_STEP;)
			kept[j] |= f->interleaving[j].step == row->from &&
				   rows_matter(f, &f->interleaving[j]);
	}
	for (uint32_t i = end; i-- > 0 && kills < KILLS;) {
		if (!rows_matter(f, &f->interleaving[i]) || !is_of_kind(&f->interleaving[i], "exit-signal"))
			continue;
		kept[i] = true;
		kills++;
	}
}

/* The end of a process that is part of the bug; or the end of the run. */
static uint32_t find_end(const struct report_finding *f)
{
	for (uint32_t i = f->interleaving_len; i-- > 0;)
		if (f->interleaving[i].is_culprit && is_of_kind(&f->interleaving[i], "finish"))
			return i;
	return f->interleaving_len;
}

/* How far the row is from one of the two steps, or from the end. Those behind both are nearer than all others: they
 * lead to the bug, and push none of the two out of sight. */
static uint32_t distance(const struct report_finding *f, uint32_t row)
{
	uint32_t end = find_end(f), least = end > row ? end - row : f->interleaving_len, last = 0;

	for (uint32_t i = 0; i < end; i++) {
		uint32_t far = row > i ? row - i : i - row;

		if (!f->interleaving[i].is_reversed)
			continue;
		last = i;
		if (far < least)
			least = far;
	}
	least += is_set_up(&f->interleaving[row]) ? 2 * f->interleaving_len : 0;
	return row > last ? least : least + f->interleaving_len;
}

/* The lines that are left go to the nearest rows. */
static void fill_lines(const struct report_finding *f, bool *kept, uint32_t wanted)
{
	uint32_t lines = count_lines(f, kept);

	while (lines < wanted) {
		uint32_t best = f->interleaving_len, nearest = UINT32_MAX;

		for (uint32_t i = 0; i < f->interleaving_len; i++)
			if (!kept[i] && rows_matter(f, &f->interleaving[i]) && distance(f, i) < nearest) {
				nearest = distance(f, i);
				best = i;
			}
		if (best == f->interleaving_len)
			return;
		kept[best] = true;
		lines = count_lines(f, kept);
	}
}

/* Are the actors processes, whose messages are one line each? */
static bool has_messages(const struct report_finding *f)
{
	for (uint32_t i = 0; i < f->interleaving_len; i++)
		if (is_of_kind(&f->interleaving[i], "send") || is_of_kind(&f->interleaving[i], "receive"))
			return true;
	return false;
}

/* Of too many rows the first ones go, which are before the two steps and the last rows of a process. */
static void drop_first(const struct report_finding *f, bool *kept, const bool *needed, uint32_t most)
{
	for (uint32_t i = 0; i < f->interleaving_len && count_lines(f, kept) > most; i++) {
		if (f->interleaving[i].is_reversed)
			return;
		kept[i] = kept[i] && needed[i];
	}
}

bool *rows_pick(const struct report_finding *f, bool is_full, uint32_t above)
{
	uint32_t more = above > ABOVE ? above - ABOVE : 0, less = more < LESS_MAX ? more : LESS_MAX, lines;
	bool *kept = mem_zalloc(f->interleaving_len + 1), *needed = NULL, has_pair = false, is_first = true;

	for (uint32_t i = 0; i < f->interleaving_len; i++) {
		kept[i] = is_full || rows_matter(f, &f->interleaving[i]);
		has_pair |= f->interleaving[i].is_reversed;
	}
	if (is_full || count_lines(f, kept) <= FEW_LINES - less)
		return kept;
	memset(kept, 0, f->interleaving_len);
	needed = mem_zalloc(f->interleaving_len + 1);
	keep_before(f, kept, f->interleaving_len, AT_END, NULL);
	for (uint32_t i = 0; i < f->interleaving_len; i++) {
		const struct report_event *row = &f->interleaving[i];

		if (!rows_matter(f, row))
			continue;
		needed[i] |= row->is_reversed || row->is_culprit || row->step == REPORT_NO_STEP;
		if (row->is_culprit && is_of_kind(row, "finish"))
			keep_last(f, needed, i);
		if (row->is_reversed) {
			keep_around(f, kept, i, is_first);
			keep_served(f, needed, i);
		}
		if (row->is_reversed && is_first)
			keep_other_look(f, needed, i);
		is_first &= !row->is_reversed;
	}
	for (uint32_t i = 0; i < f->interleaving_len; i++)
		kept[i] |= needed[i];
	keep_between(f, kept);
	lines = (has_pair ? LINES : LINES_ALONE) - less;
	fill_lines(f, kept, lines - FOR_WRITERS);
	keep_writers(f, kept);
	fill_lines(f, kept, lines);
	fill_small_gaps(f, kept);
	if (has_pair && has_messages(f))
		drop_first(f, kept, needed, less ? LINES - less : MOST_LINES);
	mem_free(needed);
	return kept;
}
