#include "vm/terms/float_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "vm/terms/atom.h"

/* Whether the digits (one before the point) with the exponent read back as value. */
static bool reads_back(const char *digits, int exponent, double value)
{
	char text[48];

	snprintf(text, sizeof(text), "%c.%se%d", digits[0], digits + 1, exponent);
	return strtod(text, NULL) == value;
}

/* Adds one to the last digit; false when that carries past the first. */
static bool increment(char *digits, int n)
{
	for (int i = n; i-- > 0;) {
		if (digits[i] != '9') {
			digits[i]++;
			return true;
		}
		digits[i] = '0';
	}
	return false;
}

/* The fewest significant digits that read back as the same double. Next to a power of two the
 * correctly rounded text may miss the narrow side where its neighbour does not. */
static int find_shortest(double value, char *digits, int *exponent)
{
	char text[40];

	for (int precision = 0;; precision++) {
		char *e;
		int n = 0;

		snprintf(text, sizeof(text), "%.*e", precision, value);
		e = strchr(text, 'e');
		*exponent = atoi(e + 1);
		for (char *c = text; c < e; c++)
			if (*c >= '0' && *c <= '9')
				digits[n++] = *c;
		digits[n] = 0;
		if (precision == 16 || reads_back(digits, *exponent, value))
			return n;
		if (increment(digits, n) && reads_back(digits, *exponent, value))
			return n;
	}
}

/* Plain where that is not longer than scientific, and below 2^53. */
void float_shortest(double value, struct strbuf *out)
{
	char digits[24];
	int exponent, n, place, cost;

	if (signbit(value))
		strbuf_addc(out, '-');
	value = fabs(value);
	if (value == 0) {
		strbuf_adds(out, "0.0");
		return;
	}
	n = find_shortest(value, digits, &exponent);
	place = exponent + 1;
	cost = snprintf(NULL, 0, "%d", exponent) + 1 + (n == 1 ? 2 : 1);
	if (value < 9007199254740992.0 && place <= 0 && 2 - place <= cost + (place == 0) * 9) {
		strbuf_adds(out, "0.");
		strbuf_pad(out, out->len + (size_t)-place, '0');
		strbuf_adds(out, digits);
	} else if (value < 9007199254740992.0 && place >= n && place - n + 2 <= cost) {
		strbuf_adds(out, digits);
		strbuf_pad(out, out->len + (size_t)(place - n), '0');
		strbuf_adds(out, ".0");
	} else if (value < 9007199254740992.0 && place > 0 && place < n) {
		strbuf_add(out, digits, (size_t)place);
		strbuf_addc(out, '.');
		strbuf_adds(out, digits + place);
	} else {
		strbuf_addf(out, "%c.%se%d", digits[0], n > 1 ? digits + 1 : "0", exponent);
	}
}

enum { TEXT_MAX = 256 }; /* bytes; a longer text is badarg */

struct float_options {
	int decimals;   /* -1: not given */
	int scientific; /* -1: not given */
	bool compact;
	bool is_short;
};

static bool read_options(term options, struct float_options *o)
{
	for (; term_is_cons(options); options = cons_tail(options)) {
		term option = cons_head(options);

		if (option == A_compact) {
			o->compact = true;
		} else if (option == A_short) {
			o->is_short = true;
		} else if (term_is_tuple_of(option, 2) && term_is_small(tuple_element(option, 1))) {
			int64_t n = small_value(tuple_element(option, 1));

			if (tuple_element(option, 0) == A_decimals && n >= 0 && n <= 253) {
				o->decimals = (int)n;
				o->scientific = -1;
			} else if (tuple_element(option, 0) == A_scientific && n >= 0 && n <= 249) {
				o->scientific = (int)n;
				o->decimals = -1;
			} else {
				return false;
			}
		} else {
			return false;
		}
	}
	return options == NIL;
}

static void drop_zeros(struct strbuf *out)
{
	if (!strchr(out->text, '.'))
		return;
	while (out->text[out->len - 1] == '0' && out->text[out->len - 2] != '.')
		out->text[--out->len] = 0;
}

/* As the real VM does: up to 18 decimals the digits behind the point are rounded half up as an
 * integer; more come from the C library, which rounds the exact value. */
static void add_decimals(double value, int decimals, struct strbuf *out)
{
	double whole, part = modf(fabs(value), &whole), scale = pow(10, decimals);
	uint64_t digits;

	if (decimals > 18 || whole >= 18446744073709551615.0) {
		strbuf_addf(out, "%.*f", decimals, value);
		return;
	}
	digits = (uint64_t)(part * scale);
	if (part * scale - (double)digits >= 0.5)
		digits++;
	if ((double)digits >= scale) {
		whole += 1;
		digits = 0;
	}
	strbuf_addf(out, "%s%.0f", signbit(value) ? "-" : "", whole);
	if (decimals)
		strbuf_addf(out, ".%0*llu", decimals, (unsigned long long)digits);
}

bool float_format(double value, term options, struct strbuf *out)
{
	struct float_options o = {-1, -1, false, false};

	if (!read_options(options, &o))
		return false;
	if (o.is_short) {
		float_shortest(value, out);
	} else if (o.decimals >= 0) {
		add_decimals(value, o.decimals, out);
		if (out->len >= TEXT_MAX)
			return false;
		if (o.compact && o.decimals > 0)
			drop_zeros(out);
	} else {
		strbuf_addf(out, "%.*e", o.scientific >= 0 ? o.scientific : 20, value);
	}
	return true;
}

static size_t skip_digits(const char *text, size_t at, size_t len)
{
	while (at < len && text[at] >= '0' && text[at] <= '9')
		at++;
	return at;
}

bool float_parse(const char *text, size_t len, double *value)
{
	size_t at = len && (text[0] == '-' || text[0] == '+'), start = at;

	at = skip_digits(text, at, len);
	if (at == start || at >= len || text[at] != '.')
		return false;
	start = ++at;
	at = skip_digits(text, at, len);
	if (at == start)
		return false;
	if (at < len && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		at += at < len && (text[at] == '-' || text[at] == '+');
		start = at;
		at = skip_digits(text, at, len);
		if (at == start)
			return false;
	}
	if (at != len)
		return false;
	*value = strtod(text, NULL);
	return isfinite(*value);
}
