#include "beam/sites.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/exec/interp.h"
#include "vm/memory/heap.h"
#include "vm/terms/print.h"

static char *function_text(const struct code_place *place)
{
	struct strbuf text = {0};

	print_atom(place->module, &text);
	strbuf_addc(&text, ':');
	print_atom(place->function, &text);
	strbuf_addf(&text, "/%u", place->arity);
	return strbuf_detach(&text);
}

uint64_t site_of_words(struct sites *sites, const char *function, const char *file, uint32_t line)
{
	uint64_t site = hash_combine(hash_bytes(file ? file : "", file ? strlen(file) : 0), line);
	uint64_t *index;
	bool is_new;

	site = hash_combine(site, hash_bytes(function, strlen(function))) | (uint64_t)1 << 63;
	index = map_put(&sites->index, site, &is_new);
	if (!is_new)
		return site;
	*index = sites->frames.len;
	*vec_push(&sites->frames) = (struct target_frame){
		.function = mem_strdup(function),
		.file = file ? mem_strdup(file) : NULL,
		.line = line,
		.address = site,
	};
	return site;
}

uint64_t site_of_place(struct sites *sites, const struct code_place *place)
{
	char *function = function_text(place);
	uint64_t site = site_of_words(sites, function, place->file, place->line);

	mem_free(function);
	return site;
}

/* The text of a file name in a location: a list of characters. */
static void read_file_name(term name, char *text, size_t room)
{
	size_t len = 0;

	for (; term_is_cons(name) && term_is_small(cons_head(name)) && len + 1 < room;
	     name = cons_tail(name))
		text[len++] = (char)small_value(cons_head(name));
	text[len] = '\0';
}

/* {M, F, ArityOrArgs, [{file, F}, {line, L}]} */
static bool read_frame(term frame, struct code_place *place, char *file, size_t room)
{
	term arity;

	if (!term_is_tuple_of(frame, 4) || !term_is_atom(tuple_element(frame, 0)) ||
	    !term_is_atom(tuple_element(frame, 1)))
		return false;
	arity = tuple_element(frame, 2);
	*place = (struct code_place){
		.module = tuple_element(frame, 0),
		.function = tuple_element(frame, 1),
		.arity = (uint32_t)(term_is_small(arity) ? small_value(arity) : list_length(arity)),
	};
	for (term l = tuple_element(frame, 3); term_is_cons(l); l = cons_tail(l)) {
		term pair = cons_head(l);

		if (!term_is_tuple_of(pair, 2))
			continue;
		if (tuple_element(pair, 0) == A_file) {
			read_file_name(tuple_element(pair, 1), file, room);
			place->file = file;
		} else if (tuple_element(pair, 0) == A_line &&
			   term_is_small(tuple_element(pair, 1))) {
			place->line = (uint32_t)small_value(tuple_element(pair, 1));
		}
	}
	return true;
}

bool site_is_own_code(struct vm *vm, const word *address)
{
	struct code_place place;

	return address && code_find_place(address, &place) && place.line &&
	       !code_is_of_library(vm, place.module);
}

uint64_t site_of_trace(struct sites *sites, struct vm *vm, term trace, const word *last)
{
	struct code_place place;
	char file[512];
	uint64_t found = 0;

	for (; term_is_cons(trace); trace = cons_tail(trace)) {
		if (!read_frame(cons_head(trace), &place, file, sizeof(file)))
			return 0;
		if (!place.line)
			continue;
		if (!code_is_of_library(vm, place.module))
			return site_of_place(sites, &place);
		if (!found)
			found = site_of_place(sites, &place);
	}
	return found && site_is_own_code(vm, last) ? site_of_address(sites, (uint64_t)(uintptr_t)last)
					      : found;
}

bool site_trace_is_of_library(struct vm *vm, term trace, struct code_place *innermost)
{
	struct code_place place;
	char file[512];

	innermost->module = TERM_NONE;
	for (; term_is_cons(trace); trace = cons_tail(trace)) {
		if (!read_frame(cons_head(trace), &place, file, sizeof(file)))
			return false;
		if (place.line && !code_is_of_library(vm, place.module))
			return false;
		if (innermost->module == TERM_NONE)
			*innermost = place;
	}
	innermost->file = NULL; /* it was on the stack of this function */
	return innermost->module != TERM_NONE;
}

uint32_t sites_of_trace(struct sites *sites, term trace, uint64_t *found, uint32_t max)
{
	struct code_place place;
	char file[512];
	uint32_t len = 0;

	for (; term_is_cons(trace) && len < max; trace = cons_tail(trace)) {
		if (!read_frame(cons_head(trace), &place, file, sizeof(file)))
			break;
		found[len++] = site_of_place(sites, &place);
	}
	return len;
}

/* A return address is just after its call: the call is what a frame shows. */
static const word *call_before(term return_address)
{
	return (const word *)(uintptr_t)return_address - 1;
}

static bool is_return_address(term slot)
{
	return slot && (slot & TAG_MASK) == TAG_HEADER;
}

static const struct receive_sources *sources_of(struct sites *sites,
						const struct code_image *image)
{
	struct receive_sources *sources;

	for (size_t i = 0; i < sites->receives.len; i++)
		if (sites->receives.items[i]->image == image)
			return sites->receives.items[i];
	sources = mem_zalloc(sizeof(*sources));
	sources->image = image;
	receive_sources_read(sources, image->path);
	*vec_push(&sites->receives) = sources;
	return sources;
}

static bool is_receive(word instruction)
{
	return instruction == (word)interp_labels[SPEC_loop_rec] ||
	       instruction == (word)interp_labels[SPEC_wait_timeout];
}

const struct receive_source *site_find_receive(struct sites *sites, const word *address)
{
	const struct receive_source *found;
	struct code_place place;
	const word func_info = (word)interp_labels[SPEC_func_info], *at = address;
	struct strbuf name = {0};
	uint32_t index = 0;

	if (!address || !code_find_place(address, &place) || !is_receive(*address))
		return NULL;
	/* The function's code begins with its func_info. */
	while (--at > place.image->words && *at != func_info)
		index += is_receive(*at);
	strbuf_adds(&name, atom_text(place.function));
	if (strbuf_text(&name)[0] != '-')
		strbuf_addf(&name, "/%u", place.arity);
	found = receive_sources_find(sources_of(sites, place.image), strbuf_text(&name), index);
	strbuf_release(&name);
	return found;
}

/* The place of an address; of a receive its own line. */
static bool find_place(struct sites *sites, const word *address, struct code_place *place)
{
	const struct receive_source *receive;

	if (!code_find_place(address, place))
		return false;
	receive = site_find_receive(sites, address);
	if (receive && receive->line) {
		place->line = receive->line;
		if (!place->file && place->image->files_len)
			place->file = place->image->files[0];
	}
	return true;
}

uint64_t site_of_clause(struct sites *sites, const word *entry, const word *at)
{
	struct code_place place, inside;
	struct strbuf name = {0};
	uint32_t line;

	if (!code_find_place(entry, &place) || !place.file || (at && !find_place(sites, at, &inside)))
		return 0;
	if (at && inside.file != place.file)
		return 0;
	strbuf_addf(&name, "%s/%u", atom_text(place.function), place.arity);
	line = receive_sources_clause(sources_of(sites, place.image), strbuf_text(&name), at ? inside.line : 0);
	strbuf_release(&name);
	if (!line || line < place.line)
		return (uint64_t)(uintptr_t)at;
	place.line = line;
	return site_of_place(sites, &place);
}

static void add_call(struct sites *sites, const word *address, uint64_t *found, uint32_t *len)
{
	struct code_place place;

	if (address && find_place(sites, address, &place))
		found[(*len)++] = site_of_place(sites, &place);
}

/* Is the process still in the tail call with which the program's code left last? The call has taken over the
 * continuation: it is where the outermost frame that was made since leads back to, or the process itself if there is
 * none. `*below` is the slot of that address: what the program did before the tail call begins there. */
static bool is_in_tail_call(const struct process *p, const term **below)
{
	const word *back = p->cp;
	const term *end;

	if (!p->departure.is_tail || !p->e || p->departure.depth > (size_t)(p->hend - p->e))
		return false;
	*below = end = p->hend - p->departure.depth;
	for (const term *slot = p->e; slot < end; slot++) {
		if (!is_return_address(*slot))
			continue;
		back = (const word *)(uintptr_t)*slot;
		*below = slot;
	}
	return back == p->departure.continuation;
}

uint32_t sites_of_stack(struct sites *sites, const struct process *p, uint64_t *found, uint32_t max)
{
	const term *below = NULL;
	uint32_t len = 0;

	if (max < 2)
		return 0;
	add_call(sites, p->ip, found, &len);
	if (!is_in_tail_call(p, &below))
		below = NULL;
	for (const term *slot = p->e; slot && slot <= p->hend && len < max; slot++) {
		if (slot == below)
			add_call(sites, p->departure.ip, found, &len);
		if (slot < p->hend && is_return_address(*slot) && len < max)
			add_call(sites, call_before(*slot), found, &len);
	}
	return len;
}

const word *site_of_own_code(const struct process *p)
{
	const term *below = NULL;

	if (site_is_own_code(p->vm, p->ip))
		return p->ip;
	if (!is_in_tail_call(p, &below))
		below = NULL;
	if (!below && p->cp && site_is_own_code(p->vm, p->cp - 1))
		return p->cp - 1;
	for (const term *slot = p->e; slot && slot <= p->hend; slot++) {
		if (slot == below)
			return p->departure.ip;
		if (slot < p->hend && is_return_address(*slot) && site_is_own_code(p->vm, call_before(*slot)))
			return call_before(*slot);
	}
	return p->ip;
}

const word *site_later(const struct process *p, const word *last, uint32_t step)
{
	return p->departure.ip && p->departure.step > step ? p->departure.ip : last;
}

/* 1: it is in a wanted module, -1: in the program's own code, 0: in another library. */
static int judge_call(const struct process *p, const word *at, bool (*is_wanted)(const char *module))
{
	struct code_place place;

	if (!code_find_place(at, &place))
		return 0;
	return is_wanted(atom_text(place.module)) ? 1 : site_is_own_code(p->vm, at) ? -1 : 0;
}

bool site_is_called_by_program(const struct process *p, bool (*is_wanted)(const char *module))
{
	int answer = p->ip ? judge_call(p, p->ip, is_wanted) : 0;

	if (!answer && p->cp)
		answer = judge_call(p, p->cp - 1, is_wanted);
	for (const term *slot = p->e; !answer && slot && slot < p->hend; slot++)
		if (is_return_address(*slot))
			answer = judge_call(p, call_before(*slot), is_wanted);
	return answer > 0;
}

bool site_find_library_call(const struct process *p, bool (*is_wanted)(const char *module),
			    struct code_place *place)
{
	int answer = p->ip ? judge_call(p, p->ip, is_wanted) : 0;
	bool found = answer > 0 && code_find_place(p->ip, place);

	for (const term *slot = p->e; answer >= 0 && slot && slot < p->hend; slot++) {
		if (!is_return_address(*slot))
			continue;
		answer = judge_call(p, call_before(*slot), is_wanted);
		if (answer > 0)
			found = code_find_place(call_before(*slot), place);
	}
	return found;
}

const word *site_of_own_code_since(const struct process *p, const word *last)
{
	const word *at = site_of_own_code(p);

	return site_is_own_code(p->vm, at) || !site_is_own_code(p->vm, last) ? at : last;
}

uint64_t site_of_address(struct sites *sites, uint64_t address)
{
	struct code_place place;

	if (!address || !find_place(sites, (const word *)(uintptr_t)address, &place))
		return 0;
	return site_of_place(sites, &place);
}

void site_describe(struct sites *sites, uint64_t site, struct target_frame *frame)
{
	const uint64_t *index;

	if (!(site >> 63))
		site = site_of_address(sites, site);
	index = map_get(&sites->index, site);
	*frame = index ? sites->frames.items[*index] : (struct target_frame){.address = site};
}

void sites_release(struct sites *sites)
{
	for (size_t i = 0; i < sites->frames.len; i++) {
		mem_free((char *)sites->frames.items[i].function);
		mem_free((char *)sites->frames.items[i].file);
	}
	vec_release(&sites->frames);
	for (size_t i = 0; i < sites->receives.len; i++) {
		receive_sources_release(sites->receives.items[i]);
		mem_free(sites->receives.items[i]);
	}
	vec_release(&sites->receives);
	map_release(&sites->index);
}
