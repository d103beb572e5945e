/* Moving terms, taking them apart and building them. */

OP_INLINE void op_move_xx(struct regs *r)
{
	X(r, 2) = X(r, 1);
	r->ip += 3;
}

OP_INLINE void op_move_xy(struct regs *r)
{
	Y(r, 2) = X(r, 1);
	r->ip += 3;
}

OP_INLINE void op_move_yx(struct regs *r)
{
	X(r, 2) = Y(r, 1);
	r->ip += 3;
}

OP_INLINE void op_move_cx(struct regs *r)
{
	X(r, 2) = r->ip[1];
	r->ip += 3;
}

OP_INLINE void op_move_cy(struct regs *r)
{
	Y(r, 2) = r->ip[1];
	r->ip += 3;
}

OP_INLINE void op_move_sd(struct regs *r)
{
	put(r, 2, get(r, 1));
	r->ip += 3;
}

OP_INLINE void op_move2_xy(struct regs *r)
{
	Y(r, 2) = X(r, 1);
	Y(r, 4) = X(r, 3);
	r->ip += 5;
}

OP_INLINE void op_move2_yx(struct regs *r)
{
	X(r, 2) = Y(r, 1);
	X(r, 4) = Y(r, 3);
	r->ip += 5;
}

OP_INLINE void op_move2_xx(struct regs *r)
{
	X(r, 2) = X(r, 1);
	X(r, 4) = X(r, 3);
	r->ip += 5;
}

OP_INLINE void op_swap(struct regs *r)
{
	term first = get(r, 1);

	put(r, 1, get(r, 2));
	put(r, 2, first);
	r->ip += 3;
}

OP_INLINE void op_get_list_xxx(struct regs *r)
{
	const term *cell = cons_ptr(X(r, 1));
	term head, tail;

	PROMISED(r, term_is_cons(X(r, 1)));
	head = cell[0];
	tail = cell[1];
	X(r, 2) = head;
	X(r, 3) = tail;
	r->ip += 4;
}

OP_INLINE void op_get_list_xyx(struct regs *r)
{
	const term *cell = cons_ptr(X(r, 1));
	term tail;

	PROMISED(r, term_is_cons(X(r, 1)));
	tail = cell[1];
	Y(r, 2) = cell[0];
	X(r, 3) = tail;
	r->ip += 4;
}

OP_INLINE void op_get_list(struct regs *r)
{
	term list = get(r, 1), head, tail;

	PROMISED(r, term_is_cons(list));
	head = cons_head(list);
	tail = cons_tail(list);
	put(r, 2, head);
	put(r, 3, tail);
	r->ip += 4;
}

OP_INLINE void op_get_hd(struct regs *r)
{
	term list = get(r, 1);

	PROMISED(r, term_is_cons(list));
	put(r, 2, cons_head(list));
	r->ip += 3;
}

OP_INLINE void op_get_tl(struct regs *r)
{
	term list = get(r, 1);

	PROMISED(r, term_is_cons(list));
	put(r, 2, cons_tail(list));
	r->ip += 3;
}

OP_INLINE void op_get_hd_xx(struct regs *r)
{
	PROMISED(r, term_is_cons(X(r, 1)));
	X(r, 2) = cons_head(X(r, 1));
	r->ip += 3;
}

OP_INLINE void op_get_tl_xx(struct regs *r)
{
	PROMISED(r, term_is_cons(X(r, 1)));
	X(r, 2) = cons_tail(X(r, 1));
	r->ip += 3;
}

OP_INLINE void op_get_tuple_element_xx(struct regs *r)
{
	PROMISED(r, has_element(X(r, 1), r->ip[2]));
	X(r, 3) = tuple_element(X(r, 1), r->ip[2]);
	r->ip += 4;
}

OP_INLINE void op_get_tuple_element_xy(struct regs *r)
{
	PROMISED(r, has_element(X(r, 1), r->ip[2]));
	Y(r, 3) = tuple_element(X(r, 1), r->ip[2]);
	r->ip += 4;
}

OP_INLINE void op_get_tuple_element_yx(struct regs *r)
{
	PROMISED(r, has_element(Y(r, 1), r->ip[2]));
	X(r, 3) = tuple_element(Y(r, 1), r->ip[2]);
	r->ip += 4;
}

OP_INLINE void op_get_tuple_element(struct regs *r)
{
	term tuple = get(r, 1);

	PROMISED(r, has_element(tuple, r->ip[2]));
	put(r, 3, tuple_element(tuple, r->ip[2]));
	r->ip += 4;
}

/* Allowed only in the tuple that setelement/3 has just made, and only with a value older than the
 * tuple, so that a term never contains itself. */
OP_INLINE void op_set_tuple_element(struct regs *r)
{
	term value = get(r, 1), tuple = get(r, 2);

	PROMISED(r, has_element(tuple, r->ip[3]) && heap_is_fresh(r->p, tuple) &&
			    heap_is_older(r->p, value, tuple));
	tuple_elements(tuple)[r->ip[3]] = value;
	r->ip += 4;
}

OP_INLINE void op_put_list_xxx(struct regs *r)
{
	term *cell = r->htop;

	cell[0] = X(r, 1);
	cell[1] = X(r, 2);
	r->htop = cell + 2;
	X(r, 3) = cons_make(cell);
	r->ip += 4;
}

OP_INLINE void op_put_list_yxx(struct regs *r)
{
	term *cell = r->htop;

	cell[0] = Y(r, 1);
	cell[1] = X(r, 2);
	r->htop = cell + 2;
	X(r, 3) = cons_make(cell);
	r->ip += 4;
}

OP_INLINE void op_put_list_cxx(struct regs *r)
{
	term *cell = r->htop;

	cell[0] = r->ip[1];
	cell[1] = X(r, 2);
	r->htop = cell + 2;
	X(r, 3) = cons_make(cell);
	r->ip += 4;
}

OP_INLINE void op_put_list(struct regs *r)
{
	term *cell = r->htop;

	cell[0] = get(r, 1);
	cell[1] = get(r, 2);
	r->htop = cell + 2;
	put(r, 3, cons_make(cell));
	r->ip += 4;
}

OP_INLINE void op_put_tuple2(struct regs *r)
{
	term *box = r->htop;
	size_t n = r->ip[2];

	box[0] = header_make(KIND_TUPLE, n);
	for (size_t i = 0; i < n; i++)
		box[1 + i] = get_word(r, r->ip[3 + i]);
	r->htop = box + 1 + n;
	put(r, 1, boxed_make(box));
	r->ip += 3 + n;
}

/* hint, size, source, destination, n, (index, value)*; room was made by test_heap. */
OP_INLINE void op_update_record(struct regs *r)
{
	size_t size = r->ip[2], n = r->ip[5];
	const term *from = boxed_ptr(get(r, 3));
	term *box = r->htop;

	PROMISED(r, term_is_tuple_of(get(r, 3), size));
	for (size_t i = 0; i <= size; i++)
		box[i] = from[i];
	for (size_t i = 0; i < n; i += 2)
		box[r->ip[6 + i]] = get_word(r, r->ip[7 + i]);
	r->htop = box + 1 + size;
	put(r, 4, boxed_make(box));
	r->ip += 6 + n;
}

OP_INLINE term *start_fun(term *box, const struct fun_entry *entry)
{
	box[0] = header_make(KIND_FUN, 1 + entry->num_free);
	box[1] = (term)entry;
	return box + 2;
}

OP_INLINE void op_make_fun2(struct regs *r)
{
	const struct fun_entry *entry = (const struct fun_entry *)r->ip[1];
	term *box;
	term *free;

	need_heap(r, 2 + entry->num_free, entry->num_free);
	box = r->htop;
	free = start_fun(box, entry);
	for (uint32_t i = 0; i < entry->num_free; i++)
		free[i] = r->x[i];
	r->htop = free + entry->num_free;
	r->x[0] = boxed_make(box);
	r->ip += 2;
}

/* Room was made by the test_heap before it. */
OP_INLINE void op_make_fun3(struct regs *r)
{
	const struct fun_entry *entry = (const struct fun_entry *)r->ip[1];
	size_t n = r->ip[3];
	term *box = r->htop;
	term *free = start_fun(box, entry);

	for (size_t i = 0; i < n; i++)
		free[i] = get_word(r, r->ip[4 + i]);
	r->htop = free + n;
	put(r, 2, boxed_make(box));
	r->ip += 4 + n;
}
