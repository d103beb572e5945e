#include "vm/bifs/environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "vm/machine.h"
#include "vm/memory/region.h"

static struct environment *find_change(struct vm *vm, const char *name)
{
	struct environment *change = vm->environment;

	while (change && strcmp(change->name, name) != 0)
		change = change->next;
	return change;
}

static void note_asked(const char *name)
{
	struct environment_asked *asked = &machine.asked;

	for (size_t i = 0; i < asked->names.len; i++)
		if (strcmp(asked->names.items[i], name) == 0)
			return;
	*vec_push(&asked->names) = mem_strdup(name);
}

bool environment_list_asked(void (*visit)(void *ctx, const char *name), void *ctx)
{
	for (size_t i = 0; i < machine.asked.names.len; i++)
		visit(ctx, machine.asked.names.items[i]);
	return machine.asked.is_all;
}

void environment_forget_asked(void)
{
	for (size_t i = 0; i < machine.asked.names.len; i++)
		mem_free(machine.asked.names.items[i]);
	vec_release(&machine.asked.names);
}

const char *environment_get(struct vm *vm, const char *name)
{
	const struct environment *change = find_change(vm, name);

	if (change)
		return change->value;
	note_asked(name);
	return getenv(name);
}

static void drop_change(struct vm *vm, const char *name)
{
	for (struct environment **at = &vm->environment; *at; at = &(*at)->next) {
		struct environment *change = *at;

		if (strcmp(change->name, name) == 0) {
			*at = change->next;
			region_free(change, change->bytes_len);
			return;
		}
	}
}

void environment_set(struct vm *vm, const char *name, const char *value)
{
	size_t name_len = strlen(name) + 1, value_len = value ? strlen(value) + 1 : 0;
	struct environment *change;

	drop_change(vm, name);
	change = region_alloc(sizeof(*change) + name_len + value_len);
	change->bytes_len = sizeof(*change) + name_len + value_len;
	memcpy(change->text, name, name_len);
	if (value)
		memcpy(change->text + name_len, value, value_len);
	change->name = change->text;
	change->value = value ? change->text + name_len : NULL;
	change->next = vm->environment;
	vm->environment = change;
}

void environment_each(struct vm *vm, void (*visit)(void *ctx, const char *name, const char *value),
		      void *ctx)
{
	machine.asked.is_all = true;
	for (struct environment *change = vm->environment; change; change = change->next)
		if (change->value)
			visit(ctx, change->name, change->value);
	for (char **host = environ; *host; host++) {
		char *name = mem_strdup(*host), *value = strchr(name, '=');

		if (value) {
			*value++ = 0;
			if (!find_change(vm, name))
				visit(ctx, name, value);
		}
		mem_free(name);
	}
}
