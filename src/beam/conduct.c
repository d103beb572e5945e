#include "beam/conduct.h"

#include "beam/atom.h"
#include "beam/interp.h"
#include "beam/mailbox.h"
#include "beam/signal.h"
#include "beam/verdict.h"

enum { SILENT_MAX = 1000000, NS_PER_MS = 1000000 };

static void settle(struct conductor *c, struct process *p, enum step_end end);

/* ---- actors ---- */

uint32_t conductor_actor(struct conductor *c, uint32_t parent, enum actor_kind kind, uint32_t nth)
{
	bool is_new;
	uint64_t key = (uint64_t)(parent + 1) << 34 | (uint64_t)kind << 32 | nth;
	uint64_t *index = map_put(&c->actor_index, key, &is_new);

	if (is_new) {
		*index = c->actors.len;
		*vec_push(&c->actors) = (struct actor){.parent = parent, .kind = kind, .nth = nth};
		*vec_push(&c->pids) = 0;
		if (c->actors.len > (size_t)c->words * 64)
			c->must_relearn = true;
	}
	while (c->slots.len < c->actors.len)
		*vec_push(&c->slots) = (struct slot){0};
	return (uint32_t)*index;
}

static struct slot *slot_of(struct conductor *c, const struct process *p)
{
	return &c->slots.items[p->actor - 1];
}

static void add_process(struct conductor *c, struct process *p)
{
	const struct process *parent = process_find(c->vm, p->parent);
	uint32_t above = actor_of(parent);
	uint32_t index;

	if (p->is_system) {
		p->actor = ACTOR_NONE;
		return;
	}
	if (p->actor)
		return;
	if (p == c->vm->test)
		index = conductor_actor(c, ACTOR_NONE, ACTOR_REAL, 1);
	else if (above != ACTOR_NONE && above < c->slots.len)
		index = conductor_actor(c, above, ACTOR_REAL, ++c->slots.items[above].children);
	else /* left by the set-up: named after the whole */
		index = conductor_actor(c, 0, ACTOR_REAL, 1000 + ++c->slots.items[0].children);
	p->actor = index + 1;
	c->pids.items[index] = pid_value(p->pid);
	c->slots.items[index].process = p;
	c->slots.items[index].announced.actor = index;
	settle(c, p, STEP_YIELDED);
}

/* New ones are at the end of the list of all; returns the first of them. */
static struct process *find_new(struct conductor *c)
{
	struct process *first = NULL;

	for (struct process *p = c->vm->last_process; p && !p->actor; p = p->all_prev)
		first = p;
	return first;
}

static uint32_t add_new_processes(struct conductor *c)
{
	uint32_t last = ACTOR_NONE;

	for (struct process *p = find_new(c), *next; p; p = next) {
		next = p->all_next;
		add_process(c, p);
		last = actor_of(p);
	}
	return last;
}

/* The actor of a pid, also of one that has ended; by the name in an object. */
static uint32_t find_actor(const struct conductor *c, uint64_t object)
{
	for (size_t i = 0; i < c->pids.len; i++)
		if (c->pids.items[i] && OBJECT_NAME_OF(c->pids.items[i]) == OBJECT_NAME_OF(object))
			return (uint32_t)i;
	return ACTOR_NONE;
}

/* As announce_step, with whom an exit signal is to. */
static bool announce(struct conductor *c, struct process *p, struct event *event)
{
	if (!announce_step(&c->objects, p, event))
		return false;
	if (event->kind == EVENT_EXIT_SIGNAL)
		event->peer = find_actor(c, event->accesses[0].object);
	if (c->options.watch)
		watch_sharpen(event);
	return true;
}

/* ---- what comes next ---- */

static enum step_end step(struct conductor *c, struct process *p)
{
	enum step_end end = vm_step(c->vm, p);

	if (c->vm->end == VM_DONE)
		c->vm->end = VM_RUNNING; /* the others go on */
	if (c->vm->end != VM_RUNNING) {
		c->is_over = true;
		c->end = c->vm->end == VM_ENDLESS ? END_SILENT
			: c->vm->end != VM_HALTED ? END_LOST
						 : c->vm->halt_status ? END_EXIT : END_DONE;
		return STEP_STOPPED;
	}
	return end;
}

/* The first message from `from` on that the receive takes, or NULL. */
static struct message *find_match(struct process *p, struct message *from)
{
	for (struct message *m = from; m; m = m->next)
		if (probe_now(p, m->content) == STEP_MATCHED)
			return m;
	return NULL;
}

static void name_sender(struct conductor *c, struct slot *slot)
{
	const struct event *sender;

	if (!slot->match || !slot->match->origin || slot->match->origin > c->events.len)
		return;
	sender = &c->events.items[slot->match->origin - 1];
	slot->announced.peer = sender->actor;
	slot->announced.peer_ordinal = sender->ordinal;
}

static void observe_news(struct conductor *c, struct process *p, struct slot *slot)
{
	struct message *m = p->mailbox.last;

	while (m && !m->observed && m->prev && !m->prev->observed)
		m = m->prev;
	for (; m; m = m->next)
		if (!m->observed && m->origin)
			observe_message(&c->observation, m, object_mailbox(p->pid), slot->receives);
}

/* p has come to a receive. If nothing there matches it looks at all of them now, which
 * changes nothing anybody sees, starts its timer and waits. */
static void enter_receive(struct conductor *c, struct process *p, struct slot *slot)
{
	enum step_end end;

	observe_news(c, p, slot);
	slot->match = find_match(p, p->mailbox.save);
	end = probe_now(p, TERM_NONE);
	/* With after 0 the step may go either way. */
	announce_receive(p, &slot->announced, end == STEP_TIMEOUT ? ACCESS_POLL : ACCESS_RECV);
	if (end != STEP_TIMEOUT)
		name_sender(c, slot);
	slot->wait = SLOT_READY;
	if (end == STEP_TIMEOUT || slot->match)
		return;
	slot->wait = SLOT_RECEIVE;
	step(c, p);
}

static void die_of_signal(struct conductor *c, struct process *p, struct slot *slot)
{
	signals_take(p);
	p->announced = (struct announced){.effect = EFFECT_EXIT_STEP, .args = p->saved_x};
	p->status = PROCESS_RUNNABLE;
	slot->is_killed = true;
	slot->announced.ordinal = slot->ordinal;
	announce(c, p, &slot->announced);
	slot->wait = SLOT_READY;
}

static bool asks_about_other(const struct process *p)
{
	return p->announced.effect == EFFECT_READ_ALIVE || p->announced.effect == EFFECT_INSPECT;
}

/* Has whom it asks about a signal to take? */
static bool must_wait_for_other(struct conductor *c, const struct process *p)
{
	const struct process *of =
		p->announced.args_len ? process_find(c->vm, p->announced.args[0]) : NULL;

	return of && of->actor && of->actor != ACTOR_NONE && of->status != PROCESS_EXITING &&
	       slot_of(c, of)->is_killed;
}

/* p has stopped: lets it go on over all that nobody can see, to its next event. */
static void settle(struct conductor *c, struct process *p, enum step_end end)
{
	uint32_t actor = p->actor - 1, silent = 0;
	struct slot *slot;

	for (; !c->is_over; end = step(c, p)) {
		if (end == STEP_ENDED) {
			c->slots.items[actor].process = NULL;
			c->slots.items[actor].wait = SLOT_NONE;
			return;
		}
		slot = &c->slots.items[actor];
		slot->announced.ordinal = slot->ordinal;
		if (end != STEP_YIELDED && p->status != PROCESS_EXITING && signals_settle(p)) {
			die_of_signal(c, p, slot);
			return;
		}
		if (end == STEP_WAITING) { /* with a timer: a receive without patterns, timer:sleep */
			announce_receive(p, &slot->announced,
					 p->receive_timer ? ACCESS_RECV : ACCESS_LOOK);
			slot->wait = p->receive_timer ? SLOT_RECEIVE : SLOT_QUEUED;
			return;
		}
		if (end == STEP_VISIBLE && p->announced.effect == EFFECT_RECEIVE && !p->announced.bif) {
			enter_receive(c, p, slot);
			return;
		}
		if (end == STEP_VISIBLE && announce(c, p, &slot->announced)) {
			slot->wait = asks_about_other(p) ? SLOT_SETTLE : SLOT_READY;
			return;
		}
		if (++silent > SILENT_MAX) {
			c->is_over = true;
			c->end = END_SILENT;
		}
	}
}

/* ---- what a step did to others ---- */

static void withdraw(struct conductor *c, const struct slot *slot, uint32_t node)
{
	*vec_push(&c->withdrawn) = (struct withdrawn){.event = slot->announced,
						     .step = (uint32_t)c->events.len - 1};
	event_fix_announced(&vec_last(&c->withdrawn)->event);
	*vec_push(&c->withdrawn_nodes) = node;
}

static void take_news(struct conductor *c, struct process *p)
{
	struct slot *slot;

	if (!p->actor || p->actor == ACTOR_NONE)
		return;
	slot = slot_of(c, p);
	if (slot->process != p)
		return;
	if (p->status != PROCESS_EXITING && p->ip != interp_process_end && signals_settle(p)) {
		if (slot->wait == SLOT_READY)
			withdraw(c, slot, UINT32_MAX);
		die_of_signal(c, p, slot);
		return;
	}
	observe_news(c, p, slot);
	if (slot->wait == SLOT_RECEIVE) {
		slot->match = find_match(p, p->mailbox.save);
		if (slot->match) {
			name_sender(c, slot);
			slot->wait = SLOT_READY;
		}
	} else if (slot->wait == SLOT_READY && !slot->match && slot->announced.kind == EVENT_RECEIVE) {
		slot->match = find_match(p, p->mailbox.save); /* after 0 */
	}
}

static void take_all_news(struct conductor *c)
{
	while (c->vm->news) {
		struct process *p = c->vm->news;

		c->vm->news = p->news_next;
		p->has_news = false;
		take_news(c, p);
	}
}

static void arm(struct conductor *c, struct timer *timer, const struct process *owner)
{
	uint32_t nth = timer->kind == TIMER_RECEIVE ? 1 : (uint32_t)timer->number + 1;
	uint32_t index = conductor_actor(c, owner->actor - 1, ACTOR_TIMER, nth);
	struct slot *slot = &c->slots.items[index];
	struct event *event = &slot->announced;
	bool is_short;

	slot->is_seen = true;
	if (slot->timer == timer)
		return;
	slot->timer = timer;
	is_short = (timer->deadline_ns - c->vm->now_ns) / NS_PER_MS < c->options.timeouts_ms;
	slot->wait = is_short ? SLOT_TIMER : SLOT_IDLE;
	announce_receive((struct process *)owner, event, ACCESS_POLL);
	event->actor = index;
	event->ordinal = slot->ordinal;
	event->kind = is_short ? EVENT_TIMER : EVENT_IDLE_TIMER;
	if (timer->kind == TIMER_RECEIVE) {
		event->peer = owner->actor - 1;
		event->flags = EVENT_OF_OWNER;
	} else {
		event->accesses[0] = (struct access){
			.object = object_mailbox(term_is_pid(timer->destination) ? timer->destination
										: owner->pid),
			.mode = ACCESS_SEND, .announced = ACCESS_SEND};
		event->accesses[event->access_len++] = (struct access){
			.object = object_reference(timer->owner_value, timer->number),
			.mode = ACCESS_WRITE, .announced = ACCESS_WRITE};
	}
	event->accesses[event->access_len++] = (struct access){
		.object = OBJECT_THE_CLOCK, .mode = ACCESS_ADD, .announced = ACCESS_ADD};
}

/* One whose owner has ended is still the same actor. */
static void keep_orphan(struct conductor *c, const struct timer *timer)
{
	for (size_t i = 0; i < c->slots.len; i++)
		if (c->slots.items[i].timer == timer)
			c->slots.items[i].is_seen = true;
}

/* A receive timer that was taken back belongs to the receive that went on. */
static uint32_t node_of_last_receive(struct conductor *c, uint32_t owner)
{
	uint32_t chain = c->slots.items[owner].receives;

	return chain ? c->observation.receives.items[chain - 1].node : UINT32_MAX;
}

static void look_at_timers(struct conductor *c)
{
	struct timer_queue *queue = &c->vm->timers;

	if (!queue->len && !c->timers_armed)
		return;
	for (size_t i = 0; i < queue->len; i++) {
		const struct process *owner = queue->heap[i]->owner;

		if (!owner)
			owner = process_find(c->vm, pid_make(queue->heap[i]->owner_value));
		if (owner && owner->actor && owner->actor != ACTOR_NONE)
			arm(c, queue->heap[i], owner);
		else if (!owner)
			keep_orphan(c, queue->heap[i]);
	}
	c->timers_armed = 0;
	for (size_t i = 0; i < c->slots.len; i++) {
		struct slot *slot = &c->slots.items[i];

		if (!slot->timer)
			continue;
		if (!slot->is_seen) {
			if (slot->wait == SLOT_TIMER)
				withdraw(c, slot, (slot->announced.flags & EVENT_OF_OWNER)
							  ? node_of_last_receive(c, slot->announced.peer)
							  : UINT32_MAX);
			else if (slot->wait == SLOT_IDLE)
				c->assumed |= ASSUMED_IDLE_TIMERS;
			slot->timer = NULL;
			slot->wait = SLOT_NONE;
		} else {
			c->timers_armed++;
		}
		slot->is_seen = false;
	}
}

/* ---- who can go ---- */

static bool timer_can_fire(struct conductor *c, const struct slot *slot)
{
	const struct timer *first = timer_first(c->vm);

	if ((!c->vm->test && !c->options.after_end) ||
	    slot->timer->deadline_ns > first->deadline_ns)
		return false;
	return slot->timer->kind != TIMER_RECEIVE ||
	       c->slots.items[slot->announced.peer].wait == SLOT_RECEIVE;
}

static bool can_go(struct conductor *c, const struct slot *slot)
{
	if (slot->process && slot->process->suspend_count &&
	    slot->process->status != PROCESS_EXITING && !slot->is_killed)
		return false;
	switch (slot->wait) {
	case SLOT_READY:
		return true;
	case SLOT_QUEUED:
		return slot->process->is_queued;
	case SLOT_SETTLE:
		return !must_wait_for_other(c, slot->process);
	case SLOT_TIMER:
		return timer_can_fire(c, slot);
	default:
		return false;
	}
}

static bool find_enabled(struct conductor *c, uint64_t *set)
{
	bool any = false;

	memset(set, 0, c->words * sizeof(*set));
	for (size_t i = 0; i < c->slots.len; i++)
		if (c->slots.items[i].wait && can_go(c, &c->slots.items[i])) {
			bitset_add(set, i);
			any = true;
		}
	for (size_t i = 0; !any && i < c->slots.len; i++) {
		const struct slot *slot = &c->slots.items[i];

		if (slot->wait == SLOT_IDLE && timer_can_fire(c, slot)) {
			bitset_add(set, i);
			return true;
		}
	}
	return any;
}

/* ---- a step ---- */

static void note_receive(struct slot *slot)
{
	const word *site = slot->process->ip;

	slot->rounds = site == slot->last_receive ? slot->rounds + 1 : 1;
	slot->last_receive = site;
}

static void prepare_receive(struct conductor *c, struct slot *slot, struct event *did)
{
	observe_receive(&c->observation, slot->process, slot->match,
			(uint32_t)c->events.len - 1, &slot->receives);
	if (!slot->match)
		did->flags |= EVENT_FAILED;
	note_receive(slot);
}

/* A question that had to wait for a process to die of a signal is after that death. */
static void name_death(struct conductor *c, const struct process *p, struct event *did)
{
	uint64_t object = object_process(p->announced.args[0]);

	for (size_t i = c->events.len - 1; i-- > 0;) {
		const struct event *event = &c->events.items[i];

		if (event->kind != EVENT_FINISH || event->accesses[0].object != object)
			continue;
		if (c->slots.items[event->actor].is_killed) {
			did->peer = event->actor;
			did->peer_ordinal = event->ordinal;
		}
		return;
	}
}

/* Messages of this step to processes that have ended. */
static void observe_dead(struct conductor *c, const struct process *p, const struct event *did)
{
	for (uint32_t a = 0; a < did->access_len; a++) {
		uint64_t object = did->accesses[a].object;
		uint32_t actor = did->accesses[a].mode == ACCESS_SEND ? find_actor(c, object)
								      : ACTOR_NONE;
		const struct slot *slot = actor == ACTOR_NONE ? NULL : &c->slots.items[actor];

		if (!slot || !slot->receives ||
		    (slot->process && slot->process->status != PROCESS_EXITING))
			continue;
		observe_lost(&c->observation,
			     p && p->announced.effect == EFFECT_SEND ? p->announced.args[1] : TERM_NONE,
			     (uint32_t)c->events.len - 1, object, slot->receives);
	}
}

static void take_process_step(struct conductor *c, uint32_t actor, struct event *did)
{
	struct slot *slot = &c->slots.items[actor];
	struct process *p = slot->process;
	enum step_end end;

	standing_note(&c->standing, p, slot->match, did);
	if (did->kind == EVENT_RECEIVE && slot->wait != SLOT_QUEUED)
		prepare_receive(c, slot, did);
	else if (slot->wait == SLOT_SETTLE && did->kind == EVENT_INSPECT)
		name_death(c, p, did);
	else if (did->kind == EVENT_FINISH)
		verdict_on_exit(c, p, did);
	else if (did->kind != EVENT_RECEIVE)
		announce_outcome(p, did);
	observe_dead(c, p, did);
	slot->match = NULL;
	slot->ordinal++;
	end = step(c, p);
	if (!c->is_over)
		settle(c, p, end);
}

/* The receive's own end is the timer's step: the process goes on past it. */
static void take_timer_step(struct conductor *c, uint32_t actor)
{
	struct slot *slot = &c->slots.items[actor];
	struct timer *timer = slot->timer;
	struct process *owner = NULL;

	observe_dead(c, NULL, vec_last(&c->events));
	slot->ordinal++;
	slot->timer = NULL;
	slot->wait = SLOT_NONE;
	if (timer->kind == TIMER_RECEIVE) {
		uint32_t index = slot->announced.peer;

		owner = c->slots.items[index].process;
		observe_receive(&c->observation, owner, NULL, (uint32_t)c->events.len - 1,
				&c->slots.items[index].receives);
	}
	timer_fire(c->vm, timer);
	if (owner)
		settle(c, owner, step(c, owner));
}

/* Names depend on what is registered now, not when it was announced; so do the steps of dying on
 * who is watching. */
static void renew(struct conductor *c, struct slot *slot)
{
	const struct process *p = slot->process;
	const struct event *event = &slot->announced;

	if (!p || event->kind == EVENT_RECEIVE || event->kind == EVENT_FINISH)
		return;
	if (p->announced.effect == EFFECT_EXIT_STEP || p->announced.effect == EFFECT_DEMONITOR ||
	    (event->access_len && OBJECT_CLASS(event->accesses[0].object) == OBJECT_NAME))
		announce(c, slot->process, &slot->announced);
}

static void take_step(struct conductor *c, uint32_t actor)
{
	struct slot *slot = &c->slots.items[actor];
	uint32_t index = (uint32_t)c->events.len, created;
	struct event *did = vec_push(&c->events);

	renew(c, slot);
	if (slot->process && slot->process->ip != interp_process_end) {
		slot->last_ip = slot->process->ip;
		if (c->wants_places || slot->announced.kind == EVENT_EXIT)
			slot->announced.site = (uint64_t)(uintptr_t)site_of_own_code(slot->process);
		if (slot->announced.kind == EVENT_EXIT) /* part of the finding's fingerprint */
			slot->announced.site = site_of_address(&c->sites, slot->announced.site);
	}
	if (c->options.watch)
		watch_step(c->options.watch, slot->process, &slot->announced);
	*did = slot->announced;
	event_fix_announced(did);
	c->vm->step = index + 1;
	if (slot->timer)
		take_timer_step(c, actor);
	else
		take_process_step(c, actor, did);
	created = add_new_processes(c);
	if (c->events.items[index].kind == EVENT_SPAWN)
		c->events.items[index].peer = created;
	take_all_news(c);
	look_at_timers(c);
}

/* ---- a run ---- */

static void reset(struct conductor *c)
{
	c->vm = vm_get();
	for (size_t i = 0; i < c->slots.len; i++)
		c->slots.items[i] = (struct slot){.announced = {.actor = (uint32_t)i}};
	c->events.len = c->enabled.len = c->pending.len = c->withdrawn.len = c->notices.len = 0;
	c->withdrawn_nodes.len = 0;
	if (c->options.watch)
		watch_reset(c->options.watch);
	observation_reset(&c->observation);
	c->timers_armed = c->assumed = 0;
	c->is_over = c->must_relearn = c->objects.must_relearn = false;
	c->end = END_DONE;
	if (!c->words)
		c->words = 1;
	c->vm->step = 0;
	c->objects.orders_output = c->options.io_ordered;
}

static uint64_t *next_set(struct conductor *c)
{
	vec_reserve(&c->enabled, c->enabled.len + c->words);
	c->enabled.len += c->words;
	return c->enabled.items + c->enabled.len - c->words;
}

static void run_steps(struct conductor *c)
{
	struct follower_view view = {.words = c->words};

	while (!c->is_over) {
		uint64_t *set = next_set(c);
		bool any = find_enabled(c, set);
		int pick;

		c->must_relearn = c->must_relearn || c->objects.must_relearn;
		if (c->must_relearn || !any || c->events.len >= c->options.max_steps) {
			c->end = c->must_relearn ? END_RELEARN : any ? END_STEPS : END_DONE;
			return;
		}
		view.enabled = set;
		view.actors_len = (uint32_t)c->slots.len;
		view.announced = (const char *)&c->slots.items[0].announced;
		view.stride = sizeof(struct slot);
		view.actors = c->actors.items;
		pick = follower_pick(&c->follower, &view);
		if (pick < 0) {
			c->end = c->follower.end;
			return;
		}
		take_step(c, (uint32_t)pick);
		view.announced = (const char *)&c->slots.items[0].announced;
		view.actors = c->actors.items;
		follower_took(&c->follower, &view, vec_last(&c->events));
	}
	next_set(c);
	find_enabled(c, vec_last(&c->enabled) + 1 - c->words);
}

static void fill_pending(struct conductor *c)
{
	const uint64_t *set = c->enabled.items + c->enabled.len - c->words;

	for (size_t i = 0; i < c->slots.len; i++) {
		struct slot *slot = &c->slots.items[i];
		struct event *event;

		if (!slot->wait || slot->wait == SLOT_IDLE)
			continue;
		event = vec_push(&c->pending);
		*event = slot->announced;
		event_fix_announced(event);
		if (slot->process)
			standing_note(&c->standing, slot->process, NULL, event);
		if (!bitset_has(set, i))
			event->flags |= EVENT_BLOCKED;
	}
}

static void tag_withdrawn(struct conductor *c)
{
	for (size_t i = 0; i < c->withdrawn.len; i++)
		if (c->withdrawn_nodes.items[i] != UINT32_MAX)
			c->withdrawn.items[i].event.accesses[0].size =
				observation_tag(&c->observation, c->withdrawn_nodes.items[i]);
}

static void fill_trace(struct conductor *c, struct trace *trace)
{
	*trace = (struct trace){
		.actors = c->actors.items,
		.actors_len = (uint32_t)c->actors.len,
		.enabled_words = c->words,
		.events = c->events.items,
		.events_len = (uint32_t)c->events.len,
		.enabled = c->enabled.items,
		.pending = c->pending.items,
		.pending_len = (uint32_t)c->pending.len,
		.notices = c->notices.items,
		.notices_len = (uint32_t)c->notices.len,
		.withdrawn = c->withdrawn.items,
		.withdrawn_len = (uint32_t)c->withdrawn.len,
		.end = c->end,
		.end_actor = c->end == END_EXIT && c->events.len ? vec_last(&c->events)->actor
								 : ACTOR_NONE,
		.code = c->vm->halt_status,
		.dropped = c->follower.dropped,
		.assumed = c->assumed | ASSUMED_INSTANT,
		.message = c->end != END_LOST ? NULL : c->vm->end == VM_OUT_OF_MEMORY
				? "a run needs more memory than it may have" : c->vm->err.message,
	};
}

void conduct(struct conductor *c, const struct schedule *schedule, struct trace *trace)
{
	reset(c);
	follower_start(&c->follower, schedule);
	add_process(c, c->vm->test); /* P1, whatever a set-up has left */
	for (struct process *p = c->vm->first_process; p; p = p->all_next)
		if (p != c->vm->test)
			add_process(c, p);
	take_all_news(c);
	look_at_timers(c);
	run_steps(c);
	if (c->must_relearn) {
		if (c->actors.len > (size_t)c->words * 64)
			c->words = (uint32_t)BITSET_WORDS(c->actors.len * 2);
		c->end = END_RELEARN;
	}
	fill_pending(c);
	observation_finish(&c->observation, c->events.items, (uint32_t)c->events.len);
	tag_withdrawn(c);
	if (c->end == END_DONE && !c->is_over)
		verdict_on_end(c);
	if (c->options.watch)
		watch_judge(c->options.watch, &c->sites, c->events.items, (uint32_t)c->events.len,
			    &c->notices);
	fill_trace(c, trace);
}

void conductor_release(struct conductor *c)
{
	standing_release(&c->standing);
	objects_release(&c->objects);
	sites_release(&c->sites);
	observation_release(&c->observation);
	map_release(&c->actor_index);
	vec_release(&c->actors);
	vec_release(&c->pids);
	vec_release(&c->slots);
	vec_release(&c->events);
	vec_release(&c->enabled);
	vec_release(&c->pending);
	vec_release(&c->withdrawn);
	vec_release(&c->withdrawn_nodes);
	vec_release(&c->notices);
}
