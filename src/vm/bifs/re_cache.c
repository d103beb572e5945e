#include "vm/bifs/re_cache.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/bifs/re_hyphen.h"
#include "vm/code/code.h"
#include "vm/machine.h"
#include "vm/terms/text.h"

enum { PLACES = 512 };

struct place {
	struct re_source source; /* owns a copy of the text */
	struct re_compiled compiled;
};

struct re_cache {
	pcre2_general_context *general;
	pcre2_compile_context *compile;
	pcre2_match_context *match;
	const uint8_t *tables;
	struct place places[PLACES];
};

static void *allocate(size_t size, void *data)
{
	return mem_alloc(size);
}

static void release(void *block, void *data)
{
	mem_free(block);
}

/* ---- tables for Latin-1 ---- */

/* Where things are in PCRE2's character tables: lower case, other case, class bitmaps, types. */
enum { LOWER = 0, FLIP = 256, CLASSES = 512, TYPES = 512 + 320 };

/* The ASCII character that behaves as this Latin-1 character does. */
static uint8_t model_of(unsigned c)
{
	if (c < 0xa0)
		return 1; /* a control character */
	if (c == 0xaa || c == 0xb5 || c == 0xba || (c >= 0xdf && c != 0xf7))
		return 'g';
	if (c >= 0xc0 && c != 0xd7 && c != 0xf7)
		return 'G';
	return '!';
}

static void copy_classes(uint8_t *tables, unsigned to, unsigned from)
{
	for (unsigned class_ = 0; class_ < 10; class_++) {
		uint8_t *bits = tables + CLASSES + class_ * 32;

		if (bits[from / 8] >> (from % 8) & 1)
			bits[to / 8] |= (uint8_t)(1u << (to % 8));
		else
			bits[to / 8] &= (uint8_t)~(1u << (to % 8));
	}
	tables[TYPES + to] = tables[TYPES + from];
}

/* The real VM has tables for Latin-1; those of the C locale are for ASCII only. */
static uint8_t *make_tables(pcre2_general_context *general)
{
	uint8_t *tables = (uint8_t *)pcre2_maketables(general);

	for (unsigned c = 0x80; c < 0x100; c++) {
		bool is_upper = c >= 0xc0 && c <= 0xde && c != 0xd7;
		bool is_lower = c >= 0xe0 && c <= 0xfe && c != 0xf7;

		copy_classes(tables, c, model_of(c));
		tables[LOWER + c] = (uint8_t)(is_upper ? c + 32 : c);
		tables[FLIP + c] = (uint8_t)(is_upper ? c + 32 : is_lower ? c - 32 : c);
	}
	return tables;
}

/* PCRE 8 as OTP configures it has room for so many open parentheses. */
static int is_too_deep(uint32_t depth, void *data)
{
	enum { DEPTH_MAX = 798 };

	return depth > DEPTH_MAX && code_otp_release() < 28;
}

static struct re_cache *open_cache(void)
{
	struct re_cache *cache = machine.re;
	uint8_t *tables;

	if (cache)
		return cache;
	cache = machine.re = mem_zalloc(sizeof(*cache));
	cache->general = pcre2_general_context_create(allocate, release, NULL);
	cache->compile = pcre2_compile_context_create(cache->general);
	cache->match = pcre2_match_context_create(cache->general);
	tables = make_tables(cache->general);
	pcre2_set_character_tables(cache->compile, tables);
	pcre2_set_parens_nest_limit(cache->compile, 10000);
	pcre2_set_compile_recursion_guard(cache->compile, is_too_deep, NULL);
	cache->tables = tables;
	return cache;
}

/* ---- the cache ---- */

static bool is_same(const struct re_source *a, const struct re_source *b)
{
	return a->text && a->options == b->options && a->newline == b->newline &&
	       a->bsr == b->bsr && a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void clear_place(struct place *place)
{
	pcre2_match_data_free(place->compiled.match);
	pcre2_code_free(place->compiled.code);
	mem_free((void *)place->source.text);
	memset(place, 0, sizeof(*place));
}

/* PCRE2's numbers of the errors. */
enum { UNKNOWN_ESCAPE = 103, ESCAPE_IN_CLASS = 107, NO_SUCH_GROUP = 115, TOO_DEEP = 133,
       INVALID_RANGE = 150, ODD_CONTROL = 168 };

/* \K in a lookaround: newer versions of PCRE2 refuse it unless they are told not to. */
#ifdef PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK
#define KEEP_ANYWHERE PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK
#else
#define KEEP_ANYWHERE 0u
#endif

/* As PCRE 8: a hyphen that cannot make a range, and a letter behind a backslash that has no
 * meaning, stand for themselves. */
static void compile_again(struct re_cache *cache, const struct re_source *source,
			  struct re_compiled *compiled, const uint8_t *text, size_t len)
{
	struct bytes escaped = {0};
	size_t offset;
	int error;

	re_escape_hyphens(text, len, &escaped);
	pcre2_set_compile_extra_options(cache->compile,
					KEEP_ANYWHERE | PCRE2_EXTRA_BAD_ESCAPE_IS_LITERAL);
	compiled->code = pcre2_compile(escaped.items, escaped.len, source->options, &error, &offset,
				       cache->compile);
	bytes_release(&escaped);
}

/* In Unicode mode PCRE2 looks only for ASCII characters where \w or \s can begin a match, and PCRE 8
 * for those of its table, which is the table of Latin-1. */
static uint32_t start_options(const struct re_source *source)
{
	bool is_latin = source->options & PCRE2_UTF && !(source->options & PCRE2_UCP);

	for (size_t i = 1; is_latin && i < source->len; i++)
		if (source->text[i - 1] == '\\' &&
		    (source->text[i] == 'w' || source->text[i] == 's'))
			return code_otp_release() < 28 ? PCRE2_NO_START_OPTIMIZE : 0;
	return 0;
}

/* Where PCRE 8 runs out of room: behind the parenthesis that is one too many. */
static size_t find_too_deep(const struct re_source *source)
{
	size_t depth = 0;

	for (size_t i = 0; i < source->len; i++) {
		if (source->text[i] == '\\')
			i++;
		else if (source->text[i] == ')' && depth)
			depth--;
		else if (source->text[i] == '(' && is_too_deep((uint32_t)++depth, NULL))
			return i + 1;
	}
	return source->len;
}

static void compile(struct re_cache *cache, struct place *place)
{
	struct re_source *source = &place->source;
	struct re_compiled *compiled = &place->compiled;
	const uint8_t *text = source->text;
	size_t len = source->len;
	struct bytes renamed = {0};

	/* PCRE2 calls this option (*UTF) */
	if (len >= 7 && memcmp(text, "(*UTF8)", 7) == 0) {
		bytes_add(&renamed, "(*UTF)", 6);
		bytes_add(&renamed, text + 7, len - 7);
		text = renamed.items;
		len = renamed.len;
	}
	pcre2_set_newline(cache->compile, source->newline);
	pcre2_set_bsr(cache->compile, source->bsr);
	pcre2_set_compile_extra_options(cache->compile,
					code_otp_release() < 28 ? KEEP_ANYWHERE : 0);
	compiled->code = pcre2_compile(text, len, source->options | start_options(source),
				       &compiled->error,
				       &compiled->error_offset, cache->compile);
	if (!compiled->code && code_otp_release() < 28 &&
	    (compiled->error == INVALID_RANGE || compiled->error == UNKNOWN_ESCAPE ||
	     compiled->error == ESCAPE_IN_CLASS || compiled->error == NO_SUCH_GROUP ||
	     compiled->error == ODD_CONTROL))
		compile_again(cache, source, compiled, text, len);
	if (!compiled->code && compiled->error == TOO_DEEP)
		compiled->error_offset = find_too_deep(source);
	if (compiled->code)
		compiled->match = pcre2_match_data_create_from_pattern(compiled->code,
								       cache->general);
	bytes_release(&renamed);
}

const struct re_compiled *re_cache_get(const struct re_source *source)
{
	uint64_t hash = hash_combine(hash_bytes(source->text, source->len),
				     hash_combine(source->options,
						  source->newline << 8 | source->bsr));
	struct re_cache *cache = open_cache();
	struct place *place = &cache->places[hash % PLACES];
	uint8_t *text;

	if (is_same(&place->source, source))
		return &place->compiled;
	clear_place(place);
	place->source = *source;
	text = mem_alloc(source->len + 1);
	memcpy(text, source->text, source->len);
	place->source.text = text;
	compile(cache, place);
	return &place->compiled;
}

void re_cache_close(void)
{
	struct re_cache *cache = machine.re;

	if (!cache)
		return;
	for (size_t i = 0; i < PLACES; i++)
		clear_place(&cache->places[i]);
	pcre2_match_context_free(cache->match);
	pcre2_compile_context_free(cache->compile);
	mem_free((void *)cache->tables); /* make_tables got them from `allocate` */
	pcre2_general_context_free(cache->general);
	mem_free(cache);
}

static const struct {
	int code;
	int shift;
	const char *text;
} known_errors[] = {
#define RE_ERROR(code, shift, text) {code, shift, text},
#include "vm/bifs/re_errors.def"
#undef RE_ERROR
};

void re_error_text(const struct re_compiled *compiled, struct strbuf *text, size_t *offset)
{
	char message[256];

	*offset = compiled->error_offset;
	if (code_otp_release() >= 28) { /* which has PCRE2, too */
		pcre2_get_error_message(compiled->error, (PCRE2_UCHAR *)message, sizeof(message));
		strbuf_adds(text, message);
		return;
	}
	for (size_t i = 0; i < sizeof(known_errors) / sizeof(*known_errors); i++) {
		if (known_errors[i].code == compiled->error) {
			*offset += (size_t)known_errors[i].shift;
			strbuf_adds(text, known_errors[i].text);
			return;
		}
	}
	strbuf_adds(text, compiled->error < 0 ? "invalid UTF-8 string" : "internal error");
}

pcre2_match_context *re_match_context(const struct re_options *options)
{
	enum { LIMIT = 10000000 };
	pcre2_match_context *match = open_cache()->match;

	pcre2_set_match_limit(match, options->match_limit ? options->match_limit : LIMIT);
	pcre2_set_depth_limit(match, options->depth_limit ? options->depth_limit : LIMIT);
	pcre2_set_heap_limit(match, 1u << 20); /* KiB */
	return match;
}

/* ---- as data ---- */

static const char magic[4] = {'F', 'R', 'E', '1'};

void re_source_write(const struct re_source *source, struct bytes *out)
{
	bytes_add(out, magic, sizeof(magic));
	for (int shift = 24; shift >= 0; shift -= 8)
		bytes_add_byte(out, (uint8_t)(source->options >> shift));
	bytes_add_byte(out, (uint8_t)source->newline);
	bytes_add_byte(out, (uint8_t)source->bsr);
	bytes_add(out, source->text, source->len);
}

bool re_source_read(struct re_source *source, const uint8_t *bytes, size_t len)
{
	enum { HEAD = 10 };
	const uint32_t allowed = 0
#define RE_OPTION(name, compile, match, where) | (compile)
#include "vm/bifs/re_option.def"
#undef RE_OPTION
		;

	if (len < HEAD || memcmp(bytes, magic, sizeof(magic)) != 0)
		return false;
	source->options = (uint32_t)bytes[4] << 24 | bytes[5] << 16 | bytes[6] << 8 | bytes[7];
	source->options &= allowed; /* the program may have written these bytes itself */
	source->newline = bytes[8];
	source->bsr = bytes[9];
	source->text = bytes + HEAD;
	source->len = len - HEAD;
	return source->newline >= PCRE2_NEWLINE_CR && source->newline <= PCRE2_NEWLINE_ANYCRLF &&
	       (source->bsr == PCRE2_BSR_UNICODE || source->bsr == PCRE2_BSR_ANYCRLF);
}
