#include "vm/code/code.h"

#include "base/bug.h"
#include "base/hash.h"
#include "vm/bifs/bif.h"
#include "vm/code/load.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

/* ---- names ---- */

static uint64_t export_key(term module, term function, unsigned arity, unsigned probe)
{
	return hash_combine(hash_combine(module, function), (uint64_t)arity << 32 | probe);
}

static bool export_is(const struct export *e, term module, term function, unsigned arity)
{
	return e->module == module && e->function == function && e->arity == arity;
}

struct export *export_find(term module, term function, unsigned arity)
{
	for (unsigned probe = 0;; probe++) {
		uint64_t *number = map_get(&machine.code.export_index,
					   export_key(module, function, arity, probe));

		if (!number)
			return NULL;
		if (export_is(export_get((uint32_t)*number), module, function, arity))
			return export_get((uint32_t)*number);
	}
}

struct export *export_of(term module, term function, unsigned arity)
{
	struct export *export = export_find(module, function, arity);
	struct code_table *table = &machine.code;
	unsigned probe = 0;

	if (export)
		return export;
	while (map_get(&table->export_index, export_key(module, function, arity, probe)))
		probe++;
	BUG_ON(table->exports.len * sizeof(word *) >= REGION_SLOTS_BYTES,
	       "too many exported functions");
	export = mem_zalloc(sizeof(*export));
	export->module = module;
	export->function = function;
	export->arity = arity;
	export->number = (uint32_t)table->exports.len;
	export->bif = bif_find(module, function, arity);
	*map_put(&table->export_index, export_key(module, function, arity, probe), NULL) =
		table->exports.len;
	*vec_push(&table->exports) = export;
	return export;
}

struct export *export_get(uint32_t number)
{
	return machine.code.exports.items[number];
}

/* ---- images ---- */

struct code_image *code_cache_find(uint64_t checksum, uint64_t mask)
{
	struct code_image *image = machine.code.images;

	while (image && (image->checksum & mask) != (checksum & mask))
		image = image->next;
	return image;
}

static size_t address_place(const word *address)
{
	const struct image_vec *images = &machine.code.images_by_address;
	size_t low = 0, high = images->len;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (images->items[middle]->words <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void code_cache_add(struct code_image *image)
{
	struct image_vec *sorted = &machine.code.images_by_address;
	size_t at = address_place(image->words);

	vec_push(sorted);
	memmove(sorted->items + at + 1, sorted->items + at,
		(sorted->len - 1 - at) * sizeof(*sorted->items));
	sorted->items[at] = image;
	image->number = (uint32_t)sorted->len - 1;
	image->next = machine.code.images;
	machine.code.images = image;
}

void code_image_free(struct code_image *image)
{
	for (size_t i = 0; i < image->files_len; i++)
		mem_free(image->files[i]);
	mem_free(image->files);
	mem_free(image->words);
	mem_free(image->functions);
	mem_free(image->lines);
	mem_free(image->funs);
	mem_free(image->exports);
	mem_free(image->exports_code);
	mem_free(image->atoms);
	mem_free(image->literals);
	mem_free(image->path);
	mem_free(image->strings);
	arena_release(&image->constants);
	mem_free(image);
}

void code_table_close(void)
{
	struct code_table *table = &machine.code;

	while (table->images) {
		struct code_image *image = table->images;

		table->images = image->next;
		code_image_free(image);
	}
	for (size_t i = 0; i < table->exports.len; i++)
		mem_free(table->exports.items[i]);
	vec_release(&table->exports);
	map_release(&table->export_index);
	vec_release(&table->images_by_address);
}

/* ---- modules of a run ---- */

struct module *code_find_module(struct vm *vm, term name)
{
	struct module_table *table = vm->modules;

	for (uint32_t i = 0; table && i < table->len; i++)
		if (table->items[i].name == name)
			return &table->items[i];
	return NULL;
}

bool code_is_current(struct vm *vm, term name)
{
	const struct module *module = code_find_module(vm, name);

	return module && module->current;
}

static struct module *add_module(struct vm *vm, term name)
{
	struct module_table *table = vm->modules;
	struct module *module;

	if (!table)
		table = vm->modules = region_zalloc(sizeof(*table));
	if (table->len == table->cap) {
		uint32_t cap = table->cap ? table->cap * 2 : 64;

		table->items = region_grow(table->items, table->cap * sizeof(*module),
					   cap * sizeof(*module));
		table->cap = cap;
	}
	module = &table->items[table->len++];
	*module = (struct module){.name = name};
	return module;
}

static void set_slots(const struct code_image *image, bool present)
{
	for (size_t i = 0; i < image->exports_len; i++)
		if (!export_get(image->exports[i])->bif)
			*export_slot(image->exports[i]) = present ? image->exports_code[i] : NULL;
}

void code_make_callable(struct module *module)
{
	module->on_load_runner = 0;
	set_slots(module->current, true);
}

/* The code of an export that cannot be called yet; NULL if the image does not have it. */
static const word *find_export(const struct code_image *image, const struct export *export)
{
	for (size_t i = 0; i < image->exports_len; i++)
		if (image->exports[i] == export->number)
			return image->exports_code[i];
	return NULL;
}

bool code_is_of_boot(term name)
{
	static const char *const names[] = {
#define BOOT_MODULE(name) name,
#include "vm/code/boot_modules.def"
#undef BOOT_MODULE
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], atom_text(name)) == 0)
			return true;
	return false;
}

/* NULL: nothing is old any more. */
static void set_old(struct vm *vm, struct module *module, struct code_image *image)
{
	if (module->old && module->old != module->current)
		code_lose_image(vm, module->old);
	module->old = image;
}

struct module *code_activate(struct vm *vm, struct code_image *image)
{
	struct module *module = code_find_module(vm, image->module);

	if (!module)
		module = add_module(vm, image->module);
	if (module->current) {
		set_slots(module->current, false);
		set_old(vm, module, module->current);
		trace_forget(vm, module->current);
	}
	trace_forget(vm, image); /* it may have been there before */
	if (module->current || !code_is_of_boot(image->module))
		trace_loaded(vm, image);
	module->current = image;
	code_keep_image(vm, image);
	/* A module with an on_load function cannot be called before that function has run: the first
	 * call finds its slots empty and comes to on_load_enter. */
	module->is_on_load_pending = image->on_load != NULL;
	module->on_load_runner = 0;
	module->given_file = NULL;
	set_slots(image, !module->is_on_load_pending);
	for (size_t i = 0; i < image->atoms_len; i++)
		atom_mark_existing(image->atoms[i]);
	return module;
}

/* An image is shared by all that load the same bytes, so the name belongs to the module. */
void code_name_file(struct module *module, const char *file, bool is_atom)
{
	size_t bytes = strlen(file) + 1;

	module->given_file = memcpy(region_alloc(bytes), file, bytes);
	module->is_given_atom = is_atom;
}

bool code_delete(struct vm *vm, term name)
{
	struct module *module = code_find_module(vm, name);

	if (!module || !module->current)
		return false;
	trace_forget(vm, module->current);
	set_slots(module->current, false);
	set_old(vm, module, module->current);
	module->current = NULL;
	return true;
}

void code_revert(struct vm *vm, term name)
{
	struct module *module = code_find_module(vm, name);

	if (!module || !module->current)
		return;
	set_slots(module->current, false);
	code_lose_image(vm, module->current);
	module->current = module->old;
	module->old = NULL;
	module->given_file = NULL;
	if (module->current) {
		code_keep_image(vm, module->current);
		set_slots(module->current, true);
	}
}

/* The real VM copies literals of the code onto the heaps of processes that use them. Here they stay
 * where they are, and a process would not pass its max_heap_size. */
static void refuse_limited_literals(struct vm *vm)
{
	for (const struct process *p = vm->first_process; p; p = p->all_next)
		if (p->heap_limit.words)
			vm_unsupported(vm, "not supported: purging code with literals while a process "
					   "has a max_heap_size");
}

bool code_purge(struct vm *vm, term name)
{
	struct module *module = code_find_module(vm, name);

	if (!module || !module->old)
		return false;
	if (module->old->literals_len)
		refuse_limited_literals(vm);
	set_old(vm, module, NULL);
	return true;
}

/* ---- who loaded a module ---- */

/* Did the call that loaded the module come before everything that p does now, in every schedule? It
 * was a call of p, or of a process before that started p or an ancestor of p. */
static bool was_called_before(const struct module *module, const struct process *p)
{
	const struct process *of = p;

	if (module->caller == p->pid)
		return true;
	for (; of && of->parent != module->caller; of = process_find(p->vm, of->parent))
		;
	return of && module->called_at < of->born;
}

static void remember_missing(const struct process *p, term name)
{
	struct vm *vm = p->vm;

	if (vm->missing_len == MISSING_MAX) {
		vm->relied_on |= RELIED_ON_LOADED;
		return;
	}
	vm->missing[vm->missing_len].name = name;
	vm->missing[vm->missing_len++].by = p->pid;
}

static void note_answer(const struct process *p, const struct module *module)
{
	if (module->current && module->caller != TERM_NONE && !was_called_before(module, p))
		p->vm->relied_on |= RELIED_ON_LOADED;
}

void code_note_question(const struct process *p, term name)
{
	struct module_table *table = p->vm->modules;
	const struct module *module;

	if (!p->vm->is_explored || p->is_system)
		return;
	for (uint32_t i = 0; name == TERM_NONE && table && i < table->len; i++)
		note_answer(p, &table->items[i]);
	module = name == TERM_NONE ? NULL : code_find_module(p->vm, name);
	if (module && module->current)
		note_answer(p, module);
	else
		remember_missing(p, name);
}

/* The running process has called a module that was not loaded. */
static void note_call(struct vm *vm, struct module *module)
{
	if (!vm->is_explored || !vm->step)
		return;
	module->caller = vm->stepper;
	module->called_at = vm->step;
	for (uint32_t i = 0; i < vm->missing_len; i++)
		if (vm->missing[i].by != vm->stepper &&
		    (vm->missing[i].name == module->name || vm->missing[i].name == TERM_NONE))
			vm->relied_on |= RELIED_ON_LOADED;
}

const word *code_resolve(struct vm *vm, struct export *export)
{
	const word *code = *export_slot(export->number);
	struct module *module;

	if (code)
		return code;
	module = code_find_module(vm, export->module);
	if (!module || !module->current) {
		if (!code_load_module(vm, export->module, NULL))
			return NULL;
		module = code_find_module(vm, export->module);
		if (module)
			note_call(vm, module);
	}
	if (module && module->current && (module->is_on_load_pending || module->on_load_runner))
		return find_export(module->current, export);
	return *export_slot(export->number);
}

/* ---- places ---- */

static const struct code_function *find_function(const struct code_image *image,
						  const word *address)
{
	size_t low = 0, high = image->functions_len;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (image->functions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &image->functions[low - 1] : NULL;
}

const struct code_function *code_function_named(const struct code_image *image, term name)
{
	for (size_t i = 0; i < image->functions_len; i++)
		if (image->functions[i].name == name)
			return &image->functions[i];
	return NULL;
}

/* The last location at or before the address, but inside the function. */
static const struct code_line *find_line(const struct code_image *image, const word *start,
					 const word *address)
{
	uint32_t offset = (uint32_t)(address - image->words);
	size_t low = 0, high = image->lines_len;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (image->lines[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || image->words + image->lines[low - 1].offset < start)
		return NULL;
	return &image->lines[low - 1];
}

bool code_find_place(const word *address, struct code_place *place)
{
	size_t at = address_place(address);
	const struct code_image *image = at ? machine.code.images_by_address.items[at - 1]
					    : NULL;
	const struct code_function *function;
	const struct code_line *line;

	if (!image || address >= image->words + image->words_len)
		return false;
	function = find_function(image, address);
	if (!function)
		return false;
	line = find_line(image, function->start, address);
	place->module = image->module;
	place->function = function->name;
	place->arity = function->arity;
	place->file = line && line->line ? image->files[line->file] : NULL;
	place->line = line ? line->line : 0;
	place->image = image;
	return true;
}

void code_use_stops(code_stop_fn *find)
{
	machine.code.find_stop = find;
}

uint32_t code_find_stop(term module, term name, uint32_t arity)
{
	code_stop_fn *find = machine.code.find_stop;

	return find ? find(module, name, arity) : 0;
}
