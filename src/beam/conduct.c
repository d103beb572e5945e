#include "beam/conduct.h"

#include "beam/atomic.h"
#include "beam/circle.h"
#include "beam/conduct_parts.h"
#include "beam/verdict.h"
#include "vm/exec/interp.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"

/* ---- actors ---- */

static uint64_t actor_key(uint32_t parent, enum actor_kind kind, uint32_t nth)
{
	return (uint64_t)(parent + 1) << 34 | (uint64_t)kind << 32 | nth;
}

bool conductor_knows(const struct conductor *c, uint32_t parent, enum actor_kind kind, uint32_t nth)
{
	return map_get(&c->actor_index, actor_key(parent, kind, nth)) != NULL;
}

uint32_t conductor_actor(struct conductor *c, uint32_t parent, enum actor_kind kind, uint32_t nth)
{
	bool is_new;
	uint64_t *index = map_put(&c->actor_index, actor_key(parent, kind, nth), &is_new);

	if (is_new) {
		*index = c->actors.len;
		*vec_push(&c->actors) = (struct actor){.parent = parent, .kind = kind, .nth = nth};
		*vec_push(&c->pids) = 0;
		if (c->actors.len > (size_t)c->words * 64)
			c->must_relearn = true;
	}
	while (c->slots.len < c->actors.len)
		*vec_push(&c->slots) = (struct slot){0};
	while (c->astir.len < BITSET_WORDS(c->slots.len))
		*vec_push(&c->astir) = 0;
	return (uint32_t)*index;
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
	else /* of the set-up, or of a system process: named by its pid */
		index = conductor_actor(c, 0, ACTOR_REAL,
					1000 + (uint32_t)(pid_value(p->pid) & 0x3fffffff));
	p->actor = index + 1;
	c->pids.items[index] = pid_value(p->pid);
	*map_put(&c->pid_index, pid_value(p->pid), NULL) = index + 1;
	c->slots.items[index].process = p;
	c->slots.items[index].announced.actor = index;
	conduct_settle(c, p, STEP_YIELDED);
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

uint32_t find_actor(const struct conductor *c, uint64_t object)
{
	const uint64_t *index = map_get(&c->pid_index, OBJECT_NAME_OF(object));

	return index ? (uint32_t)*index - 1 : ACTOR_NONE;
}

bool conduct_announce(struct conductor *c, struct process *p, struct event *event)
{
	if (!announce_step(&c->objects, p, event))
		return false;
	if (event->kind == EVENT_EXIT_SIGNAL && announce_is_lethal(p)) {
		event->peer = find_actor(c, event->accesses[0].object);
		for (uint32_t a = 0; a < event->access_len; a++)
			if (event->accesses[a].mode == ACCESS_SEND)
				event->accesses[a].mode = ACCESS_STOP;
	}
	if (c->options.watch)
		watch_sharpen(event);
	return true;
}

/* ---- who can go ---- */

static bool can_go(struct conductor *c, const struct slot *slot, uint64_t first_deadline)
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
		return !conduct_must_settle(c, slot->process);
	case SLOT_TIMER:
		return conduct_may_fire(c, slot, first_deadline);
	default:
		return false;
	}
}

static bool find_enabled(struct conductor *c, uint64_t *set)
{
	uint64_t first_deadline = c->armed.len ? conduct_first_deadline(c) : 0;
	size_t words = c->astir.len < c->words ? c->astir.len : c->words;
	bool any = false;

	memset(set, 0, c->words * sizeof(*set));
	bitset_foreach(i, c->astir.items, words)
		if (can_go(c, &c->slots.items[i], first_deadline)) {
			bitset_add(set, i);
			any = true;
		}
	for (size_t i = 0; !any && i < c->slots.len; i++) {
		const struct slot *slot = &c->slots.items[i];

		if (slot->wait == SLOT_IDLE && conduct_may_fire(c, slot, first_deadline)) {
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
	struct process *p = slot->process;
	uint32_t node = observe_receive(&c->observation, p, slot->match,
					(uint32_t)c->events.len - 1, &slot->receives);

	if (!slot->match)
		did->flags |= EVENT_FAILED;
	else if (event_polls(did))
		conduct_name_sender(c, slot->match, did);
	note_receive(slot);
	if (slot->timeout_ms && !p->receive_timer)
		conduct_forgo_timeout(c, p, slot->timeout_ms, node); /* may move the slots */
}

/* Can no signal change any more how it ends? */
static bool is_ending(const struct conductor *c, uint32_t actor)
{
	const struct slot *slot = &c->slots.items[actor];

	return !slot->process || slot->is_killed || slot->process->status == PROCESS_EXITING;
}

static void look_at_messages(struct conductor *c, const struct event *did)
{
	for (uint32_t a = 0; a < did->access_len; a++) {
		struct process *of = NULL;

		if (did->accesses[a].mode == ACCESS_LOOK)
			of = process_find(c->vm, pid_make(OBJECT_NAME_OF(did->accesses[a].object)));
		if (of)
			observe_look(&c->observation, of, (uint32_t)c->events.len - 1);
	}
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

void conduct_observe_lost(struct conductor *c, const struct event *did, term content, bool is_lost)
{
	for (uint32_t a = 0; a < did->access_len; a++) {
		uint64_t object = did->accesses[a].object;
		const struct process *to;
		uint32_t actor;

		if (did->accesses[a].mode != ACCESS_SEND)
			continue;
		to = process_find(c->vm, pid_make(OBJECT_NAME_OF(object)));
		if (to && to->status != PROCESS_EXITING && !is_lost)
			continue;
		actor = find_actor(c, object);
		if (actor != ACTOR_NONE && c->slots.items[actor].receives)
			observe_lost(&c->observation, content, (uint32_t)c->events.len - 1, object,
				     c->slots.items[actor].receives);
	}
}

/* A step of dying: who does not hear of it could have, had it come earlier. */
static void observe_last_word(struct conductor *c, const struct process *p, const struct event *did)
{
	struct message *message = signal_last_word(p);

	if (!message)
		return;
	conduct_observe_lost(c, did, message->content, !signal_exit_relation(p)->peer);
	message_free(message);
}

/* The number of the process that this step creates comes from the schedule if that has one. */
static void number_child(struct conductor *c, struct slot *slot)
{
	uint32_t left_out = follower_child(&c->follower, slot->children) - slot->children - 1;

	slot->children += left_out;
	slot->process->child_count += left_out;
}

/* Whom p is about to send a request, plus one; 0 nobody. */
static uint32_t find_asked(struct conductor *c, struct process *p)
{
	term to = p->announced.effect == EFFECT_SEND ? p->announced.args[0] : NIL;

	if (term_is_atom(to))
		to = registry_find(c->vm, to);
	if (to == TERM_NONE || !term_is_pid(to) || !circle_is_request(p, p->announced.args[1]))
		return 0;
	return find_actor(c, object_process(to)) + 1; /* none: 0 */
}

/* What others will see, or would have seen, of the step that p is about to take. */
static void observe_step(struct conductor *c, const struct process *p, struct event *did)
{
	bool is_signal = did->kind == EVENT_SEND || did->kind == EVENT_EXIT_SIGNAL;

	if (did->kind == EVENT_EXIT_SIGNAL && did->peer != ACTOR_NONE && is_ending(c, did->peer))
		did->flags |= EVENT_FAILED;
	if (did->kind == EVENT_INSPECT)
		look_at_messages(c, did);
	if (p->status == PROCESS_EXITING && is_signal) {
		verdict_on_word(c, p);
		observe_last_word(c, p, did);
		return;
	}
	conduct_observe_lost(c, did, p->announced.effect == EFFECT_SEND ? p->announced.args[1]
									: TERM_NONE, false);
}

static void take_process_step(struct conductor *c, uint32_t actor, struct event *did)
{
	struct slot *slot = &c->slots.items[actor];
	struct process *p = slot->process;
	enum step_end end;

	if (did->kind == EVENT_SPAWN)
		number_child(c, slot);
	if (did->kind == EVENT_SLEEP) {
		slot->ordinal++;
		conduct_begin_waiting(c, p);
		return;
	}
	standing_note(&c->standing, p, slot->match, did);
	if (did->kind == EVENT_RECEIVE && slot->wait != SLOT_QUEUED)
		prepare_receive(c, slot, did);
	else if (slot->wait == SLOT_SETTLE && did->kind == EVENT_INSPECT)
		name_death(c, p, did);
	else if (did->kind == EVENT_FINISH)
		verdict_on_exit(c, p, did);
	else if (did->kind != EVENT_RECEIVE)
		announce_outcome(p, did);
	observe_step(c, p, did);
	slot = &c->slots.items[actor];
	slot->asked = did->kind == EVENT_SEND ? find_asked(c, p) : 0;
	slot->match = NULL;
	slot->ordinal++;
	if (c->options.atomic)
		atomic_begin(c->options.atomic, p);
	end = conduct_vm_step(c, p);
	while (c->options.atomic && atomic_goes_on(c, p, end, did))
		end = conduct_vm_step(c, p);
	if (!c->is_over)
		conduct_settle(c, p, end);
}

/* Names depend on what is registered now, not when it was announced; so do the steps of dying on
 * who is watching. If nothing is left to do, it is the step that it was. */
static void renew(struct conductor *c, struct slot *slot)
{
	const struct process *p = slot->process;
	const struct event *event = &slot->announced;
	struct event before = slot->announced;

	if (slot->timer)
		conduct_renew_timer(c, slot);
	else if (slot->transit.len)
		conduct_renew_channel(c, slot);
	if (!p || event->kind == EVENT_RECEIVE || event->kind == EVENT_FINISH ||
	    slot->announced_at + 1 == c->events.len) /* this step is the next */
		return;
	if ((p->announced.effect == EFFECT_EXIT_STEP || p->announced.effect == EFFECT_DEMONITOR ||
	     p->announced.effect == EFFECT_EXIT_SIGNAL || p->announced.effect == EFFECT_ETS_DROP ||
	     (event->access_len && OBJECT_CLASS(event->accesses[0].object) == OBJECT_NAME)) &&
	    !conduct_announce(c, slot->process, &slot->announced))
		slot->announced = before;
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
		watch_step(c->options.watch, &c->objects, slot->process, &slot->announced);
	*did = slot->announced;
	event_fix_announced(did);
	if (c->wants_places)
		tell_step(c, &c->told, slot, did);
	c->vm->step = index + 1;
	if (slot->timer)
		conduct_fire(c, actor);
	else if (slot->transit.len)
		conduct_deliver(c, actor);
	else
		take_process_step(c, actor, did);
	created = add_new_processes(c);
	if (c->events.items[index].kind == EVENT_SPAWN ||
	    (created != ACTOR_NONE && c->events.items[index].kind == EVENT_SEND))
		c->events.items[index].peer = created;
	if (c->wants_places && created != ACTOR_NONE && c->slots.items[created].process)
		tell_created(c, &c->told, c->slots.items[created].process);
	conduct_take_transit(c);
	conduct_take_news(c);
	conduct_look_at_timers(c);
}

/* ---- a run ---- */

static void reset(struct conductor *c)
{
	c->vm = vm_get();
	for (size_t i = 0; i < c->slots.len; i++)
		c->slots.items[i] = (struct slot){.announced = {.actor = (uint32_t)i}};
	c->events.len = c->enabled.len = c->pending.len = c->withdrawn.len = c->notices.len = 0;
	c->withdrawn_nodes.len = 0;
	for (size_t w = 0; w < c->astir.len; w++)
		c->astir.items[w] = 0;
	if (c->options.watch)
		watch_reset(c->options.watch);
	observation_reset(&c->observation);
	told_reset(&c->told);
	c->armed.len = 0;
	c->timer_changes = 0;
	c->assumed = 0;
	c->is_over = c->must_relearn = c->objects.must_relearn = false;
	c->end = END_DONE;
	if (!c->words)
		c->words = 1;
	c->vm->step = 0;
	c->objects.orders_output = c->options.io_ordered;
	c->objects.is_async = c->vm->is_async = c->options.is_async;
	c->objects.stops_timers = !c->options.after_end;
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
		uint64_t *set;
		bool any;
		int pick;

		stems_look(c);
		set = next_set(c);
		any = find_enabled(c, set);
		c->must_relearn = c->must_relearn || c->objects.must_relearn;
		if (c->must_relearn || !any || c->events.len >= c->options.max_steps) {
			c->end = c->must_relearn ? END_RELEARN : any ? END_STEPS : END_DONE;
			return;
		}
		if (c->slots.len > FOLLOWER_ACTORS) {
			c->end = END_LOST;
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

/* Whoever cannot go is kept back by nothing but who holds it: it could not have gone before a step
 * it merely has something in common with. The first access, by which decisions know a step,
 * stays, in a mode that means nothing to such an object. */
static void keep_holds(struct event *event)
{
	uint32_t kept = 0;

	event->flags |= EVENT_BLOCKED;
	for (uint32_t a = 0; a < event->access_len; a++) {
		struct access *access = &event->accesses[a];
		uint32_t family = access_rules[access->mode].family;

		if (a == 0 && family != ACCESS_FAMILY_LOCK)
			access->mode = family == ACCESS_FAMILY_MAIL ? ACCESS_USE : ACCESS_RECV;
		if (a == 0 || family == ACCESS_FAMILY_LOCK)
			event->accesses[kept++] = *access;
	}
	event->access_len = (uint8_t)kept;
}

/* Has the actor taken the step it announced, and the run ended with it? */
static bool has_ended_run(const struct conductor *c, uint32_t actor)
{
	return c->is_over && c->events.len && vec_last(&c->events)->actor == actor &&
	       vec_last(&c->events)->ordinal == c->slots.items[actor].announced.ordinal;
}

static void fill_pending(struct conductor *c)
{
	const uint64_t *set = c->enabled.items + c->enabled.len - c->words;

	for (size_t i = 0; i < c->slots.len; i++) {
		struct slot *slot = &c->slots.items[i];
		struct event *event;

		if (!slot->wait || slot->wait == SLOT_IDLE || has_ended_run(c, (uint32_t)i))
			continue;
		event = vec_push(&c->pending);
		*event = slot->announced;
		event_fix_announced(event);
		/* Of other ends it is part of the finding's fingerprint. */
		if (c->wants_places && slot->process && c->end == END_DONE)
			event->site = (uint64_t)(uintptr_t)site_of_own_code(slot->process);
		if (slot->process)
			standing_note(&c->standing, slot->process, NULL, event);
		if (!bitset_has(set, i) && slot->timer)
			event->flags |= EVENT_BLOCKED;
		else if (!bitset_has(set, i) && slot->wait == SLOT_READY)
			keep_holds(event);
		else if (!bitset_has(set, i)) { /* waits for what has not come */
			event->flags |= EVENT_BLOCKED;
			event->access_len = 0;
		}
		else if (c->options.atomic && slot->process)
			atomic_widen(c->options.atomic, slot->process, event);
	}
}

static void tag_withdrawn(struct conductor *c)
{
	for (size_t i = 0; i < c->withdrawn.len; i++)
		if (c->withdrawn_nodes.items[i] != UINT32_MAX)
			c->withdrawn.items[i].event.accesses[0].size =
				observation_tag(&c->observation, c->withdrawn_nodes.items[i]);
}

static const char *explain_loss(const struct conductor *c)
{
	if (c->slots.len > FOLLOWER_ACTORS)
		return "a run has more than 4096 processes, timers and channels";
	return c->vm->end == VM_OUT_OF_MEMORY ? "a run needs more memory than it may have"
					      : c->vm->err.message;
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
		.assumed = c->assumed | (c->options.is_async ? 0 : ASSUMED_INSTANT),
		.message = c->end == END_LOST ? explain_loss(c) : NULL,
	};
}

/* From where it stands to its end. */
static void finish_run(struct conductor *c, struct trace *trace)
{
	run_steps(c);
	if (c->must_relearn) {
		if (c->actors.len > (size_t)c->words * 64)
			c->words = (uint32_t)BITSET_WORDS(c->actors.len * 2);
		c->end = END_RELEARN;
	}
	fill_pending(c);
	observation_finish(&c->observation, c->events.items, (uint32_t)c->events.len);
	tag_withdrawn(c);
	verdict_on_exits(c);
	if (c->end == END_DONE && !c->is_over)
		verdict_on_end(c);
	if (c->options.watch)
		watch_judge(c->options.watch, &c->sites, c->events.items, (uint32_t)c->events.len,
			    &c->notices);
	fill_trace(c, trace);
}

void conduct(struct conductor *c, const struct schedule *schedule, struct trace *trace)
{
	reset(c);
	follower_start(&c->follower, schedule);
	add_process(c, c->vm->test); /* P1, whatever a set-up has left */
	for (struct process *p = c->vm->first_process; p; p = p->all_next)
		if (p != c->vm->test)
			add_process(c, p);
	conduct_take_news(c);
	conduct_look_at_timers(c);
	finish_run(c, trace);
}

void conduct_on(struct conductor *c, struct trace *trace)
{
	c->is_over = c->must_relearn = c->objects.must_relearn = false;
	c->end = END_DONE;
	finish_run(c, trace);
}

void conductor_release(struct conductor *c)
{
	standing_release(&c->standing);
	objects_release(&c->objects);
	sites_release(&c->sites);
	observation_release(&c->observation);
	told_release(&c->told);
	stems_release(&c->stems);
	strbuf_release(&c->warnings);
	map_release(&c->warned);
	map_release(&c->actor_index);
	map_release(&c->pid_index);
	vec_release(&c->actors);
	vec_release(&c->pids);
	vec_release(&c->slots);
	vec_release(&c->events);
	vec_release(&c->enabled);
	vec_release(&c->astir);
	vec_release(&c->pending);
	vec_release(&c->withdrawn);
	vec_release(&c->withdrawn_nodes);
	vec_release(&c->notices);
	vec_release(&c->armed);
}
