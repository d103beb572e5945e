#include "vm/terms/big.h"

#include <gmp.h>
#include <math.h>

#include "base/bug.h"
#include "base/mem.h"
#include "vm/machine.h"

_Static_assert(sizeof(mp_limb_t) == 8, "limbs are 64 bits");

static uint64_t *get_scratch(unsigned slot, size_t len)
{
	struct big_scratch *scratch = &machine.big;

	if (scratch->slots[slot].cap < len) {
		size_t cap = len + len / 2 + 64;

		scratch->slots[slot].cap = cap;
		scratch->slots[slot].limbs =
			mem_realloc(scratch->slots[slot].limbs, cap * sizeof(uint64_t));
	}
	return scratch->slots[slot].limbs;
}

void big_scratch_release(void)
{
	for (size_t i = 0; i < sizeof(machine.big.slots) / sizeof(*machine.big.slots); i++)
		mem_free(machine.big.slots[i].limbs);
	machine.big = (struct big_scratch){0};
}

static mp_limb_t *limbs_of(uint64_t *limbs) { return (mp_limb_t *)limbs; }
static const mp_limb_t *const_limbs_of(const uint64_t *limbs) { return (const mp_limb_t *)limbs; }

void integer_view(struct integer *view, term t)
{
	if (term_is_small(t)) {
		int64_t value = small_value(t);

		view->negative = value < 0;
		view->own = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
		view->limbs = &view->own;
		view->len = value != 0;
		return;
	}
	view->negative = big_is_negative(t);
	view->limbs = big_limbs(t);
	view->len = big_len(t);
}

term integer_build(struct process *p, const uint64_t *limbs, size_t len, bool negative)
{
	term *box;

	while (len && !limbs[len - 1])
		len--;
	if (!len)
		return small_make(0);
	if (len == 1 && limbs[0] <= (uint64_t)SMALL_MAX + negative)
		return small_make(negative ? (int64_t)(0 - limbs[0]) : (int64_t)limbs[0]);
	if (len > BIG_MAX_LIMBS)
		return TERM_NONE;
	box = heap_alloc(p, len + 1);
	box[0] = header_make(negative ? KIND_BIG_NEG : KIND_BIG_POS, len);
	memcpy(box + 1, limbs, len * sizeof(uint64_t));
	return boxed_make(box);
}

static int compare_magnitudes(const struct integer *a, const struct integer *b)
{
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return a->len ? mpn_cmp(const_limbs_of(a->limbs), const_limbs_of(b->limbs),
				(mp_size_t)a->len)
		      : 0;
}

int integer_compare(term a, term b)
{
	struct integer x, y;
	int order;

	if (terms_are_small(a, b))
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	integer_view(&x, a);
	integer_view(&y, b);
	if (x.negative != y.negative)
		return x.negative ? -1 : 1;
	order = compare_magnitudes(&x, &y);
	return x.negative ? -order : order;
}

static size_t count_bits(const struct integer *x)
{
	return x->len ? x->len * 64 - (size_t)__builtin_clzll(x->limbs[x->len - 1]) : 0;
}

/* Exact: compares the magnitudes as (bit length, 64 leading bits, the rest). */
int integer_compare_float(term a, double b)
{
	struct integer x;
	int exponent, order;
	uint64_t lead, mantissa;
	size_t bits;

	if (isnan(b))
		return -1;
	integer_view(&x, a);
	if (x.len == 0 || b == 0)
		return b == 0 ? (x.len ? (x.negative ? -1 : 1) : 0) : (b > 0 ? -1 : 1);
	if (x.negative != (b < 0))
		return x.negative ? -1 : 1;
	if (isinf(b))
		return b > 0 ? -1 : 1;
	mantissa = (uint64_t)ldexp(frexp(fabs(b), &exponent), 53) << 11; /* top bit set */
	bits = count_bits(&x);
	if (exponent <= 0 || bits != (size_t)exponent) {
		order = exponent <= 0 || bits > (size_t)exponent ? 1 : -1;
		return x.negative ? -order : order;
	}
	lead = x.limbs[x.len - 1];
	if (bits % 64) {
		lead <<= 64 - bits % 64;
		if (x.len > 1)
			lead |= x.limbs[x.len - 2] >> (bits % 64);
	}
	order = (lead > mantissa) - (lead < mantissa);
	/* Equal leading bits: any bit below them makes the integer larger. */
	for (size_t i = 0; !order && bits > 64 && i * 64 < bits - 64; i++) {
		size_t below = bits - 64 - i * 64;
		uint64_t limb = x.limbs[i];

		if (below < 64)
			limb &= ((uint64_t)1 << below) - 1;
		order = limb != 0;
	}
	return x.negative ? -order : order;
}

static term add_magnitudes(struct process *p, const struct integer *a, const struct integer *b,
			   bool negative)
{
	const struct integer *big = a->len >= b->len ? a : b, *small = big == a ? b : a;
	uint64_t *sum = get_scratch(0, big->len + 1);

	if (!small->len)
		return integer_build(p, big->limbs, big->len, negative);
	sum[big->len] = mpn_add(limbs_of(sum), const_limbs_of(big->limbs), (mp_size_t)big->len,
				const_limbs_of(small->limbs), (mp_size_t)small->len);
	return integer_build(p, sum, big->len + 1, negative);
}

/* a - b in magnitude; negative is the sign of a. */
static term sub_magnitudes(struct process *p, const struct integer *a, const struct integer *b,
			   bool negative)
{
	uint64_t *difference = get_scratch(0, a->len + b->len + 1);
	int order = compare_magnitudes(a, b);
	const struct integer *big = order >= 0 ? a : b, *small = order >= 0 ? b : a;

	if (order == 0)
		return small_make(0);
	if (order < 0)
		negative = !negative;
	if (!small->len)
		return integer_build(p, big->limbs, big->len, negative);
	mpn_sub(limbs_of(difference), const_limbs_of(big->limbs), (mp_size_t)big->len,
		const_limbs_of(small->limbs), (mp_size_t)small->len);
	return integer_build(p, difference, big->len, negative);
}

static term add_signed(struct process *p, struct integer *a, struct integer *b)
{
	if (a->negative == b->negative)
		return add_magnitudes(p, a, b, a->negative);
	return sub_magnitudes(p, a, b, a->negative);
}

term integer_add(struct process *p, term a, term b)
{
	struct integer x, y;

	integer_view(&x, a);
	integer_view(&y, b);
	return add_signed(p, &x, &y);
}

term integer_sub(struct process *p, term a, term b)
{
	struct integer x, y;

	integer_view(&x, a);
	integer_view(&y, b);
	y.negative = !y.negative;
	return add_signed(p, &x, &y);
}

term integer_mul(struct process *p, term a, term b)
{
	struct integer x, y;
	const struct integer *big, *small;
	uint64_t *product;

	integer_view(&x, a);
	integer_view(&y, b);
	if (!x.len || !y.len)
		return small_make(0);
	if (x.len + y.len > BIG_MAX_LIMBS + 1)
		return TERM_NONE;
	big = x.len >= y.len ? &x : &y;
	small = big == &x ? &y : &x;
	product = get_scratch(0, x.len + y.len);
	mpn_mul(limbs_of(product), const_limbs_of(big->limbs), (mp_size_t)big->len,
		const_limbs_of(small->limbs), (mp_size_t)small->len);
	return integer_build(p, product, x.len + y.len, x.negative != y.negative);
}

static term divide(struct process *p, term a, term b, bool want_remainder)
{
	struct integer x, y;
	uint64_t *quotient, *remainder;

	integer_view(&x, a);
	integer_view(&y, b);
	BUG_ON(!y.len, "division by zero got past its check");
	if (compare_magnitudes(&x, &y) < 0)
		return want_remainder ? integer_build(p, x.limbs, x.len, x.negative)
				      : small_make(0);
	quotient = get_scratch(0, x.len - y.len + 1);
	remainder = get_scratch(1, y.len);
	mpn_tdiv_qr(limbs_of(quotient), limbs_of(remainder), 0, const_limbs_of(x.limbs),
		    (mp_size_t)x.len, const_limbs_of(y.limbs), (mp_size_t)y.len);
	if (want_remainder)
		return integer_build(p, remainder, y.len, x.negative);
	return integer_build(p, quotient, x.len - y.len + 1, x.negative != y.negative);
}

term integer_div(struct process *p, term a, term b)
{
	return divide(p, a, b, false);
}

term integer_rem(struct process *p, term a, term b)
{
	return divide(p, a, b, true);
}

/* Limbs of t in two's complement, extended to len limbs. */
static void get_complement(const struct integer *x, uint64_t *out, size_t len)
{
	memcpy(out, x->limbs, x->len * sizeof(uint64_t));
	memset(out + x->len, 0, (len - x->len) * sizeof(uint64_t));
	if (x->negative)
		mpn_neg(limbs_of(out), limbs_of(out), (mp_size_t)len);
}

static term build_complement(struct process *p, uint64_t *limbs, size_t len)
{
	bool negative = limbs[len - 1] >> 63;

	if (negative)
		mpn_neg(limbs_of(limbs), limbs_of(limbs), (mp_size_t)len);
	return integer_build(p, limbs, len, negative);
}

term integer_bits(struct process *p, term a, term b, enum integer_bit_op op)
{
	struct integer x, y;
	size_t len;
	uint64_t *left, *right;

	integer_view(&x, a);
	integer_view(&y, b);
	len = (x.len > y.len ? x.len : y.len) + 1;
	left = get_scratch(0, len);
	right = get_scratch(1, len);
	get_complement(&x, left, len);
	get_complement(&y, right, len);
	for (size_t i = 0; i < len; i++)
		left[i] = op == INTEGER_AND  ? left[i] & right[i]
			  : op == INTEGER_OR ? left[i] | right[i]
					     : left[i] ^ right[i];
	return build_complement(p, left, len);
}

static term shift_left(struct process *p, const struct integer *x, uint64_t shift)
{
	size_t limbs = shift / 64;
	uint64_t *out;

	if (!x->len)
		return small_make(0);
	if (limbs + x->len > BIG_MAX_LIMBS)
		return TERM_NONE;
	out = get_scratch(0, x->len + limbs + 1);
	memset(out, 0, limbs * sizeof(uint64_t));
	memcpy(out + limbs, x->limbs, x->len * sizeof(uint64_t));
	out[limbs + x->len] = 0;
	if (shift % 64)
		out[limbs + x->len] = mpn_lshift(limbs_of(out + limbs), limbs_of(out + limbs),
						 (mp_size_t)x->len, shift % 64);
	return integer_build(p, out, x->len + limbs + 1, x->negative);
}

static term shift_right(struct process *p, const struct integer *x, uint64_t shift)
{
	size_t limbs = shift / 64, len;
	uint64_t *out;
	bool lost = false;

	if (limbs >= x->len)
		return small_make(x->negative ? -1 : 0);
	len = x->len - limbs;
	out = get_scratch(0, len + 1);
	for (size_t i = 0; i < limbs; i++)
		lost |= x->limbs[i] != 0;
	memcpy(out, x->limbs + limbs, len * sizeof(uint64_t));
	out[len] = 0;
	if (shift % 64)
		lost |= mpn_rshift(limbs_of(out), limbs_of(out), (mp_size_t)len, shift % 64) != 0;
	if (x->negative && lost) /* towards minus infinity */
		mpn_add_1(limbs_of(out), limbs_of(out), (mp_size_t)len + 1, 1);
	return integer_build(p, out, len + 1, x->negative);
}

term integer_shift(struct process *p, term a, int64_t shift)
{
	struct integer x;

	integer_view(&x, a);
	if (shift < 0)
		return shift_right(p, &x, 0 - (uint64_t)shift);
	return shift_left(p, &x, (uint64_t)shift);
}

/* Rounds to nearest, ties to even, as the hardware does: the conversion of the 64 leading bits
 * rounds so when the last of them is sticky, that is, set if any bit below it is set. */
bool integer_to_double(term t, double *value)
{
	struct integer x;
	size_t bits;
	uint64_t lead;

	if (term_is_small(t)) {
		*value = (double)small_value(t);
		return true;
	}
	integer_view(&x, t);
	bits = count_bits(&x);
	lead = x.limbs[x.len - 1];
	if (bits > 64) {
		size_t drop = bits - 64, limb = drop / 64, off = drop % 64;
		bool sticky = false;

		lead = x.limbs[limb] >> off;
		if (off)
			lead |= x.limbs[limb + 1] << (64 - off);
		for (size_t i = 0; i < limb; i++)
			sticky |= x.limbs[i] != 0;
		sticky |= off && (x.limbs[limb] << (64 - off)) != 0;
		lead |= sticky;
	}
	*value = ldexp((double)lead, bits > 64 ? (int)(bits - 64) : 0);
	if (x.negative)
		*value = -*value;
	return isfinite(*value);
}

term integer_from_double(struct process *p, double value)
{
	int exponent;
	uint64_t mantissa, limbs[18] = {0};
	double magnitude = fabs(trunc(value));

	if (magnitude < 9e18)
		return heap_integer(p, (int64_t)value);
	mantissa = (uint64_t)ldexp(frexp(magnitude, &exponent), 53);
	exponent -= 53;
	limbs[exponent / 64] = mantissa << (exponent % 64);
	if (exponent % 64)
		limbs[exponent / 64 + 1] = mantissa >> (64 - exponent % 64);
	return integer_build(p, limbs, 18, value < 0);
}

bool integer_get_int64(term t, int64_t *value)
{
	if (term_is_small(t)) {
		*value = small_value(t);
		return true;
	}
	if (!term_is_big(t) || big_len(t) != 1)
		return false;
	if (big_is_negative(t) ? big_limbs(t)[0] > (uint64_t)1 << 63 : big_limbs(t)[0] >> 63)
		return false;
	*value = (int64_t)(big_is_negative(t) ? 0 - big_limbs(t)[0] : big_limbs(t)[0]);
	return true;
}

bool integer_get_uint64(term t, uint64_t *value)
{
	if (term_is_small(t)) {
		*value = (uint64_t)small_value(t);
		return small_value(t) >= 0;
	}
	if (!term_is_big(t) || big_len(t) != 1 || big_is_negative(t))
		return false;
	*value = big_limbs(t)[0];
	return true;
}
