#include "prop/reuse.h"

struct reuser {
	const struct prop_test *larger;
	const struct prop_outcome *outcomes;
	const struct trace *trace;
	const struct candidate *smaller;
	enum reuse_how how;
	struct decision_vec *out;
};

/* The call that step i of the larger run belongs to, or `len` of the larger test. */
static uint32_t call_of(const struct reuser *r, uint32_t i)
{
	for (uint32_t c = 0; c < r->larger->len; c++) {
		const struct prop_outcome *outcome = &r->outcomes[c];

		if (outcome->progress != PROP_NOT_BEGUN && i >= outcome->begin &&
		    (i < outcome->end || outcome->progress == PROP_BEGUN) &&
		    r->trace->events[i].actor == outcome->actor)
			return c;
	}
	return r->larger->len;
}

/* Where call c of the larger test is in the smaller; its length if it is gone. */
static uint32_t place_of(const struct candidate *smaller, uint32_t c)
{
	uint32_t i = 0;

	while (i < smaller->test.len && smaller->from[i] != c)
		i++;
	return i;
}

/* The actor that makes the calls of a branch of the larger test; ACTOR_NONE if unknown. */
static uint32_t actor_of(const struct reuser *r, uint32_t branch)
{
	for (uint32_t c = 0; c < r->larger->len; c++)
		if (r->larger->calls[c].branch == branch &&
		    r->outcomes[c].progress != PROP_NOT_BEGUN)
			return r->outcomes[c].actor;
	return branch == 0 ? 0 : ACTOR_NONE;
}

/* The index of that actor in the smaller test; ACTOR_NONE if it is gone. */
static uint32_t rename_actor(const struct reuser *r, uint32_t actor)
{
	for (uint32_t b = 1; b <= r->larger->branches_len; b++) {
		if (actor_of(r, b) != actor)
			continue;
		for (uint32_t to = 1; to <= r->smaller->test.branches_len; to++)
			if (r->smaller->branch_from[to] == b)
				return actor_of(r, to);
		return ACTOR_NONE;
	}
	return actor;
}

static void add(const struct reuser *r, const struct event *event, uint32_t actor)
{
	struct decision *decision = vec_push(r->out);
	bool is_renamed = actor != event->actor;

	*decision = decision_of(event);
	decision->actor = actor;
	if (decision->creates) /* not ACTOR_NONE: such events are left out */
		decision->creates = rename_actor(r, decision->creates - 1) + 1;
	/* The object of a creation or a join changes with the name of the other actor. */
	if (r->how == REUSE_ACTORS || is_renamed || event_peer(event) != ACTOR_NONE)
		decision->kind = DECISION_ANY;
}

/* The steps of the prefix of the smaller test; another actor may have taken them before. */
static void add_prefix(const struct reuser *r)
{
	for (uint32_t n = 0; n < r->smaller->test.len && r->smaller->test.calls[n].branch == 0; n++)
		for (uint32_t i = 0; i < r->trace->events_len; i++)
			if (call_of(r, i) == r->smaller->from[n])
				add(r, &r->trace->events[i], actor_of(r, 0));
}

/* The steps before the first call: the set-up. */
static uint32_t first_call_step(const struct reuser *r)
{
	uint32_t i = 0;

	while (i < r->trace->events_len && call_of(r, i) == r->larger->len &&
	       r->trace->events[i].kind != EVENT_CREATE && r->trace->events[i].kind != EVENT_SPAWN)
		i++;
	return i;
}

static void add_rest(const struct reuser *r, uint32_t from)
{
	for (uint32_t i = from; i < r->trace->events_len; i++) {
		const struct event *event = &r->trace->events[i];
		uint32_t call = call_of(r, i), place, actor;

		if (call < r->larger->len) {
			place = place_of(r->smaller, call);
			if (place == r->smaller->test.len ||
			    r->smaller->test.calls[place].branch == 0)
				continue;
		}
		actor = rename_actor(r, event->actor);
		if (actor == ACTOR_NONE ||
		    (event_peer(event) != ACTOR_NONE && rename_actor(r, event_peer(event)) == ACTOR_NONE))
			continue;
		add(r, event, actor);
	}
}

void reuse_decisions(const struct prop_test *larger, const struct prop_outcome *outcomes,
		     const struct trace *trace, const struct candidate *smaller, enum reuse_how how,
		     struct decision_vec *out)
{
	struct reuser r = {larger, outcomes, trace, smaller, how, out};
	uint32_t setup = first_call_step(&r);

	vec_clear(out);
	for (uint32_t i = 0; i < setup; i++)
		add(&r, &trace->events[i], trace->events[i].actor);
	add_prefix(&r);
	add_rest(&r, setup);
}
