/* The calling process: dictionary, flags, references. */
#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"
#include "vm/code/code.h"
#include "vm/process/heap_limit.h"
#include "vm/process/pdict.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/big.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

static term or_undefined(term t)
{
	return t == TERM_NONE ? (term)A_undefined : t;
}

term bif_erlang_get_1(struct process *p, const term *args)
{
	return or_undefined(pdict_get(p, args[0]));
}

term bif_erlang_put_2(struct process *p, const term *args)
{
	return or_undefined(pdict_put(p, args[0], args[1]));
}

term bif_erlang_erase_1(struct process *p, const term *args)
{
	return or_undefined(pdict_erase(p, args[0]));
}

term bif_erlang_get_0(struct process *p, const term *args)
{
	return pdict_list(p, p);
}

term bif_erlang_erase_0(struct process *p, const term *args)
{
	term list = pdict_list(p, p);

	pdict_clear(p);
	return list;
}

static term list_keys(struct process *p, term value)
{
	term pairs = pdict_list(p, p), keys = NIL, *last = &keys;

	for (; term_is_cons(pairs); pairs = cons_tail(pairs)) {
		term pair = cons_head(pairs);

		if (value != TERM_NONE && !term_equal(tuple_element(pair, 1), value))
			continue;
		*last = heap_cons(p, tuple_element(pair, 0), NIL);
		last = cons_ptr(*last) + 1;
	}
	return keys;
}

term bif_erlang_get_keys_0(struct process *p, const term *args)
{
	return list_keys(p, TERM_NONE);
}

term bif_erlang_get_keys_1(struct process *p, const term *args)
{
	return list_keys(p, args[0]);
}

/* ---- flags ---- */

static term set_priority(struct process *p, term value)
{
	term old = process_priority_name(p);

	return process_read_priority(value, &p->priority) ? old : bif_badarg(p);
}

static term set_trap_exit(struct process *p, term value)
{
	term old = atom_from_bool(p->trap_exit);

	if (value != A_true && value != A_false)
		return bif_badarg(p);
	p->trap_exit = value == A_true;
	return old;
}

static term set_heap_limit(struct process *p, term t)
{
	struct heap_limit limit;
	term old;

	if (!heap_limit_read(p->vm, t, &limit))
		return bif_badarg(p);
	old = heap_limit_term(p, &p->heap_limit);
	p->heap_limit = limit;
	return old;
}

enum { SAVED_CALLS_MAX = 10000 };

/* Kept, but without effect: these flags tune parts of the real VM that do not exist here. */
static term tune(struct process *p, term flag, term value)
{
	term old;

	if (!term_is_small(value) || small_value(value) < 0 ||
	    (flag == A_scheduler && small_value(value) > SYSTEM_SCHEDULERS) ||
	    (flag == A_save_calls && small_value(value) > SAVED_CALLS_MAX))
		return bif_badarg(p);
	if (flag == A_save_calls && small_value(value))
		return bif_unsupported(p, "erlang:process_flag(save_calls, _)");
	if (flag == A_save_calls)
		return small_make(0);
	if (flag == A_scheduler) {
		old = small_make(p->scheduler);
		p->scheduler = (uint8_t)small_value(value);
		return old;
	}
	old = small_make((int64_t)process_tuned(p, flag));
	process_tune(p, flag, (uint64_t)small_value(value));
	return old;
}

term bif_erlang_process_flag_2(struct process *p, const term *args)
{
	term old;

	if (args[0] == A_trap_exit)
		return set_trap_exit(p, args[1]);
	if (args[0] == A_priority)
		return set_priority(p, args[1]);
	if (args[0] == A_error_handler) {
		old = p->error_handler;
		if (!term_is_atom(args[1]))
			return bif_badarg(p);
		p->error_handler = args[1];
		return old;
	}
	if (args[0] == A_min_heap_size || args[0] == A_min_bin_vheap_size ||
	    args[0] == A_fullsweep_after || args[0] == A_save_calls || args[0] == A_scheduler)
		return tune(p, args[0], args[1]);
	if (args[0] == A_message_queue_data) {
		if (args[1] != A_on_heap && args[1] != A_off_heap)
			return bif_badarg(p);
		old = p->is_off_heap ? A_off_heap : A_on_heap;
		p->is_off_heap = args[1] == A_off_heap;
		return old;
	}
	if (args[0] == A_max_heap_size)
		return set_heap_limit(p, args[1]);
	if (args[0] == A_sensitive && (args[1] == A_true || args[1] == A_false)) {
		old = atom_from_bool(p->is_sensitive);
		p->is_sensitive = args[1] == A_true;
		return old;
	}
	if (args[0] == A_async_dist && code_otp_release() >= 26)
		return A_false;
	return bif_badarg_cause(p, A_badopt);
}

/* ---- things that are unique ---- */

term bif_erlang_make_ref_0(struct process *p, const term *args)
{
	return process_make_ref(p, 0);
}

/* (place, counter) as one integer: a small one if both are small. */
term bif_erlang_unique_integer_0(struct process *p, const term *args)
{
	uint64_t place = pid_value(p->pid), count = ++p->unique_count;
	uint64_t limbs[2] = {place << 24 | (count & 0xffffff), place >> 40};

	p->vm->relied_on |= p->is_system ? 0 : RELIED_ON_NUMBERS;
	if (count > 0xffffff) {
		limbs[1] |= count << 24;
	}
	return integer_build(p, limbs, 2, false);
}

term bif_erlang_unique_integer_1(struct process *p, const term *args)
{
	bool monotonic = false;
	term options = args[0];

	for (; term_is_cons(options); options = cons_tail(options)) {
		if (cons_head(options) == A_monotonic)
			monotonic = true;
		else if (cons_head(options) != A_positive)
			return bif_badarg(p);
	}
	if (options != NIL)
		return bif_badarg(p);
	if (!monotonic)
		return bif_erlang_unique_integer_0(p, args);
	return heap_integer(p, (int64_t)++p->vm->monotonic_count);
}

/* ---- group leader ---- */

term bif_erlang_group_leader_0(struct process *p, const term *args)
{
	return p->group_leader;
}

term bif_erts_internal_group_leader_2(struct process *p, const term *args)
{
	struct process *other = signal_ask(p, args[1]);

	if (!term_is_pid(args[0]) || !other)
		return A_badarg;
	other->group_leader = args[0];
	return A_true;
}

term bif_erts_internal_group_leader_3(struct process *p, const term *args)
{
	return bif_erts_internal_group_leader_2(p, args);
}
