/* Turns first lines and header fields of HTTP into terms, for decode_packet. */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "vm/bifs/packet.h"
#include "vm/memory/heap.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"

struct piece {
	const uint8_t *start;
	size_t len;
};

/* The bytes that are read, and whether strings become lists or binaries. */
struct reader {
	struct process *p;
	struct piece left;
	bool as_binary;
};

static term make_string(const struct reader *r, struct piece piece)
{
	if (r->as_binary)
		return binary_from(r->p, piece.start, piece.len);
	return heap_byte_list(r->p, piece.start, piece.len, NIL);
}

static void skip(struct reader *r, size_t n)
{
	r->left.start += n;
	r->left.len -= n;
}

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct reader *r)
{
	while (r->left.len && is_blank(*r->left.start))
		skip(r, 1);
}

static struct piece take_word(struct reader *r)
{
	struct piece piece = {r->left.start, 0};

	while (r->left.len && !is_blank(*r->left.start)) {
		skip(r, 1);
		piece.len++;
	}
	return piece;
}

static bool piece_is(struct piece piece, const char *text)
{
	return piece.len == strlen(text) && memcmp(piece.start, text, piece.len) == 0;
}

static struct piece drop_line_end(const uint8_t *bytes, size_t len)
{
	if (len && bytes[len - 1] == '\n')
		len--;
	if (len && bytes[len - 1] == '\r')
		len--;
	return (struct piece){bytes, len};
}

/* HTTP/1.1 */
static bool read_version(struct process *p, struct piece piece, term *version)
{
	int64_t numbers[2] = {0, 0};
	size_t at = 5, digits = 0, which = 0;

	if (piece.len < 8 || memcmp(piece.start, "HTTP/", 5) != 0)
		return false;
	for (; at < piece.len; at++) {
		if (isdigit(piece.start[at])) {
			numbers[which] = numbers[which] * 10 + piece.start[at] - '0';
			digits++;
		} else if (piece.start[at] == '.' && which == 0 && digits) {
			which = 1;
			digits = 0;
		} else {
			return false;
		}
		if (digits > 9)
			return false;
	}
	*version = heap_tuple2(p, small_make(numbers[0]), small_make(numbers[1]));
	return which == 1 && digits;
}

/* ---- the target of a request ---- */

static term make_absolute(const struct reader *r, term scheme, struct piece rest)
{
	const uint8_t *slash = memchr(rest.start, '/', rest.len);
	struct piece host = {rest.start, slash ? (size_t)(slash - rest.start) : rest.len};
	struct piece path = {rest.start + host.len, rest.len - host.len};
	const uint8_t *colon = memchr(host.start, ':', host.len);
	term port = A_undefined, elements[5];

	if (colon) {
		int64_t number = 0;

		for (const uint8_t *c = colon + 1; c < host.start + host.len && isdigit(*c); c++)
			number = number < 1000000 ? number * 10 + *c - '0' : number;
		port = small_make(number);
		host.len = (size_t)(colon - host.start);
	}
	if (!path.len)
		path = (struct piece){(const uint8_t *)"/", 1};
	elements[0] = A_absoluteURI;
	elements[1] = scheme;
	elements[2] = make_string(r, host);
	elements[3] = port;
	elements[4] = make_string(r, path);
	return heap_tuple(r->p, 5, elements);
}

static bool starts_with(struct piece piece, const char *text)
{
	return piece.len >= strlen(text) &&
	       strncasecmp((const char *)piece.start, text, strlen(text)) == 0;
}

static term make_target(const struct reader *r, struct piece uri)
{
	const uint8_t *colon = uri.len ? memchr(uri.start, ':', uri.len) : NULL;
	struct piece scheme, rest;

	if (piece_is(uri, "*"))
		return A_times;
	if (uri.len && uri.start[0] == '/')
		return heap_tuple2(r->p, A_abs_path, make_string(r, uri));
	if (starts_with(uri, "http://"))
		return make_absolute(r, A_http, (struct piece){uri.start + 7, uri.len - 7});
	if (starts_with(uri, "https://"))
		return make_absolute(r, A_https, (struct piece){uri.start + 8, uri.len - 8});
	if (!colon)
		return make_string(r, uri);
	scheme = (struct piece){uri.start, (size_t)(colon - uri.start)};
	rest = (struct piece){colon + 1, uri.len - scheme.len - 1};
	return heap_tuple3(r->p, A_scheme, make_string(r, scheme), make_string(r, rest));
}

/* ---- first lines ---- */

static term make_error(const struct reader *r, const uint8_t *bytes, size_t len)
{
	return heap_tuple2(r->p, A_http_error, make_string(r, (struct piece){bytes, len}));
}

static term read_response(struct reader *r, struct piece version_word)
{
	term elements[4] = {A_http_response};
	int64_t status = 0;
	struct piece first;

	if (!read_version(r->p, version_word, &elements[1]))
		return TERM_NONE;
	skip_blanks(r);
	first = take_word(r);
	if (!first.len || first.len > 9)
		return TERM_NONE;
	for (size_t i = 0; i < first.len; i++) {
		if (!isdigit(first.start[i]))
			return TERM_NONE;
		status = status * 10 + first.start[i] - '0';
	}
	skip_blanks(r);
	elements[2] = small_make(status);
	elements[3] = make_string(r, r->left);
	return heap_tuple(r->p, 4, elements);
}

static term make_method(const struct reader *r, struct piece method)
{
	static const char *const known[] = {"OPTIONS", "GET", "HEAD", "POST",
					    "PUT", "DELETE", "TRACE"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (piece_is(method, known[i]))
			return atom_from_string(known[i]);
	return make_string(r, method);
}

/* A token in the sense of RFC 2616, 2.2. */
static bool is_token(struct piece piece)
{
	for (size_t i = 0; i < piece.len; i++)
		if (piece.start[i] <= ' ' || strchr("()<>@,;:\\\"/[]?={}", piece.start[i]))
			return false;
	return piece.len > 0;
}

static term read_request(struct reader *r, struct piece method)
{
	term elements[4] = {A_http_request};
	struct piece uri, version;

	skip_blanks(r);
	uri = take_word(r);
	if (!is_token(method) || !uri.len)
		return TERM_NONE;
	skip_blanks(r);
	version = take_word(r);
	elements[1] = make_method(r, method);
	elements[2] = make_target(r, uri);
	if (!version.len)
		elements[3] = heap_tuple2(r->p, small_make(0), small_make(9));
	else if (!read_version(r->p, version, &elements[3]))
		return TERM_NONE;
	return heap_tuple(r->p, 4, elements);
}

term packet_http_first(struct process *p, const uint8_t *bytes, size_t len, bool as_binary)
{
	struct reader r = {p, drop_line_end(bytes, len), as_binary};
	struct piece first = take_word(&r);
	term result = starts_with(first, "HTTP/") ? read_response(&r, first)
						  : read_request(&r, first);

	return result == TERM_NONE ? make_error(&r, bytes, len) : result;
}

/* ---- header fields ---- */

static const char *const known_headers[] = {
#define HTTP_HEADER(text) text,
#include "vm/bifs/http_header.def"
#undef HTTP_HEADER
};

/* Content-Type: a capital at the start of each word, the rest small. */
static void capitalise(const struct piece *name, char *out)
{
	bool is_start = true;

	for (size_t i = 0; i < name->len; i++) {
		uint8_t c = name->start[i];

		out[i] = (char)(is_start ? toupper(c) : tolower(c));
		is_start = !is_start && c == '-';
	}
	out[name->len] = 0;
}

static term make_field(const struct reader *r, struct piece name, int64_t *number)
{
	char *text = mem_alloc(name.len + 1);
	term result = TERM_NONE;

	capitalise(&name, text);
	*number = 0;
	for (size_t i = 0; i < sizeof(known_headers) / sizeof(*known_headers); i++) {
		if (strcmp(known_headers[i], text) == 0) {
			*number = (int64_t)i + 1;
			result = atom_from_string(text);
		}
	}
	if (result == TERM_NONE)
		result = make_string(r, (struct piece){(const uint8_t *)text, name.len});
	mem_free(text);
	return result;
}

static bool is_name(struct piece name)
{
	for (size_t i = 0; i < name.len; i++)
		if (is_blank(name.start[i]) || name.start[i] < ' ')
			return false;
	return true;
}

term packet_http_header(struct process *p, const uint8_t *bytes, size_t len, bool as_binary)
{
	struct reader r = {p, drop_line_end(bytes, len), as_binary};
	const uint8_t *colon = r.left.len ? memchr(bytes, ':', r.left.len) : NULL;
	struct piece name;
	term elements[5] = {A_http_header};
	int64_t number;

	if (!r.left.len)
		return A_http_eoh;
	if (!colon)
		return make_error(&r, bytes, len);
	name = (struct piece){bytes, (size_t)(colon - bytes)};
	if (!is_name(name))
		return make_error(&r, bytes, len);
	skip(&r, name.len + 1);
	skip_blanks(&r);
	elements[2] = make_field(&r, name, &number);
	elements[1] = small_make(number);
	elements[3] = make_string(&r, name);
	elements[4] = make_string(&r, r.left);
	return heap_tuple(p, 5, elements);
}
