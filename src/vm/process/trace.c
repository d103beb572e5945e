#include "vm/process/trace.h"

#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/machine.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

/* ---- messages ---- */

static bool is_stepwise(const struct process *p)
{
	return p->vm->is_explored && !p->is_system;
}

void trace_changed(struct process *p)
{
	if (!p->trace_flags)
		p->tracer = TERM_NONE;
	if (trace_watches(p))
		p->fuel = 1;
}

/* Computing takes no time, so that the time of the processor is that of the clock since its start. */
static term make_work(struct process *p)
{
	const uint64_t micro = 1000000;
	uint64_t us = p->vm->now_ns / 1000;

	return heap_tuple3(p, small_make((int64_t)(us / micro / micro)),
			   small_make((int64_t)(us / micro % micro)),
			   small_make((int64_t)(us % micro)));
}

static term make_time(struct process *p)
{
	term now;

	if (p->trace_flags & TRACE_TIMESTAMP)
		return trace_get(p->vm)->counts_work ? make_work(p) : bif_erlang_now_0(p, NULL);
	now = bif_erlang_monotonic_time_0(p, NULL);
	if (!(p->trace_flags & TRACE_STRICT))
		return now;
	return heap_tuple2(p, now, small_make((int64_t)++p->vm->monotonic_count));
}

term trace_message(struct process *p, const term *parts, size_t len)
{
	bool has_time = p->trace_flags & (TRACE_TIMESTAMP | TRACE_MONOTONIC | TRACE_STRICT);
	term all[9] = {has_time ? A_trace_ts : A_trace, process_known_as(p)};
	size_t all_len = 2;

	for (size_t i = 0; i < len; i++)
		all[all_len++] = parts[i];
	if (p->trace_flags & TRACE_SCHEDULER)
		all[all_len++] = small_make(1); /* there is one */
	if (has_time)
		all[all_len++] = make_time(p);
	return heap_tuple(p, all_len, all);
}

static void append(term *list, struct process *p, term message)
{
	while (*list != NIL)
		list = cons_ptr(*list) + 1;
	*list = heap_cons(p, message, NIL);
}

void trace_note(struct process *p, term message)
{
	if (p->tracer == p->pid || p->is_sensitive)
		return;
	if (!is_stepwise(p)) {
		signal_send(p, p->tracer, message);
		return;
	}
	if (p->trace_notes == TERM_NONE)
		p->trace_notes = NIL;
	append(&p->trace_notes, p, message);
}

/* Behind the live registers: tracer, message, the messages after it. */
bool trace_stop(struct process *p, unsigned live)
{
	term *x = machine.running.x;

	if (p->trace_notes == TERM_NONE)
		return false;
	x[live] = p->tracer;
	x[live + 1] = cons_head(p->trace_notes);
	x[live + 2] = cons_tail(p->trace_notes);
	p->trace_notes = TERM_NONE;
	process_save_x(p, live + 3);
	p->trace_live = live + 1;
	p->announced = (struct announced){
		.effect = EFFECT_SEND, .args = p->saved_x + live, .args_len = 2};
	return true;
}

bool trace_resume(struct process *p)
{
	term *x = machine.running.x + p->trace_live - 1;
	unsigned live = p->trace_live - 1;

	if (is_stepwise(p) && !p->may_act) { /* a new process has not announced its first message */
		p->trace_notes = heap_cons(p, x[1], x[2]);
		return trace_stop(p, live);
	}
	p->may_act = false;
	p->trace_live = 0;
	if (x[0] != TERM_NONE)
		signal_send(p, x[0], x[1]);
	for (; !is_stepwise(p) && x[2] != NIL; x[2] = cons_tail(x[2]))
		signal_send(p, x[0], cons_head(x[2]));
	p->trace_notes = x[2] == NIL ? TERM_NONE : x[2];
	return trace_stop(p, live);
}

/* ---- other events ---- */

static term make_mfa(struct process *p, term module, term function, term third)
{
	return heap_tuple3(p, module, function, third);
}

/* Under exploration it is not known yet whether the receiver will be there. */
void trace_send(struct process *p, term to, term content)
{
	bool is_lost = !is_stepwise(p) && term_is_pid(to) && !process_find(p->vm, to);
	term parts[4] = {is_lost ? A_send_to_non_existing_process : A_send, content, to};

	p->vm->relied_on |= RELIED_ON_TRACING;
	if (trace_selects_send(p, to, content, &parts[3]))
		trace_note(p, trace_message(p, parts, parts[3] == A_true ? 3 : 4));
}

void trace_life(struct process *p, term tag, term what)
{
	term parts[2] = {tag, what};

	if (p->trace_flags & TRACE_PROCS)
		trace_note(p, trace_message(p, parts, 2));
}

/* Something happened to p in a step of another process. A new process sends the message before it
 * starts. */
static void note_from_outside(struct process *p, term tag, term what)
{
	term parts[2] = {tag, what};

	if (!(p->trace_flags & TRACE_PROCS))
		return;
	if (p->trace_live)
		append(&p->saved_x[p->trace_live + 1], p, trace_message(p, parts, 2));
	else if (is_stepwise(p))
		vm_unsupported(p->vm, "not supported: tracing %s in a test that is explored",
			       atom_text(tag));
	else {
		if (p->trace_flags & TRACE_RECEIVE)
			trace_received(p); /* what has come before */
		trace_note(p, trace_message(p, parts, 2));
	}
}

void trace_about(struct process *p, struct process *of, term tag, term what)
{
	if (p == of)
		trace_life(p, tag, what);
	else if (of)
		note_from_outside(of, tag, what);
}

void trace_inherit_by_link(struct process *p, struct process *of)
{
	if (!(p->trace_flags & (TRACE_SET_ON_LINK | TRACE_SET_ON_FIRST_LINK)))
		return;
	if (p->trace_flags & TRACE_SET_ON_FIRST_LINK)
		p->trace_flags &= ~(uint32_t)(TRACE_SET_ON_FIRST_LINK | TRACE_SET_ON_LINK);
	of->trace_flags |= p->trace_flags;
	of->tracer = p->tracer;
	trace_changed(of);
}

void trace_turn(struct process *p, const char *tag)
{
	term parts[2] = {atom_from_string(tag), small_make(0)};
	struct code_place place;

	if (!(p->trace_flags & (TRACE_RUNNING | TRACE_RUNNING_PROCS)) ||
	    p->status == PROCESS_EXITING)
		return;
	if (exception_current_place(p, &place))
		parts[1] = make_mfa(p, place.module, place.function, small_make(place.arity));
	trace_note(p, trace_message(p, parts, 2));
}

/* The same sizes before and behind: the collection itself comes later. */
void trace_collection(struct process *p, bool is_minor)
{
	const char *const tags[2][2] = {{"gc_major_start", "gc_major_end"},
					{"gc_minor_start", "gc_minor_end"}};
	term args[2] = {p->pid, A_garbage_collection_info}, info;

	if (!(p->trace_flags & TRACE_COLLECTIONS))
		return;
	info = bif_erlang_process_info_2(p, args);
	if (!term_is_tuple(info)) /* it has ended */
		return;
	info = tuple_element(info, 1);
	info = heap_cons(p, heap_tuple2(p, A_wordsize, small_make(0)), info);
	for (unsigned i = 0; i < 2; i++) {
		term parts[2] = {atom_from_string(tags[is_minor][i]), info};

		trace_note(p, trace_message(p, parts, 2));
	}
}

void trace_timeout(struct process *p)
{
	term parts[2] = {A_receive, A_timeout};

	trace_note(p, trace_message(p, parts, 2));
}

void trace_lost_link(struct process *p, term pid)
{
	trace_life(p, A_getting_unlinked, pid);
}

void trace_tie(struct process *p, term pid, term tag, term other_tag)
{
	struct process *of;

	if (!p->vm->trace)
		return;
	of = term_is_pid(pid) ? process_find(p->vm, pid) : NULL;
	trace_life(p, tag, pid);
	if (of && of != p)
		note_from_outside(of, other_tag, p->pid);
}

void trace_link(struct process *p, term pid)
{
	struct process *of = process_find(p->vm, pid);

	if (of && !of->trace_flags && code_otp_release() >= 27)
		trace_inherit_by_link(p, of);
	trace_tie(p, pid, A_link, A_getting_linked);
}

static term initial_call(struct process *p, const struct process *child)
{
	return make_mfa(p, child->initial_module, child->initial_function,
			heap_import(p, child->saved_x[2]));
}

/* The child's first message waits behind the registers with which the child starts. */
static void note_birth(struct process *child, term parent)
{
	term parts[3] = {A_spawned, parent, make_mfa(child, child->saved_x[0], child->saved_x[1],
						     child->saved_x[2])};
	term message = trace_message(child, parts, 3), start[3];

	for (unsigned i = 0; i < 3; i++)
		start[i] = child->saved_x[i];
	region_free(child->saved_x, child->saved_cap * sizeof(term));
	child->saved_x = region_alloc(6 * sizeof(term));
	child->saved_cap = child->saved_len = 6;
	for (unsigned i = 0; i < 3; i++)
		child->saved_x[i] = start[i];
	child->saved_x[3] = child->tracer;
	child->saved_x[4] = message;
	child->saved_x[5] = NIL;
	child->trace_live = 4;
}

static void inherit(struct process *p, struct process *child)
{
	struct trace_state *t = p->vm->trace;

	if (t && t->new_flags && t->new_tracer != child->pid) {
		child->trace_flags = t->new_flags;
		child->tracer = t->new_tracer;
	}
	if (!(p->trace_flags & (TRACE_SET_ON_SPAWN | TRACE_SET_ON_FIRST_SPAWN)))
		return;
	child->trace_flags = p->trace_flags;
	child->tracer = p->tracer;
	if (p->trace_flags & TRACE_SET_ON_FIRST_SPAWN) {
		p->trace_flags &= ~(uint32_t)TRACE_SET_ON_FIRST_SPAWN;
		child->trace_flags &= ~(uint32_t)TRACE_SET_ON_FIRST_SPAWN;
	}
}

void trace_spawn(struct process *p, struct process *child)
{
	term parts[3] = {A_spawn, child->pid};

	inherit(p, child);
	if (child->trace_flags & TRACE_PROCS)
		note_birth(child, p->pid);
	if (p->trace_flags & TRACE_PROCS) {
		parts[2] = initial_call(p, child);
		trace_note(p, trace_message(p, parts, 3));
	}
}

void trace_received(struct process *p)
{
	for (struct message *m = p->mailbox.first; m; m = m->next) {
		term parts[2] = {A_receive};

		if (m->is_traced)
			continue;
		m->is_traced = true;
		if (trace_get(p->vm)->hides_receives)
			continue;
		if (m->kind != MESSAGE_ON_HEAP)
			message_to_heap(p, m);
		parts[1] = m->content;
		trace_note(p, trace_message(p, parts, 2));
	}
}
