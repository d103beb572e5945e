#include "static/program.h"

#include <string.h>

#include "base/hash.h"
#include "beamfile/etf.h"

static const struct {
	const char *module;
	const char *function;
	uint8_t arity;
	uint8_t special;
} specials[] = {
	{"erlang", "error", 1, SPECIAL_RAISE},
	{"erlang", "error", 2, SPECIAL_RAISE},
	{"erlang", "error", 3, SPECIAL_RAISE},
	{"erlang", "exit", 1, SPECIAL_RAISE},
	{"erlang", "throw", 1, SPECIAL_RAISE},
	{"erlang", "raise", 3, SPECIAL_RAISE},
	{"erlang", "nif_error", 1, SPECIAL_RAISE},
	{"erlang", "nif_error", 2, SPECIAL_RAISE},
	{"erlang", "halt", 0, SPECIAL_RAISE},
	{"erlang", "halt", 1, SPECIAL_RAISE},
	{"erlang", "element", 2, SPECIAL_ELEMENT},
	{"erlang", "setelement", 3, SPECIAL_SETELEMENT},
	{"erlang", "self", 0, SPECIAL_SELF},
	{"erlang", "make_ref", 0, SPECIAL_UNIQUE},
	{"erlang", "unique_integer", 0, SPECIAL_UNIQUE},
	{"erlang", "unique_integer", 1, SPECIAL_UNIQUE},
	{"erlang", "++", 2, SPECIAL_CONVERT},
	{"erlang", "atom_to_binary", 1, SPECIAL_CONVERT},
	{"erlang", "atom_to_list", 1, SPECIAL_CONVERT},
	{"erlang", "binary_to_atom", 1, SPECIAL_CONVERT},
	{"erlang", "binary_to_atom", 2, SPECIAL_CONVERT},
	{"erlang", "binary_to_list", 1, SPECIAL_CONVERT},
	{"erlang", "integer_to_binary", 1, SPECIAL_CONVERT},
	{"erlang", "integer_to_list", 1, SPECIAL_CONVERT},
	{"erlang", "iolist_to_binary", 1, SPECIAL_CONVERT},
	{"erlang", "list_to_atom", 1, SPECIAL_CONVERT},
	{"erlang", "list_to_binary", 1, SPECIAL_CONVERT},
	{"erlang", "ref_to_list", 1, SPECIAL_CONVERT},
	{"erlang", "=:=", 2, SPECIAL_SAME},
	{"erlang", "=/=", 2, SPECIAL_NOT_SAME},
	{"erlang", "hd", 1, SPECIAL_HD},
	{"erlang", "tl", 1, SPECIAL_TL},
	{"ets", "new", 2, SPECIAL_ETS_NEW},
	{"ets", "whereis", 1, SPECIAL_ETS_WHEREIS},
	{"atomics", "new", 2, SPECIAL_ARRAY_NEW},
	{"counters", "new", 2, SPECIAL_ARRAY_NEW},
	{"lists", "member", 2, SPECIAL_MEMBER},
	{"gen_server", "call", 2, SPECIAL_SERVER_CALL},
	{"gen_server", "call", 3, SPECIAL_SERVER_CALL},
	{"Elixir.GenServer", "call", 2, SPECIAL_SERVER_CALL},
	{"Elixir.GenServer", "call", 3, SPECIAL_SERVER_CALL},
};

/* Modules whose functions keep no argument for others to find. */
static const char *const discreet_modules[] = {
	"erlang", "lists", "maps", "io", "io_lib", "string", "ets", "dict", "orddict", "proplists",
	"gb_trees", "gb_sets", "sets", "ordsets", "queue", "array", "logger", "error_logger",
	"file", "filename", "filelib", "binary", "unicode", "math", "rand", "timer", "os",
	"atomics", "counters", "mnesia",
};

static bool is_discreet(const char *module)
{
	for (size_t i = 0; i < sizeof(discreet_modules) / sizeof(discreet_modules[0]); i++)
		if (strcmp(module, discreet_modules[i]) == 0)
			return true;
	return false;
}

void program_init(struct program *p)
{
	*p = (struct program){0};
	values_init(&p->vs);
	*vec_push(&p->atoms) = (struct atom_text){"", 0}; /* atom 0 means: no atom */
}

void program_release(struct program *p)
{
	for (size_t i = 0; i < p->modules.len; i++) {
		vec_release(&p->modules.items[i].behaviours);
		vec_release(&p->modules.items[i].quiet);
		beamfile_release(&p->modules.items[i].bf);
	}
	vec_release(&p->modules);
	vec_release(&p->atoms);
	vec_release(&p->fns);
	map_release(&p->atom_numbers);
	map_release(&p->module_numbers);
	map_release(&p->fn_numbers);
	map_release(&p->server_names);
	values_release(&p->vs);
	arena_release(&p->arena);
}

uint32_t program_atom(struct program *p, const char *text, size_t len)
{
	bool is_new;
	uint64_t *number = map_put(&p->atom_numbers, hash_bytes(text, len), &is_new);

	if (is_new) {
		*number = p->atoms.len;
		*vec_push(&p->atoms) = (struct atom_text){arena_strndup(&p->arena, text, len),
							  (uint32_t)len};
	}
	return (uint32_t)*number;
}

uint32_t program_atom_named(struct program *p, const char *text)
{
	return program_atom(p, text, strlen(text));
}

static uint64_t hash_mfa(uint32_t module, uint32_t name, uint32_t arity)
{
	return hash_combine((uint64_t)module << 32 | name, arity);
}

uint32_t program_find_fn(const struct program *p, uint32_t module, uint32_t name, uint32_t arity)
{
	const uint64_t *number = map_get(&p->fn_numbers, hash_mfa(module, name, arity));

	return number ? (uint32_t)*number - 1 : PROGRAM_NONE;
}

uint32_t program_find_module(const struct program *p, uint32_t name)
{
	const uint64_t *number = map_get(&p->module_numbers, name);

	return number ? (uint32_t)*number - 1 : PROGRAM_NONE;
}

uint32_t program_module_of_site(const struct program *p, uint32_t site)
{
	size_t low = 0, high = p->modules.len;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (p->modules.items[middle].sites_base <= site)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

uint32_t program_fn_of_site(const struct program *p, uint32_t site)
{
	const struct module *m = &p->modules.items[program_module_of_site(p, site)];

	return m->fns_base + beamfile_function_at(&m->bf, site - m->sites_base);
}

static void number_functions(struct program *p, uint32_t module)
{
	struct module *m = &p->modules.items[module];

	m->fns_base = (uint32_t)p->fns.len;
	for (size_t i = 0; i < m->bf.functions_len; i++) {
		const struct beam_function *f = &m->bf.functions[i];
		uint64_t key = hash_mfa(m->name, m->atoms[f->name], f->arity);

		*vec_push(&p->fns) = (struct fn){.module = module, .index = (uint32_t)i,
						 .fun_arity = f->arity};
		*map_put(&p->fn_numbers, key, NULL) = p->fns.len;
	}
	for (size_t i = 0; i < m->bf.funs_len; i++) {
		uint32_t f = beamfile_function_of_label(&m->bf, m->bf.funs[i].label);

		p->fns.items[m->fns_base + f].is_closure = true;
		p->fns.items[m->fns_base + f].fun_arity -= m->bf.funs[i].num_free;
	}
}

/* {no_race, [F/A, ...]} or [F/A, ...] deep inside the attribute's value. */
static void read_quiet(struct program *p, struct module *m, const struct etf_term *term)
{
	uint32_t fn;

	if (term->kind == ETF_TUPLE && term->len == 2 && term->items[0].kind == ETF_ATOM &&
	    term->items[1].kind == ETF_INT) {
		fn = program_find_fn(p, m->name,
				     program_atom(p, (const char *)term->items[0].bytes,
						  term->items[0].len),
				     (uint32_t)term->items[1].value);
		if (fn != PROGRAM_NONE)
			*vec_push(&m->quiet) = fn - m->fns_base;
	} else if (term->kind == ETF_TUPLE && term->len == 2 &&
		   etf_is_atom(&term->items[0], "no_race")) {
		read_quiet(p, m, &term->items[1]);
	} else if (term->kind == ETF_LIST) {
		for (uint32_t i = 0; i < term->len; i++)
			read_quiet(p, m, &term->items[i]);
	}
}

static void read_attribute(struct program *p, struct module *m, const struct etf_term *pair)
{
	const struct etf_term *list;

	if (pair->kind != ETF_TUPLE || pair->len != 2)
		return;
	list = &pair->items[1];
	if (etf_is_atom(&pair->items[0], "fermata"))
		read_quiet(p, m, list);
	if (!etf_is_atom(&pair->items[0], "behaviour") && !etf_is_atom(&pair->items[0], "behavior"))
		return;
	for (uint32_t i = 0; list->kind == ETF_LIST && i < list->len; i++)
		if (list->items[i].kind == ETF_ATOM)
			*vec_push(&m->behaviours) = program_atom(
				p, (const char *)list->items[i].bytes, list->items[i].len);
}

static void read_attributes(struct program *p, struct module *m)
{
	struct arena arena = {0};
	struct etf_term term;

	if (m->bf.attributes.len && etf_read(&arena, m->bf.attributes.bytes, m->bf.attributes.len,
					     &term, NULL) && term.kind == ETF_LIST)
		for (uint32_t i = 0; i < term.len; i++)
			read_attribute(p, m, &term.items[i]);
	arena_release(&arena);
}

bool program_add(struct program *p, const char *path, struct err *err)
{
	struct module m = {0};
	uint32_t number = (uint32_t)p->modules.len;

	if (!beamfile_load(&m.bf, path, err))
		return false;
	m.path = arena_strdup(&p->arena, path);
	m.name = program_atom(p, m.bf.atoms[1].text, m.bf.atoms[1].len);
	if (map_get(&p->module_numbers, m.name)) {
		beamfile_release(&m.bf);
		return true;
	}
	*map_put(&p->module_numbers, m.name, NULL) = number + 1;
	m.atoms = arena_zalloc(&p->arena, m.bf.atoms_len * sizeof(*m.atoms));
	for (size_t i = 1; i < m.bf.atoms_len; i++)
		m.atoms[i] = program_atom(p, m.bf.atoms[i].text, m.bf.atoms[i].len);
	m.literals = arena_zalloc(&p->arena, m.bf.literals_len * sizeof(*m.literals));
	m.sites_base = p->sites_len;
	p->sites_len += (uint32_t)m.bf.instrs_len;
	*vec_push(&p->modules) = m;
	number_functions(p, number);
	read_attributes(p, &p->modules.items[number]);
	return true;
}

/* Known functions by module, name, arity; built once per link. */
static void fill_known(struct program *p, struct map *known, struct target *all)
{
	size_t n = 0;

#define KNOW(table, len, field)                                                                    \
	for (size_t i = 0; i < (len); i++) {                                                       \
		uint64_t key = hash_mfa(program_atom_named(p, (table)[i].module),                  \
					program_atom_named(p, (table)[i].function),                \
					(table)[i].arity);                                         \
		uint64_t *at = map_put(known, key, NULL);                                          \
		if (!*at) {                                                                        \
			all[n] = (struct target){PROGRAM_NONE, -1, -1, -1, SPECIAL_NONE};          \
			*at = ++n;                                                                 \
		}                                                                                  \
		all[*at - 1].field;                                                                \
	}
	KNOW(builtins, builtins_len, builtin = (int16_t)i)
	KNOW(hofs, hofs_len, hof = (int16_t)i)
	KNOW(starts, starts_len, start = (int16_t)i)
	KNOW(specials, sizeof(specials) / sizeof(specials[0]), special = specials[i].special)
#undef KNOW
}

static void resolve_imports(struct program *p, struct module *m, const struct map *known,
			    const struct target *all)
{
	m->targets = arena_alloc(&p->arena, m->bf.imports_len * sizeof(*m->targets));
	for (size_t i = 0; i < m->bf.imports_len; i++) {
		const struct beam_import *import = &m->bf.imports[i];
		uint32_t module = m->atoms[import->module], name = m->atoms[import->function];
		const uint64_t *at = map_get(known, hash_mfa(module, name, import->arity));

		m->targets[i] = at ? all[*at - 1]
				   : (struct target){PROGRAM_NONE, -1, -1, -1, SPECIAL_NONE};
		m->targets[i].fn = program_find_fn(p, module, name, import->arity);
		if (m->targets[i].special == SPECIAL_NONE &&
		    is_discreet(m->bf.atoms[import->module].text))
			m->targets[i].special = SPECIAL_PURE;
	}
}

static bool is_callback(const struct program *p, const struct module *m,
			const struct beam_function *f)
{
	for (size_t b = 0; b < m->behaviours.len; b++)
		for (size_t i = 0; i < callbacks_len; i++)
			if (callbacks[i].arity == f->arity &&
			    strcmp(p->atoms.items[m->behaviours.items[b]].text,
				   callbacks[i].behaviour) == 0 &&
			    (callbacks[i].function[0] == '*' ||
			     strcmp(m->bf.atoms[f->name].text, callbacks[i].function) == 0))
				return true;
	return false;
}

static void mark_callbacks(struct program *p, struct module *m)
{
	for (size_t i = 0; m->behaviours.len && i < m->bf.functions_len; i++)
		if (m->bf.functions[i].exported && is_callback(p, m, &m->bf.functions[i])) {
			p->fns.items[m->fns_base + i].is_callback = true;
			m->is_server = true;
		}
}

void program_link(struct program *p)
{
	struct map known = {0};
	struct target *all = mem_alloc((builtins_len + hofs_len + starts_len +
					sizeof(specials) / sizeof(specials[0])) * sizeof(*all));

	fill_known(p, &known, all);
	for (size_t i = 0; i < p->modules.len; i++) {
		resolve_imports(p, &p->modules.items[i], &known, all);
		mark_callbacks(p, &p->modules.items[i]);
	}
	mem_free(all);
	map_release(&known);
}

void program_note_start(struct program *p, uint32_t module, const char *behaviour,
			uint32_t name_or_none, bool is_named)
{
	struct module *m = &p->modules.items[module];

	if (!m->is_server && !m->behaviours.len) { /* a server without the attribute */
		*vec_push(&m->behaviours) = program_atom_named(p, behaviour);
		mark_callbacks(p, m);
	}
	m->is_started_named |= is_named;
	m->is_started_unnamed |= !is_named;
	if (name_or_none != PROGRAM_NONE)
		*map_put(&p->server_names, name_or_none, NULL) = module + 1;
}
