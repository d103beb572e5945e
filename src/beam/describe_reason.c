#include "beam/describe_reason.h"

#include "base/file.h"
#include "beam/describe_name.h"
#include "beam/describe_term.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"
#include "vm/terms/text.h"

/* [{Module, Function, ArityOrArguments, Location} | _] */
static bool is_trace(term t)
{
	return term_is_cons(t) && term_is_tuple_of(cons_head(t), 4) &&
	       term_is_atom(tuple_element(cons_head(t), 0)) &&
	       term_is_atom(tuple_element(cons_head(t), 1)) &&
	       (tuple_element(cons_head(t), 3) == NIL || term_is_cons(tuple_element(cons_head(t), 3)));
}

/* {Reference, error, Reason, Trace}: the worker of an erpc call ends with it. */
static bool is_of_erpc(term reason)
{
	return term_is_tuple_of(reason, 4) && term_is_ref(tuple_element(reason, 0)) &&
	       tuple_element(reason, 1) == A_error && is_trace(tuple_element(reason, 3));
}

static bool has_trace(term reason)
{
	return is_of_erpc(reason) ||
	       (term_is_tuple_of(reason, 2) && is_trace(tuple_element(reason, 1)));
}

/* Does a trace stand somewhere in it, where describe_reason looks? */
static bool holds_trace(term reason)
{
	return has_trace(reason) ||
	       (term_is_tuple_of(reason, 2) && (holds_trace(tuple_element(reason, 0)) ||
						holds_trace(tuple_element(reason, 1))));
}

/* The innermost frame of the user's own code; if all frames are of libraries, the innermost one. */
static term find_frame(struct vm *vm, term trace)
{
	for (term at = trace; is_trace(at); at = cons_tail(at))
		if (!code_is_of_library(vm, tuple_element(cons_head(at), 0)))
			return cons_head(at);
	return cons_head(trace);
}

static void add_file(term path, struct strbuf *out)
{
	struct bytes bytes = {0};
	struct strbuf text = {0};

	if (text_flatten_utf8(path, &bytes))
		strbuf_add(&text, (const char *)bytes.items, bytes.len);
	strbuf_adds(out, file_base_name(strbuf_text(&text)));
	bytes_release(&bytes);
	strbuf_release(&text);
}

static void add_place(term location, struct strbuf *out)
{
	term file = TERM_NONE, line = TERM_NONE;

	for (; term_is_cons(location); location = cons_tail(location)) {
		term pair = cons_head(location);

		if (!term_is_tuple_of(pair, 2))
			continue;
		if (tuple_element(pair, 0) == A_file)
			file = tuple_element(pair, 1);
		else if (tuple_element(pair, 0) == A_line)
			line = tuple_element(pair, 1);
	}
	if (file == TERM_NONE || line == TERM_NONE || !term_is_small(line))
		return;
	strbuf_adds(out, ", ");
	add_file(file, out);
	strbuf_addf(out, ":%ld", (long)small_value(line));
}

static void add_term(struct vm *vm, term t, struct reason_style style, struct strbuf *out)
{
	struct strbuf text = {0};

	if (style.is_elixir)
		describe_elixir_term(t, &text, style.limit);
	else
		print_term_limited(t, &text, style.limit);
	describe_funs(vm, &text);
	strbuf_adds(out, strbuf_text(&text));
	strbuf_release(&text);
}

/* "server:handle" or "Server.handle" */
static void add_name(term module, term function, struct reason_style style, struct strbuf *out)
{
	if (style.is_elixir) {
		describe_elixir_term(module, out, style.limit);
		strbuf_addf(out, ".%s", atom_text(function));
		return;
	}
	print_term(module, out);
	strbuf_addc(out, ':');
	print_term(function, out);
}

/* "server:handle(late)" of a list of arguments, "server:handle/1" of an arity. */
static void add_call(struct vm *vm, term module, term function, term arguments, struct reason_style style,
		     struct strbuf *out)
{
	bool is_first = true;

	add_name(module, function, style, out);
	if (term_is_small(arguments)) {
		strbuf_addf(out, "/%ld", (long)small_value(arguments));
		return;
	}
	style.limit /= 2;
	strbuf_addc(out, '(');
	for (; term_is_cons(arguments); arguments = cons_tail(arguments)) {
		strbuf_adds(out, is_first ? "" : ", ");
		add_term(vm, cons_head(arguments), style, out);
		is_first = false;
	}
	strbuf_addc(out, ')');
}

static void add_frame(struct vm *vm, term frame, struct reason_style style, struct strbuf *out)
{
	add_call(vm, tuple_element(frame, 0), tuple_element(frame, 1), tuple_element(frame, 2), style,
		 out);
}

/* {gen_server, call, Arguments}: the call that was told about the end of another process. */
static bool is_seen_by(term t)
{
	return term_is_tuple_of(t, 3) && term_is_atom(tuple_element(t, 0)) &&
	       term_is_atom(tuple_element(t, 1)) && term_is_cons(tuple_element(t, 2));
}

static void add_pair(struct vm *vm, term reason, struct reason_style style, struct strbuf *out)
{
	term first = tuple_element(reason, 0), second = tuple_element(reason, 1);

	if (holds_trace(first) && is_seen_by(second)) {
		describe_reason(vm, first, style, out);
		strbuf_adds(out, ", seen by ");
		add_call(vm, tuple_element(second, 0), tuple_element(second, 1),
			 tuple_element(second, 2), style, out);
		return;
	}
	strbuf_addc(out, '{');
	describe_reason(vm, first, style, out);
	strbuf_adds(out, style.is_elixir ? ", " : ",");
	describe_reason(vm, second, style, out);
	strbuf_addc(out, '}');
}

void describe_reason(struct vm *vm, term reason, struct reason_style style, struct strbuf *out)
{
	if (has_trace(reason)) {
		uint32_t at = is_of_erpc(reason) ? 2 : 0;
		term first = cons_head(tuple_element(reason, at + 1));
		term own = find_frame(vm, tuple_element(reason, at + 1));

		add_term(vm, tuple_element(reason, at), style, out);
		strbuf_adds(out, " in ");
		add_frame(vm, first, style, out);
		if (own != first) {
			strbuf_adds(out, " called by ");
			add_frame(vm, own, style, out);
		}
		add_place(tuple_element(own, 3), out);
	} else if (holds_trace(reason)) {
		add_pair(vm, reason, style, out);
	} else {
		add_term(vm, reason, style, out);
	}
}
