#include "beam/watch.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

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
	map_release(&w->libraries);
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

/* The compiler gives a call that cannot fail no line of its own. */
static bool has_no_line(const struct watch_place *place)
{
	return strcmp(place->call, "erlang:registered/0") == 0;
}

static uint32_t find_spot(const struct watch *w, const word *address)
{
	struct strbuf function = {0};
	struct code_place at;
	uint32_t found = 0;

	if (!code_find_place(address, &at))
		return 0;
	print_atom(at.function, &function);
	strbuf_addf(&function, "/%u", at.arity);
	for (uint32_t i = 0; i < w->places.len; i++) {
		const struct watch_place *place = &w->places.items[i];

		if (strcmp(place->module, atom_text(at.module)) != 0 ||
		    strcmp(place->function, strbuf_text(&function)) != 0)
			continue;
		if (place->line == at.line) {
			found = i + 1;
			break;
		}
		if (!found && has_no_line(place))
			found = i + 1;
	}
	strbuf_release(&function);
	return found;
}

/* 1 + the first place on the line of this address, or one of the function that has no line; 0. */
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
	for (uint32_t i = 0; i < event->access_len; i++)
		if (access_mode_writes(event->accesses[i].mode))
			return true;
	return false;
}

static bool is_same_function(const struct watch_place *a, const struct watch_place *b)
{
	return strcmp(a->function, b->function) == 0 && strcmp(a->module, b->module) == 0;
}

/* Of the calls on one line, the native one that p is about to make; 1 + its index, or 0. */
static uint32_t find_native(const struct watch *w, uint32_t spot, const struct process *p)
{
	const struct watch_place *at = &w->places.items[spot - 1];

	for (uint32_t i = 0; i < w->places.len; i++) {
		const struct watch_place *place = &w->places.items[i];

		if (is_same_function(place, at) &&
		    (place->line == at->line || has_no_line(place)) &&
		    is_native_call(p, place->call))
			return i + 1;
	}
	return 0;
}

/* Of the calls on one line, the one into a library that can have led to this event. */
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

/* Is a call that is watched one into this module? */
static bool is_called(const struct watch *w, term module)
{
	struct strbuf text = {0};
	bool result = false;

	print_atom(module, &text);
	strbuf_addc(&text, ':');
	for (size_t i = 0; i < w->places.len && !result; i++)
		result = strncmp(w->places.items[i].call, strbuf_text(&text), text.len) == 0;
	strbuf_release(&text);
	return result;
}

/* Code that watched calls lead into: OTP's, and the modules called ('Elixir.Process'). */
static bool is_library(struct watch *w, const struct process *p, const word *address)
{
	struct code_place place;
	bool is_new;
	uint64_t *known = map_put(&w->libraries, (uint64_t)(uintptr_t)address, &is_new);

	if (is_new)
		*known = code_find_place(address, &place) &&
			 (code_is_of_otp(p->vm, place.module) || is_called(w, place.module));
	return *known;
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
	if (!is_library(w, p, address))
		return false;
	entry = entry_of(w, address);
	if (entry)
		mark->entry = entry;
	return true;
}

/* From the innermost frame outwards, over libraries, to the first that is watched. */
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
	mark->is_in_library = !mark->place;
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
			access_set_value(&event->accesses[i], 0);
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

/* application:set_env/3 and its kin ask the application controller, which answers at once, as a
 * part of the step: which setting do they write? 0 for other messages. */
static uint64_t find_setting(struct objects *objects, const struct process *p)
{
	term key[4] = {header_make(KIND_TUPLE, 3), atom_from_string("env")};
	term message, request;

	if (p->announced.effect != EFFECT_SEND || p->announced.args_len < 2)
		return 0;
	message = p->announced.args[1];
	request = term_is_tuple_of(message, 3) ? tuple_element(message, 2) : TERM_NONE;
	if (request == TERM_NONE || !term_is_tuple(request) || tuple_size(request) < 4 ||
	    !term_is_atom(tuple_element(request, 0)) ||
	    (strcmp(atom_text(tuple_element(request, 0)), "set_env") != 0 &&
	     strcmp(atom_text(tuple_element(request, 0)), "unset_env") != 0))
		return 0;
	key[2] = tuple_element(request, 1);
	key[3] = tuple_element(request, 2);
	return object_key(objects, p->vm, A_ac_tab, boxed_make(key));
}

void watch_step(struct watch *w, struct objects *objects, const struct process *p,
		struct event *event)
{
	struct watch_mark *mark = vec_push(&w->marks);

	*mark = (struct watch_mark){.is_writing = is_writing(event)};
	if (p && event->access_len) {
		mark->setting = find_setting(objects, p);
		find_place(w, p, event, mark);
	}
	event->watched = mark->place ? w->roles.items[mark->place - 1] : 0;
	if (mark->is_in_library)
		event->watched = loose_roles(w);
}
