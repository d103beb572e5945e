#include "beam/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "beam/setup.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/text.h"

static const struct {
	const char *text, *driver, *needs;
} table[] = {
#define SUITE(name, text, driver, needs) {text, driver, needs},
#include "beam/suite.def"
#undef SUITE
};

const char *suite_text(enum suite_kind kind)
{
	return table[kind].text;
}

enum suite_kind suite_named(const char *text)
{
	enum suite_kind kind = 0;

	while (kind < SUITES && strcmp(table[kind].text, text) != 0)
		kind++;
	return kind;
}

/* Counter is the module 'Elixir.Counter' for ExUnit. */
static term read_module(enum suite_kind kind, const char *module)
{
	struct strbuf name = {0};
	term atom;

	if (kind == SUITE_EXUNIT && strncmp(module, "Elixir.", 7) != 0)
		strbuf_adds(&name, "Elixir.");
	strbuf_adds(&name, module);
	atom = atom_from_text(strbuf_text(&name), name.len);
	strbuf_release(&name);
	return atom;
}

static bool load(enum suite_kind kind, term module, struct err *err)
{
	/* The functions that a case calls, before the case is loaded. */
	if (kind == SUITE_CT)
		code_load_embedded(vm_get(), atom_from_string("ct"));
	if (!code_load_module(vm_get(), module, err))
		return false;
	if (!code_load_module(vm_get(), atom_from_string(table[kind].needs), NULL))
		return err_set(err, "--%s needs the module %s, which is not on the path (-pa)",
			       table[kind].text, table[kind].needs);
	if (code_load_module(vm_get(), atom_from_string(table[kind].driver), NULL))
		return true;
	return err_set_unsupported(err,
				   "--%s is not in this build: erlc was missing when it was made",
				   table[kind].text);
}

static enum vm_end call(enum suite_kind kind, const char *function, term args)
{
	return run_call(vm_get(), atom_from_string(table[kind].driver), atom_from_string(function),
			args);
}

/* Common Test gives each suite a folder to write into. It has the same name in every run. */
static term private_folder(struct process *root, const char *module)
{
	struct strbuf path = {0};
	term text;

	strbuf_addf(&path, "/tmp/fermata-ct-%u", (unsigned)getuid());
	mkdir(strbuf_text(&path), 0700);
	strbuf_addf(&path, "/%s", module);
	mkdir(strbuf_text(&path), 0700);
	text = heap_string(root, strbuf_text(&path));
	strbuf_release(&path);
	return text;
}

/* The arguments after the module. */
static term more_arguments(struct process *root, enum suite_kind kind, const char *module)
{
	return kind == SUITE_CT ? heap_cons(root, private_folder(root, module), NIL) : NIL;
}

static char *copy_text(term chars)
{
	struct bytes bytes = {0};
	char *text = NULL;

	if (text_flatten_utf8(chars, &bytes)) {
		bytes_add_byte(&bytes, 0);
		text = mem_strdup((const char *)bytes.items);
	}
	bytes_release(&bytes);
	return text ? text : mem_strdup("");
}

static void add_item(struct suite_items *items, term t)
{
	const char *kind = atom_text(tuple_element(t, 0));

	*vec_push(items) = (struct suite_item){
		.kind = strcmp(kind, "test") == 0      ? SUITE_TEST
			: strcmp(kind, "broken") == 0  ? SUITE_BROKEN
			: strcmp(kind, "skipped") == 0 ? SUITE_SKIPPED
						       : SUITE_NOTE,
		.path = copy_text(tuple_element(t, 1)),
		.text = copy_text(tuple_element(t, 2)),
		.tags = term_is_tuple_of(t, 4) ? copy_text(tuple_element(t, 3)) : mem_strdup(""),
	};
}

bool suite_list(enum suite_kind kind, const char *module, struct suite_items *items,
		struct err *err)
{
	struct vm *vm = vm_get();
	struct process *root = process_find(vm, vm->init_pid);
	term name = read_module(kind, module);
	enum vm_end end;

	if (!load(kind, name, err))
		return false;
	end = call(kind, "list", heap_cons(root, name, more_arguments(root, kind, module)));
	if (end != VM_DONE || vm->result_class != A_ok || tuple_element(vm->result, 0) != A_ok)
		return setup_explain(end, module, err);
	for (term t = tuple_element(vm->result, 1); term_is_cons(t); t = cons_tail(t))
		add_item(items, cons_head(t));
	return true;
}

void suite_items_release(struct suite_items *items)
{
	for (size_t i = 0; i < items->len; i++) {
		mem_free(items->items[i].path);
		mem_free(items->items[i].text);
		mem_free(items->items[i].tags);
	}
	vec_release(items);
}

/* "1.3.2" as [1, 3, 2]; anything else as it is. */
static term read_path(struct process *root, enum suite_kind kind, const char *path)
{
	VEC(term) numbers = {0};
	term list;

	if (kind != SUITE_EUNIT)
		return heap_string(root, path);
	while (*path) {
		char *end;

		*vec_push(&numbers) = small_make(strtol(path, &end, 10));
		path = *end == '.' ? end + 1 : "";
	}
	list = heap_list(root, numbers.items, (unsigned)numbers.len, NIL);
	vec_release(&numbers);
	return list;
}

bool suite_enter(enum suite_kind kind, const char *module, const char *path, struct err *err)
{
	struct vm *vm = vm_get();
	struct process *root = process_find(vm, vm->init_pid);
	term name = read_module(kind, module);
	enum vm_end end;

	if (!load(kind, name, err))
		return false;
	end = call(kind, "enter",
		   heap_cons(root, name, heap_cons(root, read_path(root, kind, path),
						   more_arguments(root, kind, module))));
	return end == VM_AT_TEST || setup_explain(end, module, err);
}
