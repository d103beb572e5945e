#include "vm/process/registry.h"

#include <stdlib.h>

#include "base/mem.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/terms/atom.h"

/* The place of name, or of the free entry where it would go. cap is a power of two. */
static struct registry_entry *find_entry(const struct registry *registry, term name)
{
	uint32_t i = (uint32_t)atom_name(name)->hash & (registry->cap - 1);

	while (registry->entries[i].name && registry->entries[i].name != name)
		i = (i + 1) & (registry->cap - 1);
	return &registry->entries[i];
}

term registry_find(struct vm *vm, term name)
{
	struct registry_entry *entry;

	if (!vm->registry.cap)
		return TERM_NONE;
	entry = find_entry(&vm->registry, name);
	return entry->name ? entry->pid : TERM_NONE;
}

static void grow(struct registry *registry)
{
	struct registry old = *registry;

	registry->cap = old.cap ? old.cap * 2 : 16;
	registry->entries = region_zalloc(registry->cap * sizeof(*registry->entries));
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.entries[i].name)
			*find_entry(registry, old.entries[i].name) = old.entries[i];
	region_free(old.entries, old.cap * sizeof(*old.entries));
}

bool registry_add(struct vm *vm, term name, term pid)
{
	struct registry_entry *entry;

	if (vm->registry.len * 2 >= vm->registry.cap)
		grow(&vm->registry);
	entry = find_entry(&vm->registry, name);
	if (entry->name)
		return false;
	*entry = (struct registry_entry){name, pid};
	vm->registry.len++;
	return true;
}

/* Removing leaves no mark, so the entries that follow in the cluster are put in again. */
bool registry_remove(struct vm *vm, term name)
{
	struct registry *registry = &vm->registry;
	struct registry_entry *entry;
	uint32_t i;

	if (!registry->cap)
		return false;
	entry = find_entry(registry, name);
	if (!entry->name)
		return false;
	*entry = (struct registry_entry){0};
	registry->len--;
	i = (uint32_t)(entry - registry->entries);
	for (;;) {
		struct registry_entry moved;

		i = (i + 1) & (registry->cap - 1);
		moved = registry->entries[i];
		if (!moved.name)
			return true;
		registry->entries[i] = (struct registry_entry){0};
		*find_entry(registry, moved.name) = moved;
	}
}

static int compare_names(const void *a, const void *b)
{
	return atom_compare(*(const term *)a, *(const term *)b);
}

term registry_names(struct process *p)
{
	struct registry *registry = &p->vm->registry;
	term *names = mem_alloc((registry->len + 1) * sizeof(term));
	size_t len = 0;
	term list;

	for (uint32_t i = 0; i < registry->cap; i++)
		if (registry->entries[i].name)
			names[len++] = registry->entries[i].name;
	qsort(names, len, sizeof(term), compare_names);
	list = heap_list(p, names, len, NIL);
	mem_free(names);
	return list;
}
