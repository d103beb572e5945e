/* The rules of instructions: which registers each uses and sets, and how much memory it needs. The
 * signature in opcode.def is the whole rule of most (verify_signature); the others are here, by
 * family. */
#include <string.h>

#include "beamfile/opcode.h"
#include "vm/code/verify_state.h"
#include "vm/terms/term.h"

/* ---- parts that rules are made of ---- */

/* The instruction may raise: the stack is searched for handlers. */
static bool may_raise(struct verify *v)
{
	return verify_frame_is_set(v);
}

static bool builds(struct verify *v, uint64_t words)
{
	if (words > v->now->heap)
		return verify_fail(v, "builds %llu words where %u are reserved",
				   (unsigned long long)words, v->now->heap);
	v->now->heap -= (uint32_t)words;
	return true;
}

/* After a call, or an instruction like one, only x0 is set. */
static bool leaves_x0(struct verify *v)
{
	verify_keep(v, 0);
	v->now->heap = 0;
	v->now->is_filling = false;
	return verify_define_x0(v);
}

static bool has_frame(struct verify *v)
{
	return (v->now->frame >= 0 && !v->now->is_mixed) || verify_fail(v, "there is no frame");
}

static bool has_no_frame(struct verify *v)
{
	return (v->now->frame < 0 && !v->now->is_mixed) || verify_fail(v, "there is a frame");
}

static bool drops(struct verify *v, int64_t size)
{
	if (v->now->frame != size || v->now->is_mixed)
		return verify_fail(v, "drops a frame of %lld where it has %d", (long long)size,
				   (int)v->now->frame);
	if (v->now->handlers_len)
		return verify_fail(v, "drops a frame with open handlers");
	v->now->frame = VERIFY_NO_FRAME;
	return true;
}

/* ---- calls ---- */

static bool call_local(struct verify *v, const struct beam_operand *o)
{
	uint32_t callee = beamfile_function_of_label(v->bf, (uint32_t)o[1].value);
	uint64_t *contexts = v->contexts + callee * VERIFY_PARAM_WORDS;

	if (!verify_args(v, o[0].value, true))
		return false;
	for (int64_t i = 0; i < o[0].value; i++) {
		struct beam_operand x = {.kind = BEAM_X, .value = i};

		if (verify_is_context(v, &x) && !bit_is_set(contexts, (size_t)i)) {
			bit_put(contexts, (size_t)i, true);
			v->is_dirty[callee] = true;
		}
	}
	return true;
}

/* A call that never returns does not need a frame to return to. */
static bool never_returns(const struct verify *v, const struct beam_operand *import_operand)
{
	static const char *const names[] = {"error", "exit", "throw", "raise", "nif_error", "halt"};
	const struct beam_import *import = &v->bf->imports[import_operand->value];

	if (strcmp(verify_atom(v, import->module), "erlang") != 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(verify_atom(v, import->function), names[i]) == 0)
			return strcmp(names[i], "exit") != 0 || import->arity == 1;
	return false;
}

static bool call_and_return(struct verify *v, bool *goes_on, bool returns)
{
	*goes_on = returns;
	return may_raise(v) && (!returns || (has_frame(v) && leaves_x0(v)));
}

static bool apply_call(struct verify *v, const struct beam_instr *in, bool *goes_on)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_call:
		return call_local(v, o) && call_and_return(v, goes_on, true);
	case OP_call_ext:
		return verify_args(v, o[0].value, false) &&
		       call_and_return(v, goes_on, !never_returns(v, &o[1]));
	case OP_call_fun:
		return verify_args(v, o[0].value + 1, false) && call_and_return(v, goes_on, true);
	case OP_call_fun2:
		return verify_args(v, o[1].value, false) && verify_use(v, &o[2]) &&
		       call_and_return(v, goes_on, true);
	case OP_apply:
		return verify_args(v, o[0].value + 2, false) && call_and_return(v, goes_on, true);
	case OP_send:
		return verify_args(v, 2, false) && may_raise(v) && leaves_x0(v);
	default:
		break;
	}
	*goes_on = false;
	switch (in->op) {
	case OP_call_last:
		return call_local(v, o) && may_raise(v) && drops(v, o[2].value);
	case OP_call_only:
		return call_local(v, o) && has_no_frame(v);
	case OP_call_ext_last:
		return verify_args(v, o[0].value, false) && may_raise(v) &&
		       (never_returns(v, &o[1]) || drops(v, o[2].value));
	case OP_call_ext_only:
		return verify_args(v, o[0].value, false) && may_raise(v) &&
		       (never_returns(v, &o[1]) || has_no_frame(v));
	case OP_apply_last:
		return verify_args(v, o[0].value + 2, false) && may_raise(v) &&
		       drops(v, o[1].value);
	default: /* return */
		return verify_use_x(v, 0) && has_no_frame(v);
	}
}

/* ---- frames ---- */

static bool push(struct verify *v, int64_t size, int64_t live, uint64_t heap, bool is_set)
{
	if (!has_no_frame(v) || !verify_collects(v, live, heap))
		return false;
	if (size > BEAMFILE_MAX_REGISTERS)
		return verify_fail(v, "a frame of %lld", (long long)size);
	v->now->frame = (int32_t)size;
	memset(verify_set(v, v->now, Y_SET), is_set ? 0xff : 0, v->width * sizeof(uint64_t));
	memset(verify_set(v, v->now, Y_CONTEXT), 0, v->width * sizeof(uint64_t));
	return true;
}

static void move_bits_down(uint64_t *set, size_t width, size_t n)
{
	size_t words = n / 64, bits = n % 64;

	for (size_t i = 0; i < width; i++) {
		uint64_t low = i + words < width ? set[i + words] : 0;
		uint64_t high = i + words + 1 < width ? set[i + words + 1] : 0;

		set[i] = bits ? low >> bits | high << (64 - bits) : low;
	}
}

static bool trim(struct verify *v, int64_t n, int64_t remaining)
{
	if (v->now->frame != n + remaining || v->now->is_mixed)
		return verify_fail(v, "trims a frame of %d", (int)v->now->frame);
	if (v->now->handlers_len)
		return verify_fail(v, "trims a frame with open handlers");
	v->now->frame = (int32_t)remaining;
	move_bits_down(verify_set(v, v->now, Y_SET), v->width, (size_t)n);
	move_bits_down(verify_set(v, v->now, Y_CONTEXT), v->width, (size_t)n);
	return true;
}

static bool apply_frame(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_allocate:
	case OP_allocate_zero:
		return push(v, o[0].value, o[1].value, 0, in->op == OP_allocate_zero);
	case OP_allocate_heap:
	case OP_allocate_heap_zero:
		return push(v, o[0].value, o[2].value, verify_heap_need(&o[1]),
			    in->op == OP_allocate_heap_zero);
	case OP_test_heap:
		return verify_collects(v, o[1].value, verify_heap_need(&o[0]));
	case OP_deallocate:
		return may_raise(v) && drops(v, o[0].value);
	case OP_trim:
		return trim(v, o[0].value, o[1].value);
	default: /* init, init_yregs */
		return verify_defines_slots(v, in);
	}
}

/* ---- handlers ---- */

/* The handler's code must begin by closing it. */
static bool opens_at(struct verify *v, const struct beam_operand *o, enum opcode closing)
{
	size_t at = v->bf->labels[o[1].value];
	const struct beam_instr *in;

	do
		in = &v->bf->instrs[++at];
	while (in->op == OP_label || in->op == OP_line);
	if (in->op != closing || in->operands[0].value != o[0].value)
		return verify_fail(v, "label %lld does not close y%lld", (long long)o[1].value,
				   (long long)o[0].value);
	return true;
}

static bool open_handler(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;
	uint64_t *handlers = verify_handlers(v, v->now);
	bool is_try = in->op == OP_try;
	unsigned i = v->now->handlers_len;

	if (!has_frame(v) || !verify_define(v, &o[0], false) ||
	    !opens_at(v, o, is_try ? OP_try_case : OP_catch_end) ||
	    !verify_frame_is_set(v))
		return false;
	if (v->now->handlers_len == v->max_handlers)
		return verify_fail(v, "too many open handlers");
	for (; i > 0 && handler_slot(handlers[i - 1]) > o[0].value; i--)
		handlers[i] = handlers[i - 1];
	handlers[i] = (uint64_t)o[0].value << 40 | (uint64_t)is_try << 32 | (uint64_t)o[1].value;
	v->now->handlers_len++;
	return verify_handler(v);
}

static bool close_handler(struct verify *v, const struct beam_operand *y, bool is_try)
{
	uint64_t *handlers = verify_handlers(v, v->now);
	unsigned i = 0, len = v->now->handlers_len;

	while (i < len && handler_slot(handlers[i]) != y->value)
		i++;
	if (i == len || handler_is_try(handlers[i]) != is_try || v->now->is_mixed)
		return verify_fail(v, "y%lld does not hold such a handler", (long long)y->value);
	memmove(handlers + i, handlers + i + 1, (len - i - 1) * sizeof(*handlers));
	v->now->handlers_len--;
	handlers[v->now->handlers_len] = 0;
	return verify_handler(v);
}

/* try_case leaves class, reason and trace in x0 to x2. Code may also reach it behind a call that
 * never returns; then the instruction itself ends the run. */
static bool deliver(struct verify *v)
{
	verify_keep(v, 0);
	*verify_set(v, v->now, X_SET) = 7;
	v->now->heap = 0;
	v->now->is_filling = false;
	return true;
}

static bool apply_exception(struct verify *v, const struct beam_instr *in, bool *goes_on)
{
	const struct beam_operand *o = in->operands;

	switch (in->op) {
	case OP_catch:
	case OP_try:
		return open_handler(v, in);
	case OP_catch_end:
		return verify_use_x(v, 0) && close_handler(v, &o[0], false) && leaves_x0(v);
	case OP_try_end:
		return close_handler(v, &o[0], true);
	case OP_try_case:
		return close_handler(v, &o[0], true) && deliver(v);
	case OP_build_stacktrace:
		v->now->heap = 0;
		return verify_use_x(v, 0);
	case OP_raw_raise:
		return verify_args(v, 3, false) && may_raise(v);
	case OP_func_info:
		*goes_on = false;
		return verify_args(v, o[2].value, true) && may_raise(v);
	default: /* badmatch and the like */
		*goes_on = false;
		return verify_uses(v, in) && may_raise(v);
	}
}

/* ---- receiving ---- */

/* A receive without patterns: when a message wakes it, it waits again and does not look at it. */
static bool waits_for_itself(struct verify *v, const struct beam_instr *in)
{
	const struct beam_instr *instrs = v->bf->instrs;
	size_t at = v->bf->labels[in->operands[0].value];

	for (int i = 0; i < 8 && in->op == OP_wait_timeout; i++) {
		if (at == v->at)
			return true;
		if (instrs[at].op == OP_jump)
			at = v->bf->labels[instrs[at].operands[0].value];
		else if (instrs[at].op == OP_label || instrs[at].op == OP_line)
			at++;
		else
			return false;
	}
	return false;
}

static bool apply_receive(struct verify *v, const struct beam_instr *in, bool *goes_on)
{
	if (!verify_uses(v, in) || !may_raise(v))
		return false;
	if (in->op != OP_loop_rec_end) { /* other processes may run: no x register survives */
		verify_keep(v, 0);
		v->now->heap = 0;
		v->now->is_filling = false;
	}
	*goes_on = in->op == OP_loop_rec || in->op == OP_wait_timeout;
	if (waits_for_itself(v, in))
		return true;
	return verify_branches(v, in) && verify_defines(v, in);
}

/* ---- moving, building, choosing ---- */

static bool apply_move(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;
	bool first, second;

	if (!verify_use_any(v, &o[0]))
		return false;
	first = verify_is_context(v, &o[0]);
	if (in->op == OP_move)
		return verify_define(v, &o[1], first);
	if (!verify_use_any(v, &o[1]))
		return false;
	second = verify_is_context(v, &o[1]);
	return verify_define(v, &o[0], second) && verify_define(v, &o[1], first);
}

static bool update_record(struct verify *v, const struct beam_operand *o)
{
	const struct beam_operand *list = &o[4];

	for (uint32_t i = 0; i < list->len; i += 2)
		if (list->items[i].value < 1 || list->items[i].value > o[1].value)
			return verify_fail(v, "element %lld", (long long)list->items[i].value);
	return builds(v, (uint64_t)o[1].value + 1);
}

static bool apply_build(struct verify *v, const struct beam_instr *in)
{
	const struct beam_operand *o = in->operands;

	if (!verify_uses(v, in))
		return false;
	switch (in->op) {
	case OP_put_list:
		if (!builds(v, CONS_WORDS))
			return false;
		break;
	case OP_put_tuple2:
		if (!builds(v, TUPLE_WORDS(o[1].len)))
			return false;
		break;
	case OP_make_fun3:
		if (!builds(v, 2 + o[2].len))
			return false;
		break;
	case OP_update_record:
		if (!update_record(v, o))
			return false;
		break;
	default: /* fmove */
		if (o[0].kind == BEAM_FR && o[1].kind != BEAM_FR && !builds(v, FLOAT_WORDS))
			return false;
		break;
	}
	return verify_defines(v, in);
}

static bool make_fun2(struct verify *v, const struct beam_operand *o)
{
	int64_t num_free = v->bf->funs[o[0].value].num_free;

	return verify_args(v, num_free, false) && verify_collects(v, num_free, 0) &&
	       verify_define_x0(v);
}

static bool apply_select(struct verify *v, const struct beam_instr *in, bool *goes_on)
{
	const struct beam_operand *o = in->operands;

	*goes_on = false;
	for (uint32_t i = 0; i < o[2].len; i += 2)
		if (o[2].items[i].kind == BEAM_X || o[2].items[i].kind == BEAM_Y)
			return verify_fail(v, "a choice is not a constant");
	return verify_needs_label(v, &o[1]) && verify_use(v, &o[0]) && verify_branches(v, in);
}

static const struct guard {
	const char *name;
	unsigned arity;
	bool builds;
	bool fails;
} guards[] = {
#define GUARD(name, arity, builds, fails) {name, arity, builds, fails},
#include "vm/exec/guards.def"
#undef GUARD
};

/* Only functions that return at once are allowed, and those that need memory only in gc_bif. */
static const struct guard *find_guard(struct verify *v, const struct beam_operand *operand,
				      bool may_build)
{
	const struct beam_import *import = &v->bf->imports[operand->value];
	const char *module = verify_atom(v, import->module);
	const char *name = verify_atom(v, import->function);

	if (strcmp(module, "erlang") == 0)
		for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++)
			if (guards[i].arity == import->arity && strcmp(guards[i].name, name) == 0 &&
			    (may_build || !guards[i].builds))
				return &guards[i];
	err_set_unsupported(v->err, "%s:%s/%u inside an expression", module, name, import->arity);
	return NULL;
}

/* Since OTP 26 the size of a match context is the size of the bits that are left. */
static bool bif_uses(struct verify *v, const struct beam_instr *in, const struct guard *guard)
{
	if (in->op == OP_gc_bif1 && (strcmp(guard->name, "byte_size") == 0 ||
				     strcmp(guard->name, "bit_size") == 0))
		return verify_use_any(v, &in->operands[3]);
	return verify_uses(v, in);
}

/* See must_preset in verify.h. */
static bool preset(struct verify *v, const struct beam_instr *in, const struct guard *guard)
{
	const struct beam_operand *to = &in->operands[in->operands_len - 1];

	if (!v->may_preset || !guard->fails || !in->operands[0].value || verify_is_set(v, to))
		return true;
	v->facts->must_preset[v->at] = true;
	return verify_define(v, to, false);
}

static bool apply_bif(struct verify *v, const struct beam_instr *in)
{
	bool collecting = in->op == OP_gc_bif1 || in->op == OP_gc_bif2 || in->op == OP_gc_bif3;
	const struct beam_operand *import = &in->operands[collecting ? 2 : in->op != OP_bif0];
	const struct guard *guard = find_guard(v, import, collecting);

	if (!guard || !bif_uses(v, in, guard))
		return false;
	if (collecting && !verify_collects(v, in->operands[1].value, 0))
		return false;
	if (!guard->fails && !collecting)
		return verify_defines(v, in);
	if (!collecting && !in->operands[0].value && verify_find_unset(v) >= 0) {
		v->facts->must_clear[v->function] = true;
		return verify_defines(v, in);
	}
	return preset(v, in, guard) && verify_branches(v, in) && verify_defines(v, in);
}

/* ---- all of them ---- */

bool verify_instr(struct verify *v, const struct beam_instr *in, bool *goes_on)
{
	switch (in->op) {
	case OP_line: case OP_executable_line: case OP_debug_line: case OP_nif_start:
	case OP_on_load: case OP_fclearerror: case OP_fcheckerror: case OP_recv_mark:
	case OP_recv_set:
	case OP_remove_message:
	case OP_timeout:
		return true;
	case OP_call: case OP_call_last: case OP_call_only: case OP_call_ext: case OP_call_ext_last:
	case OP_call_ext_only: case OP_call_fun: case OP_call_fun2: case OP_apply:
	case OP_apply_last: case OP_send: case OP_return:
		return apply_call(v, in, goes_on);
	case OP_allocate: case OP_allocate_heap: case OP_allocate_zero: case OP_allocate_heap_zero:
	case OP_test_heap: case OP_deallocate: case OP_trim: case OP_init: case OP_init_yregs:
		return apply_frame(v, in);
	case OP_catch: case OP_catch_end: case OP_try: case OP_try_end: case OP_try_case:
	case OP_build_stacktrace: case OP_raw_raise: case OP_func_info: case OP_badmatch:
	case OP_case_end: case OP_if_end: case OP_try_case_end: case OP_badrecord: case OP_raise:
		return apply_exception(v, in, goes_on);
	case OP_loop_rec: case OP_loop_rec_end: case OP_wait: case OP_wait_timeout:
		return apply_receive(v, in, goes_on);
	case OP_move: case OP_swap:
		return apply_move(v, in);
	case OP_put_list: case OP_put_tuple2: case OP_make_fun3: case OP_update_record:
	case OP_fmove:
		return apply_build(v, in);
	case OP_make_fun2:
		return make_fun2(v, in->operands);
	case OP_jump:
		*goes_on = false;
		return verify_branches(v, in);
	case OP_select_val: case OP_select_tuple_arity:
		return apply_select(v, in, goes_on);
	case OP_bif0: case OP_bif1: case OP_bif2: case OP_bif3: case OP_gc_bif1: case OP_gc_bif2:
	case OP_gc_bif3:
		return apply_bif(v, in);
	case OP_put_map_assoc: case OP_put_map_exact:
		return verify_collecting(v, in, 3, 0);
	case OP_fconv: case OP_fadd: case OP_fsub: case OP_fmul: case OP_fdiv: case OP_fnegate:
	case OP_bs_add: case OP_bs_utf8_size: case OP_bs_utf16_size:
		return verify_signature(v, in) && may_raise(v);
	case OP_bs_start_match3: case OP_bs_start_match4: case OP_bs_get_integer2:
	case OP_bs_get_float2: case OP_bs_get_binary2: case OP_bs_get_tail: case OP_bs_get_position:
	case OP_bs_set_position: case OP_bs_skip_bits2: case OP_bs_test_tail2: case OP_bs_test_unit:
	case OP_bs_match_string: case OP_bs_get_utf8: case OP_bs_get_utf16: case OP_bs_get_utf32:
	case OP_bs_skip_utf8: case OP_bs_skip_utf16: case OP_bs_skip_utf32: case OP_bs_match:
	case OP_bs_create_bin: case OP_bs_init_writable: case OP_bs_init2: case OP_bs_init_bits:
	case OP_bs_append: case OP_bs_private_append: case OP_bs_put_integer: case OP_bs_put_binary:
	case OP_bs_put_float: case OP_bs_put_string: case OP_bs_put_utf8: case OP_bs_put_utf16:
	case OP_bs_put_utf32:
		return verify_bits(v, in);
	case OP_is_tagged_tuple:
		return (in->operands[2].value > 0 || verify_fail(v, "a tuple of 0 elements")) &&
		       verify_is_tested(v, in) && verify_signature(v, in);
	case OP_int_code_end:
		return verify_fail(v, "the function goes on behind its end");
	case OP_get_list: case OP_get_hd: case OP_get_tl: case OP_get_tuple_element:
	case OP_set_tuple_element: case OP_recv_marker_reserve: case OP_recv_marker_bind:
	case OP_recv_marker_use:
	case OP_recv_marker_clear:
		return verify_signature(v, in);
	default: /* the tests */
		return verify_is_tested(v, in) && verify_signature(v, in);
	}
}
