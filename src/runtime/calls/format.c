/* format.c: reads format strings, to know which memory the arguments stand for. */
#include "runtime/calls/format.h"

#include <stddef.h>
#include <wchar.h>

#include "runtime/calls/effects.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

/* One conversion, for example "%-8.*lls". */
struct conversion {
	const char *end;     /* behind it */
	char letter;
	uint8_t longs;       /* l or L: 1, ll: 2 */
	uint8_t halves;      /* h: 1, hh: 2 */
	bool is_wide_int;    /* j, z, t, q */
	bool is_long_double; /* L */
	bool is_skipped;     /* scanf: %*d */
	bool is_allocated;   /* scanf: %ms */
	bool stars[2];       /* printf: width and precision are arguments */
	long width, precision; /* -1: not given */
};

static const char *read_number(const char *at, long *value)
{
	if (*at < '0' || *at > '9')
		return at;
	for (*value = 0; *at >= '0' && *at <= '9'; at++)
		*value = *value * 10 + (*at - '0');
	return at;
}

static const char *read_length(const char *at, struct conversion *c)
{
	for (;; at++) {
		switch (*at) {
		case 'l': c->longs++; break;
		case 'L': c->longs++; c->is_long_double = true; break;
		case 'h': c->halves++; break;
		case 'j': case 'z': case 't': case 'q': c->is_wide_int = true; break;
		default: return at;
		}
	}
}

/* at: behind the '%'. */
static struct conversion read_print(const char *at)
{
	struct conversion c = {.width = -1, .precision = -1};

	while (*at == '-' || *at == '+' || *at == ' ' || *at == '#' || *at == '0' || *at == '\'' ||
	       *at == 'I')
		at++;
	c.stars[0] = *at == '*';
	at = c.stars[0] ? at + 1 : read_number(at, &c.width);
	if (*at == '.') {
		at++;
		c.precision = 0;
		c.stars[1] = *at == '*';
		at = c.stars[1] ? at + 1 : read_number(at, &c.precision);
	}
	at = read_length(at, &c);
	c.letter = *at;
	c.end = at + (*at != '\0');
	return c;
}

static size_t wide_len(const wchar_t *text, long most)
{
	size_t len = 0;

	while ((most < 0 || (long)len < most) && text[len])
		len++;
	return len;
}

static void read_string(const struct conversion *c, const char *text, uint64_t site)
{
	size_t len = 0, size = 1;

	if (!text)
		return;
	if (c->longs || c->letter == 'S') {
		len = wide_len((const wchar_t *)text, c->precision);
		size = sizeof(wchar_t);
	} else {
		while ((c->precision < 0 || (long)len < c->precision) && text[len])
			len++;
	}
	if (c->precision < 0 || (long)len < c->precision)
		len++;
	rt_plain(text, len * size, false, site);
}

static size_t integer_size(const struct conversion *c)
{
	if (c->halves)
		return c->halves == 1 ? 2 : 1;
	return c->longs || c->is_wide_int ? 8 : 4;
}

struct list {
	va_list args;
};

static void print_one(struct conversion *c, struct list *list, uint64_t site)
{
	if (c->stars[0])
		va_arg(list->args, int);
	if (c->stars[1])
		c->precision = va_arg(list->args, int);
	switch (c->letter) {
	case '%': case 'm':
		return;
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c': case 'C':
		if (integer_size(c) == 8)
			va_arg(list->args, long);
		else
			va_arg(list->args, int);
		return;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
		if (c->is_long_double)
			va_arg(list->args, long double);
		else
			va_arg(list->args, double);
		return;
	case 's': case 'S':
		read_string(c, va_arg(list->args, const char *), site);
		return;
	case 'n':
		rt_plain(va_arg(list->args, void *), integer_size(c), true, site);
		return;
	case 'p':
		va_arg(list->args, void *);
		return;
	default:
		c->end = NULL;
		rt_note_unknown("a format of printf", site);
	}
}

void rt_format_print(const char *format, va_list args, uint64_t site)
{
	struct list list;
	const char *at = format;

	va_copy(list.args, args);
	rt_plain(format, rt_strlen(format) + 1, false, site);
	while (at && *at) {
		if (*at++ == '%') {
			struct conversion c = read_print(at);

			print_one(&c, &list, site);
			at = c.end;
		}
	}
	va_end(list.args);
}

/* ---- scanf ---- */

static const char *skip_set(const char *at)
{
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']')
		at++;
	return at + (*at == ']');
}

static struct conversion read_scan(const char *at)
{
	struct conversion c = {.width = -1, .precision = -1};

	c.is_skipped = *at == '*';
	at += c.is_skipped;
	at = read_number(at, &c.width);
	c.is_allocated = *at == 'm';
	at += c.is_allocated;
	at = read_length(at, &c);
	c.letter = *at;
	c.end = *at == '[' ? skip_set(at + 1) : at + (*at != '\0');
	return c;
}

/* Of a string only its first byte is certain before the scan. */
static size_t scanned_text_size(const struct conversion *c, const void *to, bool is_over)
{
	bool is_wide = c->longs || c->letter == 'S' || c->letter == 'C';

	if (c->letter == 'c' || c->letter == 'C')
		return (c->width < 0 ? 1 : (size_t)c->width) * (is_wide ? sizeof(wchar_t) : 1);
	if (is_wide)
		return is_over ? (wide_len(to, -1) + 1) * sizeof(wchar_t) : sizeof(wchar_t);
	return is_over ? rt_strlen(to) + 1 : 1;
}

static void scan_one(struct conversion *c, struct list *list, bool is_over, uint64_t site)
{
	size_t size;
	void *to;
	bool is_text = false;

	if (c->letter == '%' || c->is_skipped)
		return;
	switch (c->letter) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'n':
		size = integer_size(c);
		break;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
		size = c->is_long_double ? 16 : c->longs ? 8 : 4;
		break;
	case 'p':
		size = sizeof(void *);
		break;
	case 's': case 'S': case '[': case 'c': case 'C':
		size = sizeof(void *);
		is_text = !c->is_allocated;
		break;
	default:
		c->end = NULL;
		if (!is_over)
			rt_note_unknown("a format of scanf", site);
		return;
	}
	to = va_arg(list->args, void *);
	if (is_text)
		size = scanned_text_size(c, to, is_over);
	if (to && is_over == (is_text && is_over))
		rt_plain(to, size, true, site);
}

void rt_format_scan(const char *format, va_list args, bool is_over, uint64_t site)
{
	struct list list;
	const char *at = format;

	va_copy(list.args, args);
	if (!is_over)
		rt_plain(format, rt_strlen(format) + 1, false, site);
	while (at && *at) {
		if (*at++ == '%') {
			struct conversion c = read_scan(at);

			scan_one(&c, &list, is_over, site);
			at = c.end;
		}
	}
	va_end(list.args);
}
