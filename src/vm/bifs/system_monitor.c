/* erlang:system_monitor/0,1,2: a process gets messages about actions that take long and about
 * processes that grow large.
 *
 * Of the events only large_heap occurs: a collection finds a process with more words than that.
 * Computing takes no time here, so nothing goes on for long (OTP's own tests make collections
 * long), and ports are never busy. A search refuses it, because a message would depend on when
 * garbage is collected. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/process/heap_limit.h"
#include "vm/process/signal.h"
#include "vm/terms/big.h"
#include "vm/vm.h"

enum { MIN_LARGE_HEAP = 16384 }; /* on the real VM, too */

static bool read_number(term t, uint64_t least, uint64_t *number)
{
	if (!integer_get_uint64(t, number))
		return false;
	if (*number < least)
		*number = least;
	return true;
}

static bool read_option(term option, struct system_monitor *monitor)
{
	const char *name;

	if (option == atom_from_string("busy_port"))
		return monitor->busy_port = true;
	if (option == atom_from_string("busy_dist_port"))
		return monitor->busy_dist_port = true;
	if (!term_is_tuple_of(option, 2) || !term_is_atom(tuple_element(option, 0)))
		return false;
	name = atom_text(tuple_element(option, 0));
	if (!strcmp(name, "long_gc"))
		return read_number(tuple_element(option, 1), 1, &monitor->long_gc);
	if (!strcmp(name, "long_schedule"))
		return read_number(tuple_element(option, 1), 1, &monitor->long_schedule);
	return !strcmp(name, "large_heap") &&
	       read_number(tuple_element(option, 1), MIN_LARGE_HEAP, &monitor->large_heap);
}

static term add_number(struct process *p, term list, const char *name, uint64_t number)
{
	if (!number)
		return list;
	return heap_cons(p, heap_tuple2(p, atom_from_string(name), heap_unsigned(p, number)), list);
}

static term show(struct process *p)
{
	const struct system_monitor *monitor = &p->vm->monitor;
	term list = NIL;

	if (!monitor->is_set || !process_find(p->vm, monitor->pid))
		return A_undefined;
	list = add_number(p, list, "long_gc", monitor->long_gc);
	list = add_number(p, list, "long_schedule", monitor->long_schedule);
	list = add_number(p, list, "large_heap", monitor->large_heap);
	if (monitor->busy_port)
		list = heap_cons(p, atom_from_string("busy_port"), list);
	if (monitor->busy_dist_port)
		list = heap_cons(p, atom_from_string("busy_dist_port"), list);
	return heap_tuple2(p, monitor->pid, list);
}

static term set(struct process *p, term pid, term options)
{
	struct system_monitor monitor = {.pid = pid, .is_set = pid != A_undefined && options != NIL};
	term old = show(p);

	if (pid != A_undefined && !(term_is_pid(pid) && process_find(p->vm, pid)))
		return bif_badarg(p);
	for (; pid != A_undefined && term_is_cons(options); options = cons_tail(options))
		if (!read_option(cons_head(options), &monitor))
			return code_otp_release() >= 27
				       ? bif_unsupported(p, "this option of erlang:system_monitor/2")
				       : bif_badarg(p);
	if (pid != A_undefined && options != NIL)
		return bif_badarg(p);
	if (p->vm->is_explored)
		return bif_unsupported(p, "erlang:system_monitor/2 in a search");
	p->vm->monitor = monitor;
	return old;
}

term bif_erlang_system_monitor_0(struct process *p, const term *args)
{
	(void)args;
	return show(p);
}

term bif_erlang_system_monitor_1(struct process *p, const term *args)
{
	if (args[0] == A_undefined)
		return set(p, A_undefined, NIL);
	if (!term_is_tuple_of(args[0], 2))
		return bif_badarg(p);
	return set(p, tuple_element(args[0], 0), tuple_element(args[0], 1));
}

term bif_erlang_system_monitor_2(struct process *p, const term *args)
{
	return set(p, args[0], args[1]);
}

/* About p; first: a fact of its own, or nothing. */
static void tell(struct process *p, term event, term first)
{
	struct process *to = process_find(p->vm, p->vm->monitor.pid);
	struct {
		const char *name;
		size_t words;
	} facts[] = {
		{"old_heap_block_size", 0}, {"heap_block_size", (size_t)(p->hend - p->heap)},
		{"mbuf_size", 0}, {"stack_size", (size_t)(p->hend - p->e)}, {"old_heap_size", 0},
		{"heap_size", p->live_words},
	};
	term list = NIL, items[4] = {atom_from_string("monitor"), p->pid, event, NIL};

	if (!to || to == p)
		return;
	for (size_t i = sizeof(facts) / sizeof(*facts); i-- > 0;)
		list = heap_cons(p, heap_tuple2(p, atom_from_string(facts[i].name),
						small_make((int64_t)facts[i].words)), list);
	items[3] = first == TERM_NONE ? list : heap_cons(p, first, list);
	signal_message(to, heap_tuple(p, 4, items), A_system);
}

void system_monitor_tell(struct process *p)
{
	tell(p, atom_from_string("large_heap"), TERM_NONE);
}

void system_monitor_collected(struct process *p)
{
	const struct system_monitor *monitor = &p->vm->monitor;
	uint32_t ms = p->vm->collection_ms;

	p->vm->now_ns += ms * UINT64_C(1000000);
	if (ms && monitor->is_set && monitor->long_gc && ms >= monitor->long_gc)
		tell(p, atom_from_string("long_gc"),
		     heap_tuple2(p, A_timeout, small_make((int64_t)ms)));
}
