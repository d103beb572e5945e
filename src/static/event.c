/* event.c: the accesses of a function: how they are built, and which pairs they form. */
#include "static/interp.h"

void call_escape(struct interp *in, uint32_t value)
{
	const struct value *n = value_at(in->vs, value);
	const struct value_set *set = value_alternatives(in->vs, value);
	uint32_t len = n->len;

	if (!(n->has & (VALUE_HAS_ARG | VALUE_HAS_TABLE | VALUE_HAS_FUN)) && !set)
		return;
	if (n->kind == VALUE_ARG && n->a < 64)
		in->summary->escaping |= (uint64_t)1 << n->a;
	if (n->kind == VALUE_TABLE)
		*map_put(&in->a->escaped_tables, n->a, NULL) = 1;
	if (n->kind == VALUE_FUN)
		*map_put(&in->a->escaped_fns, n->a, NULL) = 1;
	if (n->kind == VALUE_ELEM || n->kind == VALUE_HD || n->kind == VALUE_TL ||
	    n->kind == VALUE_GET || n->kind == VALUE_OUTER)
		len = 0; /* a piece goes, not the whole */
	for (uint32_t i = 0; i < len; i++)
		call_escape(in, value_child(in->vs, value, i));
	for (uint32_t i = 0; set && i < set->len; i++)
		if (value_at(in->vs, set->items[i])->kind != VALUE_PHI)
			call_escape(in, set->items[i]);
}

void call_escape_all(struct interp *in, const uint32_t *args, uint32_t args_len)
{
	for (uint32_t i = 0; i < args_len; i++)
		call_escape(in, args[i]);
}

static bool is_exportable(const struct interp *in, const struct access *access)
{
	return !(value_at(in->vs, access->table)->has & (VALUE_HAS_LOCAL | VALUE_HAS_TOP));
}

/* Notes what had to hold on the way to an access of this very function. */
static void add_facts(struct interp *in, struct access *access)
{
	for (uint8_t i = 0; i < in->now.facts_len && access->facts_len < ACCESS_MAX_FACTS; i++)
		if (value_at(in->vs, in->now.facts[i].value)->has & VALUE_HAS_ARG &&
		    !(value_at(in->vs, in->now.facts[i].value)->has & VALUE_HAS_LOCAL))
			access->facts[access->facts_len++] = in->now.facts[i];
}

static void pair_with_past(struct interp *in, const struct access *write)
{
	bitset_foreach(e, in->now.reads, BITSET_WORDS(STATE_MAX_READS)) {
		const struct read_event event = in->events.items[e];

		for (uint32_t i = 0; i < event.len; i++) {
			struct pair pair = {.read = in->past_reads.items[event.start + i],
					    .write = *write};

			equal_take(in, &pair);
			pair_consider(in->a, in->fn, in->summary, &pair);
		}
	}
}

/* The event is complete: writes meet the reads before it, its reads wait for later writes. */
void call_finish_event(struct interp *in)
{
	struct read_event event = {(uint32_t)in->past_reads.len, 0};

	for (size_t i = 0; i < in->writes.len; i++) {
		add_facts(in, &in->writes.items[i]);
		pair_with_past(in, &in->writes.items[i]);
		if (is_exportable(in, &in->writes.items[i]))
			summary_add_access(&in->summary->writes, &in->writes.items[i]);
		pair_note_write(in->a, in->fn, &in->writes.items[i]);
	}
	vec_clear(&in->writes);
	for (size_t i = 0; i < in->reads.len; i++) {
		add_facts(in, &in->reads.items[i]);
		*vec_push(&in->past_reads) = in->reads.items[i];
		event.len++;
	}
	vec_clear(&in->reads);
	if (!event.len || in->events.len >= STATE_MAX_READS)
		return;
	bitset_add(in->now.reads, in->events.len);
	*vec_push(&in->events) = event;
}

/* The head of the first clause of a match specification, if it is spelled out. */
static uint32_t spec_head(struct interp *in, uint32_t spec)
{
	if (value_at(in->vs, spec)->kind != VALUE_CONS)
		return VALUE_TOP;
	return value_elem(in->vs, value_head(in->vs, spec), 0);
}

static void set_object(struct interp *in, struct access *access, uint32_t object, uint16_t flag)
{
	if (access->kind == RACE_MNESIA) { /* the key of a record is its second element */
		access->key = value_elem(in->vs, object, 1);
		if (flag == ACCESS_PATTERN && value_is_atom(in->vs, access->key,
							    in->a->atoms.underscore))
			access->key = in->a->key_all;
		return;
	}
	access->key = object;
	access->flags |= flag;
}

static void set_key(struct interp *in, struct access *access, const struct builtin *b, uint32_t arg)
{
	switch ((enum builtin_key)b->key) {
	case KEY_ARG: access->key = arg; break;
	case KEY_OBJECT: set_object(in, access, arg, ACCESS_OBJECT); break;
	case KEY_PATTERN: set_object(in, access, arg, ACCESS_PATTERN); break;
	case KEY_SPEC: set_object(in, access, spec_head(in, arg), ACCESS_PATTERN); break;
	case KEY_OID: case KEY_RECORD:
		access->table = value_elem(in->vs, arg, 0);
		access->key = value_elem(in->vs, arg, 1);
		break;
	case KEY_ALL: access->key = in->a->key_all; break;
	case KEY_EXISTS: access->key = in->a->key_exists; break;
	}
}

static bool list_has(const struct interp *in, uint32_t list, uint32_t atom)
{
	for (; value_at(in->vs, list)->kind == VALUE_CONS; list = value_child(in->vs, list, 1))
		if (value_is_atom(in->vs, value_child(in->vs, list, 0), atom))
			return true;
	return false;
}

/* Does file:open with these modes create or change? Unknown modes make it weak. */
static bool modes_write(struct interp *in, uint32_t modes, struct access *access)
{
	if (list_has(in, modes, in->a->atoms.exclusive))
		return false;
	if (list_has(in, modes, in->a->atoms.write) || list_has(in, modes, in->a->atoms.append))
		return true;
	access->flags |= ACCESS_WEAK;
	return !value_is_constant(in->vs, modes);
}

/* Can the name be gone when it is used? A pid is not a name; init lives as long as the node. */
static bool is_mortal_name(const struct interp *in, uint32_t name)
{
	uint32_t known = state_known(&in->now, in->vs, name);

	return value_at(in->vs, known)->kind != VALUE_PID &&
	       !value_is_atom(in->vs, known, in->a->atoms.init);
}

void call_builtin(struct interp *in, int16_t index, const uint32_t *args,
			   uint32_t args_len, uint32_t site)
{
	const struct builtin *b = &builtins[index];
	struct access access = {
		.kind = b->kind, .role = b->role, .builtin = (uint16_t)index, .site = site,
		.table = b->table < 0 ? value_make(in->vs, VALUE_NIL, 0, 0, NULL, 0)
				      : args[b->table],
		.result = value_result(in->vs, site, 0),
		.flags = (uint16_t)((b->flags & BUILTIN_WEAK ? ACCESS_WEAK : 0) |
				   (b->flags & BUILTIN_ACTIVITY ? ACCESS_ACTIVITY : 0)),
	};

	/* A fold gives each object to its fun; what it returns need not come from the table. */
	if (b->kind == RACE_ETS && strncmp(b->function, "fold", 4) == 0)
		access.result = value_result(in->vs, site, FIRST_FUN_ARGUMENT);
	set_key(in, &access, b, args_len ? args[b->argument] : VALUE_TOP);
	if (b->role == ROLE_USE && !is_mortal_name(in, access.key)) {
		call_escape_all(in, args, args_len);
		return;
	}
	if (b->kind == RACE_REGISTRY && b->role == ROLE_WRITE && args_len == 2)
		access.result = args[1 - b->argument];
	if (b->kind == RACE_REGISTRY && b->role != ROLE_READ && caught_is_failure_of(in, b))
		access.flags |= ACCESS_CAUGHT;
	if (b->flags & BUILTIN_MODES && !modes_write(in, args[1], &access))
		return;
	if (b->role == ROLE_READ) {
		*vec_push(&in->reads) = access;
		return;
	}
	*vec_push(&in->writes) = access;
	for (uint32_t i = 0; i < args_len; i++)
		if ((int)i != b->table)
			call_escape(in, args[i]);
}

/* Reading all names and looking for one is reading that one. */
void call_member(struct interp *in, uint32_t name, uint32_t list)
{
	bitset_foreach(e, in->now.reads, BITSET_WORDS(STATE_MAX_READS)) {
		const struct read_event event = in->events.items[e];

		for (uint32_t i = 0; i < event.len; i++) {
			struct access access = in->past_reads.items[event.start + i];

			if (access.kind != RACE_REGISTRY || access.key != in->a->key_all ||
			    !value_contains(in->vs, list, access.result))
				continue;
			access.key = name;
			*vec_push(&in->reads) = access;
		}
	}
}

uint32_t call_create_table(struct interp *in, int16_t builtin, const uint32_t *args, uint32_t site)
{
	uint32_t parts[2] = {args[0], args[1]};

	call_note_create(in, (struct create){args[0], args[1], site});
	if (!table_is_named(in->a, args[1])) /* a new table without a name cannot clash */
		return value_make(in->vs, VALUE_TABLE, site, 0, parts, 2);
	call_builtin(in, builtin, args, 2, site);
	return args[0];
}
