#include "beam/conduct.h"

#include "beam/one_step.h"
#include "beam/conduct_parts.h"
#include "beam/describe_name.h"
#include "beam/ends.h"
#include "beam/turn.h"
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
	c->slots.items[index].has_lived = true;
	c->slots.items[index].announced.actor = index;
	conduct_settle(c, p, STEP_YIELDED);
}

/* New processes are at the end of the list of all processes; returns the first of them. */
static struct process *find_new(struct conductor *c)
{
	struct process *first = NULL;

	for (struct process *p = c->vm->last_process; p && !p->actor; p = p->all_prev)
		first = p;
	return first;
}

uint32_t conduct_add_new(struct conductor *c)
{
	uint32_t last = ACTOR_NONE;

	for (struct process *p = find_new(c), *next; p; p = next) {
		next = p->all_next;
		add_process(c, p);
		if (!p->is_system)
			last = actor_of(p);
	}
	return last;
}

uint32_t find_actor(const struct conductor *c, uint64_t object)
{
	const uint64_t *index = map_get(&c->pid_index, OBJECT_NAME_OF(object));

	return index ? (uint32_t)*index - 1 : ACTOR_NONE;
}

bool conduct_has_trapped(const struct conductor *c, uint64_t object)
{
	uint32_t actor = find_actor(c, object);

	return actor != ACTOR_NONE && c->slots.items[actor].has_trapped;
}

/* An exit signal that ends its receiver: signals that come after it do not find the
 * receiver. */
static void announce_lethal(struct conductor *c, struct event *event)
{
	event_set_exit_receiver(event, find_actor(c, event->accesses[0].object));
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_SEND)
			event->accesses[a].mode = ACCESS_STOP;
		else if (OBJECT_CLASS(event->accesses[a].object) == OBJECT_SIGNALS)
			event->accesses[a].mode = ACCESS_WRITE;
}

/* Is it the news of a normal end for a process that has ended itself, and that did not trap exits?
 * The process would not have noticed the news before its end either. */
static bool is_unnoticed(const struct conductor *c, const struct process *p,
			 const struct event *event)
{
	uint64_t receiver = event->accesses[0].object;

	return p->status == PROCESS_EXITING && p->exit_reason == A_normal &&
	       OBJECT_CLASS(receiver) == OBJECT_SIGNALS && !conduct_has_trapped(c, receiver) &&
	       !process_find(c->vm, pid_make(OBJECT_NAME_OF(receiver)));
}

static void drop_message(struct event *event)
{
	uint8_t kept = 0;

	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode != ACCESS_SEND)
			event->accesses[kept++] = event->accesses[a];
	event->access_len = kept;
}

bool conduct_announce(struct conductor *c, struct process *p, struct event *event)
{
	if (!announce_step(&c->objects, p, event))
		return false;
	if (event->kind == EVENT_EXIT_SIGNAL && event->access_len &&
	    announce_is_lethal(p, conduct_has_trapped(c, event->accesses[0].object)))
		announce_lethal(c, event);
	else if (event->kind == EVENT_EXIT_SIGNAL && event->access_len && is_unnoticed(c, p, event))
		drop_message(event);
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
	if (turn_parks(c, slot))
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

/* Nobody can go but the long timers that are due first. Only one of them may fire, which the verdict names. */
static bool enable_idle_timer(struct conductor *c, uint64_t *set, uint64_t first_deadline)
{
	bool any = false;

	for (size_t i = 0; i < c->slots.len; i++) {
		const struct slot *slot = &c->slots.items[i];

		if (slot->wait != SLOT_IDLE || !conduct_may_fire(c, slot, first_deadline))
			continue;
		if (any) {
			c->assumed |= ASSUMED_TIES;
			return true;
		}
		bitset_add(set, i);
		any = true;
	}
	return any;
}

bool conduct_find_enabled(struct conductor *c, uint64_t *set)
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
	return any || enable_idle_timer(c, set, first_deadline);
}

/* ---- a run ---- */

static void note_result(void *ctx, const struct bif *bif, term result)
{
	struct conductor *c = ctx;

	describe_result(c, &c->descriptions, bif, result);
}

static void reset(struct conductor *c)
{
	c->vm = vm_get();
	for (size_t i = 0; i < c->slots.len; i++)
		c->slots.items[i] = (struct slot){.announced = {.actor = (uint32_t)i}};
	c->events.len = c->enabled.len = c->pending.len = c->withdrawn.len = c->notices.len = 0;
	c->deaths.len = c->waiters.len = c->waits.len = 0;
	c->handled.len = c->reasons.len = 0;
	c->withdrawn_nodes.len = 0;
	for (size_t w = 0; w < c->astir.len; w++)
		c->astir.items[w] = 0;
	if (c->options.watch)
		watch_reset(c->options.watch);
	observation_reset(&c->observation);
	descriptions_reset(&c->descriptions);
	c->armed.len = 0;
	c->timer_changes = 0;
	c->own_signals = 0;
	c->void_turns = 0;
	c->assumed = 0;
	c->lost = NULL;
	c->is_over = c->must_relearn = c->objects.must_relearn = false;
	c->end = END_DONE;
	if (!c->words)
		c->words = 1;
	c->vm->step = 0;
	c->vm->relied_on = 0;
	c->objects.orders_output = c->options.io_ordered;
	c->objects.is_async = c->vm->is_async = c->options.is_async;
	c->vm->note_result = c->wants_places ? note_result : NULL;
	c->vm->note_ctx = c;
	c->vm->tells_demonitors = objects_know(&c->objects, LEARNED_TIES);
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
		any = conduct_find_enabled(c, set);
		c->must_relearn = c->must_relearn || c->objects.must_relearn;
		if (c->must_relearn || !any || c->events.len >= c->options.max_steps) {
			c->end = c->must_relearn ? END_RELEARN : any ? END_STEPS
							      : turn_find_end(c);
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
		conduct_take_step(c, (uint32_t)pick);
		view.announced = (const char *)&c->slots.items[0].announced;
		view.actors = c->actors.items;
		follower_took(&c->follower, &view, vec_last(&c->events));
	}
	next_set(c);
	conduct_find_enabled(c, vec_last(&c->enabled) + 1 - c->words);
}

void conduct_keep_holds(struct event *event)
{
	uint64_t known = decision_object(event); /* by which schedules know the step */

	event->flags |= EVENT_BLOCKED;
	for (uint32_t a = 0; a < event->access_len; a++) {
		struct access *access = &event->accesses[a];
		enum access_family family = access_family(access->mode);

		/* It is known which delivery let the step go, before its process was suspended. */
		if (family == ACCESS_FAMILY_LOCK || family == ACCESS_FAMILY_QUEUE ||
		    (OBJECT_CLASS(access->object) == OBJECT_STEPS && access->object != known))
			continue;
		access->mode = family == ACCESS_FAMILY_MAIL ? ACCESS_USE : ACCESS_RECV;
	}
}

/* Is the actor, which is not enabled, kept back by nothing but the processes that suspend it? */
static bool is_only_held(struct conductor *c, const struct slot *slot)
{
	return slot->wait == SLOT_READY ||
	       (slot->wait == SLOT_SETTLE && !conduct_must_settle(c, slot->process));
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

		if (c->wants_places)
			conduct_place_receive(c, slot);
		if (!slot->wait || slot->wait == SLOT_IDLE || has_ended_run(c, (uint32_t)i))
			continue;
		event = vec_push(&c->pending);
		*event = slot->announced;
		event_fix_announced(event);
		if (c->wants_places && slot->process) /* its last step may have given it a name */
			describe_name(c, &c->descriptions, slot->process);
		/* It is part of the finding's fingerprint: of a livelock the line of the program, in every run. */
		if (slot->process && (c->end == END_SPIN || (c->wants_places && c->end == END_DONE)))
			event->site = (uint64_t)(uintptr_t)site_of_own_code(slot->process);
		if (slot->process)
			standing_note(&c->standing, slot->process, NULL, event);
		if (!bitset_has(set, i) && slot->timer)
			event->flags |= EVENT_BLOCKED;
		else if (!bitset_has(set, i) && is_only_held(c, slot))
			conduct_keep_holds(event);
		else if (!bitset_has(set, i)) { /* waits for what has not come */
			event->flags |= EVENT_BLOCKED | (slot->turn.is_parked ? EVENT_VOID : 0);
			event->access_len = 0;
		}
		else if (c->options.atomic && slot->process)
			one_step_widen(c->options.atomic, slot->process, event);
	}
}

static void tag_withdrawn(struct conductor *c)
{
	for (size_t i = 0; i < c->withdrawn.len; i++)
		if (c->withdrawn_nodes.items[i] != UINT32_MAX)
			access_set_mail_tag(&c->withdrawn.items[i].event.accesses[0],
					    observation_tag(&c->observation,
							    c->withdrawn_nodes.items[i]));
}

/* NULL if there is nothing to add to the end itself. */
static const char *explain_end(const struct conductor *c)
{
	if (c->end == END_EXIT) /* of a suite: the tests after this one would not be run */
		return c->options.is_suite ? "the test stops the node (halt)" : NULL;
	if (c->end != END_LOST && c->end != END_SILENT)
		return NULL;
	if (c->slots.len > FOLLOWER_ACTORS)
		return "a run has more than 16384 processes, timers and channels";
	return c->vm->end == VM_OUT_OF_MEMORY ? "a run needs more memory than --max-memory allows"
					      : c->vm->err.message;
}

static uint64_t list_assumed(const struct conductor *c)
{
	static const struct {
		enum vm_reliance relied_on;
		enum trace_assumed assumed;
	} table[] = {
		{RELIED_ON_CHANCE, ASSUMED_CHANCE},    {RELIED_ON_FILES, ASSUMED_FILES_READ},
		{RELIED_ON_REFUSAL, ASSUMED_READ_ONLY}, {RELIED_ON_ATOMS, ASSUMED_ATOMS},
		{RELIED_ON_ABSENCE, ASSUMED_ABSENT},    {RELIED_ON_PROGRAMS, ASSUMED_PROGRAMS},
		{RELIED_ON_SOCKETS, ASSUMED_SOCKETS},   {RELIED_ON_TRACING, ASSUMED_TRACING},
		{RELIED_ON_PROCESSORS, ASSUMED_SCHEDULERS}, {RELIED_ON_PROGRESS, ASSUMED_PROGRESS},
		{RELIED_ON_NUMBERS, ASSUMED_NUMBERS},   {RELIED_ON_FIGURES, ASSUMED_FIGURES},
		{RELIED_ON_ORDER, ASSUMED_NUMBERS},     {RELIED_ON_COUNTERS, ASSUMED_COUNTERS},
		{RELIED_ON_TIME_LEFT, ASSUMED_TIME_LEFT}, {RELIED_ON_LOADED, ASSUMED_LOADED},
		{RELIED_ON_DEPTH, ASSUMED_DEPTH},
	};
	uint64_t assumed = c->assumed | (c->options.is_async ? 0 : ASSUMED_INSTANT);

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (c->vm->relied_on & table[i].relied_on)
			assumed |= table[i].assumed;
	/* A run is left out if a process has only polled in it. More time had passed in that run. */
	if (c->void_turns && c->objects.asks_time)
		assumed |= ASSUMED_POLLED;
	if (!(c->vm->relied_on & RELIED_ON_NEW_ATOMS))
		assumed &= ~(uint64_t)ASSUMED_ATOMS;
	return assumed;
}

static uint32_t find_end_actor(const struct conductor *c)
{
	if (c->end == END_SILENT)
		return c->endless_actor;
	return c->end == END_EXIT && c->events.len ? vec_last(&c->events)->actor : ACTOR_NONE;
}

static void fill_trace(struct conductor *c, struct trace *trace)
{
	*trace = (struct trace){
		.actors = c->actors.items,
		.actors_len = (uint32_t)c->actors.len,
		.values_len = c->objects.values_len,
		.objects_len = (uint32_t)c->objects.names.len,
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
		.deaths = c->deaths.items,
		.deaths_len = (uint32_t)c->deaths.len,
		.waiters = c->waiters.items,
		.waiters_len = (uint32_t)c->waiters.len,
		.waits = c->waits.items,
		.waits_len = (uint32_t)c->waits.len,
		.refusals = c->observation.refusals.items,
		.refusals_len = (uint32_t)c->observation.refusals.len,
		.states = c->observation.states.items,
		.states_len = (uint32_t)c->observation.states.len,
		.stuck = c->options.stuck,
		.exits_any = c->options.exits_any,
		.end = c->end,
		.end_actor = find_end_actor(c),
		.address = c->end == END_SILENT ? c->endless_site : 0,
		.end_site = c->end == END_SILENT ? c->endless_site : 0,
		.code = c->vm->halt_status,
		.void_turns = c->void_turns,
		.dropped = c->follower.dropped,
		.assumed = list_assumed(c),
		.message = explain_end(c),
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
	ends_finish_deaths(c);
	if ((c->end == END_DONE || c->end == END_SPIN) && !c->is_over)
		ends_add_waiters(c);
	if (c->options.watch)
		watch_check(c->options.watch, &c->sites, c->events.items, (uint32_t)c->events.len,
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
	descriptions_release(&c->descriptions);
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
	vec_release(&c->deaths);
	vec_release(&c->handled);
	vec_release(&c->reasons);
	vec_release(&c->waiters);
	vec_release(&c->waits);
	vec_release(&c->armed);
}
