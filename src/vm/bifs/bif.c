#include "vm/bifs/bif.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"

const struct bif bif_table[] = {
#define BIF(module, name, arity, kind, effect)                                 \
	{#module, #name, arity, BIF_##kind, EFFECT_##effect, bif_##module##_##name##_##arity},
#define BIFX(module, cname, text, arity, kind, effect)                         \
	{#module, text, arity, BIF_##kind, EFFECT_##effect, bif_##module##_##cname##_##arity},
#include "vm/bifs/bif.def"
#undef BIF
#undef BIFX
};

const size_t bif_table_len = sizeof(bif_table) / sizeof(*bif_table);

enum { CODE_WORDS = FUNC_INFO_WORDS + 3 };

bool bif_is_body_only(const struct bif *bif)
{
	return strcmp(bif->module, "gen_tcp") == 0 || strcmp(bif->module, "gen_udp") == 0 ||
	       strcmp(bif->module, "inet") == 0;
}

bool bif_is_there(const struct bif *bif)
{
	static const struct {
		const char *module;
		const char *name;
		uint8_t arity, first, last;
	} known[] = {
#define RELEASES(module, name, arity, first, last) {module, name, arity, first, last},
#include "vm/bifs/releases.def"
#undef RELEASES
	};
	unsigned release = code_otp_release();

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].arity == bif->arity && strcmp(known[i].name, bif->name) == 0 &&
		    strcmp(known[i].module, bif->module) == 0)
			return release >= known[i].first &&
			       (!known[i].last || release <= known[i].last);
	return true;
}

const struct bif_name *bif_name(const struct bif *bif)
{
	return &machine.bifs.names[bif - bif_table];
}

static uint64_t name_key(term module, term function, unsigned arity)
{
	return hash_combine(hash_combine(module, function), arity);
}

/* Native functions that change the flow of control are instructions of their own, not calls. */
static void set_control_code(const struct bif *bif, word *code)
{
	term name = bif_name(bif)->function;

	if (name == A_apply) {
		code[0] = (word)interp_labels[bif->arity == 2 ? SPEC_apply_fun : SPEC_apply_mfa];
		code[1] = 1;
	} else if (name == A_hibernate) {
		code[0] = (word)interp_labels[bif->arity ? SPEC_hibernate : SPEC_hibernate_stay];
	}
}

void bif_open(void)
{
	struct bif_names *bifs = &machine.bifs;

	bifs->names = mem_alloc(bif_table_len * sizeof(*bifs->names));
	bifs->code = mem_alloc(bif_table_len * CODE_WORDS * sizeof(word));
	for (size_t i = 0; i < bif_table_len; i++) {
		const struct bif *bif = &bif_table[i];
		word *code = bifs->code + i * CODE_WORDS;
		term module = atom_from_string(bif->module), name = atom_from_string(bif->name);

		bifs->names[i] = (struct bif_name){module, name};
		if (bif_is_there(bif))
			*map_put(&bifs->index, name_key(module, name, bif->arity), NULL) = i;
		code[0] = (word)interp_labels[SPEC_func_info];
		code[1] = module;
		code[2] = name;
		code[3] = bif->arity;
		code[4] = (word)interp_labels[SPEC_bif_body];
		code[5] = (word)bif;
		code[6] = (word)interp_labels[SPEC_return];
		if (module == A_erlang)
			set_control_code(bif, code + 4);
	}
}

void bif_close(void)
{
	mem_free(machine.bifs.names);
	mem_free(machine.bifs.code);
	map_release(&machine.bifs.index);
}

const word *bif_code(size_t i)
{
	return machine.bifs.code + i * CODE_WORDS + FUNC_INFO_WORDS;
}

const struct bif *bif_find_body(term module, term function, unsigned arity)
{
	uint64_t *i = map_get(&machine.bifs.index, name_key(module, function, arity));
	const struct bif *bif = i ? &bif_table[*i] : NULL;

	if (!bif || bif_name(bif)->module != module || bif_name(bif)->function != function ||
	    bif->arity != arity)
		return NULL;
	return bif;
}

const struct bif *bif_find(term module, term function, unsigned arity)
{
	const struct bif *bif = bif_find_body(module, function, arity);

	return bif && bif_is_body_only(bif) ? NULL : bif;
}

term bif_errors_module(term module)
{
	static const struct {
		const char *module;
		term errors;
	} known[] = {
		{"erlang", A_erl_erts_errors},    {"atomics", A_erl_erts_errors},
		{"counters", A_erl_erts_errors},  {"erts_internal", A_erl_erts_errors},
		{"persistent_term", A_erl_erts_errors},
		{"ets", A_erl_stdlib_errors},     {"lists", A_erl_stdlib_errors},
		{"maps", A_erl_stdlib_errors},    {"binary", A_erl_stdlib_errors},
		{"math", A_erl_stdlib_errors},    {"re", A_erl_stdlib_errors},
		{"string", A_erl_stdlib_errors},  {"unicode", A_erl_stdlib_errors},
		{"io", A_erl_stdlib_errors},      {"os", A_erl_kernel_errors},
		{"code", A_erl_kernel_errors},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].module, atom_text(module)) == 0)
			return known[i].errors;
	return TERM_NONE;
}

term bif_raise(struct process *p, term class_, term reason)
{
	exception_set(p, class_, reason);
	return TERM_NONE;
}

term bif_error(struct process *p, term reason)
{
	return bif_raise(p, A_error, reason);
}

term bif_badarg(struct process *p)
{
	return bif_raise(p, A_error, A_badarg);
}

term bif_badarith(struct process *p)
{
	return bif_raise(p, A_error, A_badarith);
}

term bif_system_limit(struct process *p)
{
	return bif_raise(p, A_error, A_system_limit);
}

term bif_badmap(struct process *p, term map)
{
	return bif_raise(p, A_error, heap_tuple2(p, A_badmap, map));
}

term bif_badkey(struct process *p, term key)
{
	return bif_raise(p, A_error, heap_tuple2(p, A_badkey, key));
}

/* The module is added where the frame is made, because only there the BIF is known. */
term bif_badarg_cause(struct process *p, term cause)
{
	bif_badarg(p);
	p->exception.cause = cause;
	return TERM_NONE;
}

term bif_unsupported(struct process *p, const char *format, ...)
{
	char text[700];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	exception_unsupported(p, text);
	p->outcome = OUTCOME_STOP;
	return TERM_NONE;
}

term bif_trap(struct process *p, term module, term function, unsigned arity, const term *args)
{
	memmove(machine.running.x, args, arity * sizeof(term));
	p->trap_module = module;
	p->trap_function = function;
	p->trap_arity = arity;
	p->outcome = OUTCOME_TRAP;
	return TERM_NONE;
}

term bif_wait(struct process *p)
{
	p->outcome = OUTCOME_WAIT;
	return TERM_NONE;
}

term bif_yield(struct process *p)
{
	p->outcome = OUTCOME_YIELD;
	return TERM_NONE;
}

term bif_collect(struct process *p)
{
	p->outcome = OUTCOME_COLLECT;
	return TERM_NONE;
}

term bif_retry(struct process *p)
{
	p->outcome = OUTCOME_RETRY;
	return TERM_NONE;
}
