#include "vm/bifs/census.h"

#include "vm/code/code.h"
#include "vm/ets/ets_store.h"
#include "vm/ets/match_compiled.h"
#include "vm/ets/persistent.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/memory/scan.h"
#include "vm/process/timer.h"
#include "vm/terms/term.h"
#include "vm/vm.h"

/* A persistent term belongs to itself, and not to those who have got it. */
static bool is_elsewhere(const struct census *c, term t)
{
	const struct persistent_terms *kept = c->p->vm->persistent;

	if (term_is_immediate(t) || !region_holds((void *)t))
		return true;
	return c->place != CENSUS_PERSISTENT && persistent_keeps(kept, (const void *)t) &&
	       persistent_holds(c->p->vm, (const term *)t);
}

static void push(struct census *c, term t)
{
	bool is_new = false;

	if (is_elsewhere(c, t))
		return;
	map_put(&c->seen, t, &is_new);
	if (is_new)
		*vec_push(&c->pending) = t;
}

static void meet_box(struct census *c, const term *box)
{
	struct scan_range range = scan_terms(box);

	if (header_kind(box[0]) == KIND_REF && (ref_flags(boxed_make(box)) & REF_MATCH_SPEC))
		*vec_push(&c->specs) = boxed_make(box);
	c->meet(c, box);
	for (size_t i = 0; i < range.len; i++)
		push(c, box[range.first + i]);
}

static void walk(struct census *c, term t)
{
	push(c, t);
	while (c->pending.len) {
		t = vec_pop(&c->pending);
		if (term_is_cons(t)) {
			push(c, cons_head(t));
			push(c, cons_tail(t));
		} else {
			meet_box(c, boxed_ptr(t));
		}
	}
}

static void walk_range(void *ctx, term *first, size_t len)
{
	for (size_t i = 0; i < len; i++)
		walk(ctx, first[i]);
}

static void walk_messages(struct census *c, const struct mailbox *box)
{
	for (const struct message *m = box->first; m; m = m->next)
		if (m->content != TERM_NONE)
			walk(c, m->content);
}

static void walk_process(struct census *c, struct process *of)
{
	c->place = CENSUS_HEAP;
	c->owner = process_known_as(of);
	walk_range(c, of->e, (size_t)(of->hend - of->e));
	heap_visit_roots(of, walk_range, c);
	walk_messages(c, &of->mailbox);
	walk_messages(c, &of->signals);
}

/* Without the copies of what a search keeps of tables. */
static void walk_table(struct census *c, struct ets_table *table)
{
	struct ets_cursor cursor;
	const struct ets_object *object;

	c->place = CENSUS_TABLE;
	c->owner = ets_reference(c->p, table);
	if (table->heir_data)
		walk(c, table->heir_data->content);
	ets_cursor_start(&cursor, table, false);
	while ((object = ets_cursor_next(&cursor)))
		walk(c, ets_object_tuple(object));
}

/* A timer ends with the process that would get its message. */
static void walk_timers(struct census *c)
{
	const struct timer_queue *timers = &c->p->vm->timers;

	c->place = CENSUS_TIMER;
	for (size_t i = 0; i < timers->len; i++) {
		const struct timer *timer = timers->heap[i];

		c->owner = timer->destination;
		if (timer->message && (!term_is_pid(c->owner) || process_find(c->p->vm, c->owner)))
			walk(c, timer->message->content);
	}
}

static void walk_persistent(struct census *c)
{
	const struct persistent_terms *kept = c->p->vm->persistent;

	c->place = CENSUS_PERSISTENT;
	c->owner = TERM_NONE;
	for (uint32_t i = 0; i < kept->buckets_len; i++)
		for (const struct persistent_term *t = kept->buckets[i]; t; t = t->next) {
			walk(c, t->key);
			walk(c, t->value);
		}
}

/* The content of a match spec exists once, as long as something refers to it. */
static void walk_specs(struct census *c)
{
	for (size_t i = 0; i < c->specs.len; i++) {
		c->place = CENSUS_MATCH_SPEC;
		c->owner = small_make((int64_t)ref_counter(c->specs.items[i]));
		walk(c, match_compiled_spec(c->p->vm, c->specs.items[i]));
	}
}

void census_take(struct census *c, const term *args, size_t args_len)
{
	struct vm *vm = c->p->vm;

	c->place = CENSUS_HEAP;
	c->owner = c->p->pid;
	for (size_t i = 0; i < args_len; i++)
		walk(c, args[i]);
	for (struct process *of = vm->first_process; of; of = of->all_next)
		walk_process(c, of);
	for (struct ets_table *table = vm->ets->first; table; table = table->all_next)
		walk_table(c, table);
	walk_timers(c);
	walk_persistent(c);
	walk_specs(c);
	map_release(&c->seen);
	vec_release(&c->pending);
	vec_release(&c->specs);
}

/* ---- funs ---- */

struct fun_count {
	const struct fun_entry *entry;
	uint64_t count;
};

static void count_fun(struct census *c, const term *box)
{
	struct fun_count *fun = c->ctx;

	if (header_kind(box[0]) == KIND_FUN)
		fun->count += code_same_fun((const struct fun_entry *)box[1], fun->entry);
}

uint64_t census_count_fun(struct process *p, const term *args)
{
	struct fun_count fun = {fun_entry_of(args[0]), 0};
	struct census census = {.p = p, .meet = count_fun, .ctx = &fun};

	fun.count = code_loaded_fun(p->vm, fun.entry) ? 1 : 0;
	census_take(&census, args, 1);
	return fun.count;
}
