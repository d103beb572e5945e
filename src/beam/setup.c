#include "beam/setup.h"

#include <string.h>

#include "base/strbuf.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"
#include "vm/terms/text.h"

enum { REASON_MAX = 300 };

bool setup_is_asked(const struct setup_options *o)
{
	return o->config || o->start || o->function || o->system;
}

/* "a,b" as [a, b]. */
static term read_applications(struct process *root, const char *names)
{
	const char *comma;
	term list, atom;

	if (!names || !*names)
		return NIL;
	comma = strchrnul(names, ',');
	atom = atom_from_text(names, (size_t)(comma - names));
	list = read_applications(root, *comma ? comma + 1 : comma);
	return heap_cons(root, atom, list);
}

static bool read_function(struct process *root, const char *text, term *function, struct err *err)
{
	term module, name;

	*function = atom_from_string("none");
	if (!text)
		return true;
	if (!run_find_function(text, &module, &name, err))
		return false;
	*function = heap_tuple2(root, module, name);
	return true;
}

bool setup_explain(enum vm_end end, const char *what, struct err *err)
{
	const struct vm *vm = vm_get();
	struct strbuf text = {0};
	struct bytes words = {0};

	if (end == VM_UNSUPPORTED) {
		*err = vm->err;
		return false;
	}
	if (end == VM_STUCK)
		strbuf_adds(&text, "it waits for ever");
	else if (end != VM_DONE)
		strbuf_adds(&text, "it did not end");
	else if (term_is_tuple_of(vm->result, 2) &&
		 text_flatten_utf8(tuple_element(vm->result, 1), &words))
		strbuf_add(&text, (const char *)words.items, words.len);
	else
		print_term_limited(vm->result, &text, REASON_MAX);
	err_set(err, "%s: %s", what, strbuf_text(&text));
	bytes_release(&words);
	strbuf_release(&text);
	return false;
}

/* System processes that run Erlang code, but not the set-up itself, belong to the search. */
static void release_system(struct vm *vm)
{
	struct code_place place;

	for (struct process *p = vm->first_process; p; p = p->all_next)
		if (p->is_system && !p->is_aside && code_find_place(p->ip, &place))
			p->is_system = false;
}

bool setup_run(const struct setup_options *o, struct err *err)
{
	struct vm *vm = vm_get();
	struct process *root = process_find(vm, vm->init_pid);
	term driver = atom_from_string("fermata_setup"), function, applications, args;
	enum vm_end end;

	if (!code_load_module(vm, driver, NULL))
		return err_set_unsupported(err, "set-ups are not in this build: erlc was missing "
						"when it was made");
	if (!read_function(root, o->function, &function, err))
		return false;
	args = heap_cons(root, function, NIL);
	applications = read_applications(root, o->start);
	if (o->system)
		applications = heap_cons(root, atom_from_string("kernel"), applications);
	args = heap_cons(root, applications, args);
	args = heap_cons(root, o->config ? heap_string(root, o->config) : NIL, args);
	end = run_call(vm, driver, atom_from_string("run"), args);
	if (end != VM_AT_TEST)
		return setup_explain(end, "the set-up failed", err);
	if (o->system)
		release_system(vm);
	return true;
}
