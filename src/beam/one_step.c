#include "beam/one_step.h"

#include <string.h>

#include "beam/announce_parts.h"
#include "beam/conduct_parts.h"
#include "core/dependence.h"
#include "vm/code/code.h"
#include "vm/exec/interp.h"
#include "vm/process/signal.h"

static bool is_named(const char *modules, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = modules; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, len) == 0 && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

static bool is_in(const char *modules, const word *address)
{
	struct code_place place;

	return address && code_find_place(address, &place) &&
	       is_named(modules, atom_text(place.module));
}

static bool is_return_address(term slot)
{
	return term_is_header(slot) && slot;
}

static bool is_begun(const struct process *p)
{
	const word *mark = interp_one_step_return;

	if (p->cp == mark)
		return true;
	for (const term *slot = p->e; slot < p->hend; slot++)
		if (*slot == (term)mark)
			return true;
	return false;
}

/* The place that holds the return address of the outermost function of the modules on p's stack: a
 * stack slot, or &p->cp; NULL when p is not inside the modules. A new frame has its address in
 * both. */
static term *find_return(const char *modules, struct process *p)
{
	bool is_inside = is_in(modules, p->ip);
	term *found = NULL;

	if (p->cp && (term)p->cp != *p->e) {
		if (is_inside)
			found = (term *)&p->cp;
		is_inside = is_in(modules, p->cp);
	}
	for (term *slot = p->e; slot < p->hend; slot++) {
		if (!is_return_address(*slot))
			continue;
		if (is_inside)
			found = slot;
		is_inside = is_in(modules, (const word *)*slot);
	}
	return found;
}

void one_step_begin(const char *modules, struct process *p)
{
	term *slot;

	if (p->status == PROCESS_EXITING || p->ip == interp_process_end || is_begun(p))
		return;
	slot = find_return(modules, p);
	if (!slot)
		return;
	p->atomic_return = (const word *)*slot;
	if ((term)p->cp == *slot)
		p->cp = interp_one_step_return;
	*slot = (term)interp_one_step_return;
}

/* Operations that need an event of their own. */
static bool is_apart(const struct process *p)
{
	switch (p->announced.effect) {
	case EFFECT_RECEIVE:
	case EFFECT_TIMEOUT:
	case EFFECT_TAKE_SIGNAL:
	case EFFECT_SPAWN:
	case EFFECT_EXIT_STEP:
	case EFFECT_EXIT_SIGNAL:
	case EFFECT_READ_ALIVE:
	case EFFECT_INSPECT:
	case EFFECT_TIMER_START:
	case EFFECT_TIMER_CANCEL:
		return true;
	default:
		return false;
	}
}

/* The object stays: decisions name events by it. */
static void touch_everything(struct event *event)
{
	event->access_len = 1;
	event->accesses[0].mode = event->accesses[0].announced = ACCESS_WORLD;
}

/* Two sends into one mailbox cannot be distinguished in one event (observe.h). */
static bool sends_twice(const struct event *did, const struct event *next)
{
	for (uint32_t i = 0; i < next->access_len; i++)
		for (uint32_t j = 0; next->accesses[i].mode == ACCESS_SEND && j < did->access_len;
		     j++)
			if (did->accesses[j].object == next->accesses[i].object)
				return true;
	return false;
}

static void add_access(struct event *did, const struct access *access)
{
	if (event_touches_all(did))
		return;
	for (uint32_t i = 0; i < did->access_len; i++)
		if (memcmp(&did->accesses[i], access, sizeof(*access)) == 0)
			return;
	if (did->access_len == EVENT_ACCESSES)
		touch_everything(did);
	else
		did->accesses[did->access_len++] = *access;
}

bool one_step_goes_on(struct conductor *c, struct process *p, enum step_end end, struct event *did)
{
	struct event next = {.actor = did->actor, .ordinal = did->ordinal};

	if (c->is_over || end != STEP_VISIBLE || p->status == PROCESS_EXITING || is_apart(p) ||
	    !is_begun(p) || signals_settle(p))
		return false;
	if (!conduct_announce(c, p, &next))
		return true;
	if (sends_twice(did, &next))
		return false;
	event_fix_announced(&next);
	announce_outcome(p, &next);
	for (uint32_t i = 0; i < next.access_len; i++)
		add_access(did, &next.accesses[i]);
	c->assumed |= ASSUMED_ATOMIC;
	return true;
}

void one_step_widen(const char *modules, const struct process *p, struct event *event)
{
	struct process then = *p;

	if (event->kind != EVENT_RECEIVE && (is_begun(p) || find_return(modules, &then)))
		announce_widen(event);
}
