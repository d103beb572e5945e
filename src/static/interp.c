#include "static/interp.h"

#include <string.h>

#include "base/hash.h"

enum { MAX_VISITS = 4, RESULT_REGISTER = 2 * STATE_MAX_REGISTERS };

static uint32_t site_of(const struct interp *in, uint32_t i)
{
	return in->m->sites_base + i;
}

static uint32_t get_register(const uint32_t *bank, int64_t number)
{
	return number < STATE_MAX_REGISTERS ? bank[number] : VALUE_TOP;
}

static uint32_t get_value(struct interp *in, const struct beam_operand *o)
{
	switch ((enum beam_operand_kind)o->kind) {
	case BEAM_X: return get_register(in->now.x, o->value);
	case BEAM_Y: return get_register(in->now.y, o->value);
	case BEAM_INT: case BEAM_U: return value_int(in->vs, o->value);
	case BEAM_ATOM: return value_atom(in->vs, in->m->atoms[o->value]);
	case BEAM_NIL: return value_make(in->vs, VALUE_NIL, 0, 0, NULL, 0);
	case BEAM_LITERAL: return program_literal(in->p, in->m, (uint32_t)o->value);
	case BEAM_BIG: return value_opaque(in->vs, hash_bytes(o->bytes, o->len));
	default: return VALUE_TOP;
	}
}

static void set_register(struct interp *in, const struct beam_operand *o, uint32_t value)
{
	if (o->value >= STATE_MAX_REGISTERS)
		return;
	if (o->kind == BEAM_X)
		in->now.x[o->value] = value;
	else if (o->kind == BEAM_Y)
		in->now.y[o->value] = value;
}

static void flow_to_instr(struct interp *in, const struct state *state, uint32_t i)
{
	uint32_t at = i - in->f->first;
	bool changed = true;

	if (i < in->f->first || i >= in->f->end)
		return; /* a jump out of the function: no compiler writes that */
	if (!in->states[at]) {
		in->states[at] = arena_alloc(&in->arena, sizeof(*state));
		*in->states[at] = *state;
	} else {
		changed = state_join(in->states[at], in->vs, state, site_of(in, i));
	}
	if (changed && in->visits[at] < MAX_VISITS)
		bitset_add(in->pending, at);
}

static void flow_to(struct interp *in, const struct state *state, const struct beam_operand *label)
{
	if (label->kind == BEAM_LABEL && label->value)
		flow_to_instr(in, state, in->m->bf.labels[label->value]);
}

/* An exception may leave for the innermost handler from here. */
static void flow_to_handler(struct interp *in)
{
	struct state state;

	if (!in->now.handlers_len)
		return;
	state = in->now;
	state_clobber(&state);
	state.handlers_len--;
	flow_to_instr(in, &state, in->m->bf.labels[state.handlers[state.handlers_len]]);
}

static void open_handler(struct interp *in, const struct beam_operand *label)
{
	if (in->now.handlers_len < STATE_MAX_HANDLERS)
		in->now.handlers[in->now.handlers_len++] = (uint32_t)label->value;
	flow_to_handler(in);
}

static void return_value(struct interp *in, uint32_t value)
{
	uint32_t site = site_of(in, in->f->func_info);

	in->result = in->has_result ? value_join(in->vs, site, RESULT_REGISTER, in->result, value)
				    : value;
	in->has_result = true;
	for (size_t w = 0; w < BITSET_WORDS(STATE_MAX_READS); w++)
		in->returned_reads[w] |= in->now.reads[w];
	in->is_live = false;
}

/* After a call: the result in x0, or the end of a tail call. */
static void finish_call(struct interp *in, uint32_t result, bool is_tail)
{
	bool returns = in->is_live;

	flow_to_handler(in);
	state_clobber(&in->now);
	in->now.x[0] = result;
	if (is_tail && returns)
		return_value(in, result);
}

static void exec_call(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const struct beam_operand *o = instr->operands;
	uint32_t callee = in->m->fns_base +
			  beamfile_function_of_label(&in->m->bf, (uint32_t)o[1].value);
	uint32_t result = call_function(in, callee, in->now.x, (uint32_t)o[0].value, site);

	finish_call(in, result, instr->op != OP_call);
}

static void exec_call_ext(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const struct beam_operand *o = instr->operands;
	uint32_t result = call_import(in, &in->m->targets[o[1].value], in->now.x,
				      (uint32_t)o[0].value, site);

	finish_call(in, result, instr->op != OP_call_ext);
}

static void exec_call_fun(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	bool is_new = instr->op == OP_call_fun2;
	uint32_t arity = (uint32_t)instr->operands[is_new].value;
	uint32_t fun = is_new ? get_value(in, &instr->operands[2])
			      : get_register(in->now.x, arity);

	finish_call(in, call_fun(in, fun, in->now.x, arity, site), false);
}

static void exec_apply(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	uint32_t arity = (uint32_t)instr->operands[0].value;
	uint32_t result = call_by_name(in, get_register(in->now.x, arity),
				       get_register(in->now.x, (int64_t)arity + 1), in->now.x,
				       arity, site);

	finish_call(in, result, instr->op == OP_apply_last);
}

static uint32_t make_fun(struct interp *in, uint32_t index, const uint32_t *free, uint32_t site)
{
	const struct beam_fun *fun = &in->m->bf.funs[index];
	uint32_t fn = in->m->fns_base + beamfile_function_of_label(&in->m->bf, fun->label);
	uint32_t value = value_make(in->vs, VALUE_FUN, fn, 0, free, fun->num_free);

	if (value == VALUE_TOP) { /* too many or too deep: keep the code at least */
		uint32_t unknown[VALUE_MAX_CHILDREN] = {VALUE_TOP};
		uint32_t len = fun->num_free < VALUE_MAX_CHILDREN ? fun->num_free
								  : VALUE_MAX_CHILDREN;

		value = value_make(in->vs, VALUE_FUN, fn, 0, unknown, len);
	}
	call_make_fun(in, value, site);
	return value;
}

static void exec_make_fun(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const struct beam_operand *o = instr->operands;
	uint32_t free[BEAMFILE_MAX_ARITY + 1] = {VALUE_TOP};

	if (instr->op == OP_make_fun2) {
		in->now.x[0] = make_fun(in, (uint32_t)o[0].value, in->now.x, site);
		return;
	}
	for (uint32_t i = 0; i < o[2].len; i++)
		free[i] = get_value(in, &o[2].items[i]);
	set_register(in, &o[1], make_fun(in, (uint32_t)o[0].value, free, site));
}

static uint32_t make_tuple(struct interp *in, const struct beam_operand *list, uint32_t site)
{
	uint32_t children[VALUE_MAX_CHILDREN];
	uint32_t tuple;

	if (list->len > VALUE_MAX_CHILDREN)
		return value_result(in->vs, site, 0);
	for (uint32_t i = 0; i < list->len; i++)
		children[i] = get_value(in, &list->items[i]);
	tuple = value_make(in->vs, VALUE_TUPLE, 0, 0, children, list->len);
	return tuple == VALUE_TOP ? value_result(in->vs, site, 0) : tuple;
}

static uint32_t set_element(struct interp *in, uint32_t tuple, uint32_t position, uint32_t value)
{
	uint32_t children[2] = {tuple, value};

	return value_make(in->vs, VALUE_SET, position, 0, children, 2);
}

static void exec_update_record(struct interp *in, const struct beam_operand *o)
{
	uint32_t tuple = get_value(in, &o[2]);

	for (uint32_t i = 0; i + 1 < o[4].len; i += 2)
		tuple = set_element(in, tuple, (uint32_t)o[4].items[i].value - 1,
				    get_value(in, &o[4].items[i + 1]));
	set_register(in, &o[3], tuple);
}

static void exec_get_map(struct interp *in, const struct beam_operand *o)
{
	uint32_t map = get_value(in, &o[1]);

	flow_to(in, &in->now, &o[0]);
	for (uint32_t i = 0; i + 1 < o[2].len; i += 2) {
		uint32_t parts[2] = {map, get_value(in, &o[2].items[i])};
		uint32_t value = map == VALUE_TOP || parts[1] == VALUE_TOP
					 ? VALUE_TOP
					 : value_make(in->vs, VALUE_GET, 0, 0, parts, 2);

		set_register(in, &o[2].items[i + 1], value);
	}
}

/* Built-ins in their own instructions: only those that take terms apart matter. */
static void exec_bif(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	bool has_gc = instr->op == OP_gc_bif1 || instr->op == OP_gc_bif2 || instr->op == OP_gc_bif3;
	const struct beam_operand *o = instr->operands + (instr->op != OP_bif0) + has_gc;
	const struct beam_operand *dst = &instr->operands[instr->operands_len - 1];
	uint8_t special = in->m->targets[o->value].special;
	uint32_t value = value_result(in->vs, site, 0);
	int64_t position;

	if (instr->op != OP_bif0)
		flow_to(in, &in->now, &instr->operands[0]);
	if (special == SPECIAL_SELF)
		value = value_make(in->vs, VALUE_PID, 1, 0, NULL, 0);
	else if (special == SPECIAL_SAME || special == SPECIAL_NOT_SAME)
		value = value_make(in->vs, VALUE_SAME, special == SPECIAL_NOT_SAME, 0,
				   (uint32_t[]){get_value(in, &o[1]), get_value(in, &o[2])}, 2);
	else if (special == SPECIAL_HD)
		value = value_head(in->vs, get_value(in, &o[1]));
	else if (special == SPECIAL_TL)
		value = value_tail(in->vs, get_value(in, &o[1]));
	else if (special == SPECIAL_ELEMENT &&
		 value_get_int(in->vs, get_value(in, &o[1]), &position) && position > 0)
		value = value_elem(in->vs, get_value(in, &o[2]), (uint32_t)position - 1);
	set_register(in, dst, value);
}

/* The effect of an instruction without a rule of its own: its signature says which operands are
 * destinations and which are labels. */
static void exec_other(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const char *letter = opcode_info(instr->op)->signature;

	for (uint8_t i = 0; i < instr->operands_len; i++, letter++) {
		const struct beam_operand *o = &instr->operands[i];

		if (*letter == 'j' || *letter == 'f' || *letter == 'b')
			flow_to(in, &in->now, o);
		if (*letter == '[')
			letter = strchr(letter, ']');
	}
	letter = opcode_info(instr->op)->signature;
	for (uint8_t i = 0; i < instr->operands_len; i++, letter++) {
		const struct beam_operand *o = &instr->operands[i];

		if (*letter == 'd' || *letter == 'D')
			set_register(in, o, value_result(in->vs, site, i));
		for (uint32_t k = 0; instr->op == OP_bs_match && *letter == '[' && k < o->len; k++)
			set_register(in, &o->items[k], value_result(in->vs, site, k));
		if (*letter == '[')
			letter = strchr(letter, ']');
	}
}

static void exec_compare(struct interp *in, const struct beam_instr *instr)
{
	const struct beam_operand *o = instr->operands;
	uint32_t a = get_value(in, &o[1]), b = get_value(in, &o[2]);
	bool fails_equal = instr->op == OP_is_ne_exact || instr->op == OP_is_ne;
	struct state equal = in->now;
	bool can_equal = state_assume_equal(&equal, in->vs, a, b, in->a->atoms.true_);
	bool can_differ = state_known(&in->now, in->vs, a) != b || !value_is_constant(in->vs, b);

	state_exclude(&in->now, in->vs, a, b);
	if (fails_equal ? can_equal : can_differ)
		flow_to(in, fails_equal ? &equal : &in->now, &o[0]);
	if (!fails_equal)
		in->now = equal;
	in->is_live = fails_equal ? can_differ : can_equal;
}

/* 1 == 1.0: only of a term that is not a number does == say that it is the same term. Two
 * variables that are compared with == are taken for the same: in some run they are. */
static bool is_exact(const struct values *vs, uint32_t a, uint32_t b)
{
	bool a_constant = value_is_constant(vs, a), b_constant = value_is_constant(vs, b);

	return (!a_constant && !b_constant) ||
	       (a_constant && value_at(vs, a)->kind == VALUE_ATOM) ||
	       (b_constant && value_at(vs, b)->kind == VALUE_ATOM);
}

static void exec_loose_compare(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const struct beam_operand *o = instr->operands;

	if (is_exact(in->vs, get_value(in, &o[1]), get_value(in, &o[2])))
		exec_compare(in, instr);
	else
		exec_other(in, instr, site);
}

static void exec_select(struct interp *in, const struct beam_operand *o)
{
	uint32_t subject = get_value(in, &o[0]);
	bool is_known = value_is_constant(in->vs, state_known(&in->now, in->vs, subject));
	bool is_taken = false;

	for (uint32_t i = 0; i + 1 < o[2].len; i += 2) {
		struct state state = in->now;

		if (!state_assume(&state, in->vs, subject, get_value(in, &o[2].items[i]),
				  in->a->atoms.true_))
			continue;
		flow_to(in, &state, &o[2].items[i + 1]);
		is_taken = true;
	}
	for (uint32_t i = 0; i + 1 < o[2].len; i += 2)
		state_exclude(&in->now, in->vs, subject, get_value(in, &o[2].items[i]));
	if (!is_known || !is_taken)
		flow_to(in, &in->now, &o[1]);
	in->is_live = false;
}

static void exec_is_pid(struct interp *in, const struct beam_operand *o)
{
	flow_to(in, &in->now, &o[0]);
	in->is_live = state_assume(&in->now, in->vs, get_value(in, &o[1]),
				   value_make(in->vs, VALUE_PID, 0, 0, NULL, 0),
				   in->a->atoms.true_);
}

static void exec_tagged(struct interp *in, const struct beam_operand *o)
{
	uint32_t tag = value_elem(in->vs, get_value(in, &o[1]), 0);

	flow_to(in, &in->now, &o[0]);
	in->is_live = state_assume(&in->now, in->vs, tag, get_value(in, &o[3]),
				   in->a->atoms.true_);
}

static void exec_swap(struct interp *in, const struct beam_operand *o)
{
	uint32_t first = get_value(in, &o[0]);

	set_register(in, &o[0], get_value(in, &o[1]));
	set_register(in, &o[1], first);
}

static void exec_get_list(struct interp *in, const struct beam_operand *o)
{
	uint32_t list = get_value(in, &o[0]);

	set_register(in, &o[1], value_head(in->vs, list));
	set_register(in, &o[2], value_tail(in->vs, list));
}

/* Moves, tuples, lists: instructions that only build and take apart. */
static bool exec_data(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const struct beam_operand *o = instr->operands;

	switch (instr->op) {
	case OP_move: set_register(in, &o[1], get_value(in, &o[0])); break;
	case OP_swap: exec_swap(in, o); break;
	case OP_get_list: exec_get_list(in, o); break;
	case OP_get_hd: set_register(in, &o[1], value_head(in->vs, get_value(in, &o[0]))); break;
	case OP_get_tl: set_register(in, &o[1], value_tail(in->vs, get_value(in, &o[0]))); break;
	case OP_get_tuple_element:
		set_register(in, &o[2], value_elem(in->vs, get_value(in, &o[0]),
						   (uint32_t)o[1].value));
		break;
	case OP_set_tuple_element:
		set_register(in, &o[1], set_element(in, get_value(in, &o[1]),
						    (uint32_t)o[2].value, get_value(in, &o[0])));
		break;
	case OP_put_list:
		set_register(in, &o[2], value_cons(in->vs, get_value(in, &o[0]),
						   get_value(in, &o[1])));
		break;
	case OP_put_tuple2: set_register(in, &o[0], make_tuple(in, &o[1], site)); break;
	case OP_update_record: exec_update_record(in, o); break;
	case OP_get_map_elements: exec_get_map(in, o); break;
	case OP_make_fun2: case OP_make_fun3: exec_make_fun(in, instr, site); break;
	case OP_bif0: case OP_bif1: case OP_bif2: case OP_gc_bif1: case OP_gc_bif2: case OP_gc_bif3:
		exec_bif(in, instr, site);
		break;
	default: return false;
	}
	return true;
}

static bool exec_calls(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	switch (instr->op) {
	case OP_call: case OP_call_last: case OP_call_only: exec_call(in, instr, site); break;
	case OP_call_ext: case OP_call_ext_last: case OP_call_ext_only:
		exec_call_ext(in, instr, site);
		break;
	case OP_call_fun: case OP_call_fun2: exec_call_fun(in, instr, site); break;
	case OP_apply: case OP_apply_last: exec_apply(in, instr, site); break;
	case OP_send: {
		uint32_t message = in->now.x[1];

		call_send(in, in->now.x[0], message, site);
		finish_call(in, message, false);
		break;
	}
	default: return false;
	}
	return true;
}

static void exec_control(struct interp *in, const struct beam_instr *instr, uint32_t site)
{
	const struct beam_operand *o = instr->operands;

	switch (instr->op) {
	case OP_is_eq_exact: case OP_is_ne_exact: exec_compare(in, instr); break;
	case OP_is_eq: case OP_is_ne: exec_loose_compare(in, instr, site); break;
	case OP_select_val: exec_select(in, o); break;
	case OP_is_tagged_tuple: exec_tagged(in, o); break;
	case OP_is_pid: exec_is_pid(in, o); break;
	case OP_return: return_value(in, in->now.x[0]); break;
	case OP_try: case OP_catch: open_handler(in, &o[1]); break;
	case OP_try_end:
		if (in->now.handlers_len)
			in->now.handlers_len--;
		break;
	case OP_try_case:
		for (uint32_t i = 0; i < 3; i++)
			in->now.x[i] = value_result(in->vs, site, i);
		break;
	case OP_trim: state_trim(&in->now, (uint32_t)o[0].value); break;
	case OP_allocate: case OP_allocate_heap: case OP_allocate_zero: case OP_allocate_heap_zero:
		memset(in->now.y, 0, sizeof(in->now.y));
		break;
	case OP_wait: case OP_loop_rec_end: /* back to where we were: nothing new there */
	case OP_func_info: case OP_badmatch: case OP_case_end: case OP_if_end:
	case OP_try_case_end: case OP_raise: case OP_badrecord: case OP_int_code_end:
		flow_to_handler(in);
		in->is_live = false;
		break;
	case OP_jump: case OP_select_tuple_arity:
		exec_other(in, instr, site);
		for (uint32_t i = 0; instr->op == OP_select_tuple_arity && i < o[2].len; i++)
			flow_to(in, &in->now, &o[2].items[i]);
		in->is_live = false;
		break;
	case OP_wait_timeout: break;
	default: exec_other(in, instr, site);
	}
}

/* Runs from a label to the next one, or to where the path ends. */
static void run_block(struct interp *in, uint32_t i)
{
	in->now = *in->states[i - in->f->first];
	in->is_live = true;
	in->visits[i - in->f->first]++;
	do {
		const struct beam_instr *instr = &in->m->bf.instrs[i];
		uint32_t site = site_of(in, i);

		if (!exec_data(in, instr, site) && !exec_calls(in, instr, site))
			exec_control(in, instr, site);
		i++;
	} while (in->is_live && i < in->f->end && in->m->bf.instrs[i].op != OP_label);
	if (!in->is_live || i >= in->f->end)
		return;
	if (in->now.handlers_len &&
	    in->now.handlers[in->now.handlers_len - 1] == in->m->bf.instrs[i].operands[0].value)
		in->now.handlers_len--; /* the end of a catch is its own handler */
	flow_to_instr(in, &in->now, i);
}

/* The reads after which the function returns, into the summary. */
static void collect_reads(struct interp *in)
{
	bitset_foreach(e, in->returned_reads, BITSET_WORDS(STATE_MAX_READS)) {
		const struct read_event *event = &in->events.items[e];

		for (uint32_t i = 0; i < event->len; i++)
			summary_add_access(&in->summary->reads,
					   &in->past_reads.items[event->start + i]);
	}
}

static void release(struct interp *in)
{
	arena_release(&in->arena);
	vec_release(&in->past_reads);
	vec_release(&in->events);
	vec_release(&in->reads);
	vec_release(&in->writes);
}

void interp_function(struct analysis *a, uint32_t fn)
{
	const struct beam_function *f = program_function(a->p, fn);
	size_t len = f->end - f->first, words = BITSET_WORDS(len);
	struct interp in = {.a = a, .p = a->p, .vs = &a->p->vs, .fn = fn, .f = f,
			    .m = &a->p->modules.items[a->p->fns.items[fn].module],
			    .summary = &a->summaries[fn]};
	struct state start;

	in.states = arena_zalloc(&in.arena, len * sizeof(*in.states));
	in.visits = arena_zalloc(&in.arena, len);
	in.pending = arena_zalloc(&in.arena, words * sizeof(*in.pending));
	state_start(&start, in.vs, f->arity);
	flow_to_instr(&in, &start, f->entry);
	for (size_t i; (i = bitset_next(in.pending, words, 0)) != SIZE_MAX;) {
		bitset_remove(in.pending, i);
		run_block(&in, f->first + (uint32_t)i);
	}
	in.summary->result = in.has_result ? in.result : VALUE_TOP;
	if (f->exported && in.has_result)
		call_escape(&in, in.result);
	collect_reads(&in);
	in.summary->is_done = true;
	release(&in);
}
