/* Type tests and accessors, as functions. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/exec/bs_match.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

#define TYPE_TEST(name, condition)                                             \
	term bif_erlang_##name##_1(struct process *p, const term *args)        \
	{                                                                      \
		term t = args[0];                                              \
                                                                               \
		return atom_from_bool(condition);                              \
	}

TYPE_TEST(is_integer, term_is_integer(t))
TYPE_TEST(is_float, term_is_float(t))
TYPE_TEST(is_number, term_is_number(t))
TYPE_TEST(is_atom, term_is_atom(t))
TYPE_TEST(is_boolean, t == A_true || t == A_false)
TYPE_TEST(is_pid, term_is_any_pid(t))
TYPE_TEST(is_port, term_is_any_port(t))
TYPE_TEST(is_reference, term_is_any_ref(t))
TYPE_TEST(is_list, term_is_list(t))
TYPE_TEST(is_tuple, term_is_tuple(t))
TYPE_TEST(is_map, term_is_map(t))
TYPE_TEST(is_binary, term_is_binary(t))
TYPE_TEST(is_bitstring, term_is_bitstring(t))
TYPE_TEST(is_function, term_is_fun(t))

/* Of OTP 29: whether the integer lies between two others, which count as inside. */
term bif_erlang_is_integer_3(struct process *p, const term *args)
{
	if (!term_is_integer(args[1]) || !term_is_integer(args[2]))
		return bif_badarg(p);
	return atom_from_bool(term_is_integer(args[0]) && term_compare(args[1], args[0]) <= 0 &&
			      term_compare(args[0], args[2]) <= 0);
}

term bif_erlang_is_function_2(struct process *p, const term *args)
{
	uint32_t arity;

	if (!term_is_integer(args[1]) || (term_is_small(args[1]) && small_value(args[1]) < 0) ||
	    (term_is_big(args[1]) && big_is_negative(args[1])))
		return bif_badarg(p);
	if (!term_is_fun(args[0]) || !term_is_small(args[1]))
		return A_false;
	arity = term_is_local_fun(args[0]) ? fun_entry_of(args[0])->arity
					   : export_of_fun(args[0])->arity;
	return atom_from_bool(arity == (uint64_t)small_value(args[1]));
}

term bif_erlang_is_record_2(struct process *p, const term *args)
{
	if (!term_is_atom(args[1]))
		return bif_badarg(p);
	return atom_from_bool(term_is_tuple(args[0]) && tuple_size(args[0]) > 0 &&
			      tuple_element(args[0], 0) == args[1]);
}

term bif_erlang_is_record_3(struct process *p, const term *args)
{
	if (!term_is_atom(args[1]) || !term_is_small(args[2]) || small_value(args[2]) < 0)
		return bif_badarg(p);
	return atom_from_bool(term_is_tuple_of(args[0], (size_t)small_value(args[2])) &&
			      tuple_size(args[0]) > 0 && tuple_element(args[0], 0) == args[1]);
}

term bif_erlang_is_map_key_2(struct process *p, const term *args)
{
	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	return atom_from_bool(tmap_get(args[1], args[0]) != TERM_NONE);
}

term bif_erlang_map_get_2(struct process *p, const term *args)
{
	term value;

	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	value = tmap_get(args[1], args[0]);
	return value != TERM_NONE ? value : bif_badkey(p, args[0]);
}

term bif_erlang_map_size_1(struct process *p, const term *args)
{
	if (!term_is_map(args[0]))
		return bif_badmap(p, args[0]);
	return small_make((int64_t)tmap_size(args[0]));
}

term bif_erlang_hd_1(struct process *p, const term *args)
{
	return term_is_cons(args[0]) ? cons_head(args[0]) : bif_badarg(p);
}

term bif_erlang_tl_1(struct process *p, const term *args)
{
	return term_is_cons(args[0]) ? cons_tail(args[0]) : bif_badarg(p);
}

term bif_erlang_length_1(struct process *p, const term *args)
{
	int64_t len = list_length(args[0]);

	return len < 0 ? bif_badarg(p) : small_make(len);
}

term bif_erlang_element_2(struct process *p, const term *args)
{
	int64_t i = term_is_small(args[0]) ? small_value(args[0]) : 0;

	if (!term_is_tuple(args[1]) || i < 1 || (uint64_t)i > tuple_size(args[1]))
		return bif_badarg(p);
	return tuple_element(args[1], (size_t)i - 1);
}

term bif_erlang_tuple_size_1(struct process *p, const term *args)
{
	return term_is_tuple(args[0]) ? small_make((int64_t)tuple_size(args[0])) : bif_badarg(p);
}

term bif_erlang_byte_size_1(struct process *p, const term *args)
{
	if (term_is_kind(args[0], KIND_MATCHCTX))
		return small_make((int64_t)(ctx_left(args[0]) + 7) / 8);
	if (!term_is_bitstring(args[0]))
		return bif_badarg(p);
	return small_make((int64_t)(bitstring_size(args[0]) + 7) / 8);
}

term bif_erlang_bit_size_1(struct process *p, const term *args)
{
	if (term_is_kind(args[0], KIND_MATCHCTX))
		return small_make((int64_t)ctx_left(args[0]));
	if (!term_is_bitstring(args[0]))
		return bif_badarg(p);
	return small_make((int64_t)bitstring_size(args[0]));
}

term bif_erlang_size_1(struct process *p, const term *args)
{
	if (term_is_tuple(args[0]))
		return small_make((int64_t)tuple_size(args[0]));
	if (term_is_bitstring(args[0]))
		return small_make((int64_t)bitstring_size(args[0]) / 8);
	return bif_badarg(p);
}

term bif_erlang_min_2(struct process *p, const term *args)
{
	return term_order(args[0], args[1]) <= 0 ? args[0] : args[1];
}

term bif_erlang_max_2(struct process *p, const term *args)
{
	return term_order(args[0], args[1]) >= 0 ? args[0] : args[1];
}

term bif_erlang_self_0(struct process *p, const term *args)
{
	return p->pid;
}

term bif_erlang_node_0(struct process *p, const term *args)
{
	return A_nohost;
}

term bif_erlang_node_1(struct process *p, const term *args)
{
	if (term_is_pid(args[0]) || term_is_ref(args[0]) || term_is_port(args[0]))
		return A_nohost;
	return term_is_remote(args[0]) ? remote_node(args[0]) : bif_badarg(p);
}
