#include "vm/bifs/stack_text.h"

#include <inttypes.h>

#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/process/leader.h"
#include "vm/process/relation.h"
#include "vm/terms/binary.h"
#include "vm/terms/print.h"
#include "vm/vm.h"

/* ---- one stack ---- */

static const struct code_function *function_at(const struct code_place *place, const word *address)
{
	const struct code_function *found = NULL;

	for (size_t i = 0; i < place->image->functions_len; i++)
		if (place->image->functions[i].start <= address)
			found = &place->image->functions[i];
	return found;
}

/* 0x... (m:f/1 + 24) */
static void add_place(const word *address, struct strbuf *out)
{
	struct code_place place;
	const struct code_function *f;

	if (address == interp_normal_exit) {
		strbuf_addf(out, "0x%016x (<terminate process normally>)\n", 0);
		return;
	}
	if (!code_find_place(address, &place) || !(f = function_at(&place, address))) {
		strbuf_addf(out, "0x%016x (unknown function)\n", 0);
		return;
	}
	strbuf_addf(out, "0x%016zx (",
		    (size_t)((const char *)address - (const char *)place.image->words));
	print_atom(place.module, out);
	strbuf_addc(out, ':');
	print_atom(place.function, out);
	strbuf_addf(out, "/%" PRIu32 " + %zu)\n", place.arity,
		    (size_t)((const char *)address - (const char *)f->start));
}

/* A native function that waits, or one that has not started, has no address. */
static void add_counter(const struct process *of, struct strbuf *out)
{
	struct code_place place;

	strbuf_adds(out, "Program counter: ");
	if (code_find_place(of->ip, &place) || !exception_current_place(of, &place)) {
		add_place(of->ip, out);
		return;
	}
	strbuf_addf(out, "0x%016x (", 0);
	print_atom(place.module, out);
	strbuf_addc(out, ':');
	print_atom(place.function, out);
	strbuf_addf(out, "/%" PRIu32 " + 0)\n", place.arity);
}

static void add_slot(unsigned number, term value, struct strbuf *out)
{
	size_t start = out->len;

	strbuf_addf(out, "y(%u)", number);
	strbuf_pad(out, start + 9, ' ');
	if (term_is_catch(value)) {
		strbuf_adds(out, "Catch ");
		add_place(catch_code(value), out);
		return;
	}
	print_display(value == TERM_NONE ? NIL : value, out);
	strbuf_addc(out, '\n');
}

static void add_return(const void *at, const word *address, struct strbuf *out)
{
	strbuf_addf(out, "\n0x%016zx Return addr ", (size_t)(uintptr_t)at);
	add_place(address, out);
}

/* A frame is its continuation and the words behind it; the real VM has it behind them. */
void stack_text(const struct process *of, const char *native, struct strbuf *out)
{
	const term *slot = of->e;

	if (of->is_sensitive)
		return;
	if (native) {
		strbuf_addf(out, "Program counter: 0x%016x (%s + 0)\n", 0, native);
		add_return(slot, of->ip, out);
	} else {
		add_counter(of, out);
	}
	if (of->cp && slot < of->hend && (term)of->cp != *slot)
		add_return(slot, of->cp, out);
	while (slot < of->hend) {
		const term *frame = slot++;
		unsigned number = 0;

		for (; slot < of->hend && (!term_is_header(*slot) || *slot == TERM_NONE); slot++)
			add_slot(number++, *slot, out);
		add_return(frame, (const word *)*frame, out);
	}
}

static term take_text(struct process *p, struct strbuf *text)
{
	term binary = binary_from(p, strbuf_text(text), text->len);

	strbuf_release(text);
	return binary;
}

term stack_text_binary(struct process *p, const struct process *of, const char *native)
{
	struct strbuf text = {0};

	stack_text(of, of == p ? native : NULL, &text);
	return take_text(p, &text);
}

/* process_display(Pid, backtrace) */
term bif_erts_internal_process_display_2(struct process *p, const term *args)
{
	struct process *of = term_is_pid(args[0]) ? process_find(p->vm, args[0]) : NULL;
	struct strbuf text = {0};

	if (args[1] != A_backtrace)
		return atom_from_string("badopt");
	if (!of)
		return A_badarg;
	if (p->vm->is_explored)
		return bif_unsupported(p, "erlang:process_display/2 in a search");
	stack_text(of, of == p ? "erts_internal:process_display/2" : NULL, &text);
	leader_write(2, strbuf_text(&text), text.len);
	strbuf_release(&text);
	return A_true;
}

/* ---- the whole system ---- */

static void add_mfa(term module, term function, uint32_t arity, struct strbuf *out)
{
	print_atom(module, out);
	strbuf_addc(out, ':');
	print_atom(function, out);
	strbuf_addf(out, "/%" PRIu32 "\n", arity);
}

static void add_links(const struct process *of, struct strbuf *out)
{
	const char *before = "";

	strbuf_adds(out, "Link list: [");
	for (const struct relation *r = of->relations; r; r = r->next) {
		bool is_monitor = r->kind == RELATION_MONITOR || r->kind == RELATION_MONITORED;

		if (!is_monitor && !relation_is_link(r))
			continue;
		strbuf_adds(out, before);
		strbuf_adds(out, !is_monitor		       ? ""
				 : r->kind == RELATION_MONITOR ? "{to,"
							       : "{from,");
		print_term(r->other, out);
		if (is_monitor)
			strbuf_addf(out, ",#Ref<0.%" PRIu64 ".%" PRIu64 ">}", r->ref_pid,
				    r->ref_counter);
		before = ", ";
	}
	strbuf_adds(out, "]\n");
}

static void add_process(const struct process *of, struct strbuf *out)
{
	strbuf_adds(out, "=proc:");
	print_term(process_known_as(of), out);
	strbuf_addf(out, "\nState: %s\n",
		    of->suspend_count		    ? "Suspended"
		    : of == machine.running.process ? "Running"
		    : of->status == PROCESS_WAITING ? "Waiting"
		    : of->status == PROCESS_EXITING ? "Exiting"
						    : "Scheduled");
	if (of->registered_name != TERM_NONE) {
		strbuf_adds(out, "Name: ");
		print_atom(of->registered_name, out);
		strbuf_addc(out, '\n');
	}
	strbuf_adds(out, "Spawned as: ");
	add_mfa(of->initial_module, of->initial_function, of->initial_arity, out);
	strbuf_adds(out, "Spawned by: ");
	if (of->parent == TERM_NONE || of->parent == A_undefined)
		strbuf_adds(out, "[]");
	else
		print_term(of->parent, out);
	strbuf_addf(out, "\nMessage queue length: %zu\n", of->mailbox.len);
	add_links(of, out);
	strbuf_addf(out, "Stack+heap: %zu\nHeap unused: %zu\nStack dump:\n",
		    (size_t)(of->hend - of->heap), (size_t)(of->e - of->htop));
	stack_text(of, of == machine.running.process ? "erlang:system_info/1" : NULL, out);
}

term process_dump(struct process *p, const struct process *of)
{
	struct strbuf text = {0};

	add_process(of, &text);
	return take_text(p, &text);
}

static size_t image_bytes(const struct code_image *image)
{
	return image ? image->words_len * sizeof(word) : 0;
}

static void add_loaded(const struct vm *vm, struct strbuf *out)
{
	const struct module_table *table = vm->modules;
	size_t current = 0, old = 0;

	for (uint32_t i = 0; table && i < table->len; i++) {
		current += image_bytes(table->items[i].current);
		old += image_bytes(table->items[i].old);
	}
	strbuf_addf(out, "Current code: %zu\nOld code: %zu\n", current, old);
	for (uint32_t i = 0; table && i < table->len; i++) {
		if (!table->items[i].current && !table->items[i].old)
			continue;
		print_atom(table->items[i].name, out);
		strbuf_addf(out, " %zu", image_bytes(table->items[i].current));
		if (table->items[i].old)
			strbuf_addf(out, " (%zu old)", image_bytes(table->items[i].old));
		strbuf_addc(out, '\n');
	}
}

/* The tables that there are here; the real VM lists more. */
static void add_info(const struct vm *vm, struct strbuf *out)
{
	strbuf_addf(out, "=index_table:atom_tab\nentries: %zu\n", (size_t)machine.atoms.names.len);
	strbuf_addf(out, "=index_table:module_code\nentries: %u\n",
		    vm->modules ? vm->modules->len : 0);
	strbuf_addf(out, "=hash_table:process_reg\nobjs: %u\n", vm->registry.len);
	strbuf_adds(out, "=hash_table:node_table\nobjs: 1\n");
}

term system_dump(struct process *p, term item)
{
	const char *name = term_is_atom(item) ? atom_text(item) : "";
	struct strbuf text = {0};

	if (p->vm->is_explored)
		return TERM_NONE;
	if (!strcmp(name, "procs"))
		for (const struct process *of = p->vm->first_process; of; of = of->all_next) {
			if (process_is_listed(of))
				add_process(of, &text);
		}
	else if (!strcmp(name, "loaded"))
		add_loaded(p->vm, &text);
	else if (!strcmp(name, "info"))
		add_info(p->vm, &text);
	else if (!strcmp(name, "dist"))
		strbuf_adds(&text, "=node:'nonode@nohost'\n=no_distribution\n");
	else
		return TERM_NONE;
	return take_text(p, &text);
}
