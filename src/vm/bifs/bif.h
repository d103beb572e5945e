/* bif.h: native functions.
 *
 * The table bif.def consists of one bifs/<module>.def per Erlang module; the functions are in
 * bifs/<module>.c (or bifs/<module>_<topic>.c). A line
 *
 *     BIF(lists, member, 2, PURE, NONE)
 *
 * is implemented by `term bif_lists_member_2(struct process *p, const term *args)`. Where the
 * Erlang name is not a C identifier: BIFX(erlang, append, "++", 2, PURE, NONE).
 *
 * kind:  PURE     depends on its arguments only (usable in guards)
 *        LOCAL    reads or changes the calling process only
 *        VISIBLE  other processes can notice it, or it reads their state: under exploration the
 *                 process stops before it; effect (effect.def) describes it
 *        ANSWERED the same, and it may put a message into the caller's own mailbox
 *
 * A BIF returns its result, or raises: `return bif_badarg(p);` (all raisers return TERM_NONE).
 * It must check its arguments and raise *before* it changes anything. A function that is not
 * in the table and has no .beam is "not supported" (exit status 4), never a wrong answer.
 */
#ifndef VM_BIFS_BIF_H
#define VM_BIFS_BIF_H

#include "base/err.h"
#include "base/map.h"
#include "vm/memory/heap.h"
#include "vm/process/process.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"

enum bif_kind { BIF_PURE, BIF_LOCAL, BIF_VISIBLE, BIF_ANSWERED };

struct bif {
	const char *module;
	const char *name;
	uint8_t arity;
	uint8_t kind;   /* enum bif_kind */
	uint8_t effect; /* enum effect */
	term (*call)(struct process *p, const term *args);
};

static inline bool bif_is_visible(const struct bif *bif) { return bif->kind >= BIF_VISIBLE; }

#define BIF(module, name, arity, kind, effect)                                 \
	term bif_##module##_##name##_##arity(struct process *p, const term *args);
#define BIFX(module, cname, text, arity, kind, effect)                         \
	term bif_##module##_##cname##_##arity(struct process *p, const term *args);
#include "vm/bifs/bif.def"
#undef BIF
#undef BIFX

extern const struct bif bif_table[];
extern const size_t bif_table_len;

/* The part of a machine (machine.h) that belongs to native functions. */
struct bif_names {
	struct bif_name {
		term module;
		term function;
	} *names;         /* parallel to bif_table */
	struct map index; /* hash of the name -> index in bif_table */
	uint64_t *code;   /* see bif_code */
};

void bif_open(void);
void bif_close(void);
/* The module and the name as atoms. */
const struct bif_name *bif_name(const struct bif *bif);
/* Whether the chosen OTP has it (releases.def). */
bool bif_is_there(const struct bif *bif);
/* The native function of this name, or NULL. */
const struct bif *bif_find(term module, term function, unsigned arity);
/* The same, and also those of which bif_is_body_only. */
const struct bif *bif_find_body(term module, term function, unsigned arity);

/* Whether a program may have a module of its own with this function, gen_tcp for one: then the
 * native function is the body of the function in OTP's module, and not called instead of it. */
bool bif_is_body_only(const struct bif *bif);

/* Decoded code that calls the i-th native function and returns; its export slot holds it. */
const uint64_t *bif_code(size_t i);
/* The module whose format_error/2 explains errors of this module's native functions, or
 * TERM_NONE. */
term bif_errors_module(term module);

/* ---- raising: all return TERM_NONE ---- */

term bif_error(struct process *p, term reason); /* class error */
term bif_raise(struct process *p, term class_, term reason);
term bif_badarg(struct process *p);
term bif_badarith(struct process *p);
term bif_system_limit(struct process *p);
term bif_badmap(struct process *p, term map);
term bif_badkey(struct process *p, term key);
/* badarg whose error_info has #{cause => cause, module => module}, from which erl_erts_errors,
 * erl_stdlib_errors and so on make a text. */
term bif_badarg_cause(struct process *p, term cause);
/* "not supported: ...": ends the run with exit status 4. */
term bif_unsupported(struct process *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The process behind a port of this machine that is open, or NULL. */
struct process *bif_find_port(struct process *p, term port);

/* ---- going on elsewhere ---- */

/* Continue as a call of module:function with these arguments; the BIF's result is that
 * call's result. Returns TERM_NONE: `return bif_trap(p, A_lists, A_sort, 1, args)`. */
term bif_trap(struct process *p, term module, term function, unsigned arity, const term *args);

/* Lets other processes run first; the BIF's result is true. */
term bif_yield(struct process *p);

/* Collects the garbage of p, which a native function itself cannot do; the BIF's result is true. */
term bif_collect(struct process *p);

/* Lets other processes run first, then calls this BIF again. */
term bif_retry(struct process *p);

/* Waits for a new message or signal, then calls this BIF again. */
term bif_wait(struct process *p);

#endif
