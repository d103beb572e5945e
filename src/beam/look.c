#include "beam/look.h"

#include "beam/conduct_parts.h"
#include "beam/describe.h"
#include "beam/look_parts.h"
#include "beam/target.h"
#include "vm/ets/ets_store.h"
#include "vm/exec/exception.h"
#include "vm/process/pdict.h"
#include "vm/process/relation.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { VALUE_LIMIT = 100, OBJECT_LIMIT = 400, OBJECTS_SHOWN = 200, VALUES_SHOWN = 8 };

struct process *look_process(struct target *target, uint32_t actor)
{
	struct conductor *c = beam_target_conductor(target);

	return actor < c->slots.len ? c->slots.items[actor].process : NULL;
}

bool look_add_absent(const struct process *p, struct strbuf *out)
{
	if (!p)
		strbuf_adds(out, "it has ended, or has not been created yet\n");
	return !p;
}

/* ---- the stack ---- */

static bool is_return_address(term slot)
{
	return slot && (slot & TAG_MASK) == TAG_HEADER;
}

static void add_call(struct conductor *c, const word *address, struct strbuf *out)
{
	struct target_frame frame = {0};

	if (!address)
		return;
	site_describe(&c->sites, (uint64_t)(uintptr_t)address, &frame);
	if (!frame.function)
		return;
	strbuf_addf(out, "%s", frame.function);
	if (frame.file)
		strbuf_addf(out, " at %s:%u", frame.file, frame.line);
	strbuf_addc(out, '\n');
}

/* The registers of a call that it needs when it goes on. The compiler keeps no names of variables. */
static const term *add_values(struct conductor *c, const struct process *p, const term *slot,
			      struct strbuf *out)
{
	uint32_t shown = 0;

	for (; slot < p->hend && !is_return_address(*slot); slot++) {
		if (*slot == NIL || *slot == TERM_NONE || term_is_catch(*slot) ||
		    shown++ >= VALUES_SHOWN)
			continue;
		strbuf_adds(out, "    keeps ");
		describe_add_term(c, *slot, VALUE_LIMIT, out);
		strbuf_addc(out, '\n');
	}
	return slot;
}

void look_stack(struct target *target, uint32_t actor, struct strbuf *out)
{
	struct conductor *c = beam_target_conductor(target);
	const struct process *p = look_process(target, actor);

	if (look_add_absent(p, out))
		return;
	add_call(c, p->ip, out);
	for (const term *slot = p->e; slot && slot < p->hend;) {
		const term *next = slot + 1;

		if (is_return_address(*slot)) {
			next = add_values(c, p, slot + 1, out);
			add_call(c, (const word *)(uintptr_t)*slot - 1, out);
		}
		slot = next;
	}
}

/* ---- mailbox and process ---- */

void look_mailbox(struct target *target, uint32_t actor, struct strbuf *out)
{
	struct conductor *c = beam_target_conductor(target);
	const struct process *p = look_process(target, actor);

	if (look_add_absent(p, out))
		return;
	if (!p->mailbox.first)
		strbuf_adds(out, "the mailbox is empty\n");
	for (const struct message *m = p->mailbox.first; m; m = m->next) {
		describe_add_term(c, m->content, OBJECT_LIMIT, out);
		if (term_is_pid(m->sender)) {
			strbuf_adds(out, "  from ");
			describe_add_term(c, m->sender, VALUE_LIMIT, out);
		}
		strbuf_adds(out, c->slots.items[actor].match == m ? "  (taken next)\n" : "\n");
	}
	for (const struct message *m = p->signals.first; m; m = m->next)
		strbuf_adds(out, "an exit signal\n");
}

static void add_relations(struct conductor *c, const struct process *p, uint8_t kind,
			  const char *title, struct strbuf *out)
{
	bool any = false;

	for (const struct relation *r = p->relations; r; r = r->next) {
		if (r->kind != kind || r->is_let_go)
			continue;
		strbuf_addf(out, "%s", any ? ", " : title);
		describe_add_term(c, r->other, VALUE_LIMIT, out);
		any = true;
	}
	if (any)
		strbuf_addc(out, '\n');
}

static void add_dictionary(struct conductor *c, const struct process *p, struct strbuf *out)
{
	for (uint32_t i = 0; i < p->dictionary.cap; i++) {
		term key = p->dictionary.entries[2 * (size_t)i];

		if (key == TERM_NONE || pdict_get(p, key) == A_undefined)
			continue;
		strbuf_adds(out, "dictionary: ");
		describe_add_term(c, key, VALUE_LIMIT, out);
		strbuf_adds(out, " = ");
		describe_add_term(c, p->dictionary.entries[2 * (size_t)i + 1], VALUE_LIMIT, out);
		strbuf_addc(out, '\n');
	}
}

void look_add_process(struct target *target, const struct process *p, struct strbuf *out)
{
	static const char *const words[] = {"runnable", "waits in a receive", "is dying",
					    "is suspended"};
	struct conductor *c = beam_target_conductor(target);

	describe_add_term(c, p->pid, VALUE_LIMIT, out);
	if (p->registered_name != TERM_NONE) {
		strbuf_adds(out, ", registered as ");
		print_term(p->registered_name, out);
	}
	strbuf_addf(out, ": %s, %zu message%s%s\n", words[p->status & 3], p->mailbox.len,
		    p->mailbox.len == 1 ? "" : "s", p->trap_exit ? ", traps exits" : "");
	strbuf_adds(out, "initial call: ");
	print_term(p->initial_module, out);
	strbuf_addc(out, ':');
	print_term(p->initial_function, out);
	strbuf_addf(out, "/%u\n", p->initial_arity);
	add_relations(c, p, RELATION_LINK, "links: ", out);
	add_relations(c, p, RELATION_MONITOR, "monitors: ", out);
	add_relations(c, p, RELATION_MONITORED, "monitored by: ", out);
	add_dictionary(c, p, out);
}

/* ---- who can go ---- */

static void add_asked(struct conductor *c, const struct slot *slot, struct strbuf *out)
{
	char name[ACTOR_NAME_MAX];

	if (!slot->asked)
		return;
	actor_name(c->actors.items, slot->asked - 1, name);
	strbuf_addf(out, "; its last step sent a request to %s", name);
}

static void add_wait(struct conductor *c, const struct slot *slot, struct strbuf *out)
{
	struct target_frame frame = {0};
	size_t len = slot->process ? slot->process->mailbox.len : 0;

	if (slot->process)
		site_describe(&c->sites,
			      (uint64_t)(uintptr_t)site_of_own_code(slot->process), &frame);
	strbuf_adds(out, "waits in a receive");
	if (frame.file)
		strbuf_addf(out, " at %s:%u", frame.file, frame.line);
	if (len)
		strbuf_addf(out, "; it takes none of the %zu message%s in its mailbox", len,
			    len == 1 ? "" : "s");
	else
		strbuf_adds(out, "; its mailbox is empty");
	if (slot->process && !look_is_in_loop(slot->process))
		add_asked(c, slot, out);
}

static void add_absent(const struct conductor *c, uint32_t actor, struct strbuf *out)
{
	if (actor < c->actors.len && actor_is_virtual(&c->actors.items[actor]))
		strbuf_adds(out, "is not armed");
	else
		strbuf_adds(out, actor < c->slots.len && c->slots.items[actor].has_lived
					 ? "has ended" : "has not been created yet");
}

void look_why(struct target *target, uint32_t actor, struct strbuf *out)
{
	struct conductor *c = beam_target_conductor(target);
	struct slot *slot = actor < c->slots.len ? &c->slots.items[actor] : NULL;

	switch (slot ? slot->wait : SLOT_NONE) {
	case SLOT_NONE:
		add_absent(c, actor, out);
		break;
	case SLOT_RECEIVE:
		add_wait(c, slot, out);
		break;
	case SLOT_QUEUED:
		strbuf_adds(out, "waits inside a native function until another process wakes it");
		break;
	case SLOT_SETTLE:
		strbuf_adds(out, "asks about a process to which signals are still on their way");
		break;
	case SLOT_TIMER:
		strbuf_adds(out, "a timer: it may fire when no timer with an earlier deadline is "
				 "armed");
		break;
	case SLOT_IDLE:
		strbuf_adds(out, "a long timer: it fires when no other actor can go");
		break;
	default:
		strbuf_adds(out, "can go");
	}
	strbuf_addc(out, '\n');
}

/* ---- tables ---- */

void look_tables(struct target *target, struct strbuf *out)
{
	static const char *const types[] = {"set", "ordered_set", "bag", "duplicate_bag"};
	static const char *const rights[] = {"private", "protected", "public"};
	struct conductor *c = beam_target_conductor(target);
	uint32_t shown = 0;

	for (const struct ets_table *t = c->vm->ets->first; t; t = t->all_next) {
		const struct process *owner = process_find(c->vm, t->owner);

		if (owner && owner->is_system)
			continue;
		print_term(t->name, out);
		strbuf_addf(out, ": %s, %s, %zu object%s, owned by ", types[t->type & 3],
			    rights[t->protection % 3], t->len, t->len == 1 ? "" : "s");
		describe_add_term(c, t->owner, VALUE_LIMIT, out);
		strbuf_addc(out, '\n');
		shown++;
	}
	if (!shown)
		strbuf_adds(out, "there are no tables\n");
}

static void add_objects(struct conductor *c, const struct ets_table *table, struct strbuf *out)
{
	const struct ets_object *object;
	struct ets_cursor cursor;
	uint32_t shown = 0;

	ets_cursor_start(&cursor, table, false);
	while ((object = ets_cursor_next(&cursor)) && shown++ < OBJECTS_SHOWN) {
		describe_add_term(c, ets_object_tuple(object), OBJECT_LIMIT, out);
		strbuf_addc(out, '\n');
	}
	if (!shown)
		strbuf_adds(out, "the table is empty\n");
	else if (table->len > OBJECTS_SHOWN)
		strbuf_addf(out, "and %zu more\n", table->len - OBJECTS_SHOWN);
}

bool look_table(struct target *target, const char *name, struct strbuf *out)
{
	struct conductor *c = beam_target_conductor(target);
	term wanted = atom_from_string(name);
	bool found = false;

	for (const struct ets_table *t = c->vm->ets->first; t; t = t->all_next) {
		if (t->name != wanted)
			continue;
		add_objects(c, t, out);
		found = true;
	}
	return found;
}
