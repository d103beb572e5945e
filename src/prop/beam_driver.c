#include "prop/beam_driver.h"

#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

static struct process *root(void)
{
	return process_find(vm_get(), vm_get()->init_pid);
}

static bool load(const char *name, struct err *err)
{
	return code_load_module(vm_get(), atom_from_string(name), err);
}

bool beam_driver_open(struct beam_driver *d, const char *module, struct err *err)
{
	*d = (struct beam_driver){.name = atom_from_string("fermata_prop"),
				  .module = atom_from_string(module)};
	region_restore();
	region_forget_checkpoint();
	if (!load("proper_statem", NULL) || !load("proper_gen", NULL))
		return err_set(err, "PropEr was not found: install it (Debian: erlang-proper), or "
				    "name its ebin folder with -pa");
	if (!load("fermata_prop", NULL))
		return err_set_unsupported(err,
					   "this build cannot run properties in Erlang: erlc was "
					   "missing when it was made");
	if (!load(module, err))
		return false;
	d->modules_len = vm_get()->modules->len;
	region_checkpoint();
	return true;
}

void beam_driver_stand_in(struct beam_driver *d, bool on)
{
	static const struct {
		const char *name;
		unsigned arity;
	} table[BEAM_DRIVER_STAND_INS] = {
		{"commands", 1},
		{"commands", 2},
		{"parallel_commands", 1},
		{"parallel_commands", 2},
		{"more_commands", 2},
		{"run_commands", 2},
		{"run_commands", 3},
		{"run_parallel_commands", 2},
		{"run_parallel_commands", 3},
	};
	term statem = atom_from_string("proper_statem");

	region_restore();
	region_forget_checkpoint();
	for (size_t i = 0; i < BEAM_DRIVER_STAND_INS; i++) {
		struct export *theirs = export_of(statem, atom_from_string(table[i].name),
						  table[i].arity);
		struct export *ours = export_of(d->name, atom_from_string(table[i].name),
						table[i].arity);
		const word **slot = export_slot(theirs->number);

		if (on)
			d->originals[i] = *slot;
		*slot = on ? *export_slot(ours->number) : d->originals[i];
	}
	region_checkpoint();
}

void beam_driver_learn(struct beam_driver *d)
{
	struct vm *vm = vm_get();
	VEC(term) names = {0};

	if (!vm->modules || vm->modules->len <= d->modules_len)
		return;
	for (uint32_t i = d->modules_len; i < vm->modules->len; i++)
		*vec_push(&names) = vm->modules->items[i].name;
	region_restore();
	region_forget_checkpoint();
	for (size_t i = 0; i < names.len; i++)
		if (!code_find_module(vm, names.items[i]))
			code_load_module(vm, names.items[i], NULL);
	d->modules_len = vm->modules->len;
	region_checkpoint();
	vec_release(&names);
}

struct process *beam_driver_begin(struct beam_driver *d)
{
	beam_driver_learn(d);
	region_restore();
	return root();
}

static term end_badly(enum vm_end end, const char *function, struct err *err)
{
	struct vm *vm = vm_get();
	struct strbuf text = {0};

	if (end == VM_UNSUPPORTED) {
		*err = vm->err;
		return TERM_NONE;
	}
	if (end == VM_DONE) {
		strbuf_addf(&text, "raises %s:", atom_text(vm->result_class));
		print_term_limited(vm->result, &text, 200);
	}
	err_set(err, "%s of the property %s", function,
		end == VM_STUCK		  ? "waits for ever"
		: end == VM_OUT_OF_MEMORY ? "needs too much memory"
		: end == VM_HALTED	  ? "ends the whole program"
					  : strbuf_text(&text));
	strbuf_release(&text);
	return TERM_NONE;
}

term beam_driver_call(struct beam_driver *d, const char *function, const term *args,
		      unsigned args_len, struct err *err)
{
	struct vm *vm = vm_get();
	term list = heap_list(root(), args, args_len, NIL);
	enum vm_end end = run_call(vm, d->name, atom_from_string(function), list);

	if (end != VM_DONE || vm->result_class != A_ok)
		return end_badly(end, function, err);
	return vm->result;
}

enum prop_answer beam_driver_ask(struct beam_driver *d, const char *function, const term *args,
				 unsigned args_len, term *value, struct strbuf *why,
				 struct err *err)
{
	term result = beam_driver_call(d, function, args, args_len, err);
	struct strbuf text = {0};
	const char *said;

	if (result == TERM_NONE)
		return PROP_FAILED;
	if (!term_is_tuple_of(result, 2))
		return PROP_NO;
	said = atom_text(tuple_element(result, 0));
	if (strcmp(said, "yes") == 0) {
		if (value)
			*value = tuple_element(result, 1);
		return PROP_YES;
	}
	print_chars(tuple_element(result, 1), &text);
	if (strcmp(said, "no") == 0) {
		if (why)
			strbuf_adds(why, strbuf_text(&text));
	} else {
		err_set(err, "%s", strbuf_text(&text));
	}
	strbuf_release(&text);
	return strcmp(said, "no") == 0 ? PROP_NO : PROP_FAILED;
}
