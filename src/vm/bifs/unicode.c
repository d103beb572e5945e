/* unicode: deep lists of characters and binaries to one binary or list.
 *
 * The end of a binary may cut a UTF-8 character in two: then its first bytes are kept (`kept`) and
 * completed from the next binary. When a conversion fails, the rest of the input is returned in its
 * original shape: the rest of the current list or binary, then everything around it. */
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"

VEC_TYPE(char_vec, uint32_t);

enum outcome { CONVERT_OK, CONVERT_ERROR, CONVERT_INCOMPLETE, CONVERT_BADARG };

struct conversion {
	struct process *p;
	bool is_latin1; /* the input */
	bool to_list;
	struct bytes utf8;     /* output, unless to_list */
	struct char_vec chars; /* output, if to_list */
	struct term_vec tails;
	uint8_t kept[4];
	size_t kept_len;
	term rest; /* after CONVERT_ERROR and CONVERT_INCOMPLETE */
};

static void emit(struct conversion *c, uint32_t character)
{
	uint8_t encoded[4];

	if (c->to_list)
		*vec_push(&c->chars) = character;
	else
		bytes_add(&c->utf8, encoded, utf8_encode(character, encoded));
}

/* The length of the character that begins with this byte; 0: a character cannot begin with it. */
static size_t expected_length(uint8_t byte)
{
	return byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3
	       : byte < 0xf8 ? 4 : 0;
}

/* Only the form counts here: 10xxxxxx after the first byte. */
static bool is_begun(const uint8_t *bytes, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* The rest of the input when `current` is the first thing not converted. */
static term rest_from(struct conversion *c, term current)
{
	while (c->tails.len)
		current = heap_cons(c->p, current, vec_pop(&c->tails));
	if (c->kept_len) {
		current = heap_cons(c->p, current, NIL);
		current = heap_cons(c->p, binary_from(c->p, c->kept, c->kept_len), current);
	}
	return current;
}

static enum outcome fail_at(struct conversion *c, term current)
{
	c->rest = rest_from(c, current);
	return CONVERT_ERROR;
}

/* Takes bytes from the front of view for the character that was cut; false: they do not fit. */
static bool complete_kept(struct conversion *c, const struct view *view, size_t *at)
{
	size_t need = expected_length(c->kept[0]) - c->kept_len;
	size_t take = need < view->len ? need : view->len;
	uint8_t whole[4];
	uint32_t character;

	memcpy(whole, c->kept, c->kept_len);
	memcpy(whole + c->kept_len, view->bytes, take);
	if (take < need) {
		memcpy(c->kept, whole, sizeof(whole));
		c->kept_len += take;
	} else {
		if (!utf8_decode(whole, c->kept_len + take, &character))
			return false;
		emit(c, character);
		c->kept_len = 0;
	}
	*at = take;
	return true;
}

static enum outcome convert_utf8(struct conversion *c, const struct view *view, term binary)
{
	size_t at = 0;

	if (c->kept_len && view->len && !complete_kept(c, view, &at))
		return fail_at(c, binary);
	while (at < view->len) {
		size_t left = view->len - at, n;
		uint32_t character;

		if (view->bytes[at] < 0x80) {
			emit(c, view->bytes[at++]);
			continue;
		}
		n = expected_length(view->bytes[at]);
		if (n > left) {
			memcpy(c->kept, view->bytes + at, left);
			c->kept_len = left;
			return CONVERT_OK;
		}
		n = utf8_decode(view->bytes + at, left, &character);
		if (!n)
			return fail_at(c, bitstring_part(c->p, binary, at * 8, left * 8));
		emit(c, character);
		at += n;
	}
	return CONVERT_OK;
}

static enum outcome convert_binary(struct conversion *c, term binary)
{
	struct view view;
	enum outcome outcome = CONVERT_OK;

	if (!view_open(&view, binary))
		return CONVERT_BADARG;
	if (c->is_latin1) {
		for (size_t i = 0; i < view.len; i++)
			emit(c, view.bytes[i]);
	} else {
		outcome = convert_utf8(c, &view, binary);
	}
	view_close(&view);
	return outcome;
}

static bool is_character(const struct conversion *c, term t)
{
	return term_is_small(t) && char_is_valid(small_value(t)) &&
	       (!c->is_latin1 || small_value(t) <= 255);
}

/* The input has ended; a character that is still cut is incomplete or wrong. */
static enum outcome finish(struct conversion *c)
{
	if (!c->kept_len)
		return CONVERT_OK;
	c->rest = binary_from(c->p, c->kept, c->kept_len);
	return is_begun(c->kept, c->kept_len) ? CONVERT_INCOMPLETE : CONVERT_ERROR;
}

static enum outcome convert(struct conversion *c, term t)
{
	enum outcome outcome;

	for (;;) {
		while (term_is_cons(t)) {
			term head = cons_head(t);

			if (term_is_integer(head)) {
				if (c->kept_len || !is_character(c, head))
					return fail_at(c, t);
				emit(c, (uint32_t)small_value(head));
				t = cons_tail(t);
			} else {
				*vec_push(&c->tails) = cons_tail(t);
				t = head;
			}
		}
		if (t != NIL) {
			if (!term_is_bitstring(t))
				return CONVERT_BADARG;
			outcome = convert_binary(c, t);
			if (outcome != CONVERT_OK)
				return outcome;
		}
		if (!c->tails.len)
			return finish(c);
		t = vec_pop(&c->tails);
	}
}

static term take_output(struct conversion *c)
{
	term result = NIL, *hp;

	if (!c->to_list)
		return binary_from(c->p, c->utf8.items, c->utf8.len);
	hp = heap_alloc(c->p, c->chars.len * CONS_WORDS);
	for (size_t i = c->chars.len; i-- > 0;)
		result = cons_build(&hp, small_make(c->chars.items[i]), result);
	return result;
}

static term characters_to(struct process *p, const term *args, bool to_list, term elsewhere)
{
	struct conversion c = {.p = p, .is_latin1 = args[1] == A_latin1, .to_list = to_list};
	enum outcome outcome;
	term result;

	if (args[1] != A_latin1 && args[1] != A_utf8 && args[1] != A_unicode)
		return bif_trap(p, A_unicode, elsewhere, 2, args);
	if (!term_is_list(args[0]) && !term_is_bitstring(args[0]))
		return bif_badarg(p);
	outcome = convert(&c, args[0]);
	if (outcome == CONVERT_BADARG)
		result = bif_badarg(p);
	else if (outcome == CONVERT_OK)
		result = take_output(&c);
	else
		result = heap_tuple3(p, outcome == CONVERT_ERROR ? A_error : A_incomplete,
				     take_output(&c), c.rest);
	bytes_release(&c.utf8);
	vec_release(&c.chars);
	vec_release(&c.tails);
	return result;
}

term bif_unicode_characters_to_binary_2(struct process *p, const term *args)
{
	return characters_to(p, args, false, A_characters_to_binary_int);
}

term bif_unicode_characters_to_list_2(struct process *p, const term *args)
{
	return characters_to(p, args, true, A_characters_to_list_int);
}

term bif_unicode_bin_is_7bit_1(struct process *p, const term *args)
{
	struct view view;
	bool result = true;

	if (!view_open(&view, args[0]))
		return A_false;
	if (code_otp_release() == 27 && view.len) /* always false there */
		result = false;
	for (size_t i = 0; i < view.len && result; i++)
		result = view.bytes[i] < 0x80;
	view_close(&view);
	return atom_from_bool(result);
}
