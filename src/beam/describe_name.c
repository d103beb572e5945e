#include "beam/describe_name.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "beam/conduct_parts.h"
#include "beam/describe_term.h"
#include "vm/code/code.h"
#include "vm/process/pdict.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { LABEL_LIMIT = 40 };

static const char by_name[] = "-fun."; /* '-fun.worker/1-' of fun worker/1 */

static void set_name(struct descriptions *all, uint32_t actor, const char *name)
{
	while (all->names.len <= actor)
		*vec_push(&all->names) = NULL;
	mem_free(all->names.items[actor]);
	all->names.items[actor] = mem_strdup(name);
}

static const char *short_module(term module)
{
	const char *text = atom_text(module);

	return strncmp(text, "Elixir.", 7) == 0 ? text + 7 : text;
}

static void add_label(const struct descriptions *all, term label, struct strbuf *out)
{
	if (term_is_atom(label))
		strbuf_adds(out, atom_text(label));
	else if (all->is_elixir)
		describe_elixir_term(label, out, LABEL_LIMIT);
	else
		print_term_limited(label, out, LABEL_LIMIT);
}

static bool is_agent(term module)
{
	return term_is_atom(module) && strcmp(atom_text(module), "Elixir.Agent.Server") == 0;
}

static bool is_socket(term module)
{
	const char *name = atom_text(module);

	return strcmp(name, "fermata_stream") == 0 || strcmp(name, "fermata_datagram") == 0 ||
	       strcmp(name, "fermata_listener") == 0;
}

bool describe_is_socket(const struct process *p)
{
	return term_is_atom(p->initial_module) && is_socket(p->initial_module);
}

/* The first function of a behaviour is init, so its module says more. */
static void add_function(term module, term function, struct strbuf *out)
{
	strbuf_adds(out, strncmp(atom_text(function), "init", 4) == 0 ? short_module(module)
								       : atom_text(function));
}

static bool is_of_library(struct vm *vm, const struct code_call *call)
{
	return call->module == TERM_NONE || code_is_of_library(vm, call->module);
}

/* The function for which the fun was written: `worker` of fun() -> worker(X) end. The fun may send,
 * receive and sleep around the call. If it calls more than that, the call is a part of its work, and not
 * a name for it. */
static bool add_called(struct vm *vm, term module, term function, struct strbuf *out)
{
	const struct module *loaded = code_find_module(vm, module);
	const struct code_function *fun =
		loaded && loaded->current ? code_function_named(loaded->current, function) : NULL;
	const struct code_call *found = NULL;

	for (uint32_t i = 0; fun && i < fun->calls_len; i++) {
		const struct code_call *call = &fun->calls[i];

		if (is_of_library(vm, call) && strcmp(atom_text(call->name), "sleep") == 0)
			continue;
		if (is_of_library(vm, call) || (found && found->name != call->name))
			return false;
		found = call;
	}
	if (!found || atom_text(found->name)[0] == '-') /* a comprehension */
		return false;
	add_function(found->module, found->name, out);
	return true;
}

/* proc_lib keeps the first call in the dictionary. */
static bool add_initial_call(struct vm *vm, const struct process *p, struct strbuf *out)
{
	term call = pdict_get(p, atom_from_string("$initial_call"));
	bool is_known = call != TERM_NONE && term_is_tuple_of(call, 3);
	term module = is_known ? tuple_element(call, 0) : p->initial_module;
	term function = is_known ? tuple_element(call, 1) : p->initial_function;

	if (!term_is_atom(module) || !term_is_atom(function))
		return false;
	if (strcmp(atom_text(module), "erlang") == 0 || strcmp(atom_text(module), "proc_lib") == 0 ||
	    strcmp(atom_text(module), "gen") == 0)
		return false;
	if (strncmp(atom_text(module), "Elixir.Task.", strlen("Elixir.Task.")) == 0)
		strbuf_adds(out, "Task");
	else if (is_socket(module))
		strbuf_adds(out, "socket");
	else if (is_agent(module))
		strbuf_adds(out, "Agent");
	else if (atom_text(function)[0] == '-' && add_called(vm, module, function, out))
		return true;
	else if (atom_text(function)[0] == '-')
		strbuf_addf(out, "%.*s/fun", (int)strcspn(atom_text(function) + 1, "/"),
			    atom_text(function) + 1);
	else
		add_function(module, function, out);
	return true;
}

/* A name that the program gave it: registered, or a label. */
static void add_given_name(const struct descriptions *all, const struct process *p,
			   struct strbuf *out)
{
	term label = pdict_get(p, atom_from_string("$process_label"));

	if (p->registered_name != TERM_NONE)
		strbuf_adds(out, short_module(p->registered_name));
	else if (label != TERM_NONE)
		add_label(all, label, out);
}

static void add_other_name(const struct conductor *c, const struct process *p, struct strbuf *out)
{
	if (p == c->vm->test)
		strbuf_adds(out, "test");
	else
		add_initial_call(c->vm, p, out);
}

void describe_name(struct conductor *c, struct descriptions *all, const struct process *p)
{
	uint32_t actor = p->actor - 1;
	bool is_known = actor < all->names.len && all->names.items[actor];
	struct strbuf name = {0};

	if (!p->actor)
		return;
	add_given_name(all, p, &name);
	if (!name.len && !is_known)
		add_other_name(c, p, &name);
	if (name.len)
		set_name(all, actor, strbuf_text(&name));
	strbuf_release(&name);
}

void describe_who(const struct conductor *c, const struct process *p, struct strbuf *out)
{
	size_t start = out->len;
	char id[ACTOR_NAME_MAX];

	add_given_name(&c->descriptions, p, out);
	if (out->len == start)
		add_other_name(c, p, out);
	if (out->len > start)
		return;
	actor_name(c->actors.items, p->actor - 1, id);
	strbuf_adds(out, id);
}

void describe_fun_origin(term fun, struct strbuf *out)
{
	const char *text, *end;

	if (term_is_export_fun(fun)) {
		print_term_limited(fun, out, LABEL_LIMIT);
		return;
	}
	text = atom_text(fun_entry_of(fun)->function);
	text += strncmp(text, by_name, strlen(by_name)) == 0 ? strlen(by_name) : *text == '-';
	end = strchr(text, '/');
	if (end)
		end += strspn(end + 1, "0123456789") + 1;
	strbuf_add(out, text, end ? (size_t)(end - text) : strlen(text));
}

/* The fun that is printed as "#Fun<run.3.1234>", of which `text` is what stands behind the "<"; NULL if it is not known. */
static const struct fun_entry *find_printed(struct vm *vm, const char *text)
{
	const char *numbers = strchr(text, '>');
	const struct module *loaded;
	uint32_t index, uniq;

	for (int dots = 0; numbers && numbers > text && dots < 2;)
		dots += *--numbers == '.';
	if (!numbers || sscanf(numbers, ".%u.%u>", &index, &uniq) != 2)
		return NULL;
	loaded = code_find_module(vm, atom_from_text(text, (size_t)(numbers - text)));
	for (size_t i = 0; loaded && loaded->current && i < loaded->current->funs_len; i++) {
		const struct fun_entry *entry = &loaded->current->funs[i];

		if (entry->old_index == index && entry->old_uniq == uniq)
			return entry;
	}
	return NULL;
}

/* "fun worker/1" of one that was made from a name, "#Fun<worker>" of one that only calls worker, else "#Fun<in test/0>";
 * with the module of a library. */
static void add_fun(struct vm *vm, const struct fun_entry *entry, struct strbuf *out)
{
	const char *name = atom_text(entry->function);
	bool is_named = *name != '-' || strncmp(name, by_name, strlen(by_name)) == 0;
	struct strbuf called = {0};

	strbuf_adds(out, is_named ? "fun " : "#Fun<");
	if (!is_named && add_called(vm, entry->module, entry->function, &called)) {
		strbuf_adds(out, strbuf_text(&called));
	} else {
		strbuf_adds(out, is_named ? "" : "in ");
		if (code_is_of_library(vm, entry->module))
			strbuf_addf(out, "%s:", atom_text(entry->module));
		if (*name == '-')
			name += is_named ? strlen(by_name) : 1;
		strbuf_add(out, name, strcspn(name, "-"));
		if (atom_text(entry->function)[0] != '-')
			strbuf_addf(out, "/%u", entry->arity);
	}
	strbuf_adds(out, is_named ? "" : ">");
	strbuf_release(&called);
}

void describe_funs(struct vm *vm, struct strbuf *text)
{
	static const char start[] = "#Fun<";
	const char *at = strbuf_text(text), *next;
	struct strbuf out = {0};

	while ((next = strstr(at, start))) {
		const char *words = next + strlen(start);
		const struct fun_entry *entry = find_printed(vm, words);

		strbuf_add(&out, at, (size_t)(next - at));
		if (entry)
			add_fun(vm, entry, &out);
		else
			strbuf_adds(&out, start);
		at = entry ? strchr(words, '>') + 1 : words;
	}
	if (out.len) {
		strbuf_adds(&out, at);
		strbuf_clear(text);
		strbuf_adds(text, strbuf_text(&out));
	}
	strbuf_release(&out);
}

void describe_fun_run(struct vm *vm, term fun, struct strbuf *out)
{
	const char *text;

	if (term_is_export_fun(fun)) {
		strbuf_adds(out, atom_text(export_of_fun(fun)->function));
		return;
	}
	text = atom_text(fun_entry_of(fun)->function);
	if (strncmp(text, by_name, strlen(by_name)) == 0)
		strbuf_add(out, text + strlen(by_name), strcspn(text + strlen(by_name), "/"));
	else
		add_called(vm, fun_entry_of(fun)->module, fun_entry_of(fun)->function, out);
}

/* Does the list, or a list in it, have Agent.Server as an element? */
static bool names_agent(term list, int depth)
{
	for (; term_is_cons(list); list = cons_tail(list))
		if (is_agent(cons_head(list)) || (depth && names_agent(cons_head(list), depth - 1)))
			return true;
	return false;
}

bool describe_makes_agent(const struct process *spawner)
{
	for (uint32_t i = 0; i < spawner->announced.args_len; i++)
		if (names_agent(spawner->announced.args[i], 1))
			return true;
	return false;
}

void describe_name_of_agent(struct descriptions *all, const struct process *p)
{
	if (p->actor)
		set_name(all, p->actor - 1, "Agent");
}

void describe_name_of_fun(struct descriptions *all, const struct process *p, const char *fun)
{
	struct strbuf name = {0};
	size_t run = strcspn(fun, "#");

	if (!p->actor)
		return;
	if (run) {
		strbuf_add(&name, fun, run);
	} else {
		strbuf_add(&name, fun + 1, strcspn(fun + 1, "/"));
		strbuf_adds(&name, "/fun");
	}
	set_name(all, p->actor - 1, strbuf_text(&name));
	strbuf_release(&name);
}

/* Adds text, in which `pid` is replaced by `name` wherever it stands. */
static char *replace_all(char *text, const char *pid, const char *name)
{
	struct strbuf out = {0};
	const char *at = text, *next;

	for (; (next = strstr(at, pid)); at = next + strlen(pid)) {
		strbuf_add(&out, at, (size_t)(next - at));
		strbuf_adds(&out, name);
	}
	strbuf_adds(&out, at);
	mem_free(text);
	return strbuf_detach(&out);
}

void describe_add_term(struct conductor *c, term t, size_t limit, struct strbuf *out)
{
	struct strbuf text = {0};
	char *named, name[ACTOR_NAME_MAX];

	if (c->descriptions.is_elixir)
		describe_elixir_term(t, &text, limit);
	else
		print_term_limited(t, &text, limit);
	describe_funs(c->vm, &text);
	named = mem_strdup(strbuf_text(&text));
	for (size_t i = 0; i < c->pids.len && strchr(named, '<'); i++) {
		if (!c->pids.items[i])
			continue;
		strbuf_clear(&text);
		print_term(pid_make(c->pids.items[i]), &text);
		actor_name(c->actors.items, (uint32_t)i, name);
		named = replace_all(named, strbuf_text(&text), name);
	}
	strbuf_adds(out, named);
	mem_free(named);
	strbuf_release(&text);
}
