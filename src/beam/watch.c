#include "beam/watch.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "beam/atom.h"
#include "beam/bif.h"
#include "beam/code.h"
#include "beam/print.h"
#include "core/finding.h"
#include "core/object.h"

/* ---- the pairs ---- */

static bool is_same_spot(const struct watch_place *a, const struct watch_place *b)
{
	return a->line == b->line && strcmp(a->function, b->function) == 0 &&
	       strcmp(a->module, b->module) == 0;
}

static uint32_t add_place(struct watch *w, const struct watch_place *place, uint8_t role)
{
	for (size_t i = 0; i < w->places.len; i++)
		if (is_same_spot(&w->places.items[i], place) &&
		    strcmp(w->places.items[i].call, place->call) == 0) {
			w->roles.items[i] |= role;
			return (uint32_t)i;
		}
	*vec_push(&w->places) = (struct watch_place){
		.module = mem_strdup(place->module),
		.function = mem_strdup(place->function),
		.file = mem_strdup(place->file),
		.line = place->line,
		.call = mem_strdup(place->call),
		.is_tail = place->is_tail,
	};
	*vec_push(&w->roles) = role;
	return (uint32_t)w->places.len - 1;
}

void watch_add(struct watch *w, const struct watch_place *read, const struct watch_place *write)
{
	struct watch_pair pair = {
		.read = add_place(w, read, EVENT_WATCHED_READ),
		.write = add_place(w, write, EVENT_WATCHED_WRITE),
	};

	*vec_push(&w->pairs) = pair;
}

void watch_release(struct watch *w)
{
	for (size_t i = 0; i < w->places.len; i++) {
		mem_free((char *)w->places.items[i].module);
		mem_free((char *)w->places.items[i].function);
		mem_free((char *)w->places.items[i].file);
		mem_free((char *)w->places.items[i].call);
	}
	vec_release(&w->places);
	vec_release(&w->pairs);
	vec_release(&w->roles);
	vec_release(&w->marks);
	map_release(&w->spots);
	map_release(&w->entries);
}

static uint64_t site_of(const struct watch_place *place, struct sites *sites)
{
	struct strbuf text = {0};
	uint64_t site;

	print_atom(atom_from_string(place->module), &text);
	strbuf_addf(&text, ":%s", place->function);
	site = site_of_words(sites, strbuf_text(&text), place->file, place->line);
	strbuf_release(&text);
	return site;
}

void watch_sites(const struct watch *w, const struct watch_pair *pair, struct sites *sites,
		 uint64_t *read, uint64_t *write)
{
	*read = site_of(&w->places.items[pair->read], sites);
	*write = site_of(&w->places.items[pair->write], sites);
}

/* ---- where a step is ---- */

static uint32_t find_spot(const struct watch *w, const word *address)
{
	struct strbuf function = {0};
	struct code_place at;
	uint32_t found = 0;

	if (!code_find_place(address, &at))
		return 0;
	print_atom(at.function, &function);
	strbuf_addf(&function, "/%u", at.arity);
	for (uint32_t i = 0; i < w->places.len && !found; i++)
		if (w->places.items[i].line == at.line &&
		    strcmp(w->places.items[i].module, atom_text(at.module)) == 0 &&
		    strcmp(w->places.items[i].function, strbuf_text(&function)) == 0)
			found = i + 1;
	strbuf_release(&function);
	return found;
}

/* 1 + the first place on the line of this address, or 0. */
static uint32_t spot_of(struct watch *w, const word *address)
{
	bool is_new;
	uint64_t *spot = map_put(&w->spots, (uint64_t)(uintptr_t)address, &is_new);

	if (is_new)
		*spot = find_spot(w, address);
	return (uint32_t)*spot;
}

static uint32_t find_entry(const struct watch *w, const word *address)
{
	struct strbuf text = {0};
	struct code_place at;
	uint32_t found = 0;

	if (!code_find_place(address, &at))
		return 0;
	print_atom(at.module, &text);
	strbuf_addc(&text, ':');
	print_atom(at.function, &text);
	strbuf_addf(&text, "/%u", at.arity);
	for (uint32_t i = 0; i < w->places.len && !found; i++)
		if (strcmp(w->places.items[i].call, strbuf_text(&text)) == 0)
			found = i + 1;
	strbuf_release(&text);
	return found;
}

/* 1 + the first place whose call is the function at this address, or 0. */
static uint32_t entry_of(struct watch *w, const word *address)
{
	bool is_new;
	uint64_t *entry = map_put(&w->entries, (uint64_t)(uintptr_t)address, &is_new);

	if (is_new)
		*entry = find_entry(w, address);
	return (uint32_t)*entry;
}

static bool is_native_call(const struct process *p, const char *call)
{
	char text[512];
	const struct bif *bif;

	if (!p->announced.bif)
		return p->announced.effect == EFFECT_SEND && strcmp(call, "erlang:'!'/2") == 0;
	bif = &bif_table[p->announced.bif - 1];
	snprintf(text, sizeof(text), "%s:%s/%u", bif->module, bif->name, bif->arity);
	return strcmp(text, call) == 0;
}

/* Sending to a name counts: it acts on what was found out about the name. */
static bool is_writing(const struct event *event)
{
	if (event->kind == EVENT_SEND)
		return true;
	for (uint32_t i = 0; i < event->access_len; i++) {
		uint32_t mode = event->accesses[i].mode;

		if (mode == ACCESS_WRITE || mode == ACCESS_STORE || mode == ACCESS_ADD)
			return true;
	}
	return false;
}

/* Of the calls on one line, the native one that p is about to make; 1 + its index, or 0. */
static uint32_t find_native(const struct watch *w, uint32_t spot, const struct process *p)
{
	for (uint32_t i = spot - 1; i < w->places.len; i++)
		if (is_same_spot(&w->places.items[i], &w->places.items[spot - 1]) &&
		    is_native_call(p, w->places.items[i].call))
			return i + 1;
	return 0;
}

/* Of the calls on one line, the one into OTP that can have led to this event. */
static uint32_t find_led(const struct watch *w, uint32_t spot, const struct event *event)
{
	uint8_t role = is_writing(event) ? EVENT_WATCHED_WRITE : EVENT_WATCHED_READ;
	uint32_t any = 0;

	for (uint32_t i = spot - 1; i < w->places.len; i++) {
		if (!is_same_spot(&w->places.items[i], &w->places.items[spot - 1]))
			continue;
		if (w->roles.items[i] & role)
			return i + 1;
		any = i + 1;
	}
	return any;
}

static bool is_of_otp(const struct process *p, const word *address)
{
	struct code_place place;

	return code_find_place(address, &place) && code_is_of_otp(p->vm, place.module);
}

/* A frame on the way from the innermost outwards; false: that is as far as we look. */
static bool look_at_frame(struct watch *w, const struct process *p, const word *address,
			  const struct event *event, struct watch_mark *mark)
{
	uint32_t spot = spot_of(w, address), entry;

	if (spot) {
		mark->place = find_led(w, spot, event);
		return false;
	}
	if (!is_of_otp(p, address))
		return false;
	entry = entry_of(w, address);
	if (entry)
		mark->entry = entry;
	return true;
}

/* From the innermost frame outwards, over OTP's own, to the first that is watched. */
static void find_place(struct watch *w, const struct process *p, const struct event *event,
		       struct watch_mark *mark)
{
	uint32_t spot = spot_of(w, p->ip);

	mark->place = spot ? find_native(w, spot, p) : 0;
	if (mark->place || !look_at_frame(w, p, p->ip, event, mark))
		return;
	/* a return address is just after its call */
	if (!p->cp || look_at_frame(w, p, p->cp - 1, event, mark))
		for (const term *slot = p->e; slot < p->hend; slot++)
			if (*slot && term_is_header(*slot) &&
			    !look_at_frame(w, p, (const word *)(uintptr_t)*slot - 1, event, mark))
				break;
	mark->is_in_otp = !mark->place;
}

void watch_reset(struct watch *w)
{
	w->marks.len = 0;
}

void watch_sharpen(struct event *event)
{
	for (uint32_t i = 0; i < event->access_len; i++)
		if (event->accesses[i].mode == ACCESS_STORE) {
			event->accesses[i].mode = event->accesses[i].announced = ACCESS_WRITE;
			event->accesses[i].size = 0;
		}
}

static uint8_t loose_roles(const struct watch *w)
{
	uint8_t roles = 0;

	for (size_t i = 0; i < w->places.len; i++)
		if (w->places.items[i].is_tail)
			roles |= w->roles.items[i];
	return roles;
}

void watch_step(struct watch *w, const struct process *p, struct event *event)
{
	struct watch_mark *mark = vec_push(&w->marks);

	*mark = (struct watch_mark){.is_writing = is_writing(event)};
	if (p && event->access_len)
		find_place(w, p, event, mark);
	event->watched = mark->place ? w->roles.items[mark->place - 1] : 0;
	if (mark->is_in_otp)
		event->watched = loose_roles(w);
}

/* ---- the judgement ---- */

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
		for (uint32_t k = 0; k < by->access_len; k++) {
			uint32_t mode = by->accesses[k].mode;

			if ((mode == ACCESS_WRITE || mode == ACCESS_ADD || mode == ACCESS_STORE) &&
			    access_conflict(&read->accesses[i], &by->accesses[k])) {
				*object = read->accesses[i].object;
				return true;
			}
		}
	return false;
}

/* Does `to` come after `from` by messages and creation alone, whatever else is scheduled? */
static bool is_told(const struct event *events, uint32_t from, uint32_t to)
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
			learns |= e->kind == EVENT_RECEIVE && e->peer == actors.items[k] &&
				  e->peer_ordinal >= since.items[k];
		}
		if (learns && !knows) {
			*vec_push(&actors) = e->actor;
			*vec_push(&since) = e->ordinal;
		}
		if (knows && e->kind == EVENT_SPAWN) {
			*vec_push(&actors) = e->peer;
			*vec_push(&since) = 0;
		}
		result = i == to && (knows || learns);
	}
	vec_release(&actors);
	vec_release(&since);
	return result;
}

/* The first event between the two that spoils the read; 0 none. */
static uint32_t find_between(const struct event *events, uint32_t read, uint32_t write,
			     uint64_t *object)
{
	for (uint32_t k = read + 1; k < write; k++) {
		if (events[k].actor == events[read].actor || !spoils(&events[k], &events[read], object))
			continue;
		if (!is_told(events, read, k) || !is_told(events, k, write))
			return k;
	}
	return 0;
}

/* A tail call of a function of OTP has left no trace of the place. */
static bool may_be_at(const struct watch *w, const struct watch_mark *mark, uint32_t place,
		      uint8_t role)
{
	const struct watch_place *at = &w->places.items[place];

	if (!mark->is_in_otp || !at->is_tail)
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

/* The last read of the pair by the process that takes step `write`; UINT32_MAX none. */
static uint32_t find_read(const struct watch *w, const struct watch_pair *pair,
			  const struct event *events, uint32_t write)
{
	for (uint32_t i = write; i-- > 0;)
		if (events[i].watched && events[i].actor == events[write].actor &&
		    is_at(w, i, pair->read, EVENT_WATCHED_READ) && is_about_same(&events[i], &events[write]))
			return i;
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
		 "relies on its read at %s:%u, but another process has written since",
		 read_at->file, read_at->line);
}

static void judge_pair(struct watch *w, struct watch_pair *pair, struct sites *sites,
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
		between = find_between(events, read, i, &object);
		if (!between)
			continue;
		pair->is_seen = true;
		*vec_push(notices) = (struct notice){.step = i + 1, .other_step = read + 1,
						     .between = between + 1, .object = object};
		add_notice(w, pair, sites, &events[i], vec_last(notices));
		return;
	}
}

void watch_judge(struct watch *w, struct sites *sites, const struct event *events, uint32_t len,
		 struct notice_vec *notices)
{
	for (size_t i = 0; i < w->pairs.len; i++)
		judge_pair(w, &w->pairs.items[i], sites, events, len, notices);
}
