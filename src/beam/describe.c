#include "beam/describe.h"

#include "base/mem.h"
#include "beam/assertion.h"
#include "beam/conduct_parts.h"
#include "beam/describe_global.h"
#include "beam/describe_mnesia.h"
#include "beam/describe_name.h"
#include "beam/describe_reason.h"
#include "beam/describe_ref.h"
#include "beam/describe_registry.h"
#include "beam/describe_socket.h"
#include "beam/describe_term.h"
#include "vm/bifs/bif.h"
#include "vm/ets/ets.h"
#include "vm/process/pdict.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { TERM_LIMIT = 60, REASON_LIMIT = 110 };

/* ---- terms ---- */

/* A system process is called by its name. */
static void add_term(struct conductor *c, term t, struct strbuf *out)
{
	const struct process *p = term_is_pid(t) ? process_find(c->vm, t) : NULL;

	if (p && (p->is_system || !p->actor) && p->registered_name != TERM_NONE)
		print_atom(p->registered_name, out);
	else
		describe_add_term(c, t, TERM_LIMIT, out);
}

void describe_add_process(struct conductor *c, term pid, struct strbuf *out)
{
	add_term(c, pid, out);
}

static void add_destination(struct conductor *c, term to, struct strbuf *out)
{
	term pid = term_is_atom(to) ? registry_find(c->vm, to)
		   : term_is_ref(to) ? pid_make(ref_pid_value(to)) /* an alias of its maker */ : to;

	if (pid != TERM_NONE && term_is_pid(pid))
		describe_add_process(c, pid, out);
	else
		add_term(c, to, out);
}

/* ---- steps ---- */

/* Does the call look at how log messages are to be written? */
static bool is_of_logger(const struct process *p, const struct bif *bif)
{
	term key = p->announced.args_len ? p->announced.args[0] : NIL;

	return strcmp(bif->module, "persistent_term") == 0 && term_is_tuple_of(key, 2) &&
	       term_is_atom(tuple_element(key, 0)) &&
	       strcmp(atom_text(tuple_element(key, 0)), "logger_config") == 0;
}

/* A library that asks about itself, no longer watches the server that it has called, looks whether a name is free before it starts a server, or looks for
 * the process behind a name: Task, gen:start, gen_server:call. Of the last one the result may matter. */
static bool is_routine(const struct conductor *c, const struct process *p, const struct bif *bif)
{
	struct code_place place;

	if (!c->descriptions.is_routine)
		return false;
	return strcmp(bif->name, "process_info") == 0 || strcmp(bif->name, "demonitor") == 0 || is_of_logger(p, bif) ||
	       (strcmp(bif->name, "whereis") == 0 && code_find_place(p->ip, &place) &&
		strcmp(atom_text(place.module), "gen") == 0 &&
		strcmp(atom_text(place.function), "where") == 0);
}

/* A table by the name that it was given, also one that is not a named table: `quota` of
 * ets:new(quota, []). Of several tables of one name the second is quota#2. */
static bool add_table(struct conductor *c, term id, struct strbuf *out)
{
	const struct ets_table *table = term_is_ref(id) ? ets_find_shape(c->vm, id) : NULL;
	uint32_t nth = 0, all = 0;

	if (!table)
		return false;
	for (const struct ets_table *other = c->vm->ets->first; other; other = other->all_next) {
		all += other->name == table->name;
		nth = other == table ? all : nth; /* the newest one is the first of the list */
	}
	add_term(c, table->name, out);
	if (all > 1 && nth)
		strbuf_addf(out, "#%u", all - nth + 1);
	return true;
}

/* ets:select_delete, which ets:match_delete calls, calls a function that no program calls. */
static const char *called_name(const struct bif *bif)
{
	static const char own[] = "internal_";
	bool is_own = strcmp(bif->module, "ets") == 0 && strncmp(bif->name, own, strlen(own)) == 0;

	if (describe_is_native_of_counters(bif))
		return bif->name + strlen(DESCRIBE_COUNTERS);
	return bif->name + (is_own ? strlen(own) : 0);
}

/* "ets:lookup(", "register(" */
static void add_function(struct conductor *c, const struct process *p, const struct bif *bif,
			 struct strbuf *out)
{
	if (describe_mnesia(c, p, bif) == MNESIA_TABLE) {
		describe_mnesia_call(c, bif, out);
		return;
	}
	if (describe_is_counter(p, bif))
		strbuf_adds(out, c->descriptions.is_elixir ? ":counters." : "counters:");
	else if (strcmp(bif->module, "erlang") != 0 && strcmp(bif->module, "erts_internal") != 0)
		strbuf_addf(out, c->descriptions.is_elixir ? ":%s." : "%s:", bif->module);
	strbuf_addf(out, "%s(", called_name(bif));
}

static void describe_call(struct conductor *c, struct process *p, struct strbuf *out)
{
	const struct bif *bif = &bif_table[p->announced.bif - 1];

	c->descriptions.is_routine = !site_is_own_code(c->vm, p->ip);
	c->descriptions.registry = describe_registry(c, p, bif, out);
	c->descriptions.socket = describe_socket(c, p, bif, out);
	c->descriptions.is_global = describe_global(c, p, bif, out);
	if (c->descriptions.registry > REGISTRY_OWN || c->descriptions.socket ||
	    c->descriptions.is_global)
		return;
	if (c->descriptions.registry == REGISTRY_OWN || is_routine(c, p, bif))
		strbuf_addc(out, DESCRIBE_FRAMEWORK);
	add_function(c, p, bif, out);
	for (uint32_t i = 0; i < p->announced.args_len; i++) {
		strbuf_adds(out, i ? ", " : "");
		if (i || (!describe_ref(c, p, bif, out) &&
			  (strcmp(bif->module, "ets") != 0 || !add_table(c, p->announced.args[i], out))))
			add_term(c, p->announced.args[i], out);
	}
	strbuf_addc(out, ')');
}

/* Of {Reason, StackTrace} the reason: the rest is shown elsewhere. A trace that begins with the
 * arguments of a call is kept: that call has failed. */
static term without_trace(term reason)
{
	term trace = term_is_tuple_of(reason, 2) ? tuple_element(reason, 1) : NIL;
	bool has_trace = term_is_cons(trace) && term_is_tuple_of(cons_head(trace), 4);

	return has_trace && !term_is_cons(tuple_element(cons_head(trace), 2))
		       ? tuple_element(reason, 0)
		       : reason;
}

static void add_reason(struct conductor *c, term reason, size_t limit, struct strbuf *out)
{
	bool is_pair = term_is_tuple_of(reason, 2); /* {Error, Trace} */

	if (!assertion_print(reason, out) &&
	    !(is_pair && assertion_print(tuple_element(reason, 0), out)))
		describe_reason(c->vm, reason, (struct reason_style){limit, c->descriptions.is_elixir}, out);
}

/* The process at the other end of a monitor may have ended, or have removed the monitor: no DOWN then. */
static void describe_report(struct conductor *c, const struct process *p,
			    const struct relation *relation, struct strbuf *out)
{
	const struct process *other = process_find(c->vm, relation->other);
	bool is_gone = !other || other->status == PROCESS_EXITING;
	const char *why = is_gone && !relation->is_let_go	   ? " has ended"
			  : relation->is_let_go || !relation->peer ? " no longer monitors it"
								   : NULL;

	if (signal_goes_by_channel(c->vm, p->pid, relation->other))
		why = NULL; /* that is seen when it is delivered */
	strbuf_addf(out, "report its end to %s", why ? "nobody: " : "");
	describe_add_process(c, relation->other, out);
	strbuf_adds(out, why ? why : "");
}

static void describe_dying(struct conductor *c, const struct process *p, const struct event *event,
		       struct strbuf *out)
{
	const struct relation *relation;

	if (event->kind == EVENT_FINISH) {
		strbuf_adds(out, "ends: ");
		add_reason(c, without_trace(p->exit_reason), REASON_LIMIT, out);
		return;
	}
	if (event->kind == EVENT_ETS_DROP && p->tables) {
		strbuf_adds(out, "its table ");
		add_term(c, p->tables->name, out);
		strbuf_adds(out, term_is_pid(p->tables->heir) ? " goes to its heir" : " is deleted");
		return;
	}
	if (event->kind == EVENT_ETS_DROP && p->fixations) {
		strbuf_adds(out, "the table that it fixed is released: ");
		add_table(c, boxed_make(p->fixations->id), out);
		return;
	}
	if (event->kind == EVENT_UNREGISTER) {
		strbuf_addf(out, "%cits name is free again: ", DESCRIBE_FRAMEWORK);
		add_term(c, p->exit_name, out);
		return;
	}
	relation = p->relations ? signal_exit_relation(p) : NULL;
	if (!relation || (event->kind != EVENT_SEND && event->kind != EVENT_EXIT_SIGNAL))
		return;
	/* A normal end does nothing to those that are linked, unless they take it as a message. */
	if (relation->kind != RELATION_LINK || p->exit_reason == A_normal)
		strbuf_addc(out, DESCRIBE_FRAMEWORK);
	if (relation->kind == RELATION_LINK) {
		strbuf_adds(out, "its end goes over the link to ");
		describe_add_process(c, relation->other, out);
	} else {
		describe_report(c, p, relation, out);
	}
}

/* ---- messages of behaviours ----
 *
 * gen_server and its relatives wrap a request: {'$gen_call', {Pid, Tag}, Request}, and the answer is
 * {Tag, Reply}. A reader wants to see the request and the reply. */

static bool is_tagged(term message, const char *tag, size_t size)
{
	return term_is_tuple_of(message, size) && term_is_atom(tuple_element(message, 0)) &&
	       strcmp(atom_text(tuple_element(message, 0)), tag) == 0;
}

static bool is_call(term message)
{
	return is_tagged(message, "$gen_call", 3) && term_is_tuple_of(tuple_element(message, 1), 2);
}

/* {From, {From, Tag}, Request}: a call of a gen_event. {system, {From, Tag}, Request}: of sys. */
static bool is_other_call(term message)
{
	return term_is_tuple_of(message, 3) && term_is_tuple_of(tuple_element(message, 1), 2) &&
	       term_is_pid(tuple_element(tuple_element(message, 1), 0)) &&
	       (tuple_element(message, 0) == tuple_element(tuple_element(message, 1), 0) ||
		is_tagged(message, "system", 3));
}

/* {'DOWN', Reference, process, Pid, Reason} or {'EXIT', Pid, Reason}: news of the end of a process. */
static bool is_end(term message)
{
	return (is_tagged(message, "DOWN", 5) && term_is_pid(tuple_element(message, 3))) ||
	       (is_tagged(message, "EXIT", 3) && term_is_pid(tuple_element(message, 1)));
}

static void describe_end(struct conductor *c, term message, struct strbuf *out)
{
	bool is_down = is_tagged(message, "DOWN", 5);

	strbuf_addf(out, c->descriptions.is_elixir ? ":%s of " : "'%s' of ",
		    is_down ? "DOWN" : "EXIT");
	describe_add_process(c, tuple_element(message, is_down ? 3 : 1), out);
	strbuf_adds(out, ": ");
	add_reason(c, tuple_element(message, is_down ? 4 : 2), TERM_LIMIT, out);
}

bool describe_news(struct conductor *c, term message, struct strbuf *out)
{
	term reason = is_end(message) ? tuple_element(message, is_tagged(message, "DOWN", 5) ? 4 : 2) : NIL;

	if (without_trace(reason) == reason)
		return false;
	describe_end(c, message, out);
	return true;
}

static bool is_cast(term message)
{
	return is_tagged(message, "$gen_cast", 2);
}

/* proc_lib tells the process that started it how its start went: {ack, Pid, Result}. Elixir's Task
 * tells a new process its work: {Owner, Reference, ReplyTo, Callers, Function}. */
static bool is_start(term message)
{
	return (is_tagged(message, "ack", 3) && term_is_pid(tuple_element(message, 1))) ||
	       (term_is_tuple_of(message, 5) && term_is_pid(tuple_element(message, 0)) &&
		term_is_ref(tuple_element(message, 1)) && term_is_ref(tuple_element(message, 2)) &&
		term_is_list(tuple_element(message, 3)));
}

bool describe_request(struct conductor *c, term message, struct strbuf *out)
{
	const struct process *caller;

	if (!is_cast(message) && !(is_call(message) && term_is_pid(tuple_element(tuple_element(message, 1), 0))))
		return false;
	strbuf_adds(out, is_cast(message) ? "the cast " : "the call ");
	add_term(c, tuple_element(message, is_cast(message) ? 1 : 2), out);
	caller = is_call(message) ? process_find(c->vm, tuple_element(tuple_element(message, 1), 0)) : NULL;
	if (caller && caller->actor) {
		strbuf_adds(out, " of ");
		describe_who(c, caller, out);
	}
	return true;
}

/* Only gen makes such a tag: [alias | Reference]. */
static bool is_gen_reply(term message)
{
	term tag = term_is_tuple_of(message, 2) ? tuple_element(message, 0) : NIL;

	return term_is_cons(tag) && cons_head(tag) == atom_from_string("alias") &&
	       term_is_ref(cons_tail(tag));
}

/* {Reference, Reply} to the process that made the reference, or to an alias of it. */
static bool is_reply(term message, term to)
{
	term tag = term_is_tuple_of(message, 2) ? tuple_element(message, 0) : NIL;

	if (is_gen_reply(message))
		return true;
	return term_is_ref(tag) && (term_is_ref(to) ? ref_pid_value(to) == ref_pid_value(tag)
				    : term_is_pid(to) && pid_value(to) == ref_pid_value(tag));
}

/* The part of a message that the program gave. */
static term content_of(term message, term to)
{
	return is_call(message) || is_other_call(message) ? tuple_element(message, 2)
	       : describe_is_socket_call(message)		  ? tuple_element(message, 3)
	       : is_cast(message) || is_reply(message, to) ? tuple_element(message, 1) : message;
}

static void add_sent(struct conductor *c, term message, term to, struct strbuf *out)
{
	if (is_call(message) || is_cast(message) || is_other_call(message) ||
	    describe_is_socket_call(message)) {
		strbuf_adds(out, is_cast(message) ? "cast to " : "call ");
		add_destination(c, to, out);
		strbuf_adds(out, ": ");
		add_term(c, content_of(message, to), out);
		return;
	}
	if (is_start(message))
		strbuf_addc(out, DESCRIBE_FRAMEWORK);
	strbuf_adds(out, is_reply(message, to) ? "reply " : "send ");
	add_term(c, content_of(message, to), out);
	strbuf_adds(out, " to ");
	add_destination(c, to, out);
}

static void describe_send(struct conductor *c, const struct process *p, struct strbuf *out)
{
	term to = p->announced.args[0];

	if (describe_global_call(c, p->announced.args[1], out))
		return;
	add_sent(c, p->announced.args[1], to, out);
	if (term_is_atom(to) && registry_find(c->vm, to) == TERM_NONE)
		strbuf_adds(out, " (fails: nobody has this name)");
}

static void describe_receive(struct conductor *c, term message, term self, struct strbuf *out)
{
	if (is_end(message)) {
		strbuf_adds(out, "receive ");
		describe_end(c, message, out);
		return;
	}
	if (is_call(message) || is_other_call(message) || describe_is_socket_call(message)) {
		term from = tuple_element(message, 1);

		strbuf_adds(out, "take call from ");
		describe_add_process(c, term_is_pid(from) ? from : tuple_element(from, 0), out);
		strbuf_adds(out, ": ");
	} else {
		if (is_start(message))
			strbuf_addc(out, DESCRIBE_FRAMEWORK);
		strbuf_adds(out, is_cast(message) ? "take cast: "
				 : is_gen_reply(message) ? "call returns "
				 : is_reply(message, self) ? "receive reply " : "receive ");
	}
	add_term(c, content_of(message, self), out);
}

/* The fun that a new process will run, as describe_name_of_fun takes it, until there is more to say:
 * describe_created. */
static void describe_fun(struct vm *vm, const struct process *p, struct strbuf *out)
{
	for (uint32_t i = 0; i < p->announced.args_len; i++) {
		term list = p->announced.args[i]; /* apply(Fun, Args) */

		if (term_is_cons(list) && term_is_fun(cons_head(list))) {
			strbuf_addc(out, '#');
			describe_fun_run(vm, cons_head(list), out);
			strbuf_addc(out, '#');
			describe_fun_origin(cons_head(list), out);
			return;
		}
	}
}

static void describe_process(struct conductor *c, const struct slot *slot, const struct event *event,
			 struct strbuf *out)
{
	struct process *p = slot->process;
	bool is_call = event->kind != EVENT_RECEIVE && event->kind != EVENT_SLEEP &&
		       p->announced.effect != EFFECT_EXIT_STEP;

	c->descriptions.called = is_call ? p->announced.bif : 0;
	if (event->kind == EVENT_RECEIVE && slot->match) {
		describe_receive(c, slot->match->content, p->pid, out);
	} else if (event->kind == EVENT_RECEIVE) {
		strbuf_addf(out, "%c" TARGET_FOUND_NONE, DESCRIBE_FRAMEWORK);
	} else if (event->kind == EVENT_SLEEP) {
		strbuf_addf(out, "%cbegin to wait", DESCRIBE_FRAMEWORK);
	} else if (p->announced.effect == EFFECT_EXIT_STEP) {
		describe_dying(c, p, event, out);
	} else if (p->announced.effect == EFFECT_SEND && p->announced.args_len >= 2) {
		describe_send(c, p, out);
	} else if (event->kind == EVENT_SPAWN) {
		c->descriptions.makes_agent = describe_makes_agent(p);
		describe_fun(c->vm, p, out);
	} else if (p->announced.bif) {
		describe_call(c, p, out);
	}
}

/* "~send … to mnesia_tm": only a library is interested in the step. */
static void mark_mnesia(struct conductor *c, const struct process *p, struct strbuf *text)
{
	const struct bif *bif = c->descriptions.called ? &bif_table[c->descriptions.called - 1] : NULL;
	struct strbuf marked = {0};

	if (!text->len || strchr("#~", strbuf_text(text)[0]) || describe_mnesia(c, p, bif) != MNESIA_OWN)
		return;
	strbuf_addf(&marked, "%c%s", DESCRIBE_FRAMEWORK, strbuf_text(text));
	strbuf_release(text);
	*text = marked;
}

static void describe_timer(struct conductor *c, const struct timer *timer, struct strbuf *out)
{
	if (timer->kind == TIMER_RECEIVE) {
		strbuf_adds(out, "the receive times out");
		return;
	}
	add_sent(c, timer->message->content, timer->destination, out);
}

static void describe_delivery(struct conductor *c, const struct message *message, struct strbuf *out)
{
	if (!signal_is_tie(message) && is_start(message->content))
		strbuf_addc(out, DESCRIBE_FRAMEWORK);
	strbuf_adds(out, "deliver ");
	if (signal_is_tie(message))
		strbuf_adds(out, signal_tie_words(message));
	else if (is_end(message->content))
		describe_end(c, message->content, out);
	else
		add_term(c, content_of(message->content, message->to), out);
	strbuf_adds(out, " to ");
	describe_add_process(c, message->to, out);
}

void describe_step(struct conductor *c, struct descriptions *all, const struct slot *slot,
	       const struct event *event)
{
	struct strbuf out = {0};

	all->registry = REGISTRY_NONE;
	all->socket = SOCKET_NONE;
	all->called = 0;
	all->is_global = false;
	if (slot->timer) {
		describe_timer(c, slot->timer, &out);
	} else if (slot->transit.len) {
		describe_delivery(c, slot->transit.first, &out);
	} else if (slot->process) {
		describe_name(c, all, slot->process);
		describe_process(c, slot, event, &out);
		mark_mnesia(c, slot->process, &out);
	}
	*vec_push(&all->steps) = mem_strdup(strbuf_text(&out));
	strbuf_release(&out);
}

/* Does the result say what the step has seen, and not only that it has been done? */
static bool is_telling(const struct bif *bif, term result)
{
	static const char *const asking[] = {
		"insert_new", "member", "whereis", "is_process_alive", "cancel_timer", "read_timer",
	};
	static const char *const modules[] = {"ets", "atomics", "persistent_term"};

	for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++)
		if (strcmp(bif->name, asking[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (strcmp(bif->module, modules[i]) == 0 || describe_is_native_of_counters(bif))
			return strcmp(bif->name, "new") != 0 && result != A_true && result != A_ok;
	return false;
}

void describe_result(struct conductor *c, struct descriptions *all, const struct bif *bif,
		     term result)
{
	char **last = all->steps.len ? &all->steps.items[all->steps.len - 1] : NULL;
	struct strbuf out = {0};

	/* A library may have called another function since, whose result does not depend on the order. */
	if (!last || !all->called || bif != &bif_table[all->called - 1])
		return;
	all->called = 0; /* after a call that fails the process may try it again */
	/* That nobody has a name matters, and that it cannot be registered. */
	if (all->is_routine && (*last)[0] != DESCRIBE_FRAMEWORK &&
	    (strcmp(bif->name, "register") == 0 ||
	     (strcmp(bif->name, "whereis") == 0 && result != A_undefined)))
		strbuf_addc(&out, DESCRIBE_FRAMEWORK);
	strbuf_adds(&out, *last);
	if (all->registry > REGISTRY_OWN) {
		describe_registry_result(c, all->registry, bif, result, &out);
	} else if (all->socket) {
		describe_socket_result(c, all->socket, bif, result, &out);
	} else if (result == TERM_NONE) {
		strbuf_adds(&out, " (fails)");
	} else if (all->is_global) {
		describe_global_result(c, bif, result, &out);
	} else if (is_telling(bif, result)) {
		strbuf_adds(&out, " → ");
		add_term(c, result, &out);
	}
	mem_free(*last);
	*last = strbuf_detach(&out);
}

/* The call that the process was started with: proc_lib keeps it in the process dictionary. */
static void add_initial_call(const struct conductor *c, const struct process *p, struct strbuf *out)
{
	term call = pdict_get((struct process *)p, atom_from_string("$initial_call"));
	bool is_known = call != TERM_NONE && term_is_tuple_of(call, 3);
	term arity = is_known ? tuple_element(call, 2) : small_make(p->initial_arity);

	if (c->descriptions.is_elixir)
		describe_elixir_atom(is_known ? tuple_element(call, 0) : p->initial_module, out);
	else
		print_atom(is_known ? tuple_element(call, 0) : p->initial_module, out);
	strbuf_addc(out, c->descriptions.is_elixir ? '.' : ':');
	print_atom(is_known ? tuple_element(call, 1) : p->initial_function, out);
	strbuf_addc(out, '/');
	print_term_limited(arity, out, TERM_LIMIT);
}

void describe_created(struct conductor *c, struct descriptions *all, const struct process *created)
{
	char **last = vec_last(&all->steps);
	struct strbuf out = {0};
	bool is_fun = (*last)[0] == '#', is_socket = describe_is_socket(created);

	if ((*last)[0] && !is_fun)
		return; /* a message made it */
	strbuf_adds(&out, is_socket ? "open " : "spawn ");
	add_term(c, created->pid, &out);
	strbuf_adds(&out, is_socket ? "" : is_fun ? ": the fun in " : ": ");
	if (is_fun) {
		strbuf_adds(&out, strchr(*last + 1, '#') + 1);
		describe_name_of_fun(all, created, *last + 1);
	} else if (!is_socket) {
		add_initial_call(c, created, &out);
	}
	if (all->makes_agent)
		describe_name_of_agent(all, created);
	describe_name(c, all, created);
	mem_free(*last);
	*last = strbuf_detach(&out);
}

void descriptions_reset(struct descriptions *all)
{
	for (size_t i = 0; i < all->steps.len; i++)
		mem_free(all->steps.items[i]);
	for (size_t i = 0; i < all->names.len; i++)
		mem_free(all->names.items[i]);
	all->steps.len = all->sites.len = all->frames.len = all->names.len = all->called = 0;
	all->atomics.len = 0;
	all->frames_actor = ACTOR_NONE;
}

void descriptions_release(struct descriptions *all)
{
	descriptions_reset(all);
	vec_release(&all->steps);
	vec_release(&all->sites);
	vec_release(&all->names);
	vec_release(&all->atomics);
	vec_release(&all->frames);
}
