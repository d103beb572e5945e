#include "static/describe.h"

#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "beamfile/etf.h"
#include "static/guess.h"

enum { MAX_PATH = 32 };

static void print_atom(struct strbuf *out, const struct program *p, uint32_t atom)
{
	etf_print_atom(out, p->atoms.items[atom].text, p->atoms.items[atom].len);
}

static char *take(struct arena *arena, struct strbuf *text)
{
	char *copy = arena_strndup(arena, strbuf_text(text), text->len);

	strbuf_release(text);
	return copy;
}

static const char *module_text(const struct program *p, uint32_t module)
{
	return p->modules.items[module].bf.atoms[1].text;
}

static char *function_text(const struct program *p, struct arena *arena, uint32_t fn)
{
	const struct module *m = &p->modules.items[p->fns.items[fn].module];
	const struct beam_function *f = program_function(p, fn);
	struct strbuf text = {0};

	print_atom(&text, p, m->atoms[f->name]);
	strbuf_addf(&text, "/%u", f->arity);
	return take(arena, &text);
}

/* The compiler gives a call that cannot fail no line; of those only registered/0 is ours. */
static bool has_no_line(const struct module *m, const struct beam_instr *instr)
{
	const struct target *target;

	if (instr->op != OP_call_ext)
		return false;
	target = &m->targets[instr->operands[1].value];
	return target->builtin >= 0 &&
	       strcmp(builtins[target->builtin].function, "registered") == 0;
}

/* The line of an instruction: that of the nearest line instruction before it. */
static const struct beam_line *line_of(const struct module *m, uint32_t instr, uint32_t first)
{
	uint32_t next = instr;

	while (has_no_line(m, &m->bf.instrs[instr]) && m->bf.instrs[next].op != OP_label &&
	       m->bf.instrs[next].op != OP_int_code_end)
		if (m->bf.instrs[++next].op == OP_line)
			return &m->bf.lines[m->bf.instrs[next].operands[0].value];
	while (instr > first && m->bf.instrs[instr].op != OP_line)
		instr--;
	if (m->bf.instrs[instr].op != OP_line)
		return &m->bf.lines[0];
	return &m->bf.lines[m->bf.instrs[instr].operands[0].value];
}

static void print_callee(struct strbuf *out, const struct program *p, const struct module *m,
			 const struct beam_instr *instr)
{
	const struct beam_operand *o = instr->operands;

	switch (instr->op) {
	case OP_call: case OP_call_last: case OP_call_only: {
		uint32_t f = beamfile_function_of_label(&m->bf, (uint32_t)o[1].value);

		print_atom(out, p, m->atoms[m->bf.functions[f].name]);
		strbuf_addf(out, "/%u", m->bf.functions[f].arity);
		break;
	}
	case OP_call_ext: case OP_call_ext_last: case OP_call_ext_only: {
		const struct beam_import *import = &m->bf.imports[o[1].value];

		print_atom(out, p, m->atoms[import->module]);
		strbuf_addc(out, ':');
		print_atom(out, p, m->atoms[import->function]);
		strbuf_addf(out, "/%u", import->arity);
		break;
	}
	case OP_send: strbuf_adds(out, "erlang:'!'/2"); break;
	case OP_make_fun2: case OP_make_fun3: strbuf_adds(out, "fun"); break;
	default: strbuf_adds(out, "a fun"); break;
	}
}

static bool is_tail_call(const struct beam_instr *instr)
{
	switch (instr->op) {
	case OP_call_last: case OP_call_only: case OP_call_ext_last: case OP_call_ext_only:
		return true;
	default:
		return false;
	}
}

static struct suspect_site describe_site(const struct program *p, struct arena *arena,
					 uint32_t site)
{
	uint32_t module = program_module_of_site(p, site), fn = program_fn_of_site(p, site);
	const struct module *m = &p->modules.items[module];
	const struct beam_line *line = line_of(m, site - m->sites_base,
					       program_function(p, fn)->first);
	struct strbuf callee = {0};

	print_callee(&callee, p, m, &m->bf.instrs[site - m->sites_base]);
	return (struct suspect_site){
		.module = arena_strdup(arena, module_text(p, module)),
		.file = arena_strdup(arena, m->bf.files[line->file]),
		.beam = arena_strdup(arena, m->path),
		.line = line->line,
		.function = function_text(p, arena, fn),
		.call = take(arena, &callee),
		.is_tail = is_tail_call(&m->bf.instrs[site - m->sites_base]),
	};
}

static void print_value(struct strbuf *out, const struct program *p, uint32_t v);

static void print_children(struct strbuf *out, const struct program *p, uint32_t v)
{
	for (uint32_t i = 0; i < value_at(&p->vs, v)->len; i++) {
		strbuf_adds(out, i ? "," : "");
		print_value(out, p, value_child(&p->vs, v, i));
	}
}

static void print_place(struct strbuf *out, const struct program *p, const char *what,
			uint32_t site)
{
	struct arena arena = {0};
	struct suspect_site at = describe_site(p, &arena, site);

	strbuf_addf(out, "%s at %s:%u", what, at.file, at.line);
	arena_release(&arena);
}

/* In words where it has no Erlang notation. */
static void print_value(struct strbuf *out, const struct program *p, uint32_t v)
{
	const struct value *n = value_at(&p->vs, v);
	int64_t number;

	switch ((enum value_kind)n->kind) {
	case VALUE_ANY: strbuf_addc(out, '_'); break;
	case VALUE_ATOM: print_atom(out, p, n->a); break;
	case VALUE_INT:
		value_get_int(&p->vs, v, &number);
		strbuf_addf(out, "%lld", (long long)number);
		break;
	case VALUE_NIL: strbuf_adds(out, "[]"); break;
	case VALUE_LIT: strbuf_adds(out, "a constant"); break;
	case VALUE_TUPLE:
		strbuf_addc(out, '{');
		print_children(out, p, v);
		strbuf_addc(out, '}');
		break;
	case VALUE_CONS: strbuf_adds(out, "a list"); break;
	case VALUE_SAME: strbuf_adds(out, "the result of a comparison"); break;
	case VALUE_ELEM:
		strbuf_addf(out, "element %u of ", n->a + 1);
		print_children(out, p, v);
		break;
	case VALUE_HD: case VALUE_TL:
		strbuf_adds(out, n->kind == VALUE_HD ? "an item of " : "the tail of ");
		print_children(out, p, v);
		break;
	case VALUE_GET: strbuf_adds(out, "a map's value"); break;
	case VALUE_SET: strbuf_adds(out, "a record"); break;
	case VALUE_ARG: strbuf_addf(out, "argument %u", n->a + 1); break;
	case VALUE_RESULT: print_place(out, p, "the result", n->a); break;
	case VALUE_TABLE: print_place(out, p, "the one created", n->a); break;
	case VALUE_FUN: strbuf_adds(out, "a fun"); break;
	case VALUE_PHI: print_place(out, p, "the value", n->a); break;
	case VALUE_OUTER: print_children(out, p, v); break;
	case VALUE_STATE: strbuf_adds(out, "the server's state"); break;
	case VALUE_PID: strbuf_adds(out, "a pid"); break;
	}
}

static const char *value_text(struct analysis *a, struct arena *arena, uint32_t v)
{
	struct strbuf text = {0};

	if (v == a->key_all)
		strbuf_adds(&text, "every key");
	else if (v == a->key_exists)
		strbuf_adds(&text, "its existence");
	else
		print_value(&text, a->p, v);
	return take(arena, &text);
}

static size_t collect_path(struct analysis *a, struct arena *arena, uint32_t path,
			   struct suspect_site *out, size_t n)
{
	for (; path && n < MAX_PATH; path = a->paths.items[path].next)
		out[n++] = describe_site(a->p, arena, a->paths.items[path].site);
	return n;
}

static const struct {
	const char *call, *why, *fix;
} repairs[] = {
#define REPAIR(call, why, fix) {call, why, fix},
#include "static/repair.def"
#undef REPAIR
};

/* Replaces what is said of the store in general. */
static void describe_repair(struct suspect *s)
{
	for (size_t i = 0; i < sizeof(repairs) / sizeof(repairs[0]); i++)
		if (strcmp(repairs[i].call, s->write.call) == 0) {
			s->why = repairs[i].why ? repairs[i].why : s->why;
			s->fix = repairs[i].fix;
		}
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_combine(hash, hash_bytes(text, strlen(text)));
}

static uint64_t fingerprint(const struct suspect *s)
{
	uint64_t hash = hash_text(0, s->kind);

	hash = hash_text(hash, s->module);
	hash = hash_text(hash, s->function);
	hash = hash_text(hash, s->read.module);
	hash = hash_text(hash, s->read.function);
	hash = hash_text(hash, s->read.call);
	hash = hash_text(hash, s->write.module);
	hash = hash_text(hash, s->write.function);
	return hash_text(hash, s->write.call);
}

/* A record that is written back names its table only through the read. */
static const char *table_text(struct analysis *a, struct arena *arena, const struct pair *pair)
{
	const struct values *vs = &a->p->vs;
	uint32_t table = pair->write.table;

	if (value_at(vs, table)->kind == VALUE_NIL)
		return "";
	if (pair->read.kind == RACE_MNESIA || value_at(vs, pair->read.table)->kind == VALUE_ATOM)
		table = pair->read.table;
	return value_text(a, arena, table);
}

static void describe_rival(struct analysis *a, struct arena *arena, const struct candidate *c,
			   struct suspect *s)
{
	const struct writer *rival = rate_find_rival(a, c);
	struct strbuf text = {0};
	uint32_t entry;

	s->rival_entry = "";
	if (!rival)
		return;
	s->has_rival = true;
	s->rival = describe_site(a->p, arena, rival->access.site);
	entry = entry_find(a, rival->fn, rate_context(a, c));
	if (entry == PROGRAM_NONE)
		return;
	strbuf_addf(&text, "%s:%s", module_text(a->p, a->p->fns.items[entry].module),
		    function_text(a->p, arena, entry));
	s->rival_entry = take(arena, &text);
}

struct suspect describe_candidate(struct analysis *a, struct arena *arena,
				  const struct candidate *c, struct rating rating)
{
	const struct access *read = &c->pair.read, *write = &c->pair.write;
	struct table_info table = table_describe(a, c->fn, write->table);
	uint32_t keypos = write->kind == RACE_MNESIA ? 2 : table.keypos;
	uint32_t module = a->p->fns.items[c->fn].module;
	struct suspect s = {
		.kind = race_kind_info(read->kind)->name,
		.what = race_kind_info(read->kind)->what,
		.why = race_kind_info(read->kind)->why,
		.fix = race_kind_info(read->kind)->fix,
		.module = arena_strdup(arena, module_text(a->p, module)),
		.function = function_text(a->p, arena, c->fn),
		.read = describe_site(a->p, arena, read->site),
		.write = describe_site(a->p, arena, write->site),
		.table = table_text(a, arena, &c->pair),
		.key = value_text(a, arena, access_key(a, read, keypos)),
		.reason = rating.reason,
		.is_use = write->role == ROLE_USE,
		.trial = {.path = "", .fails = "", .detail = ""},
		.confidence = rating.confidence == RATED_HIGH     ? SUSPECT_HIGH
			      : rating.confidence == RATED_MEDIUM ? SUSPECT_MEDIUM
								      : SUSPECT_LOW,
	};

	s.path = arena_alloc(arena, 2 * MAX_PATH * sizeof(*s.path));
	s.path_len = collect_path(a, arena, read->path, s.path, 0);
	s.read_path_len = s.path_len;
	s.path_len = collect_path(a, arena, write->path, s.path, s.path_len);
	describe_rival(a, arena, c, &s);
	describe_repair(&s);
	s.fingerprint = fingerprint(&s);
	s.driver = guess_driver(a, arena, c->fn, &table);
	return s;
}

const char *suspect_confidence_name(enum suspect_confidence confidence)
{
	static const char *const names[] = {"low", "medium", "high"};

	return names[confidence];
}

static const struct {
	const char *word, *text;
} outcomes[] = {
#define OUTCOME(name, word, text) {word, text},
#include "static/outcome.def"
#undef OUTCOME
};

const char *suspect_outcome_word(enum suspect_outcome outcome)
{
	return outcomes[outcome].word;
}

const char *suspect_outcome_text(enum suspect_outcome outcome)
{
	return outcomes[outcome].text;
}
