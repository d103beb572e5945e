/* ending.c: findings that follow from how a run ended. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "core/object.h"
#include "detect/detect.h"
#include "detect/framework.h"
#include "detect/message.h"

/* In a livelock no thread fails more often than this while another one that could go on waits. */
enum { LIVELOCK_TURNS = 4 };

static struct finding *add(struct finding_vec *findings, enum finding_kind kind)
{
	struct finding *finding = vec_push(findings);

	*finding = (struct finding){.kind = kind};
	return finding;
}

static const struct event *last_event_of(const struct trace *trace, uint32_t actor, uint32_t *step)
{
	for (uint32_t i = trace->events_len; i-- > 0;)
		if (trace->events[i].actor == actor) {
			*step = i;
			return &trace->events[i];
		}
	return NULL;
}

/* The step with which an actor ended the run. */
static void add_ending_site(struct finding *finding, const struct trace *trace, const char *role)
{
	uint32_t step = UINT32_MAX;
	const struct event *event = NULL;

	if (trace->end_actor != ACTOR_NONE)
		event = last_event_of(trace, trace->end_actor, &step);
	if (event)
		finding_add_site(finding, event->site, event->actor, step, "%s", role);
}

/* Runs can end at one place, or without a place, for different reasons. */
static void set_fingerprint_with_reason(struct finding *finding)
{
	finding_set_fingerprint(finding);
	finding->fingerprint =
		hash_combine(finding->fingerprint, message_reason_hash(finding->message));
}

static void look_at_abort(const struct trace *trace, struct finding_vec *findings)
{
	struct finding *finding = add(findings, FINDING_ASSERTION);

	snprintf(finding->message, sizeof(finding->message), "%s",
		 trace->message && trace->message[0] ? trace->message : "the program called abort");
	add_ending_site(finding, trace, "fails");
	set_fingerprint_with_reason(finding);
}

static void look_at_crash(const struct trace *trace, struct finding_vec *findings)
{
	struct finding *finding = add(findings, FINDING_CRASH);
	const char *detail = trace->message && trace->message[0] ? trace->message : "signal";

	const struct event *last = trace->events_len ? &trace->events[trace->events_len - 1] : NULL;

	if (!last || last->kind != EVENT_CRASH) {
		snprintf(finding->message, sizeof(finding->message), "crash: %s (%s)", detail,
			 strsignal(trace->code));
		finding_add_site(finding, trace->end_site, trace->end_actor, UINT32_MAX, "crashes");
	} else {
		const char *sent = strstr(detail, " was sent and ");
		const char *comma = strstr(detail, ", "), *end = sent ? sent : comma ? comma : strchr(detail, 0);
		char at[32] = "";

		/* No address is wrong if a signal was sent, and of a division it is that of the instruction. */
		if (!sent && (trace->code == SIGSEGV || trace->code == SIGBUS))
			snprintf(at, sizeof(at), " at address 0x%lx", trace->address);
		snprintf(finding->message, sizeof(finding->message), "crash: %.*s (%s)%s%s", (int)(end - detail),
			 detail, strsignal(trace->code), at, end);
		finding_add_site(finding, trace->end_site ? trace->end_site : last->site,
				 last->actor, trace->events_len - 1, "crashes");
	}
	set_fingerprint_with_reason(finding);
}

static void look_at_exit(const struct trace *trace, struct finding_vec *findings)
{
	struct finding *finding = add(findings, FINDING_EXIT);

	if (framework_failure(trace->output, trace->output_len, finding->message,
			      sizeof(finding->message))) {
		finding->kind = FINDING_ASSERTION;
		add_ending_site(finding, trace, "fails");
		set_fingerprint_with_reason(finding);
		return;
	}
	snprintf(finding->message, sizeof(finding->message), "%s with status %d",
		 trace->message && trace->message[0] ? trace->message : "the program ended",
		 trace->code);
	add_ending_site(finding, trace, "exits");
	set_fingerprint_with_reason(finding);
}

/* ---- deadlock ---- */

static const struct event *pending_of(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (trace->pending[i].actor == actor)
			return &trace->pending[i];
	return NULL;
}

/* The actor that a blocked one waits for: the holder of a lock it needs, or the actor it joins. */
static uint32_t waits_for(const struct trace *trace, const struct event *event)
{
	if (event->kind == EVENT_JOIN)
		return event_joined(event);
	for (uint32_t h = 0; h < trace->held_len; h++)
		for (uint32_t a = 0; a < event->access_len; a++)
			if (trace->held[h].object == event->accesses[a].object)
				return trace->held[h].actor;
	return ACTOR_NONE;
}

/* Follows "waits for" from an actor; true if it comes back to it. */
static bool is_in_cycle(const struct trace *trace, uint32_t actor)
{
	uint32_t at = actor;

	for (uint32_t i = 0; i <= trace->pending_len; i++) {
		const struct event *event = pending_of(trace, at);

		at = event ? waits_for(trace, event) : ACTOR_NONE;
		if (at == actor)
			return true;
		if (at == ACTOR_NONE)
			return false;
	}
	return false;
}

static void add_waiter(struct finding *finding, const struct trace *trace,
		       const struct event *event)
{
	char who[ACTOR_NAME_MAX];
	uint32_t other = waits_for(trace, event);

	if (other != ACTOR_NONE) {
		actor_name(trace->actors, other, who);
		finding_add_site(finding, event->site, event->actor, UINT32_MAX,
				 other == event->actor ? "waits in %s for itself (%s)"
						       : "waits in %s for %s",
				 event_wait_text(event->kind), who);
	} else {
		finding_add_site(finding, event->site, event->actor, UINT32_MAX,
				 "waits in %s, and nobody is left to end it",
				 event_wait_text(event->kind));
	}
}

static void describe_deadlock(struct finding *finding, const struct trace *trace)
{
	size_t used = 0;
	bool circular = false;

	for (uint32_t i = 0; i < trace->pending_len; i++)
		circular = circular || is_in_cycle(trace, trace->pending[i].actor);
	used += (size_t)snprintf(finding->message, sizeof(finding->message), "%s: ",
				 circular ? "deadlock, the waiting is circular"
					  : "deadlock, nobody can go on");
	for (uint32_t i = 0; i < trace->pending_len && used + 64 < sizeof(finding->message); i++) {
		const struct event *event = &trace->pending[i];
		char name[ACTOR_NAME_MAX], other[ACTOR_NAME_MAX] = "";
		uint32_t whom = waits_for(trace, event);

		if (actor_is_virtual(&trace->actors[event->actor]))
			continue;
		actor_name(trace->actors, event->actor, name);
		if (whom != ACTOR_NONE)
			actor_name(trace->actors, whom, other);
		used += (size_t)snprintf(finding->message + used, sizeof(finding->message) - used,
					 "%s%s waits in %s%s%s", i ? "; " : "", name,
					 event_wait_text(event->kind), other[0] ? " for " : "",
					 other);
	}
}

/* How much a waiting actor explains the deadlock: 0 if it is part of a cycle, 1 if it waits for
 * something that cannot come, 2 if it only waits for another actor to end. */
static int rank_waiter(const struct trace *trace, const struct event *event)
{
	if (is_in_cycle(trace, event->actor))
		return 0;
	return event->kind == EVENT_JOIN ? 2 : 1;
}

static void look_at_deadlock(const struct trace *trace, struct finding_vec *findings)
{
	struct finding *finding = add(findings, FINDING_DEADLOCK);

	describe_deadlock(finding, trace);
	for (int rank = 0; rank < 3; rank++)
		for (uint32_t i = 0; i < trace->pending_len; i++) {
			const struct event *event = &trace->pending[i];

			if (actor_is_virtual(&trace->actors[event->actor]) ||
			    rank_waiter(trace, event) != rank)
				continue;
			add_waiter(finding, trace, event);
			if (!finding->object && rank == 0 && event->access_len)
				finding->object = event->accesses[0].object;
		}
	finding_set_fingerprint(finding);
}

/* ---- a run that was cut by --max-steps ---- */

static bool writes(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++) {
		uint32_t mode = event->accesses[a].mode;

		if (mode == ACCESS_WRITE || mode == ACCESS_STORE || mode == ACCESS_FILL ||
		    mode == ACCESS_ADD || mode == ACCESS_GIVE)
			return true;
	}
	return false;
}

static bool fails(const struct trace *trace, uint32_t step, uint32_t actor)
{
	return trace->events[step].actor == actor && (trace->events[step].flags & EVENT_FAILED);
}

/* Did an attempt of the actor (such as a try-lock) fail in the second half of the run? */
static bool tried_in_vain(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = trace->events_len / 2; i < trace->events_len; i++)
		if (fails(trace, i, actor))
			return true;
	return false;
}

/* Was `kept` not let go on, in the second half of the run, while `other` failed again and again? */
static bool is_kept_by(const struct trace *trace, uint32_t kept, uint32_t other)
{
	uint32_t failures = 0;

	for (uint32_t i = trace->events_len / 2; i < trace->events_len; i++) {
		if (trace->events[i].actor == kept || !bitset_has(trace_enabled(trace, i), kept))
			failures = 0;
		else if (fails(trace, i, other) && ++failures > LIVELOCK_TURNS)
			return true;
	}
	return false;
}

/* Does every step of the second half only read or fail? Then it does not matter who takes how many. */
static bool changes_nothing(const struct trace *trace)
{
	for (uint32_t i = trace->events_len / 2; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];

		for (uint32_t a = 0; a < event->access_len && !(event->flags & EVENT_FAILED); a++)
			if (event->accesses[a].mode != ACCESS_READ &&
			    event->accesses[a].mode != ACCESS_USE)
				return false;
	}
	return true;
}

/* Did the actor go on, or could it have gone on, in the second half of the run, without ever failing? Or
 * was it not let go on? */
static bool may_progress(const struct trace *trace, uint32_t actor)
{
	const struct event *next = pending_of(trace, actor);
	bool could = next && !(next->flags & EVENT_BLOCKED);

	for (uint32_t i = trace->events_len / 2; i < trace->events_len && !could; i++)
		could = trace->events[i].actor == actor || bitset_has(trace_enabled(trace, i), actor);
	if (could && !tried_in_vain(trace, actor))
		return true;
	for (uint32_t other = 0; other < trace->actors_len && !changes_nothing(trace); other++)
		if (other != actor && is_kept_by(trace, actor, other))
			return true;
	return false;
}

/* A run that was cut by --max-steps is not a livelock just because it is long, or because one thread was
 * not let go on. It is one if in its second half no actor wrote anything, every actor that could go on tried
 * for something and failed, and none was kept from going on while the others took locks and gave them back. */
static bool made_progress(const struct trace *trace)
{
	uint32_t half = trace->events_len / 2;

	for (uint32_t i = half; i < trace->events_len; i++)
		if (writes(&trace->events[i]))
			return true;
	for (uint32_t i = 0; i < trace->plains_len; i++)
		if (trace->plains[i].step >= half && trace->plains[i].is_write)
			return true;
	for (uint32_t a = 0; a < trace->actors_len; a++)
		if (may_progress(trace, a))
			return true;
	return false;
}

static void add_last_failure(struct finding *finding, const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = trace->events_len; i-- > trace->events_len / 2;)
		if (fails(trace, i, actor)) {
			finding_add_site(finding, trace->events[i].site, actor, i,
					 "fails again and again");
			return;
		}
}

static void look_at_livelock(const struct trace *trace, struct finding_vec *findings,
			     const char *message)
{
	struct finding *finding = add(findings, FINDING_LIVELOCK);

	snprintf(finding->message, sizeof(finding->message), "%s", message);
	for (uint32_t a = 0; a < trace->actors_len && trace->end == END_STEPS; a++)
		add_last_failure(finding, trace, a);
	for (uint32_t i = 0; i < trace->pending_len && trace->end != END_STEPS; i++)
		if (trace->end != END_SPIN || (trace->pending[i].flags & EVENT_VOID))
			finding_add_site(finding, trace->pending[i].site, trace->pending[i].actor,
					 UINT32_MAX, "goes round and round");
	if (!finding->sites_len)
		add_ending_site(finding, trace, "was last seen");
	finding_set_fingerprint(finding);
}

#define LIVELOCK_OF_THREAD "a loop waits for something nobody is left to write"
#define LIVELOCK_OF_PROCESS \
	"a loop with a timeout looks again and again, and nobody is left who could " \
	"change what it sees"

static bool is_polling(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if ((trace->pending[i].flags & EVENT_VOID) &&
		    trace->pending[i].kind == EVENT_RECEIVE)
			return true;
	return false;
}

/* The watchdog ended the run: it knows where the thread was. */
static void look_at_hang(const struct trace *trace, struct finding_vec *findings)
{
	struct finding *finding = add(findings, FINDING_HANG);

	snprintf(finding->message, sizeof(finding->message),
		 "hang: %s, and nobody else can go on; it is not known whether the step would end",
		 trace->message && trace->message[0] ? trace->message : "a step did not come back");
	finding_add_site(finding, trace->address, trace->end_actor, UINT32_MAX, "%s",
			 trace->end_site ? HANG_IN_CALL : "is still there");
	finding_set_fingerprint(finding);
}

/* The place is where the watchdog found the thread, which differs from run to run unless the target
 * says so (end_site). The last step before it does not. */
static void set_fingerprint_of_hang(struct finding *finding, const struct trace *trace)
{
	uint32_t step;
	const struct event *last = last_event_of(trace, trace->end_actor, &step);

	finding->fingerprint = hash_combine(hash_combine(FINDING_HANG, last ? last->site : 0),
					    trace->end_site);
}

static void ending_look(struct detector *self, const struct trace *trace,
			struct finding_vec *findings)
{
	switch (trace->end) {
	case END_ABORT:
		look_at_abort(trace, findings);
		break;
	case END_CRASH:
		look_at_crash(trace, findings);
		break;
	case END_EXIT:
		look_at_exit(trace, findings);
		break;
	case END_DEADLOCK:
		look_at_deadlock(trace, findings);
		break;
	case END_SPIN:
		look_at_livelock(trace, findings,
				 is_polling(trace) ? LIVELOCK_OF_PROCESS : LIVELOCK_OF_THREAD);
		break;
	case END_SILENT:
		if (trace->address) {
			look_at_hang(trace, findings);
			set_fingerprint_of_hang(vec_last(findings), trace);
		} else {
			look_at_livelock(trace, findings,
					 "a thread runs on and on without a visible step");
		}
		break;
	case END_STEPS:
		if (!made_progress(trace))
			look_at_livelock(
				trace, findings,
				"the step limit was reached and nobody made progress");
		break;
	default:
		break;
	}
}

static const struct detector_ops ending_ops = {.look = ending_look};

struct detector *detect_ending(void)
{
	return detector_without_state(&ending_ops);
}
