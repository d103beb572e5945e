#include "beam/verdict.h"

#include <stdio.h>

#include "base/mem.h"
#include "beam/assertion.h"
#include "beam/circle.h"
#include "beam/conduct_parts.h"
#include "beam/reach.h"
#include "beam/reason.h"
#include "core/finding.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { REASON_LIMIT = 110, MESSAGE_LIMIT = 40, MAILBOX_LIMIT = 80, FRAMES_MAX = 32 };

static bool fits_pattern(term reason, const char *patterns)
{
	struct strbuf text = {0};
	bool result;

	print_term(reason, &text);
	result = reason_fits(patterns, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static bool is_normal(const struct conductor *c, term reason)
{
	if (c->options.normal_exit && fits_pattern(reason, c->options.normal_exit))
		return true;
	return reason == A_normal || reason == A_shutdown ||
	       (term_is_tuple_of(reason, 2) && tuple_element(reason, 0) == A_shutdown);
}

/* Is the other end prepared to hear of it? */
static bool is_listening(const struct relation *r)
{
	const struct process *other = r->peer ? r->peer->owner : NULL;

	return other && other->status != PROCESS_EXITING &&
	       (r->kind == RELATION_MONITORED ||
			 (r->kind == RELATION_LINK && other->trap_exit));
}

static bool has_listener(const struct process *p, enum relation_kind kind)
{
	for (const struct relation *r = p->relations; r; r = r->next)
		if (r->kind == kind && is_listening(r))
			return true;
	return false;
}

/* Does a process watch it, or did one when it began to die? */
static bool is_watched(const struct process *p)
{
	for (const struct relation *r = p->relations; r; r = r->next)
		if (r->kind == RELATION_MONITORED && !r->is_let_go)
			return true;
	return false;
}

/* {undef, [{Module, Function, Arguments, Location} | Trace]}: the module may be missing. */
static void add_missing_module(const struct conductor *c, term reason, struct strbuf *text)
{
	term trace, frame;

	if (!term_is_tuple_of(reason, 2) || tuple_element(reason, 0) != A_undef)
		return;
	trace = tuple_element(reason, 1);
	frame = term_is_cons(trace) ? cons_head(trace) : NIL;
	if (!term_is_tuple_of(frame, 4) || !term_is_atom(tuple_element(frame, 0)) ||
	    code_find_module(c->vm, tuple_element(frame, 0)))
		return;
	strbuf_adds(text, ": the module ");
	print_atom(tuple_element(frame, 0), text);
	strbuf_adds(text, " is not on the code path");
}

/* {Error, Trace} */
static bool is_assertion(term reason)
{
	return term_is_tuple_of(reason, 2) && assertion_is(tuple_element(reason, 0));
}

/* Where the program was when the process ended. */
static uint64_t site_of_end(struct conductor *c, const struct process *p, uint32_t actor)
{
	struct process then = *p;
	uint64_t site;

	then.ip = p->end_ip;
	site = site_of_address(&c->sites, (uint64_t)(uintptr_t)site_of_own_code(&then));
	if (site)
		return site;
	return site_of_address(&c->sites, (uint64_t)(uintptr_t)c->slots.items[actor].last_ip);
}

static struct notice *add_notice(struct conductor *c, enum finding_kind kind, uint32_t actor,
				 uint64_t site)
{
	struct notice *notice = vec_push(&c->notices);

	*notice = (struct notice){.kind = kind, .actor = actor, .site = site,
				  .step = (uint32_t)c->events.len};
	return notice;
}

/* The messages in its mailbox, as far as there is room. */
static void list_messages(const struct process *p, struct strbuf *text)
{
	size_t start = text->len;

	for (const struct message *m = p->mailbox.first; m; m = m->next) {
		strbuf_adds(text, m == p->mailbox.first ? "" : ", ");
		if (text->len - start > MAILBOX_LIMIT) {
			strbuf_adds(text, "...");
			return;
		}
		print_term_limited(m->content, text, MESSAGE_LIMIT);
	}
}

/* Messages that nobody reads are a warning, once for each process. */
static void warn_of_unread(struct conductor *c, const struct process *p, const char *what)
{
	char name[ACTOR_NAME_MAX];
	bool is_new;

	map_put(&c->warned, p->actor, &is_new);
	if (!is_new)
		return;
	actor_name(c->actors.items, p->actor - 1, name);
	strbuf_addf(&c->warnings, "%s %s with ", name, what);
	if (p->mailbox.len == 1)
		strbuf_adds(&c->warnings, "a message it has not read: ");
	else
		strbuf_addf(&c->warnings, "%zu messages it has not read: ", p->mailbox.len);
	list_messages(p, &c->warnings);
	strbuf_addc(&c->warnings, '\n');
}

/* For the report: how the program came to where it raised. */
static void keep_frames(struct conductor *c, uint32_t actor, term trace)
{
	struct told *told = &c->told;

	if (!c->wants_places)
		return;
	vec_reserve(&told->frames, FRAMES_MAX);
	told->frames.len = sites_of_trace(&c->sites, trace, told->frames.items, FRAMES_MAX);
	told->frames_actor = actor;
}

void verdict_on_exit(struct conductor *c, struct process *p, const struct event *event)
{
	term reason = p->exit_reason, shown = reason;
	bool was_killed = c->slots.items[event->actor].is_killed;
	struct strbuf text = {0};
	struct notice *notice;
	uint64_t site = 0;

	if (p->mailbox.len && !was_killed)
		warn_of_unread(c, p, "ended");
	if (is_normal(c, reason) ||
	    (p != c->vm->test && !c->options.exits_any &&
	     (was_killed || has_listener(p, RELATION_LINK))))
		return;
	if (p != c->vm->test && is_watched(p))
		objects_learn(&c->objects, LEARNED_ENDS);
	if (term_is_tuple_of(reason, 2) && term_is_cons(tuple_element(reason, 1))) {
		if (p == c->vm->test || !has_listener(p, RELATION_MONITORED))
			keep_frames(c, event->actor, tuple_element(reason, 1));
		site = site_of_trace(&c->sites, c->vm, tuple_element(reason, 1));
		if (site)
			shown = tuple_element(reason, 0);
	}
	if (!site)
		site = site_of_end(c, p, event->actor);
	notice = add_notice(c, is_assertion(reason) ? FINDING_ASSERTION : FINDING_EXIT,
			    event->actor, site);
	if (!assertion_print(shown, &text)) {
		strbuf_adds(&text, was_killed && p != c->vm->test
					   ? "is ended by an exit signal with reason "
					   : "exits with reason ");
		print_term_limited(shown, &text, REASON_LIMIT);
		add_missing_module(c, reason, &text);
	}
	snprintf(notice->message, sizeof(notice->message), "%s", strbuf_text(&text));
	strbuf_release(&text);
}

void verdict_on_word(struct conductor *c, const struct process *p)
{
	if (p->relations && is_listening(signal_exit_relation(p)))
		c->slots.items[p->actor - 1].is_told = true;
}

static bool is_settled(const struct conductor *c, const struct notice *notice, bool is_first)
{
	const struct slot *slot = &c->slots.items[notice->actor];

	if (notice->kind != FINDING_EXIT && notice->kind != FINDING_ASSERTION)
		return false;
	if (notice->actor == 0) /* the test's own; whoever brought it down is told of already */
		return slot->is_killed && !is_first;
	return !c->options.exits_any &&
	       (slot->is_told ||
		(slot->process && has_listener(slot->process, RELATION_MONITORED)));
}

void verdict_on_exits(struct conductor *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->notices.len; i++)
		if (!is_settled(c, &c->notices.items[i], kept == 0))
			c->notices.items[kept++] = c->notices.items[i];
	c->notices.len = kept;
}

static bool takes_anything(struct process *p)
{
	/* A tuple of our own, which only a pattern for anything takes. */
	term words[3] = {header_make(KIND_TUPLE, 2), NIL, pid_make(0)};

	return probe_now(p, boxed_make(words)) == STEP_MATCHED;
}

/* awaiting: those whom a timer could still wake (reach.h), or NULL. */
static bool is_at_rest(struct conductor *c, const struct slot *slot, const uint64_t *awaiting)
{
	struct process *p = slot->process;

	if (p == c->vm->test)
		return false;
	if (p->is_port)
		return true;
	if (awaiting && bitset_has(awaiting, (size_t)(slot - c->slots.items)))
		return true;
	if (c->options.stuck != STUCK_PARTICULAR)
		return c->options.stuck == STUCK_TEST;
	if (slot->wait != SLOT_RECEIVE || c->vm->test)
		return c->vm->test != NULL; /* told of with the test's own process */
	return takes_anything(p) ||
	       (slot->rounds > 0 && slot->last_receive == p->ip && !p->mailbox.first);
}

/* Adds the patterns of the receive at which the process waits. */
static void add_patterns(struct conductor *c, const struct process *p, struct strbuf *text)
{
	const struct receive_source *receive = site_find_receive(&c->sites, p->ip);

	if (receive && receive->patterns[0])
		strbuf_addf(text, "; it waits for %s", receive->patterns);
}

static void judge_stuck(struct conductor *c, uint32_t actor)
{
	struct process *p = c->slots.items[actor].process;
	const word *place = site_of_own_code(p);
	struct notice *notice = add_notice(c, FINDING_STUCK, actor,
					   site_of_address(&c->sites, (uint64_t)(uintptr_t)place));
	struct strbuf text = {0};

	notice->object = object_mailbox(p->pid);
	if (!p->mailbox.len)
		strbuf_adds(&text, "waits for ever in a receive, and its mailbox is empty");
	else if (p->mailbox.len == 1)
		strbuf_adds(&text,
			    "waits for ever in a receive that does not take what is there: ");
	else
		strbuf_addf(&text, "waits for ever in a receive that takes none of %zu messages: ",
			    p->mailbox.len);
	list_messages(p, &text);
	add_patterns(c, p, &text);
	snprintf(notice->message, sizeof(notice->message), "%s", strbuf_text(&text));
	strbuf_release(&text);
}

/* Two servers that are linked, say, wait for each other's end, too. */
static bool are_idle(struct conductor *c, const struct actor_vec *circle)
{
	for (size_t i = 0; i < circle->len; i++)
		if (!takes_anything(c->slots.items[circle->items[i]].process))
			return false;
	return true;
}

static bool judge_circle(struct conductor *c)
{
	struct actor_vec circle = {0};
	struct strbuf text = {0};
	char name[ACTOR_NAME_MAX];
	struct notice *notice;

	if (c->options.stuck != STUCK_TEST || c->vm->test)
		circle_find(c, &circle);
	if (are_idle(c, &circle))
		circle.len = 0;
	for (size_t i = 0; i < circle.len; i++) {
		actor_name(c->actors.items, circle.items[(i + 1) % circle.len], name);
		strbuf_addf(&text, i ? ", which waits for %s" : "waits for %s", name);
	}
	if (circle.len) {
		const struct process *p = c->slots.items[circle.items[0]].process;
		const word *place = site_of_own_code(p);

		notice = add_notice(c, FINDING_DEADLOCK, circle.items[0],
				    site_of_address(&c->sites, (uint64_t)(uintptr_t)place));
		snprintf(notice->message, sizeof(notice->message), "%s", strbuf_text(&text));
	}
	strbuf_release(&text);
	vec_release(&circle);
	return c->notices.len && vec_last(&c->notices)->kind == FINDING_DEADLOCK;
}

/* Sorts those who wait into stuck and at rest; returns whether somebody is stuck. */
static bool look_at_waiting(struct conductor *c, const uint64_t *awaiting)
{
	bool is_stuck = false;

	for (size_t i = 0; i < c->slots.len; i++) {
		const struct slot *slot = &c->slots.items[i];

		if (!slot->process || slot->wait == SLOT_NONE)
			continue;
		if (!is_at_rest(c, slot, awaiting))
			is_stuck = true;
		else if (slot->process->mailbox.len && !c->vm->test && !slot->process->is_port)
			warn_of_unread(c, slot->process, "is left behind");
	}
	return is_stuck;
}

void verdict_on_end(struct conductor *c)
{
	uint64_t *awaiting = reach_by_timers(c);

	if (look_at_waiting(c, awaiting) && !judge_circle(c))
		for (size_t i = 0; i < c->slots.len; i++) {
			const struct slot *slot = &c->slots.items[i];

			if (slot->process && slot->wait != SLOT_NONE &&
			    !is_at_rest(c, slot, awaiting))
				judge_stuck(c, (uint32_t)i);
		}
	mem_free(awaiting);
}
