/* plain.c: the accesses to memory between the steps, which show what the locks protect. */
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "explain/parts.h"

/* A run with more accesses, or more rows of them, is left alone. */
enum { PLAINS_MAX = 1000, ROWS_MAX = 40, UNMET_MAX = 12 };

/* A plain access in words: "read balance = 30" of "balance" and " = 30". */
struct plain_words {
	uint32_t plain;
	const char *name;  /* NULL: the variable has none, or is inside a class of a library */
	const char *whole; /* then "pool.idle_", or "memory" */
	const char *value, *text;
};

/* Was the actor created after the access? Values that it was given so are not shared. */
static bool is_before_start(const struct trace *t, const struct plain *plain, uint32_t actor)
{
	for (uint32_t i = plain->step; i < t->events_len; i++)
		if (event_created(&t->events[i]) == actor)
			return true;
	return false;
}

static bool overlap(const struct plain *a, const struct plain *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* Is the memory of a plain access also accessed by another actor in the other run, which may be the same, and
 * written by one of the two? That it is freed when everything is over says nothing. */
static bool is_shared_in(const struct trace *t, const struct plain *plain, const struct trace *run)
{
	for (uint32_t i = 0; i < run->plains_len; i++) {
		const struct plain *other = &run->plains[i];

		if (other->actor != plain->actor && other->is_write < 2 && plain->is_write < 2 &&
		    (other->is_write || plain->is_write) && overlap(other, plain) &&
		    !is_before_start(t, plain, other->actor) &&
		    !is_before_start(run, other, plain->actor))
			return true;
	}
	return false;
}

static bool is_shared(const struct trace *t, const struct plain *plain)
{
	return is_shared_in(t, plain, t);
}

/* Two actors look, and one of them writes: its own look belongs to the story, too. */
static void add_looks(struct explainer *x, bool *shared)
{
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < t->plains_len; i++)
		for (uint32_t j = 0; j < t->plains_len && !shared[i]; j++)
			shared[i] = x->shared_plains[j] && t->plains[j].is_write == 1 &&
				    t->plains[i].is_write < 2 &&
				    overlap(&t->plains[i], &t->plains[j]) &&
				    !is_before_start(t, &t->plains[i], t->plains[j].actor);
}

uint32_t explain_freeing(const struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	uint64_t at = OBJECT_NAME_OF(finding->object);
	uint32_t used = finding->sites_len ? explain_access_time(x, finding, &finding->sites[0])
					   : REPORT_NO_STEP;

	for (uint32_t i = t->plains_len; i-- > 0 && finding->object;)
		if (t->plains[i].is_write == PLAIN_FREED && t->plains[i].step <= used &&
		    at - t->plains[i].address < t->plains[i].size)
			return i;
	return t->plains_len;
}

uint32_t explain_using(const struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	uint32_t used = finding->sites_len ? explain_access_time(x, finding, &finding->sites[0])
					   : REPORT_NO_STEP;

	for (uint32_t i = 0; i < t->plains_len && used != REPORT_NO_STEP; i++)
		if (t->plains[i].actor == finding->sites[0].actor && t->plains[i].is_write < 2 &&
		    t->plains[i].step >= used &&
		    t->plains[i].address == OBJECT_NAME_OF(finding->object))
			return i;
	return t->plains_len;
}

/* A call of free() has a line of its own, which no step has. At the end of a thread its last step is recorded. */
bool explain_is_freed_at_end(const struct trace *t, uint32_t freeing)
{
	const struct plain *plain = freeing < t->plains_len ? &t->plains[freeing] : NULL;

	for (uint32_t i = plain ? plain->step : 0; i < t->events_len; i++)
		if (plain && t->events[i].actor == plain->actor &&
		    t->events[i].kind != EVENT_FINISH)
			return false;
	for (uint32_t i = plain ? plain->step : 0; i-- > 0;)
		if (t->events[i].actor == plain->actor)
			return t->events[i].site == plain->site;
	return false;
}

uint32_t explain_last_freeing(const struct trace *t, uint64_t object)
{
	uint32_t freed = t->plains_len;

	while (freed-- > 0)
		if (t->plains[freed].is_write == PLAIN_FREED &&
		    OBJECT_NAME_OF(object) - t->plains[freed].address < t->plains[freed].size)
			break;
	return freed;
}

bool explain_is_text_of_thread(const struct trace *t, uint64_t object)
{
	return OBJECT_CLASS(object) == OBJECT_MEMORY &&
	       explain_is_freed_at_end(t, explain_last_freeing(t, object));
}

bool explain_is_use_behind(const struct explainer *x, const struct finding *finding, uint32_t step)
{
	uint32_t freeing = x->trace->plains_len;

	if (finding->kind == FINDING_MEMORY && !explain_is_object_use(x, finding))
		freeing = explain_freeing(x, finding);
	return freeing < x->trace->plains_len && x->trace->plains[freeing].step == step &&
	       explain_using(x, finding) > freeing;
}

/* The access that frees the block, and the one that uses it afterwards. */
static void add_use(const struct explainer *x, const struct finding *finding, bool *shared)
{
	uint32_t freeing = explain_freeing(x, finding), using = explain_using(x, finding);

	if (freeing == x->trace->plains_len)
		return;
	/* The steps of the freeing actor behind that do not explain the bug. */
	for (uint32_t i = freeing; i < x->trace->plains_len; i++)
		shared[i] = shared[i] && x->trace->plains[i].actor != x->trace->plains[freeing].actor;
	shared[freeing] = true;
	if (using < x->trace->plains_len)
		shared[using] = true;
}

/* Does a library access memory that it has allocated itself, such as a node of a std::map? The reader knows
 * the map, not its nodes: such an access has no row of its own. */
static bool is_of_library(struct explainer *x, const struct plain *plain)
{
	struct target *inner = target_unwrapped(x->target);
	struct target_frame frame = {0};
	struct target_block block;

	if (!inner->ops->describe_block ||
	    !inner->ops->describe_block(inner, OBJECT(OBJECT_MEMORY, plain->address), &block) ||
	    !block.by_library)
		return false;
	x->target->ops->describe_site(x->target, plain->site, &frame);
	return !explain_is_user(&frame);
}

/* The place in the program of an access that is shown; false if it is not in the program. */
static bool find_place(struct explainer *x, uint32_t plain, struct report_frame *at)
{
	const struct plain *access = &x->trace->plains[plain];

	*at = explain_place(x, access->site, plain | (uint32_t)TARGET_OF_PLAIN, access->actor);
	return at->file && !strstr(at->file, "fermata/model.h") && !file_is_of_library(at->file);
}

/* How many rows the accesses need: those of one line are one row, however many a call of a library
 * makes. Accesses outside of the program are taken away. */
static uint32_t count_rows(struct explainer *x, bool *shared)
{
	const struct plain *last = NULL, *plain;
	struct report_frame at, before = {0};
	uint32_t rows = 0;

	for (uint32_t i = 0; i < x->trace->plains_len; i++) {
		plain = &x->trace->plains[i];
		shared[i] = shared[i] && (plain->is_write == PLAIN_FREED || find_place(x, i, &at));
		if (!shared[i] || is_of_library(x, plain))
			continue;
		rows += !last || plain->is_write == PLAIN_FREED || last->is_write == PLAIN_FREED ||
			last->actor != plain->actor || last->step != plain->step ||
			at.line != before.line || strcmp(at.file, before.file) != 0;
		last = plain;
		before = at;
	}
	return rows;
}

/* Does the actor hold a lock there, and no access is shown that would say what the lock is for? */
static bool is_unexplained(const struct trace *t, uint32_t i, const bool *shared)
{
	const struct plain *plain = &t->plains[i];
	struct held_lock held[LOCKS_MAX];
	uint32_t len = explain_locks(t, plain->actor, plain->step, held);

	for (uint32_t j = 0; j < t->plains_len && len; j++)
		if (shared[j] && t->plains[j].actor == plain->actor && t->plains[j].step <= plain->step &&
		    t->plains[j].step > held[len - 1].step)
			return false;
	return len > 0;
}

/* Shows also accesses to memory that is shared only in the run that ends well. Example: there a worker takes a job,
 * and in this run it does not come to that. Where a freed block is used its own accesses matter, and no others are added. */
static bool *add_unmet(struct explainer *x, bool *shared, bool is_use)
{
	const struct trace *t = x->trace;
	bool *more = arena_zalloc(x->arena, t->plains_len + 1);

	if (!x->passing || x->passing->plains_len > PLAINS_MAX || is_use)
		return shared;
	for (uint32_t i = 0; i < t->plains_len; i++)
		more[i] = shared[i] || (is_unexplained(t, i, shared) &&
					is_shared_in(t, &t->plains[i], x->passing));
	return count_rows(x, more) > UNMET_MAX ? shared : more;
}

void explain_choose_plains(struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	uint32_t len = 0;
	bool *shared;

	if (t->plains_len > PLAINS_MAX || finding->kind == FINDING_RACE)
		return;
	x->shared_plains = arena_zalloc(x->arena, t->plains_len + 1);
	for (uint32_t i = 0; i < t->plains_len; i++)
		x->shared_plains[i] = is_shared(t, &t->plains[i]);
	shared = arena_zalloc(x->arena, t->plains_len + 1);
	memcpy(shared, x->shared_plains, t->plains_len);
	add_looks(x, shared);
	if (finding->kind == FINDING_MEMORY && !explain_is_object_use(x, finding))
		add_use(x, finding, shared);
	shared = add_unmet(x, shared, finding->kind == FINDING_MEMORY);
	x->shared_plains = count_rows(x, shared) > ROWS_MAX ? NULL : shared;
	for (uint32_t i = 0; i < t->plains_len; i++)
		len += shared[i];
	x->shared_len = x->shared_plains ? len : 0;
}

static const char *verb_of(const struct plain *plain)
{
	static const char *const verbs[] = {"read", "write", [PLAIN_FREED] = "free",
					   [PLAIN_STACK_ENDED] = "end", [PLAIN_FRAME_ENDED] = "leave"};

	return verbs[plain->is_write];
}

/* "update pool.idle_: `…`" of "read memory: `…`", when the same line then writes what is in pool.idle_. */
static void name_whole(struct explainer *x, struct report_event *row,
		       const struct plain_words *words, bool is_write)
{
	static const char unnamed[] = "memory";
	const char *verb = row->text, *name = strchr(verb, ' '), *line = strstr(verb, ": `");

	if (!name || !line)
		return;
	if (strncmp(++name, unnamed, strlen(unnamed)) == 0)
		name = words->whole;
	else
		name = arena_strndup(x->arena, name, (size_t)(line - name));
	if (is_write && strncmp(verb, "read ", strlen("read ")) == 0)
		verb = "update ";
	row->text = arena_printf(x->arena, "%.*s %s%s", (int)strcspn(verb, " "), verb, name, line);
}

/* The accesses of one line are one row: "read buffer.len = 0, buffer.is_closed = 0", "update balance
 * 30 → -40". `last` is the access before, in the words that it has by itself. */
static bool joins_row(struct explainer *x, uint32_t plain, const struct plain_words *last,
		      const struct plain_words *words, struct report_frame at)
{
	struct report_event *row = &x->out->interleaving[x->out->interleaving_len - 1];
	const struct plain *before = last->text ? &x->trace->plains[last->plain] : NULL;
	const struct plain *now = &x->trace->plains[plain];

	if (!before || before->actor != now->actor || !at.file || !row->file ||
	    at.line != row->line || strcmp(at.file, row->file) != 0)
		return false;
	if (!words->name) { /* the line of the source is there already */
		name_whole(x, row, words, now->is_write);
		return true;
	}
	if (before->address == now->address && before->is_write < now->is_write &&
	    strcmp(row->text, last->text) == 0)
		row->text = arena_printf(x->arena, "update %s%s", words->name,
					 explain_plain_value(x, plain, true));
	else if (before->is_write == now->is_write)
		row->text = arena_printf(x->arena, "%s, %s%s", row->text, words->name,
					 words->value);
	else
		row->text = arena_printf(x->arena, "%s; %s", row->text, words->text);
	return true;
}

/* "free image" of a block that holds one; else "free the block". */
static const char *describe_freeing(struct explainer *x, const struct plain *plain)
{
	struct target *inner = target_unwrapped(x->target);
	struct target_block block;
	int len = 0;

	if (inner->ops->describe_block &&
	    inner->ops->describe_block(inner, OBJECT(OBJECT_MEMORY, plain->address), &block) &&
	    !block.by_library)
		len = (int)strcspn(block.field, ".+[");
	return len ? arena_printf(x->arena, "%s %.*s", verb_of(plain), len, block.field)
		   : arena_printf(x->arena, "%s the block", verb_of(plain));
}

/* "read balance = 30", or, of a variable without a name, "read memory: `if (pending.empty())`". */
static const char *describe_plain(struct explainer *x, const struct plain_words *words,
				  const char *verb, const struct report_frame *at)
{
	const char *line = words->name ? NULL : explain_line(x, at);

	if (words->name)
		return arena_printf(x->arena, "%s %s%s", verb, words->name, words->value);
	return line ? arena_printf(x->arena, "%s %s: `%s`", verb, words->whole, line)
		    : arena_printf(x->arena, "%s %s", verb, words->whole);
}

/* Adds the row that frees the block which is used later. */
static void add_freeing(struct explainer *x, uint32_t plain)
{
	const struct plain *access = &x->trace->plains[plain];
	struct report_frame at = explain_place(x, access->site, plain | (uint32_t)TARGET_OF_PLAIN,
					       access->actor);
	const char *text = describe_freeing(x, access);

	if (explain_is_freed_at_end(x->trace, plain)) {
		at = (struct report_frame){0};
		text = "ends: the C library frees the text of strerror()";
	}
	explain_row(x, REPORT_BETWEEN, access->actor, text, at)->is_culprit = true;
}

/* The row "read of 4 bytes in a block that was freed" of the same access; or NULL. */
static struct report_event *find_unnamed_use(struct explainer *x, const struct plain *plain,
					     const struct report_frame *at)
{
	struct report_event *row = x->out->interleaving_len
					   ? &x->out->interleaving[x->out->interleaving_len - 1]
					   : NULL;

	if (!row || row->step != REPORT_BETWEEN || !row->is_culprit || !row->file ||
	    !strstr(row->text, EXPLAIN_WAS_FREED) || row->line != at->line ||
	    strcmp(row->file, at->file) != 0 ||
	    strcmp(row->actor, explain_actor(x, plain->actor)) != 0)
		return NULL;
	return row;
}

void explain_plains(struct explainer *x, uint32_t step, uint32_t from, uint32_t end)
{
	const struct trace *t = x->trace;
	struct report_event *use = NULL, *unnamed;
	struct plain_words last = {0};

	for (uint32_t i = from; x->shared_plains && i < t->plains_len && i < end; i++) {
		const struct plain *plain = &t->plains[i];
		struct plain_words words = {.plain = i};
		struct report_frame at;

		if (plain->step != step || !x->shared_plains[i])
			continue;
		if (plain->is_write == PLAIN_FREED) {
			add_freeing(x, i);
			last = (struct plain_words){0};
			continue;
		}
		if (!find_place(x, i, &at))
			continue;
		words.name = explain_object(x, OBJECT(OBJECT_MEMORY, plain->address));
		words.whole = explain_is_unnamed(words.name) ? "memory" : words.name;
		if (explain_is_unnamed(words.name) ||
		    explain_is_inside(x, OBJECT(OBJECT_MEMORY, plain->address)))
			words.name = NULL; /* the line of the source says more */
		words.value = explain_plain_value(x, i, false);
		words.text = describe_plain(x, &words, verb_of(plain), &at);
		unnamed = use ? NULL : find_unnamed_use(x, plain, &at);
		if (unnamed && !words.name)
			continue; /* the row says all that is known */
		if (unnamed) {
			use = unnamed;
			use->text = words.text;
		} else if (!joins_row(x, i, &last, &words, at)) {
			if (is_of_library(x, plain))
				continue;
			explain_row(x, REPORT_BETWEEN, plain->actor, words.text, at);
		}
		last = words;
	}
	if (use)
		use->text = arena_printf(x->arena, "%s" EXPLAIN_FREED, use->text);
}
