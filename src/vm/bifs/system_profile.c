/* erlang:system_profile/0,2: profile.h. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/process/profile.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

/* In the order in which system_profile/0 lists them. */
static const struct {
	const char *name;
	uint32_t bit;
} flags[] = {{"exclusive", PROFILE_EXCLUSIVE},
	     {"scheduler", PROFILE_SCHEDULER},
	     {"runnable_procs", PROFILE_PROCESSES},
	     {"runnable_ports", PROFILE_PORTS},
	     {"timestamp", PROFILE_NOW},
	     {"monotonic_timestamp", PROFILE_MONOTONIC},
	     {"strict_monotonic_timestamp", PROFILE_STRICT}};

enum { FLAGS_LEN = sizeof(flags) / sizeof(*flags) };

/* ---- events ---- */

/* Of the times that were asked for, the last one of this list counts. */
static term make_time(struct process *on, uint32_t bits)
{
	term now;

	if (!(bits & (PROFILE_MONOTONIC | PROFILE_STRICT)))
		return bif_erlang_now_0(on, NULL);
	now = bif_erlang_monotonic_time_0(on, NULL);
	return bits & PROFILE_STRICT
		       ? heap_tuple2(on, now, small_make((int64_t)++on->vm->monotonic_count))
		       : now;
}

/* {profile, Parts..., Time}, made on the heap of a process that does not run. */
static void tell(struct process *on, const term *parts, size_t len)
{
	struct process *to = process_find(on->vm, on->vm->profile.pid);
	term all[6] = {atom_from_string("profile")};

	if (!to)
		return;
	for (size_t i = 0; i < len; i++)
		all[1 + i] = parts[i];
	all[1 + len] = make_time(on, on->vm->profile.bits);
	signal_message(to, heap_tuple(on, 2 + len, all), A_system);
}

static void tell_of_process(struct process *p, term act)
{
	term parts[3] = {p->pid, act, small_make(0)};
	struct code_place place;

	if (exception_current_place(p, &place))
		parts[2] = heap_tuple3(p, place.module, place.function, small_make(place.arity));
	tell(p, parts, 3);
}

static bool is_profiled(const struct process *p)
{
	return (p->vm->profile.bits & PROFILE_PROCESSES) && p->vm->profile.pid != p->pid &&
	       !p->is_system;
}

void profile_active(struct process *p)
{
	if (p->is_active || p->suspend_count)
		return;
	p->is_active = true;
	if (is_profiled(p))
		tell_of_process(p, atom_from_string("active"));
}

void profile_inactive(struct process *p)
{
	bool was_active = p->is_active;

	p->is_active = false;
	if (was_active && is_profiled(p))
		tell_of_process(p, atom_from_string("inactive"));
}

void profile_ended(struct vm *vm, term pid)
{
	struct process *to;
	term parts[3] = {pid, TERM_NONE, small_make(0)};

	if (!(vm->profile.bits & PROFILE_PROCESSES) || vm->profile.pid == pid || pid == TERM_NONE)
		return;
	parts[1] = atom_from_string("inactive");
	to = process_find(vm, vm->profile.pid);
	if (to)
		tell(to, parts, 3);
}

/* On the real VM the message wakes the scheduler, which tells of that as well, and so on. */
void profile_idle(struct vm *vm, bool is_idle)
{
	term parts[4] = {atom_from_string("scheduler"), small_make(1), TERM_NONE,
			 small_make(!is_idle)};
	struct process *to;

	if (!(vm->profile.bits & PROFILE_SCHEDULER) || vm->profile.is_idle == is_idle)
		return;
	vm->profile.is_idle = is_idle;
	parts[2] = atom_from_string(is_idle ? "inactive" : "active");
	to = process_find(vm, vm->profile.pid);
	if (to)
		tell(to, parts, 4);
}

/* ---- who is told ---- */

static term show(struct process *p)
{
	const struct system_profile *profile = &p->vm->profile;
	term list = NIL;

	if (!profile->is_set || !process_find(p->vm, profile->pid))
		return A_undefined;
	for (size_t i = FLAGS_LEN; i-- > 0;)
		if (profile->bits & flags[i].bit & PROFILE_SHOWN)
			list = heap_cons(p, atom_from_string(flags[i].name), list);
	return heap_tuple2(p, profile->pid, list);
}

static bool read_flag(term name, uint32_t *bits)
{
	for (size_t i = 0; i < FLAGS_LEN; i++)
		if (name == atom_from_string(flags[i].name)) {
			*bits |= flags[i].bit;
			return true;
		}
	return false;
}

term bif_erlang_system_profile_0(struct process *p, const term *args)
{
	(void)args;
	return show(p);
}

term bif_erlang_system_profile_2(struct process *p, const term *args)
{
	struct system_profile profile = {.pid = args[0], .is_set = true};
	term list = args[1], old = show(p);

	if (args[0] == A_undefined || list == NIL) {
		p->vm->profile = (struct system_profile){0};
		return old;
	}
	if (term_is_port(args[0]))
		return bif_unsupported(p, "erlang:system_profile/2 with a port");
	if (!term_is_pid(args[0]) || !process_find(p->vm, args[0]))
		return bif_badarg(p);
	for (; term_is_cons(list); list = cons_tail(list))
		if (!read_flag(cons_head(list), &profile.bits))
			return bif_badarg(p);
	if (list != NIL)
		return bif_badarg(p);
	if (p->vm->is_explored)
		return bif_unsupported(p, "erlang:system_profile/2 in a search");
	p->vm->profile = profile;
	return old;
}
