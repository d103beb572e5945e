#include "vm/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/bifs/child.h"
#include "vm/bifs/open_file.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/leader.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/compare.h"
#include "vm/terms/print.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

void run_add_path(const char *dir)
{
	code_path_add(dir);
}

bool run_open(const struct run_options *options, struct err *err)
{
	if (!code_path_add_otp(options->otp_dir, err))
		return false;
	compare_set_zeros_differ(code_otp_release() >= 27);
	open_file_allow_writing(options->allow_io);
	if (!vm_open(options->memory_limit, err))
		return false;
	vm_get()->seed = options->seed;
	return true;
}

void run_close(void)
{
	vm_close();
}

/* ---- names ---- */

struct call_name {
	term module;
	term function;
	const char *arity; /* what follows the function's name: nothing, or /N */
};

/* One atom, quoted or not; returns where it ends, or NULL. */
static const char *read_atom(const char *text, const char *stops, term *atom)
{
	struct strbuf name = {0};
	bool quoted = *text == '\'';

	if (quoted)
		text++;
	while (*text && (quoted ? *text != '\'' : !strchr(stops, *text))) {
		if (quoted && *text == '\\' && text[1])
			text++;
		strbuf_addc(&name, *text++);
	}
	if (quoted && *text == '\'')
		text++;
	*atom = name.len ? atom_from_text(strbuf_text(&name), name.len) : TERM_NONE;
	strbuf_release(&name);
	return *atom == TERM_NONE ? NULL : text;
}

/* My.Mod.fun: the module is 'Elixir.My.Mod'. */
static bool read_elixir_name(const char *text, struct call_name *name)
{
	const char *dot = strrchr(text, '.');
	struct strbuf module = {0};

	if (!dot || dot == text)
		return false;
	name->arity = read_atom(dot + 1, "/", &name->function);
	if (!name->arity)
		return false;
	if (strncmp(text, "Elixir.", 7) != 0)
		strbuf_adds(&module, "Elixir.");
	strbuf_add(&module, text, (size_t)(dot - text));
	name->module = atom_from_text(strbuf_text(&module), module.len);
	strbuf_release(&module);
	return true;
}

static bool read_name(const char *text, struct call_name *name)
{
	const char *rest = read_atom(text, ":", &name->module);

	if (rest && *rest == ':') {
		name->arity = read_atom(rest + 1, "/", &name->function);
		return name->arity && (!*name->arity || *name->arity == '/');
	}
	return text[0] >= 'A' && text[0] <= 'Z' && read_elixir_name(text, name);
}

bool run_find_function(const char *text, term *module, term *function, struct err *err)
{
	struct call_name name;

	if (!read_name(text, &name))
		return err_set(err, "%s is not MODULE:FUNCTION", text);
	if (*name.arity && strcmp(name.arity, "/0") != 0)
		return err_set(err, "%s: the function must take no arguments", text);
	if (!code_load_module(vm_get(), name.module, err))
		return false;
	if (!code_resolve(vm_get(), export_of(name.module, name.function, 0)))
		return err_set(err, "there is no function %.*s/0", (int)(name.arity - text), text);
	*module = name.module;
	*function = name.function;
	return true;
}

/* ---- running ---- */

static struct process *root(struct vm *vm)
{
	return process_find(vm, vm->init_pid);
}

enum vm_end run_call(struct vm *vm, term module, term function, term args)
{
	enum vm_end end;

	vm->end = VM_RUNNING;
	vm->result_class = TERM_NONE;
	vm->test = vm_spawn(vm, root(vm), module, function, args);
	vm->test->is_test = true;
	end = vm_run(vm);
	child_end_all();
	return end;
}

/* The result of a call that the tool itself makes on the VM; TERM_NONE when it failed. */
static term call_for_result(struct vm *vm, const char *module, const char *function, term args)
{
	enum vm_end end = run_call(vm, atom_from_string(module), atom_from_string(function), args);

	return end == VM_DONE && vm->result_class == A_ok ? vm->result : TERM_NONE;
}

/* io_lib:format("~0p", [T]) as UTF-8, or the plain printer if that fails. */
static void format_result(struct vm *vm, term t, struct strbuf *out)
{
	struct process *p = root(vm);
	term args = heap_cons(p, heap_string(p, "~0p"), heap_cons(p, heap_cons(p, t, NIL), NIL));
	term chars = call_for_result(vm, "io_lib", "format", args);
	struct bytes text = {0};

	if (chars != TERM_NONE && text_flatten_utf8(chars, &text))
		strbuf_add(out, (char *)text.items, text.len);
	else
		print_term(t, out);
	bytes_release(&text);
}

static void format_exception(struct vm *vm, struct strbuf *out)
{
	term class_ = vm->result_class, reason = vm->result, trace = vm->result_trace;

	strbuf_addf(out, "exception %s: ", atom_text(class_));
	format_result(vm, reason, out);
	for (; term_is_cons(trace); trace = cons_tail(trace)) {
		strbuf_adds(out, "\n  in ");
		print_term(cons_head(trace), out);
	}
}

/* Returns the exit status that the end of a run leads to, and puts its result into out. */
static int report_end(struct vm *vm, enum vm_end end, struct strbuf *out, bool *is_value)
{
	*is_value = false;
	switch (end) {
	case VM_DONE:
		*is_value = vm->result_class == A_ok;
		if (*is_value) {
			format_result(vm, vm->result, out);
			return 0;
		}
		format_exception(vm, out);
		return 1;
	case VM_STUCK:
		strbuf_adds(out, "stuck: every process waits for a message that nobody will send");
		return 1;
	case VM_HALTED:
		return vm->halt_status;
	case VM_OUT_OF_MEMORY:
		strbuf_adds(out, "out of memory: the run needs more than --max-memory allows");
		return 1;
	default:
		strbuf_adds(out, vm->err.message);
		return 4;
	}
}

/* Arguments are Erlang terms, parsed by erl_scan and erl_parse on the VM. */
static term parse_arg(struct vm *vm, const char *text)
{
	struct process *p = root(vm);
	struct strbuf dotted = {0};
	term tokens, parsed, args;

	strbuf_addf(&dotted, "%s.", text);
	args = heap_cons(p, heap_string(p, strbuf_text(&dotted)), NIL);
	strbuf_release(&dotted);
	tokens = call_for_result(vm, "erl_scan", "string", args);
	if (tokens == TERM_NONE || !term_is_tuple_of(tokens, 3) || tuple_element(tokens, 0) != A_ok)
		return TERM_NONE;
	args = heap_cons(p, tuple_element(tokens, 1), NIL);
	parsed = call_for_result(vm, "erl_parse", "parse_term", args);
	if (parsed == TERM_NONE || tuple_element(parsed, 0) != A_ok)
		return TERM_NONE;
	return tuple_element(parsed, 1);
}

static bool parse_args(struct vm *vm, char **texts, int len, term *list)
{
	*list = NIL;
	for (int i = len - 1; i >= 0; i--) {
		term t = parse_arg(vm, texts[i]);

		if (t == TERM_NONE) {
			fprintf(stderr, "fermata: argument %s is not an Erlang term\n", texts[i]);
			return false;
		}
		*list = heap_cons(root(vm), t, *list);
	}
	return true;
}

int run_function(const char *name_text, char **args, int args_len)
{
	struct vm *vm = vm_get();
	struct call_name name;
	struct strbuf out = {0};
	bool is_value;
	term list;
	int status;

	if (!read_name(name_text, &name)) {
		fprintf(stderr, "fermata: %s is not MODULE:FUNCTION\n", name_text);
		return 2;
	}
	if (!parse_args(vm, args, args_len, &list))
		return 2;
	status = report_end(vm, run_call(vm, name.module, name.function, list), &out, &is_value);
	leader_flush();
	if (is_value)
		printf("%s\n", strbuf_text(&out));
	else if (out.len)
		fprintf(stderr, "%s%s\n", status == 4 ? "fermata: " : "", strbuf_text(&out));
	strbuf_release(&out);
	return status;
}

static void run_line(struct vm *vm, const char *line)
{
	struct strbuf out = {0};
	struct call_name name;
	bool is_value = false;
	int status = VM_UNSUPPORTED;

	if (read_name(line, &name))
		status = run_call(vm, name.module, name.function, NIL);
	if (status == VM_DONE && vm->result_class != A_ok) {
		strbuf_addf(&out, "** %s: ", atom_text(vm->result_class));
		format_result(vm, vm->result, &out);
	} else {
		status = report_end(vm, status, &out, &is_value);
	}
	leader_flush();
	printf("%s\t%s%s\n", line, status == 4 ? "** " : "", strbuf_text(&out));
	strbuf_release(&out);
}

static void discard_output(void *ctx, int stream, const char *text, size_t len)
{
	(void)ctx;
	(void)stream;
	(void)text;
	(void)len;
}

int run_batch(const char *path)
{
	struct vm *vm = vm_get();
	FILE *file = fopen(path, "r");
	char line[4096];

	if (!file) {
		fprintf(stderr, "fermata: cannot read %s\n", path);
		return 2;
	}
	leader_set_output(discard_output, NULL);
	region_checkpoint();
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n")] = 0;
		if (!line[0])
			continue;
		region_restore();
		run_line(vm, line);
		fflush(stdout);
	}
	fclose(file);
	return 0;
}
