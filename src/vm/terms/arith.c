#include "vm/terms/arith.h"

#include <math.h>

#include "vm/bifs/bif.h"
#include "vm/machine.h"
#include "vm/terms/big.h"

bool number_to_double(term t, double *value)
{
	if (term_is_float(t)) {
		*value = float_value(t);
		return true;
	}
	return term_is_integer(t) && integer_to_double(t, value);
}

static term make_float(struct process *p, double value)
{
	return isfinite(value) ? heap_float(p, value) : bif_badarith(p);
}

static term or_limit(struct process *p, term result)
{
	return result == TERM_NONE ? bif_system_limit(p) : result;
}

/* Both operands as doubles, for when one is a float. */
static bool get_doubles(const term *args, double *a, double *b)
{
	return number_to_double(args[0], a) && number_to_double(args[1], b);
}

static bool are_integers(const term *args)
{
	return term_is_integer(args[0]) && term_is_integer(args[1]);
}

term bif_erlang_plus_2(struct process *p, const term *args)
{
	double a, b;

	if (terms_are_small(args[0], args[1]))
		return heap_integer(p, small_value(args[0]) + small_value(args[1]));
	if (are_integers(args))
		return or_limit(p, integer_add(p, args[0], args[1]));
	return get_doubles(args, &a, &b) ? make_float(p, a + b) : bif_badarith(p);
}

term bif_erlang_minus_2(struct process *p, const term *args)
{
	double a, b;

	if (terms_are_small(args[0], args[1]))
		return heap_integer(p, small_value(args[0]) - small_value(args[1]));
	if (are_integers(args))
		return or_limit(p, integer_sub(p, args[0], args[1]));
	return get_doubles(args, &a, &b) ? make_float(p, a - b) : bif_badarith(p);
}

term bif_erlang_times_2(struct process *p, const term *args)
{
	double a, b;

	if (are_integers(args))
		return or_limit(p, integer_mul(p, args[0], args[1]));
	return get_doubles(args, &a, &b) ? make_float(p, a * b) : bif_badarith(p);
}

term bif_erlang_divide_2(struct process *p, const term *args)
{
	double a, b;

	if (!get_doubles(args, &a, &b) || b == 0)
		return bif_badarith(p);
	return make_float(p, a / b);
}

term bif_erlang_div_2(struct process *p, const term *args)
{
	if (!are_integers(args) || args[1] == small_make(0))
		return bif_badarith(p);
	if (terms_are_small(args[0], args[1]))
		return heap_integer(p, small_value(args[0]) / small_value(args[1]));
	return or_limit(p, integer_div(p, args[0], args[1]));
}

term bif_erlang_rem_2(struct process *p, const term *args)
{
	if (!are_integers(args) || args[1] == small_make(0))
		return bif_badarith(p);
	if (terms_are_small(args[0], args[1]))
		return small_make(small_value(args[0]) % small_value(args[1]));
	return or_limit(p, integer_rem(p, args[0], args[1]));
}

term bif_erlang_negate_1(struct process *p, const term *args)
{
	if (term_is_float(args[0]))
		return heap_float(p, -float_value(args[0]));
	if (!term_is_integer(args[0]))
		return bif_badarith(p);
	return or_limit(p, integer_sub(p, small_make(0), args[0]));
}

term bif_erlang_posate_1(struct process *p, const term *args)
{
	return term_is_number(args[0]) ? args[0] : bif_badarith(p);
}

static term bit_operation(struct process *p, const term *args, enum integer_bit_op op)
{
	if (!are_integers(args))
		return bif_badarith(p);
	return or_limit(p, integer_bits(p, args[0], args[1], op));
}

term bif_erlang_band_2(struct process *p, const term *args)
{
	return bit_operation(p, args, INTEGER_AND);
}

term bif_erlang_bor_2(struct process *p, const term *args)
{
	return bit_operation(p, args, INTEGER_OR);
}

term bif_erlang_bxor_2(struct process *p, const term *args)
{
	return bit_operation(p, args, INTEGER_XOR);
}

term bif_erlang_bnot_1(struct process *p, const term *args)
{
	if (!term_is_integer(args[0]))
		return bif_badarith(p);
	return or_limit(p, integer_sub(p, small_make(-1), args[0]));
}

static term shift(struct process *p, term value, term by, int sign)
{
	int64_t n;

	if (!term_is_integer(value) || !term_is_integer(by))
		return bif_badarith(p);
	if (value == small_make(0))
		return value;
	if (!integer_get_int64(by, &n) || n > INT32_MAX || n < -INT32_MAX) {
		bool is_negative = term_is_small(by) ? small_value(by) < 0 : big_is_negative(by);

		if (is_negative == (sign < 0))
			return bif_system_limit(p);
		return small_make(integer_compare(value, small_make(0)) < 0 ? -1 : 0);
	}
	return or_limit(p, integer_shift(p, value, n * sign));
}

term bif_erlang_bsl_2(struct process *p, const term *args)
{
	return shift(p, args[0], args[1], 1);
}

term bif_erlang_bsr_2(struct process *p, const term *args)
{
	return shift(p, args[0], args[1], -1);
}

/* ---- comparisons and booleans as functions ---- */

term bif_erlang_lt_2(struct process *p, const term *args)
{
	return atom_from_bool(term_order(args[0], args[1]) < 0);
}

term bif_erlang_gt_2(struct process *p, const term *args)
{
	return atom_from_bool(term_order(args[0], args[1]) > 0);
}

term bif_erlang_le_2(struct process *p, const term *args)
{
	return atom_from_bool(term_order(args[0], args[1]) <= 0);
}

term bif_erlang_ge_2(struct process *p, const term *args)
{
	return atom_from_bool(term_order(args[0], args[1]) >= 0);
}

term bif_erlang_eq_2(struct process *p, const term *args)
{
	return atom_from_bool(terms_compare_equal(args[0], args[1]));
}

term bif_erlang_ne_2(struct process *p, const term *args)
{
	return atom_from_bool(!terms_compare_equal(args[0], args[1]));
}

term bif_erlang_eq_exact_2(struct process *p, const term *args)
{
	return atom_from_bool(term_equal(args[0], args[1]));
}

term bif_erlang_ne_exact_2(struct process *p, const term *args)
{
	return atom_from_bool(!term_equal(args[0], args[1]));
}

static bool are_booleans(term a, term b)
{
	return (a == A_true || a == A_false) && (b == A_true || b == A_false);
}

term bif_erlang_and_2(struct process *p, const term *args)
{
	if (!are_booleans(args[0], args[1]))
		return bif_badarg(p);
	return atom_from_bool(args[0] == A_true && args[1] == A_true);
}

term bif_erlang_or_2(struct process *p, const term *args)
{
	if (!are_booleans(args[0], args[1]))
		return bif_badarg(p);
	return atom_from_bool(args[0] == A_true || args[1] == A_true);
}

term bif_erlang_xor_2(struct process *p, const term *args)
{
	if (!are_booleans(args[0], args[1]))
		return bif_badarg(p);
	return atom_from_bool(args[0] != args[1]);
}

term bif_erlang_not_1(struct process *p, const term *args)
{
	if (!are_booleans(args[0], args[0]))
		return bif_badarg(p);
	return atom_from_bool(args[0] == A_false);
}

/* ---- numbers to numbers ---- */

term bif_erlang_abs_1(struct process *p, const term *args)
{
	if (term_is_float(args[0]) && machine.compare.zeros_differ)
		return heap_float(p, fabs(float_value(args[0])));
	if (term_is_float(args[0])) /* abs(-0.0) is -0.0 before OTP 27 */
		return float_value(args[0]) < 0 ? heap_float(p, -float_value(args[0])) : args[0];
	if (!term_is_integer(args[0]))
		return bif_badarg(p);
	if (integer_compare(args[0], small_make(0)) >= 0)
		return args[0];
	return or_limit(p, integer_sub(p, small_make(0), args[0]));
}

term bif_erlang_float_1(struct process *p, const term *args)
{
	double value;

	if (!number_to_double(args[0], &value))
		return bif_badarg(p);
	return term_is_float(args[0]) ? args[0] : heap_float(p, value);
}

static term to_integer(struct process *p, term t, double (*rounding)(double))
{
	if (term_is_integer(t))
		return t;
	if (!term_is_float(t))
		return bif_badarg(p);
	return integer_from_double(p, rounding(float_value(t)));
}

term bif_erlang_trunc_1(struct process *p, const term *args)
{
	return to_integer(p, args[0], trunc);
}

term bif_erlang_round_1(struct process *p, const term *args)
{
	return to_integer(p, args[0], round);
}

term bif_erlang_floor_1(struct process *p, const term *args)
{
	return to_integer(p, args[0], floor);
}

term bif_erlang_ceil_1(struct process *p, const term *args)
{
	return to_integer(p, args[0], ceil);
}
