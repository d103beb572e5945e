#include "beam/ends.h"

#include <stdio.h>

#include "base/mem.h"
#include "beam/assertion.h"
#include "beam/conduct_parts.h"
#include "beam/describe_name.h"
#include "beam/describe_reason.h"
#include "beam/reach.h"
#include "beam/reason.h"
#include "beam/waits.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"
#include "vm/terms/print.h"

enum { REASON_LIMIT = 110, MESSAGE_LIMIT = 80, MAILBOX_LIMIT = 80, FRAMES_MAX = 32 };

static bool fits_pattern(term reason, const char *patterns)
{
	struct strbuf text = {0};
	bool result;

	print_term(reason, &text);
	result = reason_fits(patterns, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* The worker of an erpc or rpc call ends with {Reference, return, Result}, whether or not the caller
 * still waits for it. */
static bool is_answer_of_erpc(const struct process *p)
{
	return p->initial_module == A_erpc && term_is_tuple_of(p->exit_reason, 3) &&
	       term_is_ref(tuple_element(p->exit_reason, 0)) &&
	       tuple_element(p->exit_reason, 1) == A_return;
}

/* EUnit and ExUnit call a test failed, or cancelled, if it ends otherwise than by returning. */
static bool is_normal(const struct conductor *c, const struct process *p)
{
	term reason = p->exit_reason;

	if (c->options.normal_exit && fits_pattern(reason, c->options.normal_exit))
		return true;
	if (c->options.is_suite && p->is_test)
		return false;
	return reason == A_normal || reason == A_shutdown || is_answer_of_erpc(p) ||
	       (term_is_tuple_of(reason, 2) && tuple_element(reason, 0) == A_shutdown);
}

/* Is the other end prepared to hear of it? */
static bool is_listening(const struct relation *r)
{
	const struct process *other = r->peer ? r->peer->owner : NULL;

	if (signal_goes_by_channel(r->owner->vm, r->owner->pid, r->other))
		other = r->is_let_go ? NULL : process_find(r->owner->vm, r->other);
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

/* The last step of the actor at a line of the program's own; NULL, and `*step` stays, if there is none. */
static const word *find_own_step(struct conductor *c, uint32_t actor, uint32_t *step)
{
	for (size_t i = c->events.len; i-- > 0;) {
		uint64_t site = c->wants_places ? c->descriptions.sites.items[i]
						: c->events.items[i].site;
		const word *at = (const word *)(uintptr_t)site;

		if (c->events.items[i].actor == actor && !(site >> 63) && site_is_own_code(c->vm, at)) {
			*step = (uint32_t)i;
			return at;
		}
	}
	return NULL;
}

/* The last place of the process in code of the program, as far as it is known. ct:fail(Format, Args)
 * as the last call of a case leaves no frame of the case, and its own steps, which format the
 * reason, are in library code. So is the end of a server whose init or handler returns {stop, Reason}. */
static const word *find_last(struct conductor *c, const struct process *p, uint32_t actor)
{
	const struct slot *slot = &c->slots.items[actor];
	uint32_t step = slot->last_step;
	const word *own = site_is_own_code(c->vm, slot->last_ip) ? slot->last_ip
								 : find_own_step(c, actor, &step);

	return site_later(p, own ? own : slot->last_ip, own ? step : 0);
}

/* Where the program was when the process ended. EUnit calls a test in a try that raises its exits
 * again; the trace, which is not part of the reason of an exit, then has the place. */
static uint64_t site_of_end(struct conductor *c, const struct process *p, uint32_t actor)
{
	const word *last = find_last(c, p, actor);
	struct process then = *p;
	uint64_t site = 0;

	then.ip = p->end_ip;
	if (p == c->vm->test && !c->slots.items[actor].is_killed &&
	    !site_is_own_code(c->vm, site_of_own_code(&then)))
		site = site_of_trace(&c->sites, c->vm, c->vm->result_trace, last);
	if (!site)
		site = site_of_address(&c->sites,
				       (uint64_t)(uintptr_t)site_of_own_code_since(&then, last));
	return site ? site : site_of_address(&c->sites, (uint64_t)(uintptr_t)last);
}

/* The messages in its mailbox, as far as there is room; news of an end without its stack trace, and with those of gen_server in words if a library receives them. */
static void list_messages(struct conductor *c, const struct process *p, bool is_received, struct strbuf *text)
{
	size_t start = text->len;

	for (const struct message *m = p->mailbox.first; m; m = m->next) {
		strbuf_adds(text, m == p->mailbox.first ? "" : ", ");
		if (text->len - start > MAILBOX_LIMIT) {
			strbuf_adds(text, "...");
			return;
		}
		if (!describe_news(c, m->content, text) && (!is_received || !describe_request(c, m->content, text)))
			describe_add_term(c, m->content, MESSAGE_LIMIT, text);
	}
}

/* Messages that nobody reads are a warning, once for each process. */
static void warn_of_unread(struct conductor *c, const struct process *p, const char *what)
{
	bool is_new;

	map_put(&c->warned, p->actor, &is_new);
	if (!is_new)
		return;
	describe_who(c, p, &c->warnings);
	strbuf_addf(&c->warnings, " %s with ", what);
	if (p->mailbox.len == 1)
		strbuf_adds(&c->warnings, "a message it has not read: ");
	else
		strbuf_addf(&c->warnings, "%zu messages it has not read: ", p->mailbox.len);
	list_messages(c, p, !site_is_own_code(c->vm, p->ip), &c->warnings);
	strbuf_addc(&c->warnings, '\n');
}

/* For the report: how the program came to where it raised. */
static void keep_frames(struct conductor *c, uint32_t actor, term trace)
{
	struct descriptions *kept = &c->descriptions;

	if (!c->wants_places)
		return;
	vec_reserve(&kept->frames, FRAMES_MAX);
	kept->frames.len = sites_of_trace(&c->sites, trace, kept->frames.items, FRAMES_MAX);
	kept->frames_actor = actor;
}

/* Most runs of a supervised program have ends that another process handles: these are not recorded,
 * unless such ends are to be reported. */
static bool is_of_interest(struct conductor *c, const struct process *p, uint32_t flags)
{
	if (is_normal(c, p))
		return false;
	return p == c->vm->test || !death_is_handled(p->actor - 1, flags, c->options.exits_any);
}

/* The place of the end is then that of an earlier step, which several calls may follow. */
static void add_library_call(struct conductor *c, term trace, struct strbuf *text)
{
	struct code_place place;

	if (!site_trace_is_of_library(c->vm, trace, &place))
		return;
	strbuf_adds(text, " in ");
	print_atom(place.module, text);
	strbuf_addc(text, ':');
	print_atom(place.function, text);
	strbuf_addf(text, "/%u", place.arity);
}

static void describe_death(struct conductor *c, const struct process *p, term shown, term trace,
			   struct death *death)
{
	struct strbuf text = {0};

	if (!assertion_print(shown, &text)) {
		strbuf_adds(&text, (death->flags & DEATH_BY_SIGNAL) && p != c->vm->test
					   ? "is ended by an exit signal with reason "
					   : "exits with reason ");
		describe_reason(c->vm, shown, (struct reason_style){.limit = REASON_LIMIT}, &text);
		if (shown != p->exit_reason)
			add_library_call(c, trace, &text);
		add_missing_module(c, p->exit_reason, &text);
	}
	snprintf(death->text, sizeof(death->text), "%s", strbuf_text(&text));
	strbuf_release(&text);
}

/* ---- the process that failed first ---- */

/* The first process that ended with this reason, plus one. */
static uint32_t find_ended(const struct conductor *c, term reason)
{
	uint64_t hash = term_hash(reason);

	for (size_t i = 0; i < c->reasons.len; i++)
		if (c->reasons.items[i].hash == hash)
			return c->reasons.items[i].actor + 1;
	return 0;
}

/* The same of a part of the reason. Atoms do not count: many processes have them for causes of their
 * own.
 *	{{badkey, k}, Trace}  in  {{{badkey, k}, Trace}, {gen_server, call, [Server, get]}} */
static uint32_t find_part(const struct conductor *c, term reason, unsigned depth)
{
	uint32_t found = 0;

	for (size_t i = 0; depth && term_is_tuple_of(reason, 2) && i < 2 && !found; i++) {
		term part = tuple_element(reason, i);

		if (term_is_tuple(part))
			found = find_ended(c, part);
		if (!found)
			found = find_part(c, part, depth - 1);
	}
	return found;
}

/* A process that an exit signal has ended has the whole reason of another one; else only a part of its
 * reason may be that of another one. */
static uint32_t note_reason(struct conductor *c, const struct process *p, uint32_t actor)
{
	enum { DEPTH = 4 };
	uint32_t origin;

	if (!c->wants_places || is_normal(c, p))
		return 0;
	origin = c->slots.items[actor].is_killed ? find_ended(c, p->exit_reason) : 0;
	if (!origin)
		origin = find_part(c, p->exit_reason, DEPTH);
	*vec_push(&c->reasons) = (struct end_reason){term_hash(p->exit_reason), actor};
	return origin;
}

/* ---- ends ---- */

/* The last line of the program's own from which the actor came to a step. Only a run that is made for a
 * report knows it (conduct_take_step). */
static uint64_t find_place(struct conductor *c, uint32_t actor)
{
	for (size_t i = c->events.len; c->wants_places && i-- > 0;) {
		uint64_t site = c->events.items[i].site;

		if (c->events.items[i].actor == actor && !(site >> 63) &&
		    site_is_own_code(c->vm, (const word *)(uintptr_t)site))
			return site_of_address(&c->sites, site);
	}
	return 0;
}

/* The stack trace in a reason: {Reason, Trace}, or of a server that was called {{Reason, Trace}, Call}. */
static term find_trace(term reason, term *shown)
{
	for (unsigned depth = 0; depth < 3 && term_is_tuple_of(reason, 2); depth++) {
		term second = tuple_element(reason, 1);

		if (term_is_cons(second)) {
			*shown = depth ? *shown : tuple_element(reason, 0);
			return second;
		}
		reason = tuple_element(reason, 0);
	}
	return NIL;
}

static void keep_death(struct conductor *c, struct process *p, uint32_t actor, struct death death)
{
	bool is_handled = !is_of_interest(c, p, death.flags);
	term shown = p->exit_reason, trace = find_trace(p->exit_reason, &shown);

	if (trace != NIL && !is_handled &&
	    (p == c->vm->test || !has_listener(p, RELATION_MONITORED)))
		keep_frames(c, actor, trace);
	if (trace != NIL)
		death.site = site_of_trace(&c->sites, c->vm, trace, find_last(c, p, actor));
	if (!death.site) {
		shown = p->exit_reason;
		death.site = site_of_end(c, p, actor);
		death.place = find_place(c, actor);
	}
	describe_death(c, p, shown, trace, &death);
	if (is_handled)
		*vec_push(&c->handled) = death;
	else
		*vec_push(&c->deaths) = death;
}

void ends_add_death(struct conductor *c, struct process *p, const struct event *event)
{
	uint32_t flags = (c->slots.items[event->actor].is_killed ? DEATH_BY_SIGNAL : 0) |
			 (has_listener(p, RELATION_LINK) ? DEATH_LINKED : 0) |
			 (is_assertion(p->exit_reason) ? DEATH_ASSERTION : 0);
	uint32_t origin = note_reason(c, p, event->actor);
	bool is_wanted = is_of_interest(c, p, flags);

	if (p->mailbox.len && !(flags & DEATH_BY_SIGNAL))
		warn_of_unread(c, p, "ended");
	if (is_wanted && p != c->vm->test && !c->options.exits_any && is_watched(p))
		objects_learn(&c->objects, LEARNED_ENDS);
	if (is_wanted || (c->wants_places && !is_normal(c, p)))
		keep_death(c, p, event->actor,
			   (struct death){.actor = event->actor, .flags = flags, .origin = origin,
					  .step = (uint32_t)c->events.len});
}

void ends_note_news(struct conductor *c, const struct process *p)
{
	const struct relation *relation = p->relations ? signal_exit_relation(p) : NULL;

	if (!relation || !is_listening(relation))
		return;
	if (relation->kind == RELATION_MONITORED &&
	    signal_goes_by_channel(p->vm, p->pid, relation->other))
		return; /* when it is delivered */
	c->slots.items[p->actor - 1].was_heard = true;
}

bool ends_is_news(const struct conductor *c, const struct message *message)
{
	uint32_t actor = find_actor(c, object_process(message->sender));

	/* Others may send noproc in the name of a process that has ended, and a process sends it to
	 * itself for a name that is not registered. */
	return signal_is_down(message) && message->sender != message->to && actor != ACTOR_NONE &&
	       c->events.items[message->origin - 1].actor == actor;
}

void ends_note_delivery(struct conductor *c, const struct message *message)
{
	const struct process *to = process_find(c->vm, message->to);

	if (ends_is_news(c, message) && to && to->status != PROCESS_EXITING &&
	    !signal_is_stale(c->vm, message))
		c->slots.items[find_actor(c, object_process(message->sender))].was_heard = true;
}

void ends_finish_deaths(struct conductor *c)
{
	for (size_t i = 0; c->deaths.len && i < c->slots.len; i++)
		for (const struct message *m = c->slots.items[i].transit.first; m; m = m->next)
			ends_note_delivery(c, m);
	for (size_t i = 0; i < c->deaths.len; i++) {
		struct death *death = &c->deaths.items[i];
		const struct slot *slot = &c->slots.items[death->actor];

		if (slot->was_heard ||
		    (slot->process && has_listener(slot->process, RELATION_MONITORED)))
			death->flags |= DEATH_HEARD;
	}
	for (size_t i = 0; i < c->handled.len; i++)
		*vec_push(&c->deaths) = c->handled.items[i];
}

static bool takes_anything(struct process *p)
{
	/* A tuple of our own, which only a pattern for anything takes. */
	term words[3] = {header_make(KIND_TUPLE, 2), NIL, pid_make(0)};

	return probe_now(p, boxed_make(words)) == STEP_MATCHED;
}

static uint32_t list_flags(const struct slot *slot, bool is_timed)
{
	struct process *p = slot->process;

	if (slot->wait != SLOT_RECEIVE)
		return is_timed ? WAITER_TIMED : 0;
	return WAITER_RECEIVES | (is_timed ? WAITER_TIMED : 0) |
	       (takes_anything(p) ? WAITER_TAKES_ALL : 0) |
	       (slot->rounds > 0 && slot->last_receive == p->ip && !p->mailbox.first
			? WAITER_RETURNED
			: 0);
}

/* Adds the patterns of the receive at which the process waits. */
static void add_patterns(struct conductor *c, const struct process *p, struct strbuf *text)
{
	const struct receive_source *receive = site_find_receive(&c->sites, p->ip);

	if (receive && receive->patterns[0])
		strbuf_addf(text, "; it waits for %s", receive->patterns);
}

static void describe_waiting(struct conductor *c, const struct process *p, struct waiter *waiter)
{
	struct strbuf text = {0};

	if (!p->mailbox.len)
		strbuf_adds(&text, "waits for ever in a receive, and its mailbox is empty");
	else if (p->mailbox.len == 1)
		strbuf_adds(&text,
			    "waits for ever in a receive that does not take what is there: ");
	else
		strbuf_addf(&text, "waits for ever in a receive that takes none of %zu messages: ",
			    p->mailbox.len);
	list_messages(c, p, false, &text);
	add_patterns(c, p, &text);
	snprintf(waiter->text, sizeof(waiter->text), "%s", strbuf_text(&text));
	strbuf_release(&text);
}

static void keep_patterns(struct conductor *c, const struct process *p, struct waiter *waiter)
{
	const struct receive_source *receive = c->wants_places && site_is_own_code(c->vm, p->ip)
						       ? site_find_receive(&c->sites, p->ip) : NULL;

	if (receive && strlen(receive->patterns) < sizeof(waiter->patterns))
		snprintf(waiter->patterns, sizeof(waiter->patterns), "%s", receive->patterns);
}

/* Returns whether the process could be stuck. */
static bool add_waiter(struct conductor *c, uint32_t actor, bool is_timed)
{
	const struct slot *slot = &c->slots.items[actor];
	struct process *p = slot->process;
	const word *place = site_of_own_code(p);
	struct waiter *waiter = vec_push(&c->waiters);

	*waiter = (struct waiter){.actor = actor, .flags = list_flags(slot, is_timed),
				  .site = site_of_address(&c->sites, (uint64_t)(uintptr_t)place),
				  .object = object_mailbox(p->pid)};
	keep_patterns(c, p, waiter);
	if (!waiter_is_at_rest(actor, waiter->flags, c->options.stuck)) {
		describe_waiting(c, p, waiter);
		return true;
	}
	if (p->mailbox.len && !c->vm->test)
		warn_of_unread(c, p, "is left behind");
	return false;
}

/* Ports wait as long as they are open. A process that polls does not wait. */
static bool is_waiter(const struct slot *slot)
{
	return slot->process && slot->wait != SLOT_NONE && !slot->process->is_port &&
	       !slot->turn.is_parked;
}

void ends_add_waiters(struct conductor *c)
{
	uint64_t *timed = reach_by_timers(c);
	bool is_stuck = false;

	for (uint32_t i = 0; i < c->slots.len; i++)
		if (is_waiter(&c->slots.items[i]))
			is_stuck |= add_waiter(c, i, timed && bitset_has(timed, i));
	for (uint32_t i = 0; is_stuck && i < c->slots.len; i++)
		if (is_waiter(&c->slots.items[i]) && c->slots.items[i].wait == SLOT_RECEIVE)
			waits_add(c, &c->slots.items[i]);
	mem_free(timed);
}
