/* lists: searching and reversing. The rest of the module is OTP's own Erlang code. */
#include "vm/bifs/bif.h"

term bif_lists_member_2(struct process *p, const term *args)
{
	term list = args[1], wanted = args[0];

	if (term_is_immediate(wanted)) {
		for (; term_is_cons(list); list = cons_tail(list))
			if (cons_head(list) == wanted)
				return A_true;
	} else {
		for (; term_is_cons(list); list = cons_tail(list))
			if (term_equal(cons_head(list), wanted))
				return A_true;
	}
	return list == NIL ? (term)A_false : bif_badarg(p);
}

term bif_lists_reverse_2(struct process *p, const term *args)
{
	int64_t len = list_length(args[0]);
	term list = args[0], result = args[1], *hp;

	if (len < 0)
		return bif_badarg(p);
	hp = heap_alloc(p, (size_t)len * CONS_WORDS);
	for (; term_is_cons(list); list = cons_tail(list))
		result = cons_build(&hp, cons_head(list), result);
	return result;
}

enum key_result { KEY_FOUND, KEY_MISSING, KEY_BAD };

static enum key_result find_key(const term *args, term *found)
{
	term list = args[2], key = args[0];
	uint64_t place;

	if (!term_is_small(args[1]) || small_value(args[1]) < 1)
		return KEY_BAD;
	place = (uint64_t)small_value(args[1]) - 1;
	for (; term_is_cons(list); list = cons_tail(list)) {
		term t = cons_head(list);

		if (term_is_tuple(t) && tuple_size(t) > place &&
		    terms_compare_equal(tuple_element(t, place), key)) {
			*found = t;
			return KEY_FOUND;
		}
	}
	return list == NIL ? KEY_MISSING : KEY_BAD;
}

term bif_lists_keyfind_3(struct process *p, const term *args)
{
	term found = A_false;

	return find_key(args, &found) == KEY_BAD ? bif_badarg(p) : found;
}

term bif_lists_keymember_3(struct process *p, const term *args)
{
	term found;
	enum key_result result = find_key(args, &found);

	return result == KEY_BAD ? bif_badarg(p) : atom_from_bool(result == KEY_FOUND);
}

term bif_lists_keysearch_3(struct process *p, const term *args)
{
	term found;
	enum key_result result = find_key(args, &found);

	if (result == KEY_BAD)
		return bif_badarg(p);
	return result == KEY_FOUND ? heap_tuple2(p, A_value, found) : (term)A_false;
}
