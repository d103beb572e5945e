#include "strategy/dpor_part.h"

#include "base/bug.h"
#include "base/hash.h"
#include "base/mem.h"
#include "strategy/dpor.h"
#include "strategy/wakeup_bytes.h"

/* In the sleep set of a level: an event follows; otherwise the number of the event in the sleep
 * set of the level above, in which most of them are. */
enum { SLEEPER_NEW = 0xffffffffu };

enum { QUIET_MIN = 64 }; /* runs for which a branch of a checked part has not grown */

/* ---- sleep sets ---- */

void dpor_part_put_sleepers(struct strbuf *out, const struct event_vec *sleepers,
			    const struct event_vec *above)
{
	size_t next = 0; /* mostly they stand in the same order */

	bytes_put_u32(out, (uint32_t)sleepers->len);
	for (size_t i = 0; i < sleepers->len; i++) {
		size_t k = next;

		while (k < above->len &&
		       memcmp(&above->items[k], &sleepers->items[i], sizeof(struct event)) != 0)
			k++;
		bytes_put_u32(out, k < above->len ? (uint32_t)k : SLEEPER_NEW);
		if (k == above->len)
			bytes_put(out, &sleepers->items[i], sizeof(struct event));
		else
			next = k + 1;
	}
}

void dpor_part_get_sleepers(struct dpor *d, struct level *level, const struct level *above,
			    struct bytes_in *in)
{
	uint32_t len = bytes_count(in, sizeof(uint32_t));

	level->sleep_start = (uint32_t)d->sleepers.len;
	level->slept_len = (uint32_t)d->slept.len;
	for (uint32_t i = 0; i < len && !in->is_short; i++) {
		uint32_t k = bytes_u32(in);
		struct event event;

		if (k == SLEEPER_NEW) {
			bytes_get(in, &event, sizeof(event));
			if (!in->is_short)
				dpor_put_to_sleep(d, level, &event);
		} else if (above && k < above->sleep_len) {
			uint32_t sleeper = d->sleepers.items[above->sleep_start + k];

			*vec_push(&d->sleepers) = sleeper;
			level->sleep_len++;
		} else {
			in->is_short = true;
		}
	}
}

/* The sleepers of a level, and the branches before `branch` in its list. */
static void list_sleepers(const struct dpor *d, const struct level *level,
			  const struct wakeup *branch, struct event_vec *sleepers)
{
	sleepers->len = 0;
	dpor_list_sleepers(d, level, sleepers);
	for (const struct wakeup *w = *level->list; w != branch; w = w->next)
		*vec_push(sleepers) = w->event;
}

/* ---- giving ---- */

void dpor_part_set_others(struct strategy *self, const struct dpor_others *others)
{
	dpor_of(self)->others = others;
}

/* The first branch of the level that another process can explore. Branches behind one without a run
 * must wait for that run, as in dpor_ahead.c: their sleep set has its event. With messages the runs
 * below a branch nearly always add something below the branches behind it, so of each level one
 * branch at a time is given away. A timer that no run has taken may be impossible, and if it is
 * not, branches behind it change (dpor_gather.c). */
static struct wakeup *find_branch(const struct level *level, bool is_checked)
{
	for (struct wakeup *w = (*level->list)->next; w; w = w->next) {
		if ((w->ahead && w->ahead->end == END_DIVERGED) ||
		    (w->event.deadline && !w->is_taken))
			return NULL;
		if (!w->out && !w->is_own)
			return w;
		if (is_checked || !wakeup_has_run(w))
			return NULL;
	}
	return NULL;
}

/* A checked part is thrown away if its branch grows before its turn comes. While a branch is
 * explored, the branch behind it grows for some time and then not any more. If it grew while the
 * branch before was explored, it will probably grow again for as long. */
static bool is_settled(const struct dpor *d, const struct level *level, const struct wakeup *branch)
{
	uint32_t age = d->pool.clock - branch->grown;
	uint32_t elapsed = d->pool.clock - level->began;
	bool grew_before = level->explored && age > elapsed && branch->grown > level->before;

	if (!d->observes)
		return true;
	if (grew_before && elapsed < branch->grown - level->before)
		return false;
	return age > QUIET_MIN && elapsed > QUIET_MIN;
}

static struct wakeup *choose(const struct dpor *d, uint32_t reach)
{
	struct wakeup *best = NULL;

	for (size_t i = d->levels.len; i-- > 0 && reach > 0;) {
		const struct level *level = &d->levels.items[i];
		struct wakeup *found = find_branch(level, d->observes);

		if (found && is_settled(d, level, found)) {
			best = found;
			reach--;
		}
	}
	return best;
}

/* The branches behind the node. */
static void put_behind(struct strbuf *text, const struct wakeup *node)
{
	uint32_t len = 0;

	for (const struct wakeup *w = node->next; w; w = w->next)
		len++;
	bytes_put_u32(text, len);
	for (const struct wakeup *w = node->next; w; w = w->next)
		wakeup_put(text, w);
}

/* A checked part also has the branches of its levels (`has_lists`). */
static void put_levels(const struct dpor *d, const struct wakeup *branch, bool has_lists,
		       struct strbuf *text)
{
	struct event_vec sleepers = {0}, above = {0};

	for (uint32_t i = 0; i <= branch->at; i++) {
		const struct level *level = &d->levels.items[i];
		const struct wakeup *node = i < branch->at ? *level->list : branch;
		struct event_vec swap = above;

		above = sleepers;
		sleepers = swap;
		list_sleepers(d, level, node, &sleepers);
		dpor_part_put_sleepers(text, &sleepers, &above);
		if (i < branch->at)
			wakeup_put_node(text, node);
		else
			wakeup_put(text, node);
		if (has_lists)
			put_behind(text, node);
	}
	vec_release(&sleepers);
	vec_release(&above);
}

uint64_t dpor_part_basis(const struct dpor *d, const struct wakeup *branch)
{
	struct strbuf text = {0};
	uint64_t hash;

	put_levels(d, branch, false, &text);
	hash = hash_bytes(text.text, text.len);
	strbuf_release(&text);
	return hash;
}

struct wakeup_out *dpor_part_give(struct strategy *self, uint32_t reach, struct strbuf *text)
{
	struct dpor *d = dpor_of(self);
	struct wakeup *branch = d->finished || d->shared ? NULL : choose(d, reach);
	struct wakeup_out *out;

	if (!branch)
		return NULL;
	out = mem_zalloc(sizeof(*out));
	out->branch = branch;
	out->next = d->outs;
	d->outs = out;
	out->is_checked = d->observes;
	out->grown = branch->grown;
	if (out->is_checked)
		out->basis = dpor_part_basis(d, branch);
	bytes_put_u8(text, out->is_checked);
	bytes_put_u32(text, branch->at);
	put_levels(d, branch, out->is_checked, text);
	branch->out = out;
	return out;
}

void dpor_part_back(struct strategy *self, struct wakeup_out *out, struct bytes_in in)
{
	struct event event;

	strbuf_add(&out->result, in.at, in.len);
	out->is_back = true;
	if (out->is_checked)
		return; /* nothing changes before its turn */
	bytes_get(&in, &event, sizeof(event));
	if (!out->branch || in.is_short)
		return;
	out->was = out->branch->event;
	out->was_taken = out->branch->is_taken;
	out->branch->event = event; /* as it ran */
	out->branch->is_taken = true;
}

/* ---- taking ---- */

static void free_out(struct dpor *d, struct wakeup_out *out)
{
	struct wakeup_out **at = &d->outs;

	while (*at && *at != out)
		at = &(*at)->next;
	if (*at)
		*at = out->next;
	strbuf_release(&out->late);
	strbuf_release(&out->result);
	strbuf_release(&out->extra);
	mem_free(out);
}

void dpor_part_add_wanted(struct dpor *d, struct wakeup *branch, uint32_t len, struct bytes_in *in)
{
	struct wanted_events events = {0};
	struct wanted_sequence sequence = {0};

	for (uint32_t i = 0; i < len && !in->is_short; i++) {
		struct wakeup_wanted wanted = wakeup_get_wanted(in, &events, &sequence);
		const struct wakeup *added;
		bool is_open;

		added = in->is_short ? NULL
				     : wakeup_insert(&d->pool, branch, &branch->children, wanted,
						     &is_open);
		if (added)
			dpor_ahead_note(d, added);
	}
	vec_release(&events);
	vec_release(&sequence);
}

/* Sequences that were wanted below the branch meanwhile. */
static void add_late(struct dpor *d, struct wakeup *branch, const struct wakeup_out *out)
{
	struct bytes_in in = {.at = out->late.text, .len = out->late.len};

	dpor_part_add_wanted(d, branch, out->late_len, &in);
}

/* Sequences that the runs of the part want at levels of this search, which are still the same. */
static void add_wants(struct dpor *d, struct wakeup *branch, struct bytes_in *in)
{
	struct wanted_events events = {0};
	struct wanted_sequence sequence = {0};
	uint32_t len = bytes_u32(in);

	for (uint32_t i = 0; i < len && !in->is_short; i++) {
		uint32_t place = bytes_u32(in);
		struct wakeup_wanted wanted = wakeup_get_wanted(in, &events, &sequence);
		struct wakeup **list;
		const struct wakeup *added;
		bool is_open;

		BUG_ON(place > branch->at || !wanted.len, "a part wants something below itself");
		list = place == branch->at ? dpor_find_in_list(d, branch)
					   : d->levels.items[place].list;
		added = wakeup_insert(&d->pool, (*list)->parent, list, wanted, &is_open);
		if (added)
			dpor_ahead_note(d, added);
	}
	vec_release(&events);
	vec_release(&sequence);
}

/* Removes everything below the branch, and runs made ahead there. */
static void empty(struct dpor *d, struct wakeup *branch)
{
	struct wakeup *node = branch;

	while (node) {
		d->ahead.runs -= node->ahead != NULL;
		mem_free(node->ahead);
		node->ahead = NULL;
		if (node->children) {
			node = node->children;
			continue;
		}
		while (node != branch && !node->next)
			node = node->parent;
		node = node == branch ? NULL : node->next;
	}
	while (branch->children)
		wakeup_remove_first(&d->pool, &branch->children);
	wakeup_forget_open(&d->pool, branch);
}

void dpor_part_take_node(struct dpor *d, struct wakeup *node, struct bytes_in *in)
{
	struct wakeup *now = wakeup_get_node(&d->pool, NULL, in);

	if (!in->is_short) {
		wakeup_forget_open(&d->pool, node);
		node->event = now->event;
		node->open = wakeup_take_open(now);
		node->has_open_ghost = now->has_open_ghost;
	}
	wakeup_remove_first(&d->pool, &now);
}

static void get_behind(struct dpor *d, struct wakeup *node, struct bytes_in *in)
{
	uint32_t len = bytes_count(in, sizeof(struct event));
	struct wakeup **list = &node->next;

	for (uint32_t i = 0; i < len && !in->is_short; i++) {
		*list = wakeup_get(&d->pool, node->parent, in);
		list = &(*list)->next;
	}
}

/* A level of the worker's stack goes on top of this one. */
static void take_level(struct dpor *d, bool is_first, struct bytes_in *in)
{
	struct wakeup *parent = *vec_last(&d->levels)->list;
	struct level level = {.list = &parent->children, .began = d->pool.clock};

	dpor_part_get_sleepers(d, &level, is_first ? NULL : vec_last(&d->levels), in);
	level.explored = bytes_u32(in);
	parent->children = wakeup_get_node(&d->pool, parent, in);
	get_behind(d, parent->children, in);
	*vec_push(&d->levels) = level;
}

/* The branch becomes what the result says; what was below it is in the result. */
static void take_result(struct dpor *d, struct wakeup *branch, struct bytes_in in)
{
	uint32_t levels_len;

	empty(d, branch);
	dpor_part_take_node(d, branch, &in);
	add_wants(d, branch, &in);
	levels_len = bytes_u32(&in);
	for (uint32_t i = 0; i < levels_len; i++)
		take_level(d, i == 0, &in);
	BUG_ON(in.is_short, "a result of a part is damaged");
}

/* The result does not count: the branch is as if it had not been explored. */
static void put_back(struct dpor *d, struct wakeup *branch, const struct wakeup_out *out)
{
	branch->event = out->was;
	branch->is_taken = out->was_taken;
	add_late(d, branch, out);
}

void dpor_part_settle(struct dpor *d)
{
	d->is_tangled |= d->shared && !d->is_checked;
	for (struct wakeup_out *out = d->outs; out; out = out->next) {
		if (out->is_checked || !out->branch)
			continue;
		if (out->is_back)
			put_back(d, out->branch, out);
		else
			add_late(d, out->branch, out);
		out->late_len = 0;
		out->is_checked = true; /* and a part never has its basis */
	}
}

/* The result, if it counts, from the branch on. */
static bool is_valid(struct dpor *d, struct wakeup *branch, const struct wakeup_out *out,
		     struct bytes_in *in)
{
	return out->is_checked ? dpor_checked_take(d, branch, out, in) : out->late_len == 0;
}

bool dpor_part_take(struct dpor *d, struct wakeup *branch)
{
	struct wakeup_out *out;
	struct bytes_in in;
	bool counts;

	while (branch->out && !branch->out->is_back)
		d->others->wait(d->others->ctx, branch->out);
	out = branch->out;
	if (!out)
		return false;
	branch->out = NULL;
	in = (struct bytes_in){.at = out->result.text, .len = out->result.len};
	counts = is_valid(d, branch, out, &in);
	if (counts)
		take_result(d, branch, in);
	else if (!out->is_checked)
		put_back(d, branch, out);
	d->others->taken(d->others->ctx, out, counts);
	free_out(d, out);
	return counts;
}

bool dpor_part_is_stale(const struct wakeup_out *out)
{
	if (!out->branch)
		return false;
	return out->is_checked ? out->grown != out->branch->grown : out->late_len > 0;
}

void dpor_part_drop_stale(struct strategy *self)
{
	struct dpor *d = dpor_of(self);
	struct wakeup_out *next;

	for (struct wakeup_out *out = d->outs; out; out = next) {
		next = out->next;
		if (!out->is_back || !dpor_part_is_stale(out))
			continue;
		out->branch->out = NULL;
		if (!out->is_checked) {
			out->branch->is_own = true;
			put_back(d, out->branch, out);
		}
		d->others->taken(d->others->ctx, out, false);
		free_out(d, out);
	}
}

bool dpor_part_add_deaths(struct wakeup_out *out, uint32_t deaths)
{
	out->has_died = true;
	if (!out->branch)
		return false;
	out->branch->deaths += (uint8_t)deaths;
	return out->branch->deaths >= DPOR_DEATHS_MAX;
}

size_t dpor_part_path(const struct strategy *self, const struct wakeup_out *out,
		      struct decision *to)
{
	const struct dpor *d = (const struct dpor *)self;
	size_t len = out->branch->at;

	for (size_t i = 0; to && i < len; i++)
		to[i] = decision_of(level_event(&d->levels.items[i]));
	for (const struct wakeup *node = out->branch; node; node = node->children, len++)
		if (to)
			to[len] = decision_of(&node->event);
	return len;
}

/* A branch whose worker refused it is not given away again; one that has grown, or whose worker died,
 * is. */
static bool stays_own(const struct wakeup_out *out)
{
	if (out->has_died)
		return out->branch->deaths >= DPOR_DEATHS_MAX;
	return !out->is_checked || !dpor_part_is_stale(out);
}

void dpor_part_withdraw(struct strategy *self, struct wakeup_out *out)
{
	struct dpor *d = dpor_of(self);

	if (out->branch) {
		out->branch->out = NULL;
		out->branch->is_own = stays_own(out);
		add_late(d, out->branch, out);
	}
	free_out(d, out);
}

void dpor_part_forget(struct dpor *d)
{
	struct wakeup_out *next;

	for (struct wakeup_out *out = d->outs; out; out = next) {
		next = out->next;
		out->branch = NULL;
		if (out->is_back)
			free_out(d, out); /* the others know only of those that are not */
	}
	d->outs = NULL;
	d->shared = 0;
	d->is_fresh = d->is_checked = d->is_tangled = false;
	map_clear(&d->answers);
	strbuf_clear(&d->wants);
	d->wants_len = 0;
}

/* ---- the worker ---- */

bool dpor_part_load(struct strategy *self, struct bytes_in in)
{
	struct dpor *d = dpor_of(self);
	struct wakeup **list = &d->tree, *parent = NULL;
	uint32_t at, window = d->ahead.window;

	self->ops->restart(self);
	d->ahead.window = window; /* parts are alike */
	d->is_checked = bytes_u8(&in);
	d->observes |= d->is_checked;
	at = bytes_u32(&in);
	d->shared = at + 1;
	d->started = d->is_fresh = true;
	for (uint32_t i = 0; i <= at; i++) {
		struct level level = {.list = list};

		dpor_part_get_sleepers(d, &level, i ? vec_last(&d->levels) : NULL, &in);
		*list = i < at ? wakeup_get_node(&d->pool, parent, &in)
			       : wakeup_get(&d->pool, parent, &in);
		*vec_push(&d->levels) = level;
		if (in.is_short)
			return false;
		parent = *list;
		if (d->is_checked)
			get_behind(d, parent, &in);
		list = &parent->children;
	}
	return !in.is_short;
}

bool dpor_part_is_tangled(const struct strategy *self)
{
	return ((const struct dpor *)self)->is_tangled;
}

uint32_t dpor_part_shared(const struct strategy *self)
{
	return ((const struct dpor *)self)->shared;
}

/* The tree of such a level only filters: it has the branch that the part follows and the sequences
 * that were noted. The answer of the giver is not known, so the race stays open; of a checked part
 * it is guessed. */
bool dpor_part_want(struct dpor *d, const struct level *level, uint32_t place,
		    struct wakeup_wanted wanted)
{
	bool is_open;

	wanted.marks = NULL; /* the sequence is used again below */
	if (d->is_checked)
		return dpor_checked_want(d, level, place, wanted);
	d->wanted.len = 0; /* inserting overwrites the array */
	vec_append(&d->wanted, wanted.sequence, wanted.len);
	if (!wakeup_insert(&d->pool, (*level->list)->parent, level->list, wanted, &is_open))
		return true;
	wanted.sequence = d->wanted.items;
	bytes_put_u32(&d->wants, place);
	wakeup_put_wanted(&d->wants, &wanted);
	d->wants_len++;
	return true;
}

/* The branch as it ran, the sequences for the giver, and the stack below the branch. The run of
 * the stack has been made; of a complete part nothing is left of the stack. */
void dpor_part_result(struct strategy *self, struct strbuf *text)
{
	struct dpor *d = dpor_of(self);
	struct event_vec sleepers = {0}, above = {0};

	if (d->is_checked)
		dpor_checked_put(d, text);
	wakeup_put_node(text, *d->levels.items[d->shared - 1].list);
	bytes_put_u32(text, d->is_checked ? 0 : d->wants_len);
	if (!d->is_checked)
		bytes_put(text, d->wants.text, d->wants.len);
	bytes_put_u32(text, (uint32_t)d->levels.len - d->shared);
	for (size_t i = d->shared; i < d->levels.len; i++) {
		const struct level *level = &d->levels.items[i];
		struct event_vec swap = above;

		above = sleepers;
		sleepers = swap;
		list_sleepers(d, level, *level->list, &sleepers);
		dpor_part_put_sleepers(text, &sleepers, &above);
		bytes_put_u32(text, level->explored);
		wakeup_put_node(text, *level->list);
		put_behind(text, *level->list);
	}
	vec_release(&sleepers);
	vec_release(&above);
}
