/* processes.c: processes that ended badly, and processes that wait for ever. The rules are in
 * core/ends.h. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "detect/detect.h"
#include "detect/message.h"

VEC_TYPE(actor_vec, uint32_t);

static struct finding *add(struct finding_vec *findings, const struct trace *trace,
			   enum finding_kind kind, uint32_t actor, const char *text)
{
	struct finding *finding = vec_push(findings);
	char name[ACTOR_NAME_MAX];

	*finding = (struct finding){.kind = kind};
	actor_name(trace->actors, actor, name);
	snprintf(finding->message, sizeof(finding->message), "%s: %s", name, text);
	return finding;
}

/* ---- ends ---- */

/* If another end brought the test's own process down, only that other one is reported. */
static bool is_consequence(const struct death *death, bool is_first)
{
	return death->actor == 0 && (death->flags & DEATH_BY_SIGNAL) && !is_first;
}

static void look_at_deaths(const struct trace *trace, struct finding_vec *findings)
{
	size_t before = findings->len;

	for (uint32_t i = 0; i < trace->deaths_len; i++) {
		const struct death *death = &trace->deaths[i];
		enum finding_kind kind =
			death->flags & DEATH_ASSERTION ? FINDING_ASSERTION : FINDING_EXIT;
		struct finding *finding;

		if (death_is_handled(death->actor, death->flags, trace->exits_any) ||
		    is_consequence(death, findings->len == before))
			continue;
		finding = add(findings, trace, kind, death->actor, death->text);
		finding_add_site(finding, death->site, death->actor,
				 death->step ? death->step - 1 : UINT32_MAX, "%s",
				 finding_kind_text(kind));
		finding_set_fingerprint(finding);
		finding->fingerprint =
			hash_combine(finding->fingerprint, message_reason_hash(death->text));
	}
}

/* ---- circles ---- */

static bool waits_for(const struct trace *trace, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < trace->waits_len; i++)
		if (trace->waits[i].from == from && trace->waits[i].to == to)
			return true;
	return false;
}

/* Depth first from the last of the path; true when it comes back to the first. */
static bool extend(const struct trace *trace, struct actor_vec *path, bool *seen)
{
	for (uint32_t i = 0; i < trace->waiters_len; i++) {
		uint32_t last = *vec_last(path), next = trace->waiters[i].actor;

		if ((seen[next] && next != path->items[0]) || next == last ||
		    !waits_for(trace, last, next))
			continue;
		if (next == path->items[0])
			return true;
		seen[next] = true;
		*vec_push(path) = next;
		if (extend(trace, path, seen))
			return true;
		path->len--;
	}
	return false;
}

/* The actors of a circle, each waiting for the next and the last for the first; empty if there is
 * no circle. */
static void find_circle(const struct trace *trace, struct actor_vec *circle)
{
	bool *seen = mem_zalloc(trace->actors_len + 1);

	for (uint32_t i = 0; i < trace->waiters_len; i++) {
		memset(seen, 0, trace->actors_len);
		circle->len = 0;
		*vec_push(circle) = trace->waiters[i].actor;
		if (extend(trace, circle, seen))
			break;
		circle->len = 0;
	}
	mem_free(seen);
}

static const struct waiter *waiter_of(const struct trace *trace, uint32_t actor)
{
	const struct waiter *waiter = trace->waiters;

	while (waiter->actor != actor)
		waiter++;
	return waiter;
}

/* Two servers that are linked, for instance, wait for each other's end, but take anything else,
 * too. */
static bool takes_all(const struct trace *trace, const struct actor_vec *circle)
{
	for (size_t i = 0; i < circle->len; i++)
		if (!(waiter_of(trace, circle->items[i])->flags & WAITER_TAKES_ALL))
			return false;
	return true;
}

static bool look_at_circle(const struct trace *trace, struct finding_vec *findings)
{
	struct actor_vec circle = {0};
	struct strbuf text = {0};
	bool is_deadlock;

	find_circle(trace, &circle);
	is_deadlock = circle.len && !takes_all(trace, &circle);
	for (size_t i = 0; i < circle.len; i++) {
		char name[ACTOR_NAME_MAX];

		actor_name(trace->actors, circle.items[(i + 1) % circle.len], name);
		strbuf_addf(&text, i ? ", which waits for %s" : "waits for %s", name);
	}
	if (is_deadlock) {
		uint32_t first = circle.items[0];
		struct finding *finding =
			add(findings, trace, FINDING_DEADLOCK, first, strbuf_text(&text));

		finding_add_site(finding, waiter_of(trace, first)->site, first, UINT32_MAX, "%s",
				 finding_kind_text(FINDING_DEADLOCK));
		finding_set_fingerprint(finding);
	}
	strbuf_release(&text);
	vec_release(&circle);
	return is_deadlock;
}

/* ---- waiting ---- */

static bool is_test_waiting(const struct trace *trace)
{
	return trace->waiters_len && trace->waiters[0].actor == 0;
}

/* While the test's own process waits, the others are reported with it. */
static bool is_reported(const struct trace *trace, const struct waiter *waiter)
{
	if (waiter_is_at_rest(waiter->actor, waiter->flags, trace->stuck))
		return false;
	return waiter->actor == 0 || trace->stuck != STUCK_PARTICULAR || !is_test_waiting(trace);
}

static void look_at_waiters(const struct trace *trace, struct finding_vec *findings)
{
	for (uint32_t i = 0; i < trace->waiters_len; i++) {
		const struct waiter *waiter = &trace->waiters[i];
		struct finding *finding;

		if (!is_reported(trace, waiter))
			continue;
		finding = add(findings, trace, FINDING_STUCK, waiter->actor, waiter->text);
		finding->object = waiter->object;
		finding_add_site(finding, waiter->site, waiter->actor, UINT32_MAX, "%s",
				 finding_kind_text(FINDING_STUCK));
		finding_set_fingerprint(finding);
	}
}

static bool is_anybody_stuck(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->waiters_len; i++)
		if (is_reported(trace, &trace->waiters[i]))
			return true;
	return false;
}

static void processes_look(struct detector *self, const struct trace *trace,
			   struct finding_vec *findings)
{
	look_at_deaths(trace, findings);
	if (is_anybody_stuck(trace) && !look_at_circle(trace, findings))
		look_at_waiters(trace, findings);
}

static const struct detector_ops processes_ops = {.look = processes_look};

struct detector *detect_processes(void)
{
	return detector_without_state(&processes_ops);
}
