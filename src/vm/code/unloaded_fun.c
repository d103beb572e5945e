/* Funs whose code is not there: binary_to_term makes them from a module that cannot be loaded, or
 * from another version of one. They can be kept, compared, written and sent; only a call needs the
 * code, looks for it again, and fails. */
#include "vm/code/code.h"
#include "vm/memory/region.h"
#include "vm/vm.h"

struct unloaded_fun {
	struct unloaded_fun *next;
	struct fun_entry entry;
};

bool code_same_fun(const struct fun_entry *a, const struct fun_entry *b)
{
	return a->module == b->module && a->old_index == b->old_index &&
	       a->old_uniq == b->old_uniq && a->index == b->index && a->arity == b->arity &&
	       memcmp(a->uniq, b->uniq, sizeof(a->uniq)) == 0;
}

static struct fun_entry *find_fun_in(struct code_image *image, const struct fun_entry *wanted)
{
	for (size_t i = 0; image && i < image->funs_len; i++)
		if (code_same_fun(&image->funs[i], wanted))
			return &image->funs[i];
	return NULL;
}

struct fun_entry *code_loaded_fun(struct vm *vm, const struct fun_entry *wanted)
{
	struct module *loaded = code_find_module(vm, wanted->module);
	struct fun_entry *fun;

	if (!loaded)
		return NULL;
	fun = find_fun_in(loaded->current, wanted);
	return fun ? fun : find_fun_in(loaded->old, wanted);
}

struct fun_entry *code_find_fun(struct vm *vm, const struct fun_entry *wanted)
{
	if (!code_find_module(vm, wanted->module))
		code_load_module(vm, wanted->module, NULL);
	return code_loaded_fun(vm, wanted);
}

struct fun_entry *code_unloaded_fun(struct vm *vm, const struct fun_entry *wanted)
{
	struct unloaded_fun *fun = vm->unloaded_funs;

	while (fun && !(code_same_fun(&fun->entry, wanted) && fun->entry.num_free == wanted->num_free))
		fun = fun->next;
	if (fun)
		return &fun->entry;
	fun = region_zalloc(sizeof(*fun));
	*fun = (struct unloaded_fun){.next = vm->unloaded_funs, .entry = *wanted};
	vm->unloaded_funs = fun;
	return &fun->entry;
}

const struct fun_entry *code_resolve_fun(struct vm *vm, const struct fun_entry *entry)
{
	const struct fun_entry *fun;

	if (vm->is_explored) {
		vm_unsupported(vm, "not supported: calling a fun of code that is not loaded, of the "
			       "module %s, in a search", atom_text(entry->module));
		return NULL;
	}
	fun = code_find_fun(vm, entry);
	return fun && fun->num_free == entry->num_free ? fun : NULL;
}
