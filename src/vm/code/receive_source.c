#include "vm/code/receive_source.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/code/receive_print.h"
#include "beamfile/inflate.h"

enum { PATTERNS_LIMIT = 200, FILE_LIMIT = 64 << 20, NAME_LIMIT = 600 };

/* ---- the abstract code of a file ---- */

/* The file's bytes; NULL if it cannot be read. The caller frees them. */
static uint8_t *read_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "re");
	uint8_t *bytes = NULL;
	long size;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 && size < FILE_LIMIT &&
	    fseek(file, 0, SEEK_SET) == 0) {
		bytes = mem_alloc((size_t)size);
		*len = fread(bytes, 1, (size_t)size, file);
	}
	fclose(file);
	return bytes;
}

static uint32_t read_big_endian(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The content of a chunk; NULL if the file does not have it. */
static const uint8_t *find_chunk(const uint8_t *bytes, size_t len, const char *name, size_t *size)
{
	size_t at = 12;

	if (len < 12 || memcmp(bytes, "FOR1", 4) != 0 || memcmp(bytes + 8, "BEAM", 4) != 0)
		return NULL;
	while (len - at >= 8) {
		*size = read_big_endian(bytes + at + 4);
		if (*size > len - at - 8)
			return NULL;
		if (memcmp(bytes + at, name, 4) == 0)
			return bytes + at + 8;
		at += 8 + ((*size + 3) & ~(size_t)3);
		if (at > len)
			return NULL;
	}
	return NULL;
}

/* {debug_info_v1, erl_abstract_code, {Forms, Options}}; false if there are no forms. */
static bool read_forms(struct arena *arena, const uint8_t *chunk, size_t len, struct etf_term *forms)
{
	enum { VERSION = 131, COMPRESSED = 80 };
	struct etf_term info;
	const uint8_t *plain;
	uint8_t *whole;
	size_t size;

	if (len > 6 && chunk[0] == VERSION && chunk[1] == COMPRESSED) {
		size = read_big_endian(chunk + 2);
		if (size > FILE_LIMIT || !inflate_exact(arena, chunk + 6, len - 6, size, &plain, NULL))
			return false;
		whole = arena_alloc(arena, size + 1);
		whole[0] = VERSION;
		memcpy(whole + 1, plain, size);
		chunk = whole;
		len = size + 1;
	}
	if (!etf_read(arena, chunk, len, &info, NULL) || info.kind != ETF_TUPLE || info.len != 3 ||
	    !etf_is_atom(&info.items[1], "erl_abstract_code") ||
	    info.items[2].kind != ETF_TUPLE || info.items[2].len != 2)
		return false;
	*forms = info.items[2].items[0];
	return forms->kind == ETF_LIST;
}

/* ---- the receives of a function ---- */

struct walk {
	struct receive_sources *sources;
	const char *outer;    /* name/arity of the function */
	const char *function; /* the compiled function that the walk is in: outer, or a fun of it */
	uint32_t receives;    /* of it so far */
	uint32_t funs;        /* of the outer function so far */
};

static bool is_tagged(const struct etf_term *t, const char *tag, uint32_t least)
{
	return t->kind == ETF_TUPLE && t->len >= least && etf_is_atom(&t->items[0], tag);
}

/* A line, {Line, Column}, or a list with {location, …}. */
static uint32_t read_line(const struct etf_term *anno)
{
	if (anno->kind == ETF_INT)
		return (uint32_t)anno->value;
	if (anno->kind == ETF_TUPLE && anno->len == 2 && anno->items[0].kind == ETF_INT)
		return (uint32_t)anno->items[0].value;
	for (uint32_t i = 0; anno->kind == ETF_LIST && i < anno->len; i++)
		if (is_tagged(&anno->items[i], "location", 2))
			return read_line(&anno->items[i].items[1]);
	return 0;
}

static void walk_term(struct walk *w, const struct etf_term *t);

static void walk_items(struct walk *w, const struct etf_term *t, uint32_t from)
{
	for (uint32_t i = from; i < t->len; i++)
		walk_term(w, &t->items[i]);
}

/* The code inside belongs to another compiled function, whose number is not known yet. */
static void walk_fun(struct walk *w, const struct etf_term *t)
{
	struct walk inner = {.sources = w->sources, .outer = w->outer, .function = NULL,
			     .funs = w->funs};
	size_t first = w->sources->items.len;
	const char *name;

	walk_items(&inner, t, 2);
	name = arena_printf(&w->sources->arena, "-%s-fun-%u-", w->outer, inner.funs);
	for (size_t i = first; i < w->sources->items.len; i++)
		if (!w->sources->items.items[i].function)
			w->sources->items.items[i].function = name;
	w->funs = inner.funs + 1;
}

/* Comprehensions are functions of their own, one for each generator; they have numbers, too. */
static void walk_comprehension(struct walk *w, const struct etf_term *t)
{
	struct walk inner = {.sources = w->sources, .outer = w->outer, .function = "",
			     .funs = w->funs};
	const struct etf_term *parts = &t->items[3];

	for (uint32_t i = 0; parts->kind == ETF_LIST && i < parts->len; i++) {
		inner.funs += is_tagged(&parts->items[i], "generate", 4) ||
			      is_tagged(&parts->items[i], "b_generate", 4);
		walk_term(&inner, &parts->items[i]);
	}
	walk_term(&inner, &t->items[2]);
	w->funs = inner.funs;
}

static void add_receive(struct walk *w, const struct etf_term *t)
{
	struct strbuf text = {0};
	struct receive_source *source = vec_push(&w->sources->items);

	receive_print_clauses(&t->items[2], &text, PATTERNS_LIMIT);
	*source = (struct receive_source){
		.function = w->function, .index = w->receives++, .line = read_line(&t->items[1]),
		.patterns = arena_strdup(&w->sources->arena, strbuf_text(&text))};
	strbuf_release(&text);
}

static void walk_term(struct walk *w, const struct etf_term *t)
{
	if (t->kind != ETF_TUPLE && t->kind != ETF_LIST)
		return;
	if (is_tagged(t, "receive", 3)) {
		add_receive(w, t);
	} else if (is_tagged(t, "named_fun", 4) ||
		   (is_tagged(t, "fun", 3) && is_tagged(&t->items[2], "clauses", 2))) {
		walk_fun(w, t);
		return;
	} else if (is_tagged(t, "lc", 4) || is_tagged(t, "bc", 4)) {
		walk_comprehension(w, t);
		return;
	}
	walk_items(w, t, 0);
}

static void walk_function(struct receive_sources *sources, const struct etf_term *form)
{
	char name[NAME_LIMIT];
	struct walk w = {.sources = sources};

	if (!is_tagged(form, "function", 5) || form->items[2].kind != ETF_ATOM)
		return;
	snprintf(name, sizeof(name), "%.*s/%ld", (int)form->items[2].len,
		 (const char *)form->items[2].bytes, (long)form->items[3].value);
	w.outer = w.function = arena_strdup(&sources->arena, name);
	walk_term(&w, &form->items[4]);
}

void receive_sources_read(struct receive_sources *sources, const char *path)
{
	size_t len = 0, size = 0;
	uint8_t *bytes = path ? read_file(path, &len) : NULL;
	const uint8_t *chunk = bytes ? find_chunk(bytes, len, "Dbgi", &size) : NULL;
	struct etf_term forms;

	if (chunk && read_forms(&sources->arena, chunk, size, &forms))
		for (uint32_t i = 0; i < forms.len; i++)
			walk_function(sources, &forms.items[i]);
	mem_free(bytes);
}

const struct receive_source *receive_sources_find(const struct receive_sources *sources,
						  const char *function, uint32_t index,
						  uint32_t count)
{
	const struct receive_source *found = NULL;

	for (size_t i = 0; i < sources->items.len; i++) {
		const struct receive_source *source = &sources->items.items[i];

		if (!source->function || strcmp(source->function, function) != 0)
			continue;
		if (source->index == index)
			found = source;
		count--;
	}
	return count ? NULL : found;
}

void receive_sources_release(struct receive_sources *sources)
{
	vec_release(&sources->items);
	arena_release(&sources->arena);
}
