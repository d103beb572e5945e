/* string: reading a number off the front of a list of characters. */
#include "vm/bifs/bif.h"
#include "vm/terms/big.h"
#include "vm/terms/float_text.h"
#include "vm/terms/text.h"

/* The characters read so far are in text, the unread part of the list is rest. */
struct reader {
	term rest;
	struct bytes text;
};

static int peek_char(const struct reader *r)
{
	term c;

	if (!term_is_cons(r->rest))
		return -1;
	c = cons_head(r->rest);
	return term_is_small(c) && small_value(c) >= 0 && small_value(c) < 128
		       ? (int)small_value(c) : -1;
}

static void take_char(struct reader *r)
{
	bytes_add_byte(&r->text, (uint8_t)peek_char(r));
	r->rest = cons_tail(r->rest);
}

static void take_sign(struct reader *r)
{
	if (peek_char(r) == '-' || peek_char(r) == '+')
		take_char(r);
}

static bool take_digits(struct reader *r)
{
	size_t before = r->text.len;

	while (peek_char(r) >= '0' && peek_char(r) <= '9')
		take_char(r);
	return r->text.len > before;
}

static term answer_error(struct process *p, struct reader *r, term why)
{
	bytes_release(&r->text);
	return heap_tuple2(p, A_error, why);
}

term bif_string_list_to_integer_1(struct process *p, const term *args)
{
	struct reader r = {args[0], {0}};
	term value;

	if (!term_is_list(args[0]))
		return answer_error(p, &r, A_not_a_list);
	take_sign(&r);
	if (!take_digits(&r))
		return answer_error(p, &r, A_no_integer);
	value = integer_from_text(p, (const char *)r.text.items, r.text.len, 10);
	bytes_release(&r.text);
	return value == TERM_NONE ? bif_system_limit(p) : heap_tuple2(p, value, r.rest);
}

/* An exponent without digits is not part of the number. */
static void take_exponent(struct reader *r)
{
	size_t len = r->text.len;
	term rest = r->rest;

	if (peek_char(r) != 'e' && peek_char(r) != 'E')
		return;
	take_char(r);
	take_sign(r);
	if (!take_digits(r)) {
		r->text.len = len;
		r->rest = rest;
	}
}

term bif_string_list_to_float_1(struct process *p, const term *args)
{
	struct reader r = {args[0], {0}};
	double value;

	if (!term_is_list(args[0]))
		return answer_error(p, &r, A_not_a_list);
	take_sign(&r);
	if (!take_digits(&r) || (peek_char(&r) != '.' && peek_char(&r) != ','))
		return answer_error(p, &r, A_no_float);
	bytes_add_byte(&r.text, '.'); /* a comma counts as a point */
	r.rest = cons_tail(r.rest);
	if (!take_digits(&r))
		return answer_error(p, &r, A_no_float);
	take_exponent(&r);
	bytes_add_byte(&r.text, 0);
	if (!float_parse((const char *)r.text.items, r.text.len - 1, &value))
		return answer_error(p, &r, A_no_float);
	bytes_release(&r.text);
	return heap_tuple2(p, heap_float(p, value), r.rest);
}
