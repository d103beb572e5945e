#include "static/guess.h"

#include <string.h>

#include "base/strbuf.h"

enum { ARGS_MAX = 6, CHOICES_MAX = 3 };

/* The possible values of one argument. */
struct argument {
	const char *choices[CHOICES_MAX];
	uint32_t len;
	bool is_integer;
	bool is_hopeless; /* no value of its type can be guessed */
	bool is_changed;  /* the register holds something else by now */
};

struct guess {
	const struct module *m;
	struct argument args[ARGS_MAX];
	uint32_t arity;
};

static struct argument *argument_in(struct guess *g, const struct beam_operand *operand)
{
	if (operand->kind != BEAM_X || operand->value >= g->arity ||
	    g->args[operand->value].is_changed)
		return NULL;
	return &g->args[operand->value];
}

static bool is_plain_word(const char *text)
{
	return text[0] && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789_@.?!")];
}

static void add_choice(const struct guess *g, struct argument *arg,
		       const struct beam_operand *operand)
{
	const char *text;

	if (!arg || operand->kind != BEAM_ATOM || arg->len == CHOICES_MAX)
		return;
	text = g->m->bf.atoms[operand->value].text;
	for (uint32_t i = 0; i < arg->len; i++)
		if (strcmp(arg->choices[i], text) == 0)
			return;
	if (is_plain_word(text))
		arg->choices[arg->len++] = text;
}

static void set_changed(struct guess *g, bool is_changed)
{
	for (uint32_t i = 0; i < g->arity; i++)
		g->args[i].is_changed = is_changed;
}

static void look_at(struct guess *g, const struct beam_instr *instr)
{
	const struct beam_operand *o = instr->operands;
	struct argument *arg;

	switch (instr->op) {
	case OP_label: /* the next clause begins with the arguments as they were */
		set_changed(g, false);
		break;
	case OP_is_eq_exact:
		add_choice(g, argument_in(g, &o[1]), &o[2]);
		break;
	case OP_select_val:
		for (uint32_t i = 0; i < o[2].len; i += 2)
			add_choice(g, argument_in(g, &o[0]), &o[2].items[i]);
		break;
	case OP_is_integer: case OP_is_number:
		if ((arg = argument_in(g, &o[1])))
			arg->is_integer = true;
		break;
	case OP_is_pid: case OP_is_port: case OP_is_reference: case OP_is_tuple: case OP_is_map:
	case OP_is_function: case OP_is_function2: case OP_is_binary: case OP_is_bitstr:
	case OP_is_nonempty_list: case OP_is_tagged_tuple: case OP_is_float:
		if ((arg = argument_in(g, &o[1])))
			arg->is_hopeless = true;
		break;
	case OP_call: case OP_call_ext: case OP_call_fun: case OP_call_fun2: case OP_apply:
		set_changed(g, true);
		break;
	case OP_move:
		if ((arg = argument_in(g, &o[1])))
			arg->is_changed = true;
		break;
	default:
		break;
	}
}

static const char *choose(const struct argument *arg, uint32_t nth)
{
	if (arg->len)
		return arg->choices[nth < arg->len ? nth : 0];
	return arg->is_integer ? "1" : "a";
}

/* The arguments by spaces, the nth choice for each that has so many. */
static const char *print_arguments(const struct guess *g, struct arena *arena, uint32_t nth)
{
	struct strbuf text = {0};
	const char *result;

	for (uint32_t i = 0; i < g->arity; i++)
		strbuf_addf(&text, "%s%s", i ? " " : "", choose(&g->args[i], nth));
	result = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* The function that creates the table, as module:function; or "" with the reason. */
static const char *find_opener(struct analysis *a, struct arena *arena, uint32_t creation,
			       const char **why_not)
{
	uint32_t fn = program_fn_of_site(a->p, creation);
	const struct module *m = &a->p->modules.items[a->p->fns.items[fn].module];
	const struct beam_function *f = program_function(a->p, fn);
	const char *module = m->bf.atoms[1].text, *name = m->bf.atoms[f->name].text;

	if (f->exported && f->arity == 0)
		return arena_printf(arena, "%s:%s", module, name);
	*why_not = arena_printf(arena,
				"its table is created in %s:%s/%u, which cannot be called first",
				module, name, f->arity);
	return "";
}

struct suspect_driver guess_driver(struct analysis *a, struct arena *arena, uint32_t fn,
				   const struct table_info *table)
{
	const struct beam_function *f = program_function(a->p, fn);
	struct guess g = {.m = &a->p->modules.items[a->p->fns.items[fn].module], .arity = f->arity};
	struct suspect_driver driver = {
		.function = arena_strdup(arena, g.m->bf.atoms[f->name].text),
		.opener = "", .why_not = ""};
	uint32_t choices = 1;

	if (!f->exported || f->arity > ARGS_MAX || !is_plain_word(driver.function)) {
		driver.why_not = f->exported ? "its arguments cannot be guessed"
					     : "it is in a function that is not exported";
		return driver;
	}
	for (uint32_t i = f->entry; i < f->end; i++)
		look_at(&g, &g.m->bf.instrs[i]);
	for (uint32_t i = 0; i < g.arity; i++) {
		if (g.args[i].is_hopeless && !g.args[i].len)
			driver.why_not = "its arguments cannot be guessed";
		if (g.args[i].len > choices)
			choices = g.args[i].len;
	}
	/* a function that makes the table itself needs no other call first */
	if (table->creation != PROGRAM_NONE && program_fn_of_site(a->p, table->creation) != fn &&
	    table->is_named)
		driver.opener = find_opener(a, arena, table->creation, &driver.why_not);
	for (uint32_t i = 0; i < choices && !driver.why_not[0]; i++)
		driver.args[driver.args_len++] = print_arguments(&g, arena, i);
	return driver;
}
