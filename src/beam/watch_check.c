/* watch_check.c: has another process written between a watched read and the step that relies
 * on it? Checked when a run is over, on its events as they happened and on where they were
 * (watch.c). */
#include "beam/watch.h"

#include <stdio.h>
#include <string.h>

#include "core/dependence.h"
#include "core/finding.h"
#include "core/object.h"

/* The event by what it is about: a setting, not the system as a whole. */
static struct event sharpen(const struct watch *w, const struct event *events, uint32_t at)
{
	struct event event = events[at];
	uint64_t setting = w->marks.items[at].setting;
	uint8_t kept = 0;

	for (uint8_t i = 0; i < event.access_len; i++)
		if (event.accesses[i].object != OBJECT_THE_SYSTEM)
			event.accesses[kept++] = event.accesses[i];
	event.access_len = kept;
	if (setting && kept < EVENT_ACCESSES)
		event.accesses[event.access_len++] = (struct access){
			.object = setting, .mode = ACCESS_WRITE, .announced = ACCESS_WRITE};
	return event;
}

static bool has_class(const struct event *event, enum object_class class)
{
	for (uint32_t i = 0; i < event->access_len; i++)
		if (OBJECT_CLASS(event->accesses[i].object) == class)
			return true;
	return false;
}

/* Are the two about the same thing? Two keys of one table are not. */
static bool is_about_same(const struct event *read, const struct event *write)
{
	bool are_keys = has_class(read, OBJECT_KEY) && has_class(write, OBJECT_KEY);

	for (uint32_t i = 0; i < read->access_len; i++)
		for (uint32_t k = 0; k < write->access_len; k++) {
			uint64_t a = read->accesses[i].object, b = write->accesses[k].object;
			enum object_class class = OBJECT_CLASS(a);

			if (a == b && class != OBJECT_MAILBOX && class != OBJECT_ACTOR &&
			    !(are_keys && class == OBJECT_TABLE))
				return true;
			if (class == OBJECT_NAME && OBJECT_CLASS(b) == OBJECT_NAME &&
			    (!OBJECT_NAME_OF(a) || !OBJECT_NAME_OF(b)))
				return true; /* the whole registry and a name */
		}
	return false;
}

/* Does it write what was read? The object goes to *object. */
static bool spoils(const struct event *by, const struct event *read, uint64_t *object)
{
	for (uint32_t i = 0; i < read->access_len; i++)
		for (uint32_t k = 0; k < by->access_len; k++)
			if (access_mode_writes(by->accesses[k].mode) &&
			    access_conflict(&read->accesses[i], &by->accesses[k])) {
				*object = read->accesses[i].object;
				return true;
			}
	return false;
}

/* Does `to` come after `from` by messages and creation alone, whatever else is scheduled? */
static bool knows_of(const struct event *events, uint32_t from, uint32_t to)
{
	VEC(uint32_t) actors = {0}; /* that know, with the event from which on */
	VEC(uint32_t) since = {0};
	bool result = false;

	*vec_push(&actors) = events[from].actor;
	*vec_push(&since) = events[from].ordinal;
	for (uint32_t i = from; i <= to && !result; i++) {
		const struct event *e = &events[i];
		bool knows = false, learns = false;

		for (size_t k = 0; k < actors.len; k++) {
			knows |= actors.items[k] == e->actor;
			learns |= (e->kind == EVENT_RECEIVE || e->kind == EVENT_DELIVER) &&
				  event_is_fed_since(e, actors.items[k], since.items[k]);
		}
		if (learns && !knows) {
			*vec_push(&actors) = e->actor;
			*vec_push(&since) = e->ordinal;
		}
		if (knows && e->kind == EVENT_SPAWN) {
			*vec_push(&actors) = event_created(e);
			*vec_push(&since) = 0;
		}
		result = i == to && (knows || learns);
	}
	vec_release(&actors);
	vec_release(&since);
	return result;
}

/* The first event between the two that spoils the read and is about what the write is about; 0
 * none. It conflicts with both, so its place between them is the same in all equivalent runs: what
 * one run of each class does not show, none does. */
static uint32_t find_between(const struct watch *w, const struct event *events, uint32_t read,
			     uint32_t write, uint64_t *object)
{
	struct event reading = sharpen(w, events, read), writing = sharpen(w, events, write);

	for (uint32_t k = read + 1; k < write; k++) {
		struct event between;

		if (events[k].actor == events[read].actor || events[k].actor == events[write].actor)
			continue;
		between = sharpen(w, events, k);
		if (!spoils(&between, &reading, object) || !event_conflict(&between, &writing))
			continue;
		if (!knows_of(events, read, k) || !knows_of(events, k, write))
			return k;
	}
	return 0;
}

/* A tail call of a function of a library has left no trace of the place. */
static bool may_be_at(const struct watch *w, const struct watch_mark *mark, uint32_t place,
		      uint8_t role)
{
	const struct watch_place *at = &w->places.items[place];

	if (!mark->is_in_library || !at->is_tail)
		return false;
	if (mark->entry)
		return strcmp(w->places.items[mark->entry - 1].call, at->call) == 0;
	return mark->is_writing == (role == EVENT_WATCHED_WRITE);
}

static bool is_at(const struct watch *w, uint32_t event, uint32_t place, uint8_t role)
{
	const struct watch_mark *mark = &w->marks.items[event];

	return mark->place == place + 1 || may_be_at(w, mark, place, role);
}

/* Did the actor of `from` after that event start the actor of `to`, itself or through others? */
static bool is_started(const struct event *events, uint32_t from, uint32_t to)
{
	uint32_t parent = events[to].actor;

	for (uint32_t i = to; i-- > from;)
		if (events[i].kind == EVENT_SPAWN && event_created(&events[i]) == parent) {
			if (events[i].actor == events[from].actor)
				return true;
			parent = events[i].actor;
		}
	return false;
}

/* The last read of the pair by the process that takes step `write`, or by one that has started it
 * since; UINT32_MAX none. */
static uint32_t find_read(const struct watch *w, const struct watch_pair *pair,
			  const struct event *events, uint32_t write)
{
	struct event writing = sharpen(w, events, write);

	for (uint32_t i = write; i-- > 0;) {
		struct event reading;

		if (!events[i].watched || !is_at(w, i, pair->read, EVENT_WATCHED_READ) ||
		    (events[i].actor != events[write].actor && !is_started(events, i, write)))
			continue;
		reading = sharpen(w, events, i);
		if (is_about_same(&reading, &writing))
			return i;
	}
	return UINT32_MAX;
}

static void add_notice(const struct watch *w, const struct watch_pair *pair, struct sites *sites,
		       const struct event *write, struct notice *notice)
{
	const struct watch_place *read_at = &w->places.items[pair->read];

	notice->kind = FINDING_RACE;
	notice->actor = write->actor;
	watch_sites(w, pair, sites, &notice->other_site, &notice->site);
	snprintf(notice->message, sizeof(notice->message),
		 "relies on the read at %s:%u, but another process has written since",
		 read_at->file, read_at->line);
}

static void check_pair(struct watch *w, struct watch_pair *pair, struct sites *sites,
		       const struct event *events, uint32_t len, struct notice_vec *notices)
{
	for (uint32_t i = 0; i < len; i++) {
		uint32_t read, between;
		uint64_t object = 0;

		if (!events[i].watched)
			continue;
		pair->is_read_reached |= w->marks.items[i].place == pair->read + 1;
		if (!is_at(w, i, pair->write, EVENT_WATCHED_WRITE))
			continue;
		read = find_read(w, pair, events, i);
		if (read == UINT32_MAX)
			continue;
		pair->is_reached = true;
		between = find_between(w, events, read, i, &object);
		if (!between)
			continue;
		pair->is_seen = true;
		*vec_push(notices) = (struct notice){.step = i + 1, .other_step = read + 1,
						     .between = between + 1, .object = object};
		add_notice(w, pair, sites, &events[i], vec_last(notices));
		return;
	}
}

void watch_check(struct watch *w, struct sites *sites, const struct event *events, uint32_t len,
		 struct notice_vec *notices)
{
	for (size_t i = 0; i < w->pairs.len; i++)
		check_pair(w, &w->pairs.items[i], sites, events, len, notices);
}
