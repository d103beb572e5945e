#include "beam/reach.h"

#include "base/mem.h"
#include "beam/conduct_parts.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"

struct reach {
	struct conductor *c;
	uint64_t *set;
	VEC(uint32_t) work; /* actors in the set whose memory has not been looked through */
};

static void add_actor(struct reach *reach, uint32_t actor)
{
	if (actor == ACTOR_NONE || actor >= reach->c->slots.len ||
	    !reach->c->slots.items[actor].process || bitset_has(reach->set, actor))
		return;
	bitset_add(reach->set, actor);
	*vec_push(&reach->work) = actor;
}

static void add_pid(struct reach *reach, term pid)
{
	if (pid != TERM_NONE && term_is_pid(pid))
		add_actor(reach, find_actor(reach->c, object_process(pid)));
}

/* Words that merely look like a pid make the set larger, which does no harm. */
static void add_words(struct reach *reach, const term *words, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (term_is_pid(words[i]))
			add_pid(reach, words[i]);
		else if (words[i] == header_make(KIND_REF, 3) && i + 1 < len)
			add_pid(reach, pid_make(words[i + 1]));
	}
}

static void add_messages(struct reach *reach, const struct mailbox *mailbox)
{
	for (const struct message *m = mailbox->first; m; m = m->next) {
		add_words(reach, &m->content, 1);
		if (m->kind == MESSAGE_FRAGMENT)
			add_words(reach, m->words, m->words_len);
	}
}

static void add_known(struct reach *reach, const struct process *p)
{
	add_words(reach, p->heap, (size_t)(p->htop - p->heap));
	add_words(reach, p->e, (size_t)(p->hend - p->e));
	add_words(reach, p->saved_x, p->saved_len);
	for (const struct heap_fragment *f = p->fragments; f; f = f->next)
		add_words(reach, f->words, f->used);
	add_words(reach, p->dictionary.entries, (size_t)p->dictionary.cap * 2);
	add_messages(reach, &p->mailbox);
	add_messages(reach, &p->signals);
	for (const struct relation *r = p->relations; r; r = r->next)
		add_pid(reach, r->other);
	add_pid(reach, p->parent);
}

static void add_named(struct reach *reach)
{
	for (uint32_t i = 0; i < reach->c->slots.len; i++) {
		const struct process *p = reach->c->slots.items[i].process;

		if (p && p->registered_name != TERM_NONE)
			add_actor(reach, i);
	}
}

static void add_timer(struct reach *reach, const struct timer *timer)
{
	term to = timer->kind == TIMER_RECEIVE ? timer->owner->pid : timer->destination;

	add_pid(reach, term_is_atom(to) ? registry_find(reach->c->vm, to) : to);
}

uint64_t *reach_by_timers(struct conductor *c)
{
	struct reach reach = {.c = c};

	if (c->vm->test || c->options.after_end || !c->armed.len)
		return NULL;
	reach.set = mem_zalloc(BITSET_WORDS(c->slots.len) * sizeof(*reach.set));
	for (size_t i = 0; i < c->armed.len; i++) {
		const struct timer *timer = c->slots.items[c->armed.items[i]].timer;

		if (timer)
			add_timer(&reach, timer);
	}
	if (reach.work.len)
		add_named(&reach);
	while (reach.work.len) {
		uint32_t actor = reach.work.items[--reach.work.len];

		add_known(&reach, c->slots.items[actor].process);
	}
	vec_release(&reach.work);
	return reach.set;
}
