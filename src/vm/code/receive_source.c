#include "vm/code/receive_source.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/code/receive_elixir.h"
#include "vm/code/receive_print.h"
#include "beamfile/inflate.h"

enum { FILE_LIMIT = 64 << 20, NAME_LIMIT = 600 };

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

/* The term in a chunk, which may be compressed. */
static bool read_term(struct arena *arena, const uint8_t *chunk, size_t len, struct etf_term *term)
{
	enum { VERSION = 131, COMPRESSED = 80 };
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
	return etf_read(arena, chunk, len, term, NULL);
}

/* ---- the receives of a function ---- */

struct walk {
	struct receive_sources *sources;
	const char *outer;    /* name/arity of the function */
	const char *function; /* the compiled function that the walk is in: outer, or a fun of it */
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

/* {atom, _, ok}, {integer, _, 1}, {tuple, _, Parts}, {record, _, Name, Fields} */
static void add_literals(struct literal_vec *set, const struct etf_term *t)
{
	const struct etf_term *value = t->kind == ETF_TUPLE && t->len >= 3 ? &t->items[2] : NULL;

	if (t->kind != ETF_TUPLE && t->kind != ETF_LIST)
		return;
	if ((is_tagged(t, "atom", 3) || is_tagged(t, "record", 4)) && value->kind == ETF_ATOM)
		literals_add(set, literal_of_atom((const char *)value->bytes, value->len));
	else if (is_tagged(t, "integer", 3) && value->kind == ETF_INT)
		literals_add(set, literal_of_integer(value->value));
	else if (is_tagged(t, "tuple", 3))
		literals_add(set, literal_of_size(value->kind == ETF_LIST ? value->len - 1 : 0));
	for (uint32_t i = is_tagged(t, "call", 4) ? 3 : 0; i < t->len; i++)
		add_literals(set, &t->items[i]);
}

static void add_receive(struct walk *w, const struct etf_term *t)
{
	const struct etf_term *clauses = &t->items[2];
	struct strbuf text = {0};
	struct receive_source *source = vec_push(&w->sources->items);

	receive_print_clauses(clauses, &text, RECEIVE_PATTERNS_LIMIT);
	*source = (struct receive_source){
		.function = w->function, .outer = w->outer, .is_inner = w->function != w->outer,
		.line = read_line(&t->items[1]),
		.patterns = arena_strdup(&w->sources->arena, strbuf_text(&text))};
	strbuf_release(&text);
	for (uint32_t i = 0; clauses->kind == ETF_LIST && i < clauses->len; i++)
		if (is_tagged(&clauses->items[i], "clause", 5)) {
			add_literals(&source->literals, &clauses->items[i].items[2]);
			add_literals(&source->literals, &clauses->items[i].items[3]);
		}
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
	for (uint32_t i = 0; form->items[4].kind == ETF_LIST && i < form->items[4].len; i++)
		if (is_tagged(&form->items[4].items[i], "clause", 5))
			*vec_push(&sources->clauses) =
				(struct clause_source){w.outer, read_line(&form->items[4].items[i].items[1])};
	walk_term(&w, &form->items[4]);
}

/* {debug_info_v1, erl_abstract_code, {Forms, Options}} or {debug_info_v1, elixir_erl, {elixir_v1, Map,
 * Specs}} */
static void read_sources(struct receive_sources *sources, const struct etf_term *info)
{
	const struct etf_term *content = is_tagged(info, "debug_info_v1", 3) ? &info->items[2] : NULL;

	if (!content || content->kind != ETF_TUPLE || content->len < 2)
		return;
	if (etf_is_atom(&info->items[1], "elixir_erl"))
		receive_elixir_read(sources, &content->items[1]);
	else if (etf_is_atom(&info->items[1], "erl_abstract_code") &&
		 content->items[0].kind == ETF_LIST)
		for (uint32_t i = 0; i < content->items[0].len; i++)
			walk_function(sources, &content->items[0].items[i]);
}

void receive_sources_read(struct receive_sources *sources, const char *path)
{
	size_t len = 0, size = 0;
	uint8_t *bytes = path ? read_file(path, &len) : NULL;
	const uint8_t *chunk = bytes ? find_chunk(bytes, len, "Dbgi", &size) : NULL;
	struct etf_term info;

	if (chunk && read_term(&sources->arena, chunk, size, &info)) {
		read_sources(sources, &info);
		receive_codes_read(&sources->codes, bytes, len);
	}
	mem_free(bytes);
}

/* ---- which receive of the source is it? ---- */

/* Are they in the same function of the source? A fun or comprehension of f/1 is called -f/1-…. */
static bool is_of_function(const struct receive_source *source, const char *function)
{
	size_t len = strlen(source->outer);

	if (function[0] != '-')
		return strcmp(source->outer, function) == 0;
	return strncmp(source->outer, function + 1, len) == 0 && function[len + 1] == '-';
}

/* How badly they fit: by the values that are looked for, then by the function. A receive whose line does
 * not lie between those of the calls around it is hardly the one. */
static uint32_t compare(const struct receive_source *source, const struct receive_code *code)
{
	bool is_inner = code->function[0] == '-';
	bool is_named = source->function && source->function[0];

	return (code->line_before > source->line ||
		(code->line_after && code->line_after < source->line)) * 16 +
	       literals_differ(&source->literals, &code->literals) * 4 +
	       (source->is_inner != is_inner) * 2 +
	       (is_inner && is_named && strcmp(source->function, code->function) != 0);
}

/* The lowest value of compare; *count is how many receives of the source have it. */
static uint32_t find_best(const struct receive_sources *sources, const struct receive_code *code,
			  uint32_t *count)
{
	uint32_t best = UINT32_MAX;

	*count = 0;
	for (size_t i = 0; i < sources->items.len; i++) {
		const struct receive_source *source = &sources->items.items[i];
		uint32_t badness;

		if (!is_of_function(source, code->function))
			continue;
		badness = compare(source, code);
		*count = badness < best ? 1 : *count + (badness == best);
		best = badness < best ? badness : best;
	}
	return best;
}

/* How many receives of the function look for the same values, in front of this one and in all. */
static uint32_t count_equal(const struct receive_sources *sources, const struct receive_code *code,
			    uint32_t *before)
{
	uint32_t count = 0;

	*before = 0;
	for (size_t i = 0; i < sources->codes.len; i++) {
		const struct receive_code *other = &sources->codes.items[i];

		if (other->is_timed != code->is_timed ||
		    strcmp(other->function, code->function) != 0 ||
		    literals_differ(&other->literals, &code->literals))
			continue;
		*before += other->index < code->index;
		count++;
	}
	return count;
}

/* Several of the source fit equally well: then the order decides, if each has a place in the code. */
static const struct receive_source *find_equal(const struct receive_sources *sources,
					       const struct receive_code *code, uint32_t best,
					       uint32_t count)
{
	uint32_t skip = 0;

	if (count != 1 && count_equal(sources, code, &skip) != count)
		return NULL;
	for (size_t i = 0; i < sources->items.len; i++) {
		const struct receive_source *source = &sources->items.items[i];

		if (is_of_function(source, code->function) && compare(source, code) == best &&
		    (count == 1 || skip-- == 0))
			return source;
	}
	return NULL;
}

const struct receive_source *receive_sources_find(const struct receive_sources *sources,
						  const char *function, uint32_t index)
{
	for (size_t i = 0; i < sources->codes.len; i++) {
		const struct receive_code *code = &sources->codes.items[i];
		uint32_t count, best;

		if (code->index != index || strcmp(code->function, function) != 0)
			continue;
		best = find_best(sources, code, &count);
		return count ? find_equal(sources, code, best, count) : NULL;
	}
	return NULL;
}

uint32_t receive_sources_clause(const struct receive_sources *sources, const char *function, uint32_t line)
{
	uint32_t found = 0, count = 0;

	for (size_t i = 0; i < sources->clauses.len; i++) {
		const struct clause_source *clause = &sources->clauses.items[i];

		if (strcmp(clause->function, function) != 0)
			continue;
		count++;
		if (!line || clause->line <= line)
			found = clause->line;
	}
	return line || count == 1 ? found : 0;
}

void receive_sources_release(struct receive_sources *sources)
{
	vec_release(&sources->clauses);
	for (size_t i = 0; i < sources->items.len; i++)
		vec_release(&sources->items.items[i].literals);
	vec_release(&sources->items);
	receive_codes_release(&sources->codes);
	arena_release(&sources->arena);
}
