/* Tests: each goes on if its condition holds, else to its label. */

#define TYPE_TEST(name, condition)                                             \
	OP_INLINE void op_##name(struct regs *r)                               \
	{                                                                      \
		term t = get(r, 2);                                            \
                                                                               \
		r->ip = (condition) ? r->ip + 3 : label(r, 1);                 \
	}

TYPE_TEST(is_integer, term_is_integer(t))
TYPE_TEST(is_float, term_is_float(t))
TYPE_TEST(is_number, term_is_number(t))
TYPE_TEST(is_atom, term_is_atom(t))
TYPE_TEST(is_pid, term_is_any_pid(t))
TYPE_TEST(is_reference, term_is_any_ref(t))
TYPE_TEST(is_port, term_is_any_port(t))
TYPE_TEST(is_nil, t == NIL)
TYPE_TEST(is_binary, term_is_bitstring(t) && term_is_binary(t))
TYPE_TEST(is_bitstr, term_is_bitstring(t))
TYPE_TEST(is_list, term_is_list(t))
TYPE_TEST(is_nonempty_list, term_is_cons(t))
TYPE_TEST(is_tuple, term_is_tuple(t))
TYPE_TEST(is_map, term_is_map(t))
TYPE_TEST(is_boolean, t == A_true || t == A_false)
TYPE_TEST(is_function, term_is_fun(t))
#undef TYPE_TEST

#define TYPE_TEST_X(name, condition)                                           \
	OP_INLINE void op_##name(struct regs *r)                               \
	{                                                                      \
		term t = X(r, 2);                                       \
                                                                               \
		r->ip = likely(condition) ? r->ip + 3 : label(r, 1);           \
	}

TYPE_TEST_X(is_nil_x, t == NIL)
TYPE_TEST_X(is_nonempty_list_x, term_is_cons(t))
TYPE_TEST_X(is_tuple_x, term_is_tuple(t))
#undef TYPE_TEST_X

/* No instruction that makes a native record is known, so no term is one. */
OP_INLINE void op_is_any_native_record(struct regs *r)
{
	r->ip = label(r, 1);
}

OP_INLINE void op_is_function2(struct regs *r)
{
	term fun = get(r, 2), arity = get(r, 3);
	bool holds = false;

	if (term_is_small(arity) && term_is_local_fun(fun))
		holds = fun_entry_of(fun)->arity == (uint64_t)small_value(arity);
	else if (term_is_small(arity) && term_is_export_fun(fun))
		holds = export_of_fun(fun)->arity == (uint64_t)small_value(arity);
	r->ip = holds ? r->ip + 4 : label(r, 1);
}

OP_INLINE void op_test_arity(struct regs *r)
{
	r->ip = term_is_tuple_of(get(r, 2), r->ip[3]) ? r->ip + 4 : label(r, 1);
}

OP_INLINE bool is_tagged(term t, size_t size, term tag)
{
	return term_is_boxed(t) && *boxed_ptr(t) == header_make(KIND_TUPLE, size) &&
	       boxed_ptr(t)[1] == tag;
}

OP_INLINE void op_is_tagged_tuple(struct regs *r)
{
	r->ip = is_tagged(get(r, 2), r->ip[3], r->ip[4]) ? r->ip + 5 : label(r, 1);
}

/* The operand is the header to compare with. */
OP_INLINE void op_is_tagged_tuple_x(struct regs *r)
{
	term t = X(r, 2);

	if (likely(term_is_boxed(t) && *boxed_ptr(t) == r->ip[3] && boxed_ptr(t)[1] == r->ip[4]))
		r->ip += 5;
	else
		r->ip = label(r, 1);
}

#define COMPARE_TEST(name, left, right, small_holds, order_holds)                \
	OP_INLINE void op_##name(struct regs *r)                               \
	{                                                                      \
		term a = (left), b = (right);                                  \
		bool holds;                                                    \
                                                                               \
		if (likely(terms_are_small(a, b)))                             \
			holds = (int64_t)a small_holds (int64_t)b;             \
		else                                                           \
			holds = term_order(a, b) order_holds 0;                \
		r->ip = holds ? r->ip + 4 : label(r, 1);                       \
	}

COMPARE_TEST(is_lt, get(r, 2), get(r, 3), <, <)
COMPARE_TEST(is_ge, get(r, 2), get(r, 3), >=, >=)
COMPARE_TEST(is_lt_xx, X(r, 2), X(r, 3), <, <)
COMPARE_TEST(is_ge_xx, X(r, 2), X(r, 3), >=, >=)
COMPARE_TEST(is_lt_xc, X(r, 2), r->ip[3], <, <)
COMPARE_TEST(is_ge_xc, X(r, 2), r->ip[3], >=, >=)
COMPARE_TEST(is_lt_cx, r->ip[2], X(r, 3), <, <)
COMPARE_TEST(is_ge_cx, r->ip[2], X(r, 3), >=, >=)
#undef COMPARE_TEST

OP_INLINE void op_is_eq(struct regs *r)
{
	r->ip = terms_compare_equal(get(r, 2), get(r, 3)) ? r->ip + 4 : label(r, 1);
}

OP_INLINE void op_is_ne(struct regs *r)
{
	r->ip = terms_compare_equal(get(r, 2), get(r, 3)) ? label(r, 1) : r->ip + 4;
}

OP_INLINE void op_is_eq_exact(struct regs *r)
{
	r->ip = term_equal(get(r, 2), get(r, 3)) ? r->ip + 4 : label(r, 1);
}

OP_INLINE void op_is_ne_exact(struct regs *r)
{
	r->ip = term_equal(get(r, 2), get(r, 3)) ? label(r, 1) : r->ip + 4;
}

OP_INLINE void op_is_eq_exact_xc(struct regs *r)
{
	r->ip = X(r, 2) == r->ip[3] ? r->ip + 4 : label(r, 1);
}

OP_INLINE void op_is_ne_exact_xc(struct regs *r)
{
	r->ip = X(r, 2) != r->ip[3] ? r->ip + 4 : label(r, 1);
}

/* source, fail, n, n values, n labels */
OP_INLINE void op_select_linear(struct regs *r)
{
	term t = get(r, 1);
	size_t n = r->ip[3];
	const word *values = r->ip + 4;

	for (size_t i = 0; i < n; i++) {
		if (values[i] == t) {
			r->ip = (const word *)values[n + i];
			return;
		}
	}
	r->ip = label(r, 2);
}

OP_INLINE void op_select_sorted(struct regs *r)
{
	term t = get(r, 1);
	size_t n = r->ip[3], low = 0, high = n;
	const word *values = r->ip + 4;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (values[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	r->ip = low < n && values[low] == t ? (const word *)values[n + low] : label(r, 2);
}

/* source, fail, n, first value (small), n labels */
OP_INLINE void op_select_table(struct regs *r)
{
	term t = get(r, 1);
	uint64_t i = (t - r->ip[4]) >> 4;

	if (likely(term_is_small(t)) && i < r->ip[3])
		r->ip = (const word *)r->ip[5 + i];
	else
		r->ip = label(r, 2);
}

OP_INLINE void op_select_equal(struct regs *r)
{
	term t = get(r, 1);
	size_t n = r->ip[3];
	const word *values = r->ip + 4;

	for (size_t i = 0; i < n; i++) {
		if (term_equal(values[i], t)) {
			r->ip = (const word *)values[n + i];
			return;
		}
	}
	r->ip = label(r, 2);
}

/* source, fail, n, (size, label)* */
OP_INLINE void op_select_tuple_arity(struct regs *r)
{
	term t = get(r, 1);
	size_t n = r->ip[3];

	if (term_is_tuple(t)) {
		for (size_t i = 0; i < n; i += 2) {
			if (tuple_size(t) == r->ip[4 + i]) {
				r->ip = (const word *)r->ip[5 + i];
				return;
			}
		}
	}
	r->ip = label(r, 2);
}
