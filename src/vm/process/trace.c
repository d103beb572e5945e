#include "vm/process/trace.h"

#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/match_spec.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

/* ---- the traced functions ---- */

struct trace_state *trace_get(struct vm *vm)
{
	if (!vm->trace)
		vm->trace = region_zalloc(sizeof(*vm->trace));
	return vm->trace;
}

static uint32_t *find_index(struct trace_state *t, const word *entry)
{
	uint32_t i = (uint32_t)((uintptr_t)entry >> 3) * 2654435761u & (t->index_cap - 1);

	while (t->index[i] && t->points[t->index[i] - 1].entry != entry)
		i = (i + 1) & (t->index_cap - 1);
	return &t->index[i];
}

static void make_index(struct trace_state *t, uint32_t cap)
{
	region_free(t->index, t->index_cap * sizeof(*t->index));
	t->index = region_zalloc(cap * sizeof(*t->index));
	t->index_cap = cap;
	for (uint32_t i = 0; i < t->len; i++)
		*find_index(t, t->points[i].entry) = i + 1;
}

struct trace_point *trace_find(struct vm *vm, const word *entry)
{
	struct trace_state *t = vm->trace;
	uint32_t number = t && t->index_cap ? *find_index(t, entry) : 0;

	return number ? &t->points[number - 1] : NULL;
}

static struct trace_point *add_point(struct trace_state *t, const word *entry)
{
	if (t->len == t->cap) {
		uint32_t cap = t->cap ? t->cap * 2 : 16;

		t->points = region_grow(t->points, t->cap * sizeof(*t->points),
					cap * sizeof(*t->points));
		t->cap = cap;
	}
	t->points[t->len++] = (struct trace_point){.entry = entry};
	if (t->len * 2 > t->index_cap)
		make_index(t, t->index_cap ? t->index_cap * 2 : 64);
	else
		*find_index(t, entry) = t->len;
	return &t->points[t->len - 1];
}

static void remove_point(struct trace_state *t, struct trace_point *point)
{
	message_free(point->spec);
	*point = t->points[--t->len];
	make_index(t, t->index_cap);
}

void trace_set(struct vm *vm, const word *entry, bool is_local, term spec)
{
	struct trace_state *t = trace_get(vm);
	struct trace_point *point = trace_find(vm, entry);

	if (spec == TERM_NONE) {
		if (point)
			remove_point(t, point);
		return;
	}
	if (!point)
		point = add_point(t, entry);
	if (point->spec)
		message_free(point->spec);
	point->is_local = is_local;
	point->spec = message_new(spec, A_system);
}

/* ---- messages ---- */

static bool is_stepwise(const struct process *p)
{
	return p->vm->is_explored && !p->is_system;
}

void trace_changed(struct process *p)
{
	if (!p->trace_flags)
		p->tracer = TERM_NONE;
	if (p->trace_flags & TRACE_CALL)
		p->fuel = 1;
}

static term make_time(struct process *p)
{
	return p->trace_flags & TRACE_MONOTONIC ? bif_erlang_monotonic_time_0(p, NULL)
						: bif_erlang_timestamp_0(p, NULL);
}

/* {trace, P, Parts...}, or {trace_ts, P, Parts..., Time}. */
static term make_message(struct process *p, const term *parts, size_t len)
{
	bool has_time = p->trace_flags & (TRACE_TIMESTAMP | TRACE_MONOTONIC);
	term all[8] = {has_time ? A_trace_ts : A_trace, process_known_as(p)};

	for (size_t i = 0; i < len; i++)
		all[2 + i] = parts[i];
	if (has_time)
		all[2 + len] = make_time(p);
	return heap_tuple(p, 2 + len + has_time, all);
}

static void append(term *list, struct process *p, term message)
{
	while (*list != NIL)
		list = cons_ptr(*list) + 1;
	*list = heap_cons(p, message, NIL);
}

/* Sends the message now, or leaves it in p->trace_notes. */
static void note(struct process *p, term message)
{
	if (p->trace_flags & TRACE_SILENT || p->tracer == p->pid || p->is_sensitive)
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
	p->trace_notes = x[2] == NIL ? TERM_NONE : x[2];
	return trace_stop(p, live);
}

/* ---- calls ---- */

static term make_mfa(struct process *p, term module, term function, term third)
{
	return heap_tuple3(p, module, function, third);
}

/* True with the actions of the first clause that matches; false if no clause matches. */
static bool run_spec(struct process *p, term spec, term args, struct match_actions *actions)
{
	struct match_program program = {.actions = actions};
	bool matches = spec == NIL;

	if (spec != NIL && match_compile(&program, spec, NULL))
		matches = match_run(p, &program, args) != TERM_NONE;
	match_release(&program);
	return matches;
}

/* A frame that returns to interp_trace_return: return address, catch, module, function, arity. */
enum { FRAME_WORDS = 5 };

/* Room for a frame must be there before anything is allocated: heap_alloc takes all words below
 * the stack. */
static void reserve_frame(struct process *p, unsigned arity)
{
	if ((size_t)(p->e - p->htop) < FRAME_WORDS)
		heap_collect(p, FRAME_WORDS, machine.running.x, arity);
	p->e -= FRAME_WORDS;
}

/* Writes the frame that reserve_frame made room for. */
static void fill_frame(struct process *p, const word *entry, bool catches)
{
	p->e[0] = (term)p->cp;
	p->e[1] = catches ? catch_make(interp_trace_raise) : NIL;
	p->e[2] = entry_module(entry);
	p->e[3] = entry_function(entry);
	p->e[4] = small_make(entry_arity(entry));
	p->cp = interp_trace_return;
}

bool trace_call(struct process *p, bool is_remote)
{
	struct match_actions actions = {.message = A_true, .caller = p->cp};
	struct trace_point *point = trace_find(p->vm, p->ip);
	unsigned arity = point ? entry_arity(p->ip) : 0;
	term args = NIL, parts[3] = {A_call};
	bool matches;

	if (!point || !(point->is_local || is_remote) || p->is_sensitive)
		return false;
	reserve_frame(p, arity);
	for (unsigned i = arity; i-- > 0;)
		args = heap_cons(p, machine.running.x[i], args);
	matches = run_spec(p, point->spec->content, args, &actions);
	if (matches && (actions.shows_return || actions.shows_exception))
		fill_frame(p, p->ip, actions.shows_exception);
	else
		p->e += FRAME_WORDS;
	if (!matches)
		return false;
	parts[1] = make_mfa(p, entry_module(p->ip), entry_function(p->ip),
			    p->trace_flags & TRACE_ARITY ? small_make(arity) : args);
	parts[2] = actions.message;
	if (actions.message != A_false)
		note(p, make_message(p, parts, actions.message == A_true ? 2 : 3));
	return trace_stop(p, arity);
}

static void note_end(struct process *p, term tag, term value)
{
	term parts[3] = {tag, make_mfa(p, p->e[2], p->e[3], p->e[4]), value};

	if (p->trace_flags & TRACE_CALL)
		note(p, make_message(p, parts, 3));
}

bool trace_return(struct process *p)
{
	note_end(p, A_return_from, machine.running.x[0]);
	p->ip = (const word *)p->e[0];
	p->cp = NULL;
	p->e += FRAME_WORDS;
	return trace_stop(p, 1);
}

/* x1 to x3 are class, reason and trace, as at every handler. */
bool trace_exception(struct process *p)
{
	term *x = machine.running.x;

	x[0] = NIL;
	note_end(p, A_exception_from, heap_tuple2(p, x[1], x[2]));
	p->cp = (const word *)p->e[0];
	p->e += FRAME_WORDS;
	p->ip = interp_trace_raise + 1;
	return trace_stop(p, 4);
}

/* ---- other events ---- */

/* Under exploration it is not known yet whether the receiver will be there. */
void trace_send(struct process *p, term to, term content)
{
	bool is_lost = !is_stepwise(p) && term_is_pid(to) && !process_find(p->vm, to);
	term parts[3] = {is_lost ? A_send_to_non_existing_process : A_send, content, to};

	p->vm->relied_on |= RELIED_ON_TRACING;
	note(p, make_message(p, parts, 3));
}

void trace_life(struct process *p, term tag, term what)
{
	term parts[2] = {tag, what};

	if (p->trace_flags & TRACE_PROCS)
		note(p, make_message(p, parts, 2));
}

/* Something happened to p in a step of another process. A new process sends the message before it
 * starts. */
static void note_from_outside(struct process *p, term tag, term what)
{
	term parts[2] = {tag, what};

	if (!(p->trace_flags & TRACE_PROCS))
		return;
	if (p->trace_live)
		append(&p->saved_x[p->trace_live + 1], p, make_message(p, parts, 2));
	else if (is_stepwise(p))
		vm_unsupported(p->vm, "not supported: tracing %s in a test that is explored",
			       atom_text(tag));
	else
		note(p, make_message(p, parts, 2));
}

void trace_about(struct process *p, struct process *of, term tag, term what)
{
	if (p == of)
		trace_life(p, tag, what);
	else if (of)
		note_from_outside(of, tag, what);
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
	term message = make_message(child, parts, 3), start[3];

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
	if (child->trace_flags & TRACE_PROCS && !(child->trace_flags & TRACE_SILENT))
		note_birth(child, p->pid);
	if (p->trace_flags & TRACE_PROCS) {
		parts[2] = initial_call(p, child);
		note(p, make_message(p, parts, 3));
	}
}

void trace_received(struct process *p)
{
	for (struct message *m = p->mailbox.first; m; m = m->next) {
		term parts[2] = {A_receive};

		if (m->is_traced)
			continue;
		m->is_traced = true;
		if (m->kind != MESSAGE_ON_HEAP)
			message_to_heap(p, m);
		parts[1] = m->content;
		note(p, make_message(p, parts, 2));
	}
}
