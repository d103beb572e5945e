#include "prop/beam_test.h"

#include <stdio.h>
#include <string.h>

#include "vm/bifs/notes.h"
#include "vm/memory/heap.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

/* The calls of one branch; those of a branch are together. */
static term branch_term(const struct beam_test *t, uint32_t branch, struct process *p)
{
	term list = NIL;

	for (uint32_t i = t->len; i-- > 0;) {
		const struct beam_test_call *call = &t->calls[i];

		if (call->branch == branch)
			list = heap_cons(p, heap_tuple2(p, small_make(call->var),
							beam_terms_get(t->terms, call->call, p)),
					 list);
	}
	return list;
}

static term branches_term(const struct beam_test *t, struct process *p)
{
	term list = NIL;

	for (uint32_t b = t->branches_len; b >= 1; b--)
		list = heap_cons(p, branch_term(t, b, p), list);
	return list;
}

term beam_test_term(const struct beam_test *t, struct process *p)
{
	return heap_tuple2(p, branch_term(t, 0, p), branches_term(t, p));
}

static struct process *spawn(const struct beam_test *t, const char *function, const term *args,
			     size_t args_len)
{
	struct vm *vm = vm_get();
	struct process *p = process_find(vm, vm->init_pid);

	return vm_spawn(vm, p, t->driver->name, atom_from_string(function),
			heap_list(p, args, args_len, NIL));
}

/* The process to be explored, from the answer of fermata_prop:start/3. */
static struct process *go_on(struct beam_test *t, term result, struct err *err)
{
	struct vm *vm = vm_get();
	struct process *p = process_find(vm, vm->init_pid);
	const char *said = atom_text(tuple_element(result, 0));
	term args[2];

	if (strcmp(said, "held") == 0) {
		t->host = tuple_element(result, 1);
		process_find(vm, t->host)->is_system = true; /* it only waits for the end */
		args[0] = branches_term(t, p);
		args[1] = tuple_element(result, 2);
		return spawn(t, "branches", args, 2);
	}
	args[0] = tuple_element(result, 1);
	if (strcmp(said, "failed") == 0) {
		struct strbuf text = {0};

		print_chars(args[0], &text);
		err_set(err, "%s", strbuf_text(&text));
		strbuf_release(&text);
		return NULL;
	}
	return spawn(t, "ended", args, 1);
}

struct process *beam_test_start(void *ctx, struct err *err)
{
	struct beam_test *t = ctx;
	struct vm *vm = vm_get();
	struct process *p = process_find(vm, vm->init_pid);
	term args[3] = {t->driver->module, beam_terms_get(t->terms, t->how, p),
			beam_test_term(t, p)};
	enum vm_end end;

	t->host = TERM_NONE;
	end = run_call(vm, t->driver->name, atom_from_string("start"),
		       heap_list(p, args, 3, NIL));
	if (end == VM_DONE && vm->result_class == A_ok)
		return go_on(t, vm->result, err);
	if (end == VM_UNSUPPORTED)
		*err = vm->err;
	else if (end != VM_STUCK)
		err_set(err, "the prefix of a test %s", end == VM_HALTED ? "ends the whole program"
			: end == VM_OUT_OF_MEMORY ? "needs too much memory" : "did not end");
	return end == VM_STUCK ? spawn(t, "stuck", NULL, 0) : NULL;
}

/* ---- what came of it ---- */

static struct prop_outcome *outcome_of(struct beam_test *t, term var)
{
	for (uint32_t i = 0; i < t->len; i++)
		if (var == small_make(t->calls[i].var))
			return &t->outcomes[i];
	return NULL;
}

/* A call begins (its variable), or has given something ({Variable, What}). The note is made
 * within the step before the first of the call's own, and within the last of them. */
static void read_note(struct beam_test *t, const struct note *note)
{
	bool is_end = term_is_tuple_of(note->content, 2);
	struct prop_outcome *outcome =
		outcome_of(t, is_end ? tuple_element(note->content, 0) : note->content);

	if (!outcome)
		return;
	outcome->progress = is_end ? PROP_RETURNED : PROP_BEGUN;
	outcome->actor = note->actor ? note->actor - 1 : 0;
	if (is_end)
		outcome->value = beam_terms_put(t->values, tuple_element(note->content, 1));
	if (!note->actor)
		return;
	if (!is_end)
		outcome->begin = note->step;
	outcome->end = is_end ? note->step : UINT32_MAX;
}

/* The user's clean-up, in the process that did the set-up. All it does is undone by the next
 * restore; but it may fail. */
static void clean_up(struct beam_test *t, struct trace *trace)
{
	struct vm *vm = vm_get();
	struct process *p = process_find(vm, vm->init_pid);
	struct strbuf text = {0};
	enum vm_end end;

	vm->is_explored = false;
	for (struct process *other = vm->first_process; other; other = other->all_next)
		if (other->status == PROCESS_RUNNABLE)
			vm_wake(other);
	end = run_call(vm, t->driver->name, atom_from_string("finish"),
		       heap_list(p, &t->host, 1, NIL));
	if (end == VM_DONE && vm->result != A_ok)
		print_chars(vm->result, &text);
	else if (end != VM_DONE)
		strbuf_adds(&text, "the clean-up did not end");
	if (text.len && !trace->notices_len && !ends_are_bad(trace)) {
		t->notice = (struct notice){.kind = FINDING_PROPERTY, .actor = ACTOR_NONE};
		snprintf(t->notice.message, sizeof(t->notice.message), "%s", strbuf_text(&text));
		trace->notices = &t->notice;
		trace->notices_len = 1;
	}
	strbuf_release(&text);
}

void beam_test_stop(void *ctx, struct target *target, struct trace *trace)
{
	struct beam_test *t = ctx;

	(void)target;
	trace->assumed |= ASSUMED_SETUP;
	memset(t->outcomes, 0, sizeof(t->outcomes));
	for (const struct note *note = vm_get()->notes.first; note; note = note->next)
		read_note(t, note);
	if (t->has_cleanup && t->host != TERM_NONE)
		clean_up(t, trace);
}
