/* erlang:decode_packet/3: one packet off the front of a binary. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/bifs/packet.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"

static uint64_t big_endian(const uint8_t *bytes, unsigned n)
{
	uint64_t value = 0;

	while (n-- > 0)
		value = value << 8 | *bytes++;
	return value;
}

/* A packet of head and body; the program does not get the bytes before start. */
static enum packet_status measure(struct packet *packet, const struct packet_options *o,
				  size_t len, size_t head, uint64_t body, size_t start)
{
	if ((o->packet_size && body > o->packet_size) || head + body > INT32_MAX)
		return PACKET_INVALID;
	packet->total = head + body;
	if (packet->total > len)
		return PACKET_MORE;
	packet->start = start;
	packet->end = packet->next = (size_t)packet->total;
	return PACKET_OK;
}

/* ---- framings ---- */

typedef enum packet_status framing(const uint8_t *b, size_t len, const struct packet_options *o,
				   struct packet *packet);

static enum packet_status find_raw(const uint8_t *b, size_t len, const struct packet_options *o,
				   struct packet *packet)
{
	packet->end = packet->next = len;
	return len ? PACKET_OK : PACKET_MORE;
}

static enum packet_status find_1(const uint8_t *b, size_t len, const struct packet_options *o,
				 struct packet *packet)
{
	return len < 1 ? PACKET_MORE : measure(packet, o, len, 1, b[0], 1);
}

static enum packet_status find_2(const uint8_t *b, size_t len, const struct packet_options *o,
				 struct packet *packet)
{
	return len < 2 ? PACKET_MORE : measure(packet, o, len, 2, big_endian(b, 2), 2);
}

static enum packet_status find_4(const uint8_t *b, size_t len, const struct packet_options *o,
				 struct packet *packet)
{
	return len < 4 ? PACKET_MORE : measure(packet, o, len, 4, big_endian(b, 4), 4);
}

static enum packet_status find_sunrm(const uint8_t *b, size_t len, const struct packet_options *o,
				     struct packet *packet)
{
	if (len < 4)
		return PACKET_MORE;
	return measure(packet, o, len, 4, big_endian(b, 4) & 0x7fffffff, 0);
}

/* Tag (in several bytes when its low five bits are all set), then a length in BER. */
static enum packet_status find_asn1(const uint8_t *b, size_t len, const struct packet_options *o,
				    struct packet *packet)
{
	size_t at = 0, n;

	if (len < 2)
		return PACKET_MORE;
	if ((b[at++] & 0x1f) == 0x1f) {
		while (at < len && (b[at] & 0x80))
			at++;
		at++;
	}
	if (at >= len)
		return PACKET_MORE;
	n = b[at] & 0x7f;
	if (!(b[at++] & 0x80))
		return measure(packet, o, len, at, n, 0);
	if (n > 4)
		return PACKET_INVALID;
	if (at + n > len)
		return PACKET_MORE;
	return measure(packet, o, len, at + n, big_endian(b + at, (unsigned)n), 0);
}

static enum packet_status find_cdr(const uint8_t *b, size_t len, const struct packet_options *o,
				   struct packet *packet)
{
	uint64_t body;

	if (len < 12)
		return PACKET_MORE;
	if (memcmp(b, "GIOP", 4) != 0)
		return PACKET_INVALID;
	body = big_endian(b + 8, 4);
	if (b[6] & 1)
		body = __builtin_bswap32((uint32_t)body);
	return measure(packet, o, len, 12, body, 0);
}

/* Padding counts, but the program does not get it. */
static enum packet_status find_fcgi(const uint8_t *b, size_t len, const struct packet_options *o,
				    struct packet *packet)
{
	enum packet_status status;

	if (len < 8)
		return PACKET_MORE;
	if (b[0] != 1)
		return PACKET_INVALID;
	status = measure(packet, o, len, 8, big_endian(b + 4, 2) + b[6], 0);
	packet->end -= status == PACKET_OK ? b[6] : 0;
	return status;
}

static enum packet_status find_tpkt(const uint8_t *b, size_t len, const struct packet_options *o,
				    struct packet *packet)
{
	uint64_t total;

	if (len < 4)
		return PACKET_MORE;
	total = big_endian(b + 2, 2);
	if (b[0] != 3 || total < 4) /* the second byte is reserved */
		return PACKET_INVALID;
	return measure(packet, o, len, 4, total - 4, 0);
}

/* The hello of a client in the format of SSL 2: a length with the highest bit set, then 1. */
static bool is_old_hello(const uint8_t *b, size_t len)
{
	return len >= 5 && (b[0] & 0x80) && b[2] == 1;
}

static enum packet_status find_tls(const uint8_t *b, size_t len, const struct packet_options *o,
				   struct packet *packet)
{
	if (is_old_hello(b, len)) { /* packet_size does not count the type and the version */
		uint64_t rest = big_endian(b, 2) & 0x7fff, fixed = rest < 3 ? rest : 3;

		return measure(packet, o, len, 2 + fixed, rest - fixed, 5);
	}
	return len < 5 ? PACKET_MORE : measure(packet, o, len, 5, big_endian(b + 3, 2), 5);
}

/* A line that is too long is cut after line_length bytes. */
enum packet_status packet_find_line(const uint8_t *b, size_t len, const struct packet_options *o,
				    struct packet *packet)
{
	const uint8_t *found = len ? memchr(b, o->delimiter, len) : NULL;
	size_t end = found ? (size_t)(found - b) + 1 : len;

	if (o->packet_size && end > o->packet_size)
		return PACKET_INVALID;
	if (o->line_length && end > o->line_length) {
		packet->end = packet->next = (size_t)o->line_length;
		return PACKET_OK;
	}
	packet->end = packet->next = end;
	return found ? PACKET_OK : PACKET_MORE;
}

/* A whole line of HTTP, whose length packet_size limits, or line_length without one; a header field
 * goes on in lines that begin with a blank. */
static enum packet_status find_http(const uint8_t *b, size_t len, const struct packet_options *o,
				    struct packet *packet, bool is_header)
{
	size_t end = 0;

	do {
		const uint8_t *found = len > end ? memchr(b + end, '\n', len - end) : NULL;

		if (!found) {
			bool too_long = o->packet_size ? len > o->packet_size
						       : o->line_length && len &&
								 len >= o->line_length;

			return too_long ? PACKET_INVALID : PACKET_MORE;
		}
		end = (size_t)(found - b) + 1;
		if (o->packet_size ? end > o->packet_size
				   : o->line_length && end > o->line_length)
			return PACKET_INVALID;
		if (!is_header || end == 1 || (end == 2 && b[0] == '\r'))
			break;
		if (end == len)
			return PACKET_MORE;
	} while (b[end] == ' ' || b[end] == '\t');
	packet->end = packet->next = end;
	return PACKET_OK;
}

static enum packet_status find_http_first(const uint8_t *b, size_t len,
					  const struct packet_options *o, struct packet *packet)
{
	return find_http(b, len, o, packet, false);
}

static enum packet_status find_http_header(const uint8_t *b, size_t len,
					   const struct packet_options *o, struct packet *packet)
{
	return find_http(b, len, o, packet, true);
}

static const struct {
	const char *name;
	framing *find;
} framings[] = {
	{"raw", find_raw},       {"asn1", find_asn1},
	{"sunrm", find_sunrm},   {"cdr", find_cdr},
	{"fcgi", find_fcgi},     {"tpkt", find_tpkt},
	{"ssl_tls", find_tls},   {"line", packet_find_line},
	{"http", find_http_first}, {"http_bin", find_http_first},
	{"httph", find_http_header}, {"httph_bin", find_http_header},
};

static framing *find_framing(term type)
{
	if (term_is_small(type)) {
		switch (small_value(type)) {
		case 0:
			return find_raw;
		case 1:
			return find_1;
		case 2:
			return find_2;
		case 4:
			return find_4;
		}
		return NULL;
	}
	for (size_t i = 0; i < sizeof(framings) / sizeof(*framings) && term_is_atom(type); i++)
		if (strcmp(framings[i].name, atom_text(type)) == 0)
			return framings[i].find;
	return NULL;
}

/* ---- the call ---- */

static bool read_options(struct packet_options *o, term list, bool is_line)
{
	*o = (struct packet_options){.delimiter = '\n'};
	for (; term_is_cons(list); list = cons_tail(list)) {
		term option = cons_head(list), name, value;

		if (!term_is_tuple_of(option, 2))
			return false;
		name = tuple_element(option, 0);
		value = tuple_element(option, 1);
		if (!term_is_small(value) || small_value(value) < 0 ||
		    small_value(value) > UINT32_MAX)
			return false;
		if (name == A_packet_size)
			o->packet_size = (uint64_t)small_value(value);
		else if (name == A_line_length)
			o->line_length = (uint64_t)small_value(value);
		else if (name == A_line_delimiter && is_line && small_value(value) < 256)
			o->delimiter = (uint8_t)small_value(value);
		else
			return false;
	}
	return list == NIL;
}

/* An old hello becomes a handshake record: its body is 1, the length in three bytes, the version
 * and the rest. */
static term make_old_hello(struct process *p, const uint8_t *bytes, size_t end)
{
	struct bytes body = {0};
	size_t len = end - 3;
	uint8_t head[4] = {1, (uint8_t)(len >> 16), (uint8_t)(len >> 8), (uint8_t)len};
	term elements[] = {A_ssl_tls, NIL, small_make(22),
			   heap_tuple2(p, small_make(bytes[3]), small_make(bytes[4])), NIL};

	bytes_add(&body, head, sizeof(head));
	bytes_add(&body, bytes + 3, len);
	elements[4] = binary_from(p, body.items, body.len);
	bytes_release(&body);
	return heap_tuple(p, 5, elements);
}

static term make_tls(struct process *p, const uint8_t *bytes, term body)
{
	term elements[] = {A_ssl_tls, NIL, small_make(bytes[0]),
			   heap_tuple2(p, small_make(bytes[1]), small_make(bytes[2])), body};

	return heap_tuple(p, 5, elements);
}

static term make_packet(struct process *p, framing *find, const term *args,
			const uint8_t *bytes, const struct packet *packet)
{
	bool as_binary = args[0] == A_http_bin || args[0] == A_httph_bin;
	term body;

	if (find == find_http_first)
		return packet_http_first(p, bytes, packet->end, as_binary);
	if (find == find_http_header)
		return packet_http_header(p, bytes, packet->end, as_binary);
	if (find == find_tls && is_old_hello(bytes, packet->end))
		return make_old_hello(p, bytes, packet->end);
	body = bitstring_part(p, args[1], packet->start * 8, (packet->end - packet->start) * 8);
	return find == find_tls ? make_tls(p, bytes, body) : body;
}

term bif_erlang_decode_packet_3(struct process *p, const term *args)
{
	framing *find = find_framing(args[0]);
	struct packet_options options;
	struct packet packet = {0};
	enum packet_status status;
	struct view view;
	size_t bits;
	term result;

	if (!find || !term_is_bitstring(args[1]) ||
	    !read_options(&options, args[2], find == packet_find_line))
		return bif_badarg(p);
	bits = bitstring_size(args[1]);
	if (bits % 8 && code_otp_release() >= 27)
		return bif_badarg(p);
	view_open(&view, bitstring_part(p, args[1], 0, bits & ~(size_t)7));
	status = find(view.bytes, view.len, &options, &packet);
	if (status == PACKET_INVALID) {
		result = heap_tuple2(p, A_error, A_invalid);
	} else if (status == PACKET_MORE) {
		term total = packet.total ? heap_unsigned(p, packet.total) : (term)A_undefined;

		result = heap_tuple2(p, A_more, total);
	} else {
		term rest = bitstring_part(p, args[1], packet.next * 8, bits - packet.next * 8);

		result = make_packet(p, find, args, view.bytes, &packet);
		result = heap_tuple3(p, A_ok, result, rest);
	}
	view_close(&view);
	return result;
}
