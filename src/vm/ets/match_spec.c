#include "vm/ets/match_spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/vm.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"
#include "vm/terms/tmap.h"

enum { VARIABLE_DIGITS_MAX = 9 };

/* Work still to do, last in first out: terms to compile and instructions to emit after them. */
enum task_kind { TASK_TERM, TASK_OP, TASK_LABEL };

struct task {
	enum task_kind kind;
	term t;
	struct match_op op;
};

VEC_TYPE(task_stack, struct task);

struct compiler {
	struct match_program *program;
	struct match_clause *clause;
	struct match_errors *errors;
	struct task_stack tasks;
	VEC(size_t) labels;
	bool failed;
};

static void add_error(struct compiler *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_error(struct compiler *c, const char *format, ...)
{
	char text[600];
	va_list args;
	term pair;

	c->failed = true;
	if (!c->errors)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pair = heap_tuple2(c->errors->p, A_error, heap_string(c->errors->p, text));
	*c->errors->last = heap_cons(c->errors->p, pair, NIL);
	c->errors->last = cons_ptr(*c->errors->last) + 1;
}

/* An error about a form, which is shown between the two texts. */
static void add_form_error(struct compiler *c, const char *before, term form, const char *after)
{
	struct strbuf text = {0};

	print_term(form, &text);
	add_error(c, "%s%s%s", before, strbuf_text(&text), after);
	strbuf_release(&text);
}

static void push_term(struct compiler *c, term t)
{
	*vec_push(&c->tasks) = (struct task){.kind = TASK_TERM, .t = t};
}

static void push_op(struct compiler *c, struct match_op op)
{
	*vec_push(&c->tasks) = (struct task){.kind = TASK_OP, .op = op};
}

static void emit(struct compiler *c, struct match_op op)
{
	*vec_push(&c->program->ops) = op;
}

static void emit_value(struct compiler *c, enum match_op_code code, term value)
{
	emit(c, (struct match_op){.code = code, .value = value});
}

static void emit_index(struct compiler *c, enum match_op_code code, uint64_t index)
{
	emit(c, (struct match_op){.code = code, .index = index});
}

static void emit_count(struct compiler *c, enum match_op_code code, size_t count)
{
	emit(c, (struct match_op){.code = code, .count = (uint32_t)count});
}

/* ---- variables ---- */

int64_t match_variable_number(term t)
{
	const struct atom_name *name;
	int64_t number = 0;

	if (!term_is_atom(t))
		return -1;
	name = atom_name(t);
	if (name->len < 2 || name->len > VARIABLE_DIGITS_MAX + 1 || name->text[0] != '$')
		return -1;
	if (name->text[1] == '0' && name->len > 2)
		return -1;
	for (uint32_t i = 1; i < name->len; i++) {
		if (name->text[i] < '0' || name->text[i] > '9')
			return -1;
		number = number * 10 + (name->text[i] - '0');
	}
	return number;
}

static struct match_variable *find_variable(struct compiler *c, int64_t number)
{
	struct match_variable *first = c->program->variables.items + c->clause->variables;

	for (size_t i = 0; i < c->clause->variables_len; i++)
		if (first[i].number == (uint64_t)number)
			return &first[i];
	return NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct match_variable *left = a, *right = b;

	return (left->number > right->number) - (left->number < right->number);
}

/* ---- heads ---- */

static void compile_head_atom(struct compiler *c, term t)
{
	int64_t number = match_variable_number(t);
	struct match_variable *variable;

	if (t == A_underscore) {
		emit_count(c, MATCH_ANY, 0);
		return;
	}
	if (number < 0) {
		emit_value(c, MATCH_VALUE, t);
		return;
	}
	variable = find_variable(c, number);
	if (variable) {
		emit_index(c, MATCH_SAME, variable->index);
		return;
	}
	emit_index(c, MATCH_BIND, c->clause->variables_len);
	*vec_push(&c->program->variables) =
		(struct match_variable){(uint64_t)number, (uint32_t)c->clause->variables_len};
	c->clause->variables_len++;
}

/* The KEYs come first, in order; the patterns of the values follow in the same order. */
static void compile_head_map(struct compiler *c, term map)
{
	struct tmap_iter it = tmap_iter(map);
	size_t first = c->tasks.len, last;
	term key, value;

	emit_count(c, MATCH_MAP, tmap_size(map));
	while (tmap_next(&it, &key, &value)) {
		if (key == A_underscore)
			add_error(c, "Underscore found in map key.");
		else if (match_variable_number(key) >= 0)
			add_error(c, "Variable found in map key.");
		emit_value(c, MATCH_KEY, key);
		push_term(c, value);
	}
	for (last = c->tasks.len; first + 1 < last; first++) {
		struct task swapped = c->tasks.items[first];

		c->tasks.items[first] = c->tasks.items[--last];
		c->tasks.items[last] = swapped;
	}
}

static void compile_head_term(struct compiler *c, term t)
{
	if (term_is_atom(t)) {
		compile_head_atom(c, t);
	} else if (term_is_cons(t)) {
		emit_count(c, MATCH_CONS, 0);
		push_term(c, cons_tail(t));
		push_term(c, cons_head(t));
	} else if (term_is_tuple(t)) {
		emit_count(c, MATCH_TUPLE, tuple_size(t));
		for (size_t i = tuple_size(t); i-- > 0;)
			push_term(c, tuple_element(t, i));
	} else if (term_is_map(t)) {
		compile_head_map(c, t);
	} else {
		emit_value(c, MATCH_VALUE, t);
	}
}

static void compile_head(struct compiler *c)
{
	push_term(c, c->clause->head);
	while (c->tasks.len)
		compile_head_term(c, vec_pop(&c->tasks).t);
	if (c->clause->variables_len)
		qsort(c->program->variables.items + c->clause->variables, c->clause->variables_len,
		      sizeof(struct match_variable), compare_numbers);
}

/* ---- expressions ---- */

static const struct bif *find_function(term name, size_t arity)
{
	static const struct {
		const char *text;
		uint8_t arity;
		uint8_t release;
	} known[] = {
#define MATCH_FUNCTION(text, n, release) {text, n, release},
#include "vm/ets/match_functions.def"
#undef MATCH_FUNCTION
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].arity == arity && known[i].release <= code_otp_release() &&
		    strcmp(known[i].text, atom_text(name)) == 0)
			return bif_find(A_erlang, name, (unsigned)arity);
	return NULL;
}

static void compile_atom(struct compiler *c, term t)
{
	int64_t number = match_variable_number(t);
	struct match_variable *variable;

	if (t == A_dollar_underscore) {
		emit_count(c, MATCH_OBJECT, 0);
	} else if (t == A_dollar_dollar) {
		emit_count(c, MATCH_BINDINGS, 0);
	} else if (number < 0) {
		emit_value(c, MATCH_CONST, t);
	} else {
		variable = find_variable(c, number);
		if (variable)
			emit_index(c, MATCH_VARIABLE, variable->index);
		else
			add_error(c, "Variable $%lld is unbound.", (long long)number);
	}
}

static void push_elements(struct compiler *c, term tuple, size_t first)
{
	for (size_t i = tuple_size(tuple); i-- > first;)
		push_term(c, tuple_element(tuple, i));
}

/* A, jump past the rest if that decides, B, jump ..., C. */
static void compile_lazy(struct compiler *c, term t, enum match_op_code code)
{
	size_t label = c->labels.len;

	*vec_push(&c->labels) = 0;
	*vec_push(&c->tasks) = (struct task){.kind = TASK_LABEL, .t = label};
	for (size_t i = tuple_size(t); i-- > 1;) {
		if (i + 1 < tuple_size(t))
			push_op(c, (struct match_op){.code = code, .target = label});
		push_term(c, tuple_element(t, i));
	}
}

/* The number of the action; MATCH_ACTION_COUNT: there is not one. */
static enum match_action find_action(struct compiler *c, term name, size_t arity)
{
	static const struct {
		const char *text;
		uint8_t arity;
		uint8_t action;
		bool is_live;
	} known[] = {
#define MATCH_ACTION(id, text, n) {text, n, MATCH_ACTION_##id, false},
#define MATCH_ACTION_LIVE(id, text, n) {text, n, MATCH_ACTION_##id, true},
#define MATCH_ACTION_MISSING(text, n) {text, n, MATCH_ACTION_COUNT, false},
#include "vm/ets/match_actions.def"
#undef MATCH_ACTION
#undef MATCH_ACTION_LIVE
#undef MATCH_ACTION_MISSING
	};

	if (!c->program->actions)
		return MATCH_ACTION_COUNT;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (known[i].arity != arity || strcmp(known[i].text, atom_text(name)) != 0)
			continue;
		if (known[i].action != MATCH_ACTION_COUNT &&
		    (known[i].action != MATCH_ACTION_SET_TOKEN || c->program->actions->is_tried) &&
		    !(known[i].is_live && vm_get()->is_explored))
			return known[i].action;
		c->program->actions->missing = known[i].text;
		break;
	}
	return MATCH_ACTION_COUNT;
}

static void compile_call(struct compiler *c, term t)
{
	term name = tuple_element(t, 0);
	size_t arity = tuple_size(t) - 1;
	const struct bif *bif = find_function(name, arity);
	enum match_action action = bif ? MATCH_ACTION_COUNT : find_action(c, name, arity);

	if (action != MATCH_ACTION_COUNT) {
		push_op(c, (struct match_op){.code = MATCH_ACTION, .count = (uint32_t)arity,
					     .index = action});
		push_elements(c, t, 1);
		return;
	}
	if (!bif) {
		add_error(c, "Function %s/%zu does_not_exist.", atom_text(name), arity);
		return;
	}
	push_op(c, (struct match_op){.code = MATCH_CALL, .count = (uint32_t)arity, .bif = bif});
	push_elements(c, t, 1);
}

static bool is_boolean_form(term name)
{
	return name == A_and || name == A_or || name == A_andalso || name == A_orelse;
}

static void compile_form(struct compiler *c, term t)
{
	term name = tuple_element(t, 0);
	size_t arity = tuple_size(t) - 1;

	if (name == A_const && arity == 1) {
		emit_value(c, MATCH_CONST, tuple_element(t, 1));
	} else if (name == A_const) {
		add_form_error(c, "Special form 'const' called with more than one argument in ", t,
			       ".");
	} else if (is_boolean_form(name) && arity == 0) {
		add_error(c, "Special form '%s' called without arguments in {%s}.", atom_text(name),
			  atom_text(name));
	} else if (name == A_and || name == A_or) {
		push_op(c, (struct match_op){.code = name == A_and ? MATCH_AND : MATCH_OR,
					     .count = (uint32_t)arity});
		push_elements(c, t, 1);
	} else if (name == A_andalso || name == A_orelse) {
		compile_lazy(c, t, name == A_andalso ? MATCH_ANDALSO : MATCH_ORELSE);
	} else {
		compile_call(c, t);
	}
}

static void compile_tuple(struct compiler *c, term t)
{
	if (tuple_size(t) == 1 && term_is_tuple(tuple_element(t, 0))) {
		t = tuple_element(t, 0);
		push_op(c, (struct match_op){.code = MATCH_MAKE_TUPLE,
					     .count = (uint32_t)tuple_size(t)});
		push_elements(c, t, 0);
	} else if (tuple_size(t) > 0 && term_is_atom(tuple_element(t, 0))) {
		compile_form(c, t);
	} else {
		add_form_error(c, "", t, " is neither a function call, nor a tuple "
					 "(tuples are written {{ ... }}).");
	}
}

static void compile_map(struct compiler *c, term map)
{
	struct tmap_iter it = tmap_iter(map);
	term key, value;

	push_op(c, (struct match_op){.code = MATCH_MAKE_MAP, .count = (uint32_t)tmap_size(map)});
	while (tmap_next(&it, &key, &value)) {
		push_term(c, value);
		push_term(c, key);
	}
}

static void compile_term(struct compiler *c, term t)
{
	if (term_is_atom(t)) {
		compile_atom(c, t);
	} else if (term_is_cons(t)) {
		push_op(c, (struct match_op){.code = MATCH_MAKE_CONS});
		push_term(c, cons_tail(t));
		push_term(c, cons_head(t));
	} else if (term_is_tuple(t)) {
		compile_tuple(c, t);
	} else if (term_is_map(t)) {
		compile_map(c, t);
	} else {
		emit_value(c, MATCH_CONST, t);
	}
}

static void compile_expression(struct compiler *c, term t)
{
	push_term(c, t);
	while (c->tasks.len) {
		struct task task = vec_pop(&c->tasks);

		if (task.kind == TASK_TERM)
			compile_term(c, task.t);
		else if (task.kind == TASK_OP)
			emit(c, task.op);
		else
			c->labels.items[task.t] = c->program->ops.len;
	}
}

/* ---- clauses ---- */

static void check_list_end(struct compiler *c, term list, term end)
{
	if (end != NIL)
		add_error(c, "Match expression is not a %slist.", end == list ? "" : "proper ");
}

static void resolve_labels(struct compiler *c)
{
	for (size_t i = c->clause->start; i < c->program->ops.len; i++) {
		struct match_op *op = &c->program->ops.items[i];

		if (op->code == MATCH_ANDALSO || op->code == MATCH_ORELSE)
			op->target = c->labels.items[op->target];
	}
}

static void compile_clause(struct compiler *c)
{
	term rest;

	c->clause->start = c->program->ops.len;
	c->clause->variables = c->program->variables.len;
	vec_clear(&c->labels);
	compile_head(c);
	for (rest = c->clause->guards; term_is_cons(rest); rest = cons_tail(rest)) {
		compile_expression(c, cons_head(rest));
		emit_count(c, MATCH_GUARD, 0);
	}
	check_list_end(c, c->clause->guards, rest);
	emit_count(c, MATCH_BODY, 0);
	for (rest = c->clause->body; term_is_cons(rest); rest = cons_tail(rest)) {
		compile_expression(c, cons_head(rest));
		emit_count(c, cons_tail(rest) == NIL ? MATCH_END : MATCH_DROP, 0);
	}
	if (c->clause->body == NIL && c->program->actions) { /* a trace does not need a result */
		emit_value(c, MATCH_CONST, A_true);
		emit_count(c, MATCH_END, 0);
	} else if (!term_is_cons(c->clause->body))
		add_error(c, "Body clause does not return anything.");
	else
		check_list_end(c, c->clause->body, rest);
	resolve_labels(c);
}

bool match_compile(struct match_program *program, term spec, struct match_errors *errors)
{
	struct compiler c = {.program = program, .errors = errors};

	if (!term_is_cons(spec) && (errors || spec != NIL))
		add_error(&c, "Match programs are not in a list.");
	for (; term_is_cons(spec) && !c.failed; spec = cons_tail(spec)) {
		term clause = cons_head(spec);

		if (!term_is_tuple_of(clause, 3)) {
			add_error(&c, "Match program part is not a tuple of arity 3.");
			break;
		}
		c.clause = vec_push(&program->clauses);
		*c.clause = (struct match_clause){
			.head = tuple_element(clause, 0),
			.guards = tuple_element(clause, 1),
			.body = tuple_element(clause, 2),
		};
		compile_clause(&c);
	}
	if (!c.failed && spec != NIL)
		add_error(&c, "Match programs are not in a proper list.");
	vec_release(&c.tasks);
	vec_release(&c.labels);
	return !c.failed;
}

void match_release(struct match_program *program)
{
	vec_release(&program->ops);
	vec_release(&program->clauses);
	vec_release(&program->variables);
}

/* '$_' and '$$' are plain atoms in a pattern, but a body that repeats them means something else. */
static bool is_open(term pattern)
{
	if (term_is_map(pattern) || pattern == A_dollar_underscore || pattern == A_dollar_dollar)
		return true;
	return pattern == A_underscore || match_variable_number(pattern) >= 0;
}

bool match_is_exact(term pattern)
{
	VEC(term) todo = {0};
	bool is_exact = true;

	*vec_push(&todo) = pattern;
	while (todo.len && is_exact) {
		term t = vec_pop(&todo);

		while (term_is_cons(t)) {
			*vec_push(&todo) = cons_head(t);
			t = cons_tail(t);
		}
		if (term_is_tuple(t))
			vec_append(&todo, tuple_elements(t), tuple_size(t));
		else
			is_exact = !is_open(t);
	}
	vec_release(&todo);
	return is_exact;
}

int match_compare_prefix(term t, term pattern)
{
	VEC(term) todo = {0};
	int order = 0;

	*vec_push(&todo) = t;
	*vec_push(&todo) = pattern;
	while (todo.len && !order) {
		pattern = vec_pop(&todo);
		t = vec_pop(&todo);
		if (is_open(pattern))
			break;
		if (term_is_cons(t) && term_is_cons(pattern)) {
			*vec_push(&todo) = cons_tail(t);
			*vec_push(&todo) = cons_tail(pattern);
			*vec_push(&todo) = cons_head(t);
			*vec_push(&todo) = cons_head(pattern);
		} else if (term_is_tuple(t) && term_is_tuple(pattern) &&
			   tuple_size(t) == tuple_size(pattern)) {
			for (size_t i = tuple_size(t); i-- > 0;) {
				*vec_push(&todo) = tuple_element(t, i);
				*vec_push(&todo) = tuple_element(pattern, i);
			}
		} else {
			order = term_compare(t, pattern);
		}
	}
	vec_release(&todo);
	return order;
}
