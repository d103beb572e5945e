#include "beam/declared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "core/object.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/phash.h"

static struct declared *in_use;

static char *copy_part(const char *text, size_t len)
{
	char *copy = mem_alloc(len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

/* ---- declaring ---- */

/* Splits m:f[/a][@n]; module and name are new strings. */
static bool read_function(const char *text, struct declared_function *f, uint32_t *argument,
			  struct err *err)
{
	const char *colon = strchr(text, ':');
	const char *at = strrchr(text, '@'), *slash = strrchr(text, '/');
	size_t end = strlen(text);

	*argument = 0;
	if (at && at > colon) {
		*argument = (uint32_t)strtoul(at + 1, NULL, 10);
		end = (size_t)(at - text);
		if (!*argument || *argument > 255)
			return err_set(err, "'%s' does not name an argument after the @", text);
	}
	f->arity = -1;
	if (slash && colon && slash > colon && slash < text + end) {
		char *rest;

		f->arity = (int)strtoul(slash + 1, &rest, 10);
		if (rest == slash + 1 || rest != text + end || f->arity > 255)
			return err_set(err, "'%s' is not MODULE:FUNCTION/ARITY", text);
		end = (size_t)(slash - text);
	}
	if (!colon || colon == text || text + end <= colon + 1)
		return err_set(err, "'%s' is not MODULE:FUNCTION/ARITY", text);
	f->module = copy_part(text, (size_t)(colon - text));
	f->name = copy_part(colon + 1, end - (size_t)(colon + 1 - text));
	return true;
}

bool declared_add(struct declared *d, const char *text, struct err *err)
{
	struct declared_function f = {.access_len = 1, .accesses = {{.mode = ACCESS_WRITE}}};
	uint32_t argument;

	if (!read_function(text, &f, &argument, err))
		return false;
	*vec_push(&d->functions) = f;
	*vec_push(&d->texts) = mem_strdup(text);
	return true;
}

/* ---- pairs ---- */

static struct declared_function *find_declared(struct declared *d, const char *text,
					       uint32_t *argument, struct err *err)
{
	struct declared_function wanted = {0}, *found = NULL;

	if (!read_function(text, &wanted, argument, err))
		return NULL;
	for (size_t i = 0; i < d->functions.len && !found; i++) {
		struct declared_function *f = &d->functions.items[i];

		if (strcmp(f->module, wanted.module) == 0 && strcmp(f->name, wanted.name) == 0 &&
		    (f->arity == wanted.arity || f->arity < 0))
			found = f;
	}
	mem_free(wanted.module);
	mem_free(wanted.name);
	if (!found)
		err_set(err, "'%s' was not declared by --side-effect", text);
	return found;
}

static bool add_access(struct declared_function *f, uint32_t pair, uint32_t mode,
		       uint32_t argument, struct err *err)
{
	if (f->access_len == DECLARED_ACCESSES)
		return err_set(err, "%s:%s is in more than %d conflicts", f->module, f->name,
			       DECLARED_ACCESSES);
	f->accesses[f->access_len++] = (struct declared_access){pair, mode, argument};
	return true;
}

void declared_begin_pairs(struct declared *d)
{
	d->has_pairs = true;
	for (size_t i = 0; i < d->functions.len; i++)
		d->functions.items[i].access_len = 0;
}

/* Read and add conflict with each other and not with themselves: so do two functions of a pair. */
static bool connect(struct declared *d, const char *first, const char *second, struct err *err)
{
	uint32_t a_argument, b_argument, pair = (uint32_t)d->pairs.len;
	struct declared_function *a = find_declared(d, first, &a_argument, err);
	struct declared_function *b = a ? find_declared(d, second, &b_argument, err) : NULL;

	if (!b)
		return false;
	if (a == b)
		return add_access(a, pair, ACCESS_WRITE, a_argument, err);
	return add_access(a, pair, ACCESS_READ, a_argument, err) &&
	       add_access(b, pair, ACCESS_ADD, b_argument, err);
}

bool declared_add_pair(struct declared *d, const char *text, struct err *err)
{
	char first[512], second[512], rest[8];

	if (sscanf(text, "%511s %511s %7s", first, second, rest) != 2)
		return err_set(err, "a conflict needs two functions");
	*vec_push(&d->pairs) = mem_strdup(text);
	return connect(d, first, second, err);
}

bool declared_read_pairs(struct declared *d, const char *path, struct err *err)
{
	FILE *file = fopen(path, "r");
	char line[1024];
	bool ok = true;

	if (!file)
		return err_set_errno(err, "cannot read %s", path);
	declared_begin_pairs(d);
	for (uint32_t number = 1; ok && fgets(line, sizeof(line), file); number++) {
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		ok = declared_add_pair(d, line, err) || err_prefix(err, "%s:%u: ", path, number);
	}
	fclose(file);
	return ok;
}

void declared_release(struct declared *d)
{
	if (in_use == d)
		in_use = NULL;
	for (size_t i = 0; i < d->functions.len; i++) {
		mem_free(d->functions.items[i].module);
		mem_free(d->functions.items[i].name);
		mem_free(d->texts.items[i]);
	}
	for (size_t i = 0; i < d->pairs.len; i++)
		mem_free(d->pairs.items[i]);
	vec_release(&d->functions);
	vec_release(&d->texts);
	vec_release(&d->pairs);
}

/* ---- using ---- */

/* For the loader (code_use_stops): 1 + the index of the function, 0 if it is not declared. */
static uint32_t find_stop(term module, term name, uint32_t arity)
{
	for (size_t i = 0; in_use && i < in_use->functions.len; i++) {
		struct declared_function *f = &in_use->functions.items[i];

		if ((f->arity < 0 || f->arity == (int)arity) &&
		    strcmp(f->module, atom_text(module)) == 0 &&
		    strcmp(f->name, atom_text(name)) == 0) {
			f->is_loaded = true;
			return (uint32_t)i + 1;
		}
	}
	return 0;
}

void declared_use(struct declared *d)
{
	in_use = d;
	code_use_stops(d ? find_stop : NULL);
}

static bool check(struct vm *vm, const struct declared_function *f, struct err *err)
{
	term module = atom_from_text(f->module, strlen(f->module));
	term name = atom_from_text(f->name, strlen(f->name));

	if (!code_find_module(vm, module) && !code_load_module(vm, module, err))
		return err_prefix(err, "--side-effect %s:%s: ", f->module, f->name);
	if (f->arity >= 0 && bif_find(module, name, (unsigned)f->arity))
		return err_set(err,
			       "--side-effect %s:%s/%d: a native function; its effects are known",
			       f->module, f->name, f->arity);
	if (!f->is_loaded)
		return err_set(err, "--side-effect %s:%s: there is no such function", f->module,
			       f->name);
	return true;
}

bool declared_check(struct vm *vm, struct err *err)
{
	for (size_t i = 0; in_use && i < in_use->functions.len; i++)
		if (!check(vm, &in_use->functions.items[i], err))
			return false;
	return true;
}

void declared_announce(uint32_t function, const term *args, uint32_t args_len,
		       struct event *event)
{
	const struct declared_function *f = &in_use->functions.items[function - 1];

	event->kind = EVENT_CALL;
	for (uint32_t i = 0; i < f->access_len; i++) {
		const struct declared_access *access = &f->accesses[i];
		uint64_t name = (uint64_t)access->pair + 1;

		if (access->argument && access->argument <= args_len)
			name = hash_combine(name, phash2(args[access->argument - 1]));
		event->accesses[event->access_len++] = (struct access){
			.object = OBJECT(OBJECT_DECLARED, name), .mode = (uint16_t)access->mode,
			.announced = (uint16_t)access->mode};
	}
}
