/* erts_debug: a small part of its view into the machine. */
#include "vm/bifs/bif.h"
#include "vm/bifs/census.h"
#include "vm/bifs/erts_state.h"
#include "vm/code/code.h"
#include "vm/ets/persistent.h"
#include "vm/terms/binary.h"
#include "vm/terms/tmap.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

term bif_erts_debug_same_2(struct process *p, const term *args)
{
	return atom_from_bool(args[0] == args[1]);
}

/* The names of our own decoded instructions. */
term bif_erts_debug_instructions_0(struct process *p, const term *args)
{
	static const char *const names[] = {
#define OP(name, source, flow, meaning) #name,
#include "vm/exec/ops.def"
#undef OP
	};
	term list = NIL;

	(void)args;
	for (size_t i = sizeof(names) / sizeof(*names); i-- > 0;)
		list = heap_cons(p, heap_string(p, names[i]), list);
	return list;
}

static bool is_named(term t, const char *name)
{
	return term_is_atom(t) && strcmp(atom_text(t), name) == 0;
}

static bool is_of_process(term item)
{
	return is_named(item, "link_list") || is_named(item, "monitor_list") ||
	       is_named(item, "process_status");
}

static term refuse_state(struct process *p, const char *function, term item)
{
	if (term_is_tuple(item) && tuple_size(item))
		item = tuple_element(item, 0);
	return bif_unsupported(p, "erts_debug:%s_internal_state(%s)", function,
			       term_is_atom(item) ? atom_text(item) : "_");
}

/* heap_binary, or {refc_binary, Bytes, {binary, BytesOfTheBlock}, Flags}, where the flags say that it can
 * be appended to. How OTP 27 and later show a part of a binary has not been measured. */
static term show_binary(struct process *p, term t)
{
	const term *box = boxed_ptr(t);
	const struct refc_binary *block = NULL;
	size_t size;

	if (code_otp_release() >= 27)
		return bif_unsupported(p, "erts_debug:get_internal_state(binary_info)");
	if (header_kind(box[0]) == KIND_SUBBIN) {
		if (box[2] % 8 == 0 && box[2] <= HEAPBIN_MAX * 8u && !box[4])
			return atom_from_string("heap_binary"); /* a copy on the real VM */
		box = boxed_ptr(box[1]);
	}
	size = box[1];
	if (header_kind(box[0]) == KIND_REFCBIN)
		block = (const struct refc_binary *)box[2];
	if (!block && size <= HEAPBIN_MAX)
		return atom_from_string("heap_binary");
	return heap_tuple(p, 4,
			  (term[]){atom_from_string("refc_binary"), small_make((int64_t)size),
				   heap_tuple2(p, A_binary,
					       small_make((int64_t)(block ? block->cap : size))),
				   small_make(block && block->used_bits != SIZE_MAX ? 3 : 0)});
}

/* How processes/0 works through the table of processes: it is done in one piece here, and so nothing
 * else runs meanwhile. The other numbers are those of the real VM. */
static term show_processes_info(struct process *p)
{
	static const int64_t numbers[] = {40, 1, 1000, 25, 1, 10, 40, 75, 0};
	term items[10] = {atom_from_string("ptab_list_bif_info")};

	for (size_t i = 0; i < 9; i++)
		items[1 + i] = small_make(numbers[i]);
	return heap_tuple(p, 10, items);
}

term bif_erts_debug_get_internal_state_1(struct process *p, const term *args)
{
	if (!p->vm->shows_inside)
		return bif_error(p, A_undef);
	if (is_named(args[0], "available_internal_state"))
		return A_true;
	if (is_named(args[0], "reds_left"))
		return small_make(p->fuel);
	if (is_named(args[0], "flxctr_memory_usage")) /* of debug builds of the real VM only */
		return atom_from_string("notsup");
	if (is_named(args[0], "lc_graph")) /* as without a checker of locks */
		return atom_from_string("notsup");
	if (is_named(args[0], "stack_check")) /* bytes of the C stack, as a constant */
		return small_make(1 << 20);
	if (is_named(args[0], "processes_bif_info"))
		return show_processes_info(p);
	if (is_named(args[0], "force_heap_frags"))
		return A_false;
	if (is_named(args[0], "memory"))
		return bif_erlang_memory_0(p, args);
	if (is_named(args[0], "check_io_debug")) /* nothing is polled: system_info(check_io) */
		return heap_tuple(p, 4,
				  (term[]){small_make(0), small_make(0), small_make(0), small_make(0)});
	if (term_is_tuple_of(args[0], 2) && is_named(tuple_element(args[0], 0), "internal_hash"))
		return small_make((int64_t)(term_hash(tuple_element(args[0], 1)) & UINT32_MAX));
	if (term_is_tuple_of(args[0], 2) && is_named(tuple_element(args[0], 0), "binary_info"))
		return term_is_bitstring(tuple_element(args[0], 1))
			       ? show_binary(p, tuple_element(args[0], 1))
			       : bif_badarg(p);
	if (is_named(args[0], "persistent_term") && !p->vm->is_explored)
		return tmap_from_pairs(p,
				       (term[]){atom_from_string("table"),
						small_make(p->vm->persistent->buckets_len)},
				       1);
	if (is_named(args[0], "node_and_dist_references") && !p->vm->is_explored &&
	    code_otp_release() < 26)
		return census_show_nodes(p, args);
	if (term_is_tuple_of(args[0], 2) && is_of_process(tuple_element(args[0], 0)) &&
	    !p->vm->is_explored)
		return process_state(p, atom_text(tuple_element(args[0], 0)),
				     tuple_element(args[0], 1));
	return refuse_state(p, "get", args[0]);
}

term bif_erts_debug_set_internal_state_2(struct process *p, const term *args)
{
	term old = atom_from_bool(p->vm->shows_inside);

	if (is_named(args[0], "available_internal_state") &&
	    (args[1] == A_true || args[1] == A_false)) {
		p->vm->shows_inside = args[1] == A_true;
		return old;
	}
	if (!p->vm->shows_inside)
		return bif_error(p, A_undef);
	if (term_is_atom(args[0]) && state_change(p, atom_text(args[0]), args[1], &old))
		return old;
	return refuse_state(p, "set", args[0]);
}
