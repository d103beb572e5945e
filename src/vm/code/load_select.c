/* Choosing the form of an instruction by its operands, and joining it with its neighbours. */
#include <stdlib.h>

#include "vm/bifs/bif.h"
#include "vm/code/load.h"

static bool is_x(const struct beam_operand *o) { return o->kind == BEAM_X; }
static bool is_y(const struct beam_operand *o) { return o->kind == BEAM_Y; }

static bool is_immediate(struct loader *ld, const struct beam_operand *o)
{
	return load_is_constant(o) && term_is_immediate(load_constant(ld, o));
}

static bool is_small(const struct beam_operand *o)
{
	return o->kind == BEAM_INT && small_fits(o->value);
}

static void emit(struct loader *ld, enum spec_op op, const struct beam_operand *operands,
		 unsigned n)
{
	load_op(ld, op);
	for (unsigned i = 0; i < n; i++) {
		if (operands[i].kind == BEAM_LABEL)
			load_label(ld, operands[i].value);
		else
			load_word(ld, load_operand(ld, &operands[i]));
	}
}

/* ---- calls ---- */

static const struct beam_import *import_of(struct loader *ld, const struct beam_operand *o)
{
	return &ld->bf->imports[o->value];
}

static const struct bif *bif_of(struct loader *ld, const struct beam_import *import)
{
	return bif_find(load_atom(ld, import->module), load_atom(ld, import->function),
			import->arity);
}

enum call_form { CALL, CALL_ONLY, CALL_LAST };

static void emit_return(struct loader *ld, enum call_form form, word drop)
{
	if (form == CALL)
		return;
	load_op(ld, form == CALL_LAST ? SPEC_deallocate_return : SPEC_return);
	if (form == CALL_LAST)
		load_word(ld, drop);
}

static bool is_erlang(struct loader *ld, const struct beam_import *import, const char *name,
		      unsigned arity)
{
	return load_atom(ld, import->module) == A_erlang && import->arity == arity &&
	       strcmp(atom_text(load_atom(ld, import->function)), name) == 0;
}

/* Native functions that change the flow of control have instructions of their own. */
static bool emit_control(struct loader *ld, const struct beam_import *import, enum call_form form,
			 word drop)
{
	word how = form == CALL ? 0 : form == CALL_ONLY ? 1 : drop + 1;

	if (is_erlang(ld, import, "apply", 2) || is_erlang(ld, import, "apply", 3)) {
		load_op(ld, import->arity == 2 ? SPEC_apply_fun : SPEC_apply_mfa);
		load_word(ld, how);
		return true;
	}
	if (is_erlang(ld, import, "hibernate", 3)) {
		load_op(ld, SPEC_hibernate);
		return true;
	}
	return false;
}

static void emit_call_ext(struct loader *ld, const struct beam_instr *in, enum call_form form)
{
	const struct beam_import *import = import_of(ld, &in->operands[1]);
	const struct bif *bif = bif_of(ld, import);
	word drop = form == CALL_LAST ? (word)in->operands[2].value + 1 : 0;
	struct export *export;

	if (!bif || bif_is_visible(bif))
		load_note_call(ld, 0, bif ? TERM_NONE : load_atom(ld, import->module),
			       load_atom(ld, import->function));
	if (emit_control(ld, import, form, drop))
		return;
	if (bif) {
		load_op(ld, bif_is_visible(bif) ? SPEC_call_visible
			: ld->is_of_library  ? SPEC_call_bif
					     : SPEC_leave_bif);
		load_word(ld, (word)bif);
		emit_return(ld, form, drop);
		return;
	}
	export = export_of(load_atom(ld, import->module), load_atom(ld, import->function),
			   import->arity);
	load_op(ld, ld->is_of_library ? (form == CALL	     ? SPEC_call_ext
					 : form == CALL_ONLY ? SPEC_call_ext_only
							     : SPEC_call_ext_last)
		    : form == CALL	? SPEC_leave
		    : form == CALL_ONLY ? SPEC_leave_only
					: SPEC_leave_last);
	load_word(ld, (word)export_slot(export->number));
	if (form == CALL_LAST)
		load_word(ld, drop);
}

static bool next_is(struct loader *ld, size_t i, enum opcode op)
{
	return i + 1 < ld->bf->instrs_len && ld->bf->instrs[i + 1].op == op;
}

/* The compiler has no instruction for a tail call of a fun: it writes call, deallocate, return. */
static void emit_call_fun(struct loader *ld, size_t i, enum spec_op call, enum spec_op last,
			  const struct beam_operand *operands, unsigned n)
{
	bool is_last = next_is(ld, i, OP_deallocate) && next_is(ld, i + 1, OP_return);

	emit(ld, is_last ? last : call, operands, n);
	if (!is_last)
		return;
	load_word(ld, (word)ld->bf->instrs[i + 1].operands[0].value + 1);
	ld->at += 2;
}

static bool select_call(struct loader *ld, const struct beam_instr *in, size_t i)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_call:
	case OP_call_only:
		load_op(ld, in->op == OP_call			    ? SPEC_call
			    : load_is_handler_again(ld, o[1].value) ? SPEC_again_only
								    : SPEC_call_only);
		load_free_label(ld, o[1].value);
		load_note_call(ld, o[1].value, TERM_NONE, TERM_NONE);
		return true;
	case OP_call_last:
		load_op(ld,
			load_is_handler_again(ld, o[1].value) ? SPEC_again_last : SPEC_call_last);
		load_free_label(ld, o[1].value);
		load_word(ld, (word)o[2].value + 1);
		load_note_call(ld, o[1].value, TERM_NONE, TERM_NONE);
		return true;
	case OP_call_ext:
		emit_call_ext(ld, in, CALL);
		return true;
	case OP_call_ext_only:
		emit_call_ext(ld, in, CALL_ONLY);
		return true;
	case OP_call_ext_last:
		emit_call_ext(ld, in, CALL_LAST);
		return true;
	case OP_call_fun:
		emit_call_fun(ld, i, SPEC_call_fun, SPEC_call_fun_last, o, 1);
		return true;
	case OP_call_fun2:
		emit_call_fun(ld, i, SPEC_call_fun2, SPEC_call_fun2_last, o + 1, 2);
		return true;
	case OP_send:
		load_op(ld, SPEC_send);
		return true;
	default:
		return false;
	}
}

/* ---- frames ---- */

static void emit_deallocate(struct loader *ld, size_t i, word words)
{
	if (next_is(ld, i, OP_return)) {
		load_op(ld, SPEC_deallocate_return);
		ld->at++;
	} else {
		load_op(ld, SPEC_deallocate);
	}
	load_word(ld, words);
}

static void emit_allocate(struct loader *ld, word slots, word heap, word live, bool is_clear)
{
	is_clear = is_clear || ld->facts->must_clear[ld->functions.len - 1];
	load_op(ld, is_clear ? SPEC_allocate_zero : heap ? SPEC_allocate_heap : SPEC_allocate);
	load_word(ld, slots + 1);
	if (is_clear || heap)
		load_word(ld, heap);
	load_word(ld, live);
}

static bool select_frame(struct loader *ld, const struct beam_instr *in, size_t i)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_allocate:
	case OP_allocate_zero:
		emit_allocate(ld, (word)o[0].value, 0, (word)o[1].value,
			      in->op == OP_allocate_zero);
		return true;
	case OP_allocate_heap:
	case OP_allocate_heap_zero:
		emit_allocate(ld, (word)o[0].value, load_heap_need(&o[1]), (word)o[2].value,
			      in->op == OP_allocate_heap_zero);
		return true;
	case OP_test_heap:
		load_op(ld, SPEC_test_heap);
		load_word(ld, load_heap_need(&o[0]));
		load_word(ld, (word)o[1].value);
		return true;
	case OP_init:
		emit(ld, SPEC_init_y, o, 1);
		return true;
	case OP_deallocate:
		emit_deallocate(ld, i, (word)o[0].value + 1);
		return true;
	case OP_trim:
		load_op(ld, SPEC_trim);
		load_word(ld, (word)o[0].value);
		return true;
	case OP_catch:
	case OP_try:
		emit(ld, SPEC_catch, o, 2);
		return true;
	default:
		return false;
	}
}

/* ---- moves ---- */

static enum spec_op choose_move(const struct beam_operand *o)
{
	if (is_x(&o[0]) && is_x(&o[1]))
		return SPEC_move_xx;
	if (is_x(&o[0]) && is_y(&o[1]))
		return SPEC_move_xy;
	if (is_y(&o[0]) && is_x(&o[1]))
		return SPEC_move_yx;
	if (load_is_constant(&o[0]) && is_x(&o[1]))
		return SPEC_move_cx;
	if (load_is_constant(&o[0]))
		return SPEC_move_cy;
	return SPEC_move_sd;
}

static enum spec_op choose_double_move(enum spec_op op)
{
	switch (op) {
	case SPEC_move_xx:
		return SPEC_move2_xx;
	case SPEC_move_xy:
		return SPEC_move2_xy;
	case SPEC_move_yx:
		return SPEC_move2_yx;
	default:
		return SPEC_COUNT;
	}
}

static void emit_move(struct loader *ld, size_t i)
{
	const struct beam_instr *in = &ld->bf->instrs[i];
	enum spec_op op = choose_move(in->operands);

	if (next_is(ld, i, OP_move) && choose_double_move(op) != SPEC_COUNT &&
	    choose_move(in[1].operands) == op) {
		emit(ld, choose_double_move(op), in->operands, 2);
		load_word(ld, load_operand(ld, &in[1].operands[0]));
		load_word(ld, load_operand(ld, &in[1].operands[1]));
		ld->at++;
		return;
	}
	emit(ld, op, in->operands, 2);
}

static bool select_data(struct loader *ld, const struct beam_instr *in, size_t i)
{
	const struct beam_operand *o = in->operands;
	bool all_x = in->operands_len == 3 && is_x(&o[0]) && is_x(&o[1]) && is_x(&o[2]);

	switch (in->op) {
	case OP_move:
		emit_move(ld, i);
		return true;
	case OP_get_list:
		if (all_x)
			emit(ld, SPEC_get_list_xxx, o, 3);
		else if (is_x(&o[0]) && is_y(&o[1]) && is_x(&o[2]))
			emit(ld, SPEC_get_list_xyx, o, 3);
		else
			return false;
		return true;
	case OP_put_list:
		if (!is_x(&o[1]) || !is_x(&o[2]))
			return false;
		emit(ld, is_x(&o[0]) ? SPEC_put_list_xxx : is_y(&o[0]) ? SPEC_put_list_yxx
								      : SPEC_put_list_cxx, o, 3);
		return true;
	case OP_get_hd:
	case OP_get_tl:
		if (!is_x(&o[0]) || !is_x(&o[1]))
			return false;
		emit(ld, in->op == OP_get_hd ? SPEC_get_hd_xx : SPEC_get_tl_xx, o, 2);
		return true;
	case OP_get_tuple_element:
		if (is_x(&o[0]))
			emit(ld, is_x(&o[2]) ? SPEC_get_tuple_element_xx
					     : SPEC_get_tuple_element_xy, o, 3);
		else if (is_y(&o[0]) && is_x(&o[2]))
			emit(ld, SPEC_get_tuple_element_yx, o, 3);
		else
			return false;
		return true;
	default:
		return false;
	}
}

/* ---- tests ---- */

static enum spec_op choose_order(struct loader *ld, bool is_lt, const struct beam_operand *a,
				 const struct beam_operand *b)
{
	if (is_x(a) && is_x(b))
		return is_lt ? SPEC_is_lt_xx : SPEC_is_ge_xx;
	if (is_x(a) && is_small(b))
		return is_lt ? SPEC_is_lt_xc : SPEC_is_ge_xc;
	if (is_small(a) && is_x(b))
		return is_lt ? SPEC_is_lt_cx : SPEC_is_ge_cx;
	(void)ld;
	return is_lt ? SPEC_is_lt : SPEC_is_ge;
}

static bool emit_equal(struct loader *ld, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;
	bool is_eq = in->op == OP_is_eq_exact;

	if (!is_x(&o[1]) || !is_immediate(ld, &o[2]))
		return false;
	emit(ld, is_eq ? SPEC_is_eq_exact_xc : SPEC_is_ne_exact_xc, o, 3);
	return true;
}

static bool select_test(struct loader *ld, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_is_lt:
	case OP_is_ge:
		emit(ld, choose_order(ld, in->op == OP_is_lt, &o[1], &o[2]), o, 3);
		return true;
	case OP_is_eq_exact:
	case OP_is_ne_exact:
		return emit_equal(ld, in);
	case OP_is_nil:
		if (is_x(&o[1]))
			emit(ld, SPEC_is_nil_x, o, 2);
		return is_x(&o[1]);
	case OP_is_nonempty_list:
		if (is_x(&o[1]))
			emit(ld, SPEC_is_nonempty_list_x, o, 2);
		return is_x(&o[1]);
	case OP_is_tuple:
		if (is_x(&o[1]))
			emit(ld, SPEC_is_tuple_x, o, 2);
		return is_x(&o[1]);
	case OP_is_tagged_tuple:
		if (!is_x(&o[1]))
			return false;
		emit(ld, SPEC_is_tagged_tuple_x, o, 2);
		load_word(ld, header_make(KIND_TUPLE, (size_t)o[2].value));
		load_word(ld, load_atom(ld, o[3].value));
		return true;
	default:
		return false;
	}
}

/* ---- select_val ---- */

struct choice {
	term value;
	int64_t label;
};

static int compare_choices(const void *a, const void *b)
{
	term left = ((const struct choice *)a)->value, right = ((const struct choice *)b)->value;

	return (left > right) - (left < right);
}

static bool is_row_of_smalls(const struct choice *choices, size_t n)
{
	uint64_t span;

	if (n < 4 || !term_is_small(choices[0].value) || !term_is_small(choices[n - 1].value))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!term_is_small(choices[i].value))
			return false;
	span = (choices[n - 1].value - choices[0].value) >> 4;
	return span < 2 * n + 8;
}

static void emit_table(struct loader *ld, const struct choice *choices, size_t n, int64_t fail)
{
	uint64_t span = ((choices[n - 1].value - choices[0].value) >> 4) + 1;
	size_t next = 0;

	load_word(ld, span);
	load_word(ld, choices[0].value);
	for (uint64_t i = 0; i < span; i++) {
		if (choices[next].value == choices[0].value + (i << 4))
			load_label(ld, choices[next++].label);
		else
			load_label(ld, fail);
	}
}

static void emit_choices(struct loader *ld, const struct choice *choices, size_t n)
{
	load_word(ld, n);
	for (size_t i = 0; i < n; i++)
		load_word(ld, choices[i].value);
	for (size_t i = 0; i < n; i++)
		load_label(ld, choices[i].label);
}

static bool emit_select(struct loader *ld, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands, *list = &o[2];
	struct choice *choices;
	bool immediate = true, row;
	size_t n;

	if (in->op != OP_select_val)
		return false;
	n = list->len / 2;
	choices = mem_alloc((n + 1) * sizeof(*choices));
	for (size_t i = 0; i < n; i++) {
		choices[i].value = load_constant(ld, &list->items[2 * i]);
		choices[i].label = list->items[2 * i + 1].value;
		immediate = immediate && term_is_immediate(choices[i].value);
	}
	if (immediate)
		qsort(choices, n, sizeof(*choices), compare_choices);
	row = immediate && is_row_of_smalls(choices, n) && o[1].value;
	load_op(ld, row ? SPEC_select_table : !immediate ? SPEC_select_equal
		    : n <= 8 ? SPEC_select_linear : SPEC_select_sorted);
	load_word(ld, load_operand(ld, &o[0]));
	load_label(ld, o[1].value);
	if (row)
		emit_table(ld, choices, n, o[1].value);
	else
		emit_choices(ld, choices, n);
	mem_free(choices);
	return true;
}

/* ---- native functions in expressions ---- */

static enum spec_op choose_arith(const struct bif *bif, const struct beam_operand *args,
				 const struct beam_operand *dst)
{
	const char *name = bif->name;
	bool xc = is_x(&args[0]) && is_small(&args[1]);
	bool xx = is_x(&args[0]) && is_x(&args[1]) && is_x(dst);
	int64_t c = xc ? args[1].value : 0;

	if (bif_name(bif)->module != A_erlang)
		return SPEC_gc_bif2;
	if (!strcmp(name, "+"))
		return xc && is_x(dst) ? SPEC_add_xc : xx ? SPEC_add_xx : SPEC_add;
	if (!strcmp(name, "-"))
		return xx ? SPEC_sub_xx : SPEC_sub;
	if (!strcmp(name, "*"))
		return SPEC_mul;
	if (!strcmp(name, "band"))
		return SPEC_band;
	if (!strcmp(name, "bor"))
		return SPEC_bor;
	if (!strcmp(name, "rem") && xc && c > 0)
		return SPEC_rem_xc;
	if (!strcmp(name, "div") && xc && c > 0)
		return SPEC_div_xc;
	if (!strcmp(name, "bsr") && xc && c >= 0 && c < 60)
		return SPEC_bsr_xc;
	return SPEC_gc_bif2;
}

/* fail, live, native function, arguments, destination. */
static void emit_preset(struct loader *ld, const struct beam_operand *to)
{
	load_op(ld, to->kind == BEAM_X ? SPEC_move_cx : SPEC_move_cy);
	load_word(ld, NIL);
	load_word(ld, load_operand(ld, to));
}

static void emit_bif(struct loader *ld, enum spec_op op, int64_t fail, word live,
		     const struct beam_operand *import, const struct beam_operand *args, unsigned n)
{
	const struct beam_import *name = import_of(ld, import);
	const struct bif *bif = bif_of(ld, name);

	if (!bif) {
		load_op(ld, SPEC_unsupported);
		load_word(ld, (word)arena_printf(&ld->image->constants, "%s:%s/%u",
						 atom_text(load_atom(ld, name->module)),
						 atom_text(load_atom(ld, name->function)),
						 name->arity));
		return;
	}
	if (ld->facts->must_preset[ld->at])
		emit_preset(ld, &args[n]);
	if (op == SPEC_gc_bif2)
		op = choose_arith(bif, args, &args[2]);
	load_op(ld, op);
	load_label(ld, fail);
	load_word(ld, live);
	load_word(ld, (word)bif);
	for (unsigned i = 0; i <= n; i++)
		load_word(ld, load_operand(ld, &args[i]));
}

static bool select_bif(struct loader *ld, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_bif0:
		if (is_erlang(ld, import_of(ld, &o[0]), "self", 0))
			emit(ld, SPEC_self, o + 1, 1);
		else
			emit_bif(ld, SPEC_bif0, 0, 0, &o[0], &o[1], 0);
		return true;
	case OP_bif1:
		emit_bif(ld, SPEC_bif1, o[0].value, 0, &o[1], &o[2], 1);
		return true;
	case OP_bif2:
		emit_bif(ld, SPEC_bif2, o[0].value, 0, &o[1], &o[2], 2);
		return true;
	case OP_bif3:
		emit_bif(ld, SPEC_bif3, o[0].value, 0, &o[1], &o[2], 3);
		return true;
	case OP_gc_bif1:
		emit_bif(ld, SPEC_gc_bif1, o[0].value, (word)o[1].value, &o[2], &o[3], 1);
		return true;
	case OP_gc_bif2:
		emit_bif(ld, SPEC_gc_bif2, o[0].value, (word)o[1].value, &o[2], &o[3], 2);
		return true;
	case OP_gc_bif3:
		emit_bif(ld, SPEC_gc_bif3, o[0].value, (word)o[1].value, &o[2], &o[3], 3);
		return true;
	default:
		return false;
	}
}

static bool select_float(struct loader *ld, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	if (in->op == OP_fmove)
		emit(ld, o[0].kind == BEAM_FR ? SPEC_fmove_store : SPEC_fmove_load, o, 2);
	else if (in->op == OP_fconv)
		emit(ld, o[0].kind == BEAM_FR ? SPEC_fconv_reg : SPEC_fconv, o, 2);
	else
		return false;
	return true;
}

bool load_select(struct loader *ld, size_t i)
{
	const struct beam_instr *in = &ld->bf->instrs[i];

	return select_call(ld, in, i) || select_frame(ld, in, i) || select_data(ld, in, i) ||
	       select_test(ld, in) ||
	       (in->op == OP_select_val && emit_select(ld, in)) || select_bif(ld, in) ||
	       select_float(ld, in) || load_select_bits(ld, in);
}
