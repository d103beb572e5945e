#include <string.h>

#include "beam/conduct_parts.h"
#include "beam/describe.h"
#include "beam/look.h"
#include "beam/look_parts.h"
#include "beam/target.h"
#include "vm/bifs/open_file.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/process/leader.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { EVAL_TURNS = 100000 };

static struct process *root(struct conductor *c)
{
	return process_find(c->vm, c->vm->init_pid);
}

/* Everybody stands still. A process that waits is woken by a message; one that is about to take a
 * step is not. */
static void freeze(struct vm *vm)
{
	for (struct process *p = vm->first_process; p; p = p->all_next)
		if (!p->is_system)
			p->is_queued = false;
	while (vm->run_first) {
		struct process *p = vm->run_first;

		vm->run_first = p->queue_next;
		p->queue_next = NULL;
		p->is_queued = false;
	}
	vm->run_last = NULL;
	vm->is_explored = false;
	vm->is_async = false;
	vm->turns = 0;
	vm->turns_max = EVAL_TURNS;
}

/* [{"P1.2", Pid}, …] */
static term list_actors(struct conductor *c)
{
	struct process *p = root(c);
	term list = NIL;

	for (size_t i = c->pids.len; i-- > 0;) {
		char name[ACTOR_NAME_MAX];

		if (!c->pids.items[i])
			continue;
		actor_name(c->actors.items, (uint32_t)i, name);
		list = heap_cons(p, heap_tuple2(p, heap_string(p, name), pid_make(c->pids.items[i])),
				 list);
	}
	return list;
}

static void keep_output(void *ctx, int stream, const char *text, size_t len)
{
	(void)stream;
	strbuf_add(ctx, text, len);
}

static void add_reason(const struct vm *vm, enum vm_end end, struct strbuf *out)
{
	if (end == VM_UNSUPPORTED)
		strbuf_addf(out, "the machine cannot do that: %s", vm->err.message);
	else if (end == VM_STUCK)
		strbuf_adds(out, "the expression waits for ever: the process that should answer is "
				 "about to take a step, or has ended");
	else if (end == VM_ENDLESS)
		strbuf_adds(out, "the expression takes too long");
	else if (end == VM_OUT_OF_MEMORY)
		strbuf_adds(out, "the expression needs too much memory");
	else if (end == VM_HALTED)
		strbuf_adds(out, "the expression ends the whole program");
	else
		print_term_limited(vm->result, out, 400);
}

/* Calls fermata_debug:FUNCTION, which returns {ok, Text} or {error, Text}. */
static bool call(struct conductor *c, const char *function, term args, struct strbuf *out)
{
	struct vm *vm = c->vm;
	term module = atom_from_string("fermata_debug");
	bool may_write = open_file_may_write(), ok;
	enum vm_end end;

	if (!code_load_module(vm, module, NULL)) {
		strbuf_adds(out, "this build has no evaluator: erlc was missing when it was made\n");
		return false;
	}
	freeze(vm);
	open_file_allow_writing(false);
	leader_set_output(keep_output, out);
	end = run_call(vm, module, atom_from_string(function), args);
	leader_flush();
	leader_set_output(NULL, NULL);
	open_file_allow_writing(may_write); /* the program, when it is run again */
	ok = end == VM_DONE && vm->result_class == A_ok && term_is_tuple_of(vm->result, 2);
	if (ok)
		print_chars(tuple_element(vm->result, 1), out);
	else
		add_reason(vm, end, out);
	strbuf_addc(out, '\n');
	if (may_write && strstr(strbuf_text(out), "erofs"))
		strbuf_adds(out, "(eval writes no files, because that could not be undone)\n");
	return ok && tuple_element(vm->result, 0) == A_ok;
}

bool look_eval(struct target *target, const char *expression, struct strbuf *out)
{
	struct conductor *c = beam_target_conductor(target);
	struct process *p = root(c);
	term args[] = {heap_string(p, expression), list_actors(c)};

	return call(c, "eval", heap_list(p, args, 2, NIL), out);
}

bool look_is_in_loop(const struct process *p)
{
	static const struct {
		const char *module, *function;
	} loops[] = {{"gen_server", "loop"}, {"gen_statem", "loop_receive"},
		     {"gen_event", "fetch_msg"}, {"gen_event", "loop"}};
	struct code_place place;

	if (!p->ip || !code_find_place(p->ip, &place))
		return false;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		if (place.module == atom_from_string(loops[i].module) &&
		    place.function == atom_from_string(loops[i].function))
			return true;
	return false;
}

void look_state(struct target *target, uint32_t actor, struct strbuf *out)
{
	struct conductor *c = beam_target_conductor(target);
	struct process *p = look_process(target, actor);
	term arg;

	if (look_add_absent(p, out))
		return;
	look_add_process(target, p, out);
	if (!look_is_in_loop(p))
		return;
	/* The messages that it has not taken would change the state. */
	p->mailbox = (struct mailbox){0};
	c->slots.items[actor].match = NULL;
	arg = p->pid;
	strbuf_adds(out, "state: ");
	call(c, "state", heap_list(root(c), &arg, 1, NIL), out);
}
