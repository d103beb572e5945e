/* sites.h: places in Erlang code as numbers that mean the same in another process.
 *
 * An event's site is a code address, which means nothing in another process of the tool. The
 * fingerprint of a finding uses a hash of file, line and function instead; this module keeps that
 * hash with its words.
 */
#ifndef BEAM_SITES_H
#define BEAM_SITES_H

#include "base/map.h"
#include "base/vec.h"
#include "vm/code/receive_source.h"
#include "target/target.h"
#include "vm/code/code.h"

struct sites {
	struct map index;
	VEC(struct receive_sources *) receives; /* of the modules asked about; owned */
	VEC(struct target_frame) frames; /* strings owned */
};

uint64_t site_of_place(struct sites *sites, const struct code_place *place);
/* The same, function being module:name/arity. */
uint64_t site_of_words(struct sites *sites, const char *function, const char *file, uint32_t line);
/* Of the innermost frame of a stack trace as the program sees it, of the tested code if there
 * is one; `last` as below. 0 when the term is not a stack trace. */
uint64_t site_of_trace(struct sites *sites, struct vm *vm, term trace, const word *last);
/* Are all frames of such a stack trace in libraries? Then `innermost` is the first one, without file. */
bool site_trace_is_of_library(struct vm *vm, term trace, struct code_place *innermost);
/* All frames of such a stack trace; and of a process that stands still: its calls, innermost first.
 * They return how many. */
uint32_t sites_of_trace(struct sites *sites, term trace, uint64_t *found, uint32_t max);
uint32_t sites_of_stack(struct sites *sites, const struct process *p, uint64_t *found,
			uint32_t max);
/* The innermost code address of a process that is in the tested program's own code and not in
 * OTP's; without such an address the innermost of all. */
const word *site_of_own_code(const struct process *p);

/* Of the clause of a function that begins at `entry`: the one that `at` is in, or the only one. Without the source it is
 * `at`; 0 if the clause is not known. */
uint64_t site_of_clause(struct sites *sites, const word *entry, const word *at);

/* `last`, the place of this step of the process, or that at which the program's code has called another module since. */
const word *site_later(const struct process *p, const word *last, uint32_t step);

/* The same of a process that was in the program's code at `last`, or has not been there. If that code is not on
 * the stack any more, because a library goes on with what it has returned, `last` is taken. */
const word *site_of_own_code_since(const struct process *p, const word *last);

/* Is a module with such a name on the stack, further inside than all code of the program? Then the program has
 * called it, or it has processes of its own. */
bool site_is_called_by_program(const struct process *p, bool (*is_wanted)(const char *module));

/* The outermost function of such a module, further inside than all code of the program: the one that was called. False
 * if there is none. */
bool site_find_library_call(const struct process *p, bool (*is_wanted)(const char *module),
			    struct code_place *place);

/* Is it a line of a module that is not part of a library? */
bool site_is_own_code(struct vm *vm, const word *address);
/* Of a code address; 0 when it is in no known code. */
uint64_t site_of_address(struct sites *sites, uint64_t address);

/* The receive at which a process stands, from the source; NULL if it stands elsewhere, or if the
 * module has no abstract code. */
const struct receive_source *site_find_receive(struct sites *sites, const word *address);

/* A site or a code address in words. */
void site_describe(struct sites *sites, uint64_t site, struct target_frame *frame);
void sites_release(struct sites *sites);

#endif
