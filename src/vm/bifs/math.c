/* math: the functions of the C library; a result that is not a finite number raises badarith. */
#include <math.h>

#include "vm/bifs/bif.h"
#include "vm/terms/arith.h"

static term refuse(struct process *p, term t)
{
	return term_is_number(t) ? bif_badarith(p) : bif_badarg(p);
}

static term call_one(struct process *p, const term *args, double (*function)(double))
{
	double x;

	if (!number_to_double(args[0], &x))
		return refuse(p, args[0]);
	x = function(x);
	return isfinite(x) ? heap_float(p, x) : bif_badarith(p);
}

static term call_two(struct process *p, const term *args, double (*function)(double, double))
{
	double x, y;

	if (!number_to_double(args[0], &x))
		return refuse(p, args[0]);
	if (!number_to_double(args[1], &y))
		return refuse(p, args[1]);
	x = function(x, y);
	return isfinite(x) ? heap_float(p, x) : bif_badarith(p);
}

#define MATH_ONE(name)                                                         \
	term bif_math_##name##_1(struct process *p, const term *args)          \
	{                                                                      \
		return call_one(p, args, name);                                \
	}

#define MATH_TWO(name)                                                         \
	term bif_math_##name##_2(struct process *p, const term *args)          \
	{                                                                      \
		return call_two(p, args, name);                                \
	}

MATH_ONE(sin)
MATH_ONE(cos)
MATH_ONE(tan)
MATH_ONE(asin)
MATH_ONE(acos)
MATH_ONE(atan)
MATH_ONE(sinh)
MATH_ONE(cosh)
MATH_ONE(tanh)
MATH_ONE(asinh)
MATH_ONE(acosh)
MATH_ONE(atanh)
MATH_ONE(erf)
MATH_ONE(erfc)
MATH_ONE(exp)
MATH_ONE(log)
MATH_ONE(log2)
MATH_ONE(log10)
MATH_ONE(sqrt)
MATH_ONE(ceil)
MATH_ONE(floor)
MATH_TWO(pow)
MATH_TWO(atan2)
MATH_TWO(fmod)
