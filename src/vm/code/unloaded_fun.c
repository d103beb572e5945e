/* Funs whose code is not there: it was purged, or binary_to_term makes them from a module that cannot be
 * loaded, or from another version of one. They can be kept, compared, written and sent; only a call
 * needs the code, looks for it again, and fails. */
#include "vm/code/code.h"
#include "vm/memory/region.h"
#include "vm/process/suspend.h"
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
	return fun || loaded->old == vm->purging ? fun : find_fun_in(loaded->old, wanted);
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

/* ---- code that was loaded ---- */

static void make_room(struct vm *vm, uint32_t place)
{
	uint32_t words = vm->lost_words ? vm->lost_words : 4;

	if (place < vm->lost_words)
		return;
	while (words <= place)
		words *= 2;
	vm->lost_images = region_grow(vm->lost_images, vm->lost_words * sizeof(uint64_t),
				      words * sizeof(uint64_t));
	memset(vm->lost_images + vm->lost_words, 0, (words - vm->lost_words) * sizeof(uint64_t));
	vm->lost_words = words;
}

void code_lose_image(struct vm *vm, const struct code_image *image)
{
	if (image->funs_len == 0)
		return;
	make_room(vm, image->number / 64);
	vm->lost_images[image->number / 64] |= UINT64_C(1) << image->number % 64;
}

void code_keep_image(struct vm *vm, const struct code_image *image)
{
	if (code_is_lost(vm, image))
		vm->lost_images[image->number / 64] &= ~(UINT64_C(1) << image->number % 64);
}

bool code_is_lost(const struct vm *vm, const struct code_image *image)
{
	return image->number / 64 < vm->lost_words &&
	       (vm->lost_images[image->number / 64] >> image->number % 64 & 1);
}

/* ---- the purger ---- */

bool code_is_purging(struct vm *vm, const struct code_image *image)
{
	return vm->purging && vm->purging == image && process_find(vm, vm->purger);
}

bool code_begin_purge(struct process *purger, term name)
{
	struct vm *vm = purger->vm;
	struct module *module = code_find_module(vm, name);

	if (!module || !module->old)
		return false;
	if (module->old == module->current)
		return true; /* the same bytes twice: the funs are those of the new code */
	vm->purging = module->old;
	vm->purger = purger->pid;
	code_lose_image(vm, module->old);
	return true;
}

void code_end_purge(struct process *purger, term name, bool is_complete)
{
	struct vm *vm = purger->vm;

	if (vm->purging && !is_complete)
		code_keep_image(vm, vm->purging);
	if (is_complete)
		code_purge(vm, name);
	vm->purging = NULL;
	while (purger->suspensions)
		suspension_end_first(purger);
}

const struct fun_entry *code_resolve_fun(struct vm *vm, const struct fun_entry *entry)
{
	const struct fun_entry *fun;

	if (entry->code && !code_is_lost(vm, entry->image))
		return entry;
	if (vm->is_explored) {
		vm_unsupported(vm, "not supported: calling a fun of code that is not loaded, of the "
			       "module %s, in a search", atom_text(entry->module));
		return NULL;
	}
	if (code_is_purging(vm, entry->image))
		return NULL;
	if (!code_is_current(vm, entry->module))
		code_load_module(vm, entry->module, NULL);
	fun = code_loaded_fun(vm, entry);
	return fun && fun->num_free == entry->num_free ? fun : NULL;
}
