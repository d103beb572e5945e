#include "beam/describe.h"

#include "base/mem.h"
#include "beam/conduct_parts.h"
#include "vm/bifs/bif.h"
#include "vm/process/pdict.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { TERM_LIMIT = 60 };

/* ---- terms ---- */

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

static void add_term(struct conductor *c, term t, struct strbuf *out)
{
	struct strbuf text = {0};
	char *named, name[ACTOR_NAME_MAX];

	print_term_limited(t, &text, TERM_LIMIT);
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

/* A process by its actor, with its name if it has one. */
static void add_process(struct conductor *c, term pid, struct strbuf *out)
{
	const struct process *p = process_find(c->vm, pid);

	add_term(c, pid, out);
	if (p && p->registered_name != TERM_NONE) {
		strbuf_adds(out, " (");
		print_atom(p->registered_name, out);
		strbuf_addc(out, ')');
	}
}

static void add_destination(struct conductor *c, term to, struct strbuf *out)
{
	term pid = term_is_atom(to) ? registry_find(c->vm, to) : to;

	if (pid != TERM_NONE && term_is_pid(pid))
		add_process(c, pid, out);
	else
		add_term(c, to, out);
}

/* ---- steps ---- */

static void describe_call(struct conductor *c, const struct process *p, struct strbuf *out)
{
	const struct bif *bif = &bif_table[p->announced.bif - 1];

	if (strcmp(bif->module, "erlang") != 0 && strcmp(bif->module, "erts_internal") != 0)
		strbuf_addf(out, "%s:", bif->module);
	strbuf_addf(out, "%s(", bif->name);
	for (uint32_t i = 0; i < p->announced.args_len; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_term(c, p->announced.args[i], out);
	}
	strbuf_addc(out, ')');
}

/* Of {Reason, StackTrace} the reason: the rest is shown elsewhere. */
static term without_trace(term reason)
{
	bool has_trace = term_is_tuple_of(reason, 2) && term_is_cons(tuple_element(reason, 1)) &&
			 term_is_tuple_of(cons_head(tuple_element(reason, 1)), 4);

	return has_trace ? tuple_element(reason, 0) : reason;
}

static void describe_dying(struct conductor *c, const struct process *p, const struct event *event,
		       struct strbuf *out)
{
	const struct relation *relation;

	if (event->kind == EVENT_FINISH) {
		strbuf_adds(out, "ends: ");
		add_term(c, without_trace(p->exit_reason), out);
		return;
	}
	relation = p->relations ? signal_exit_relation(p) : NULL;
	if (!relation || (event->kind != EVENT_SEND && event->kind != EVENT_EXIT_SIGNAL))
		return;
	strbuf_adds(out, relation->kind == RELATION_LINK ? "its end goes over the link to "
							 : "its end is told to ");
	add_process(c, relation->other, out);
}

static void describe_send(struct conductor *c, const struct process *p, struct strbuf *out)
{
	strbuf_adds(out, "send ");
	add_term(c, p->announced.args[1], out);
	strbuf_adds(out, " to ");
	add_destination(c, p->announced.args[0], out);
}

/* The fun that a new process will run, until there is more to say: describe_created. */
static void describe_fun(const struct process *p, struct strbuf *out)
{
	for (uint32_t i = 0; i < p->announced.args_len; i++) {
		term list = p->announced.args[i]; /* apply(Fun, Args) */

		if (term_is_cons(list) && term_is_fun(cons_head(list))) {
			print_term_limited(cons_head(list), out, TERM_LIMIT);
			return;
		}
	}
}

static void describe_process(struct conductor *c, const struct slot *slot, const struct event *event,
			 struct strbuf *out)
{
	const struct process *p = slot->process;

	if (event->kind == EVENT_RECEIVE && slot->match) {
		strbuf_adds(out, "receive ");
		add_term(c, slot->match->content, out);
	} else if (event->kind == EVENT_RECEIVE) {
		strbuf_adds(out, "receive: nothing there");
	} else if (event->kind == EVENT_SLEEP) {
		strbuf_adds(out, "begin to wait");
	} else if (p->announced.effect == EFFECT_EXIT_STEP) {
		describe_dying(c, p, event, out);
	} else if (p->announced.effect == EFFECT_SEND && p->announced.args_len >= 2) {
		describe_send(c, p, out);
	} else if (event->kind == EVENT_SPAWN) {
		describe_fun(p, out);
	} else if (p->announced.bif) {
		describe_call(c, p, out);
	}
}

static void describe_timer(struct conductor *c, const struct timer *timer, struct strbuf *out)
{
	if (timer->kind == TIMER_RECEIVE) {
		strbuf_adds(out, "the receive times out");
		return;
	}
	strbuf_adds(out, "send ");
	add_term(c, timer->message->content, out);
	strbuf_adds(out, " to ");
	add_destination(c, timer->destination, out);
}

static void describe_delivery(struct conductor *c, const struct message *message, struct strbuf *out)
{
	strbuf_adds(out, "deliver ");
	if (signal_is_tie(message))
		strbuf_adds(out, "the request to link or monitor");
	else
		add_term(c, message->content, out);
	strbuf_adds(out, " to ");
	add_process(c, message->to, out);
}

void describe_step(struct conductor *c, struct descriptions *all, const struct slot *slot,
	       const struct event *event)
{
	struct strbuf out = {0};

	if (slot->timer) {
		describe_timer(c, slot->timer, &out);
	} else if (slot->transit.len) {
		describe_delivery(c, slot->transit.first, &out);
	} else if (slot->process) {
		describe_process(c, slot, event, &out);
	}
	*vec_push(&all->steps) = mem_strdup(strbuf_text(&out));
	strbuf_release(&out);
}

/* The call that the process was started with: proc_lib keeps it in the process dictionary. */
static void add_initial_call(const struct process *p, struct strbuf *out)
{
	term call = pdict_get((struct process *)p, atom_from_string("$initial_call"));
	bool is_known = call != TERM_NONE && term_is_tuple_of(call, 3);
	term arity = is_known ? tuple_element(call, 2) : small_make(p->initial_arity);

	print_atom(is_known ? tuple_element(call, 0) : p->initial_module, out);
	strbuf_addc(out, ':');
	print_atom(is_known ? tuple_element(call, 1) : p->initial_function, out);
	strbuf_addc(out, '/');
	print_term_limited(arity, out, TERM_LIMIT);
}

void describe_created(struct conductor *c, struct descriptions *all, const struct process *created)
{
	char **last = vec_last(&all->steps);
	struct strbuf out = {0};
	bool is_fun = (*last)[0] == '#';

	if ((*last)[0] && !is_fun)
		return; /* a message made it */
	strbuf_adds(&out, "spawn ");
	add_term(c, created->pid, &out);
	strbuf_adds(&out, ": ");
	if (is_fun)
		strbuf_adds(&out, *last);
	else
		add_initial_call(created, &out);
	mem_free(*last);
	*last = strbuf_detach(&out);
}

void descriptions_reset(struct descriptions *all)
{
	for (size_t i = 0; i < all->steps.len; i++)
		mem_free(all->steps.items[i]);
	all->steps.len = all->frames.len = 0;
	all->frames_actor = ACTOR_NONE;
}

void descriptions_release(struct descriptions *all)
{
	descriptions_reset(all);
	vec_release(&all->steps);
	vec_release(&all->frames);
}
