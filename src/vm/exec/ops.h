/* ops.h: shared by the functions of all instructions: the registers as locals, access to operands,
 * calling other functions. Included only by interp.c, before the families.
 *
 * struct regs is a local of run_loop, and its address never escapes from inlined code, so the
 * C compiler keeps its members in CPU registers. So every call of a function that is not inlined
 * and may read or change the process needs save(r) before it and load(r) after it.
 */
#ifndef VM_EXEC_OPS_H
#define VM_EXEC_OPS_H

#include "base/bug.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/code/on_load.h"
#include "vm/exec/bs_build.h"
#include "vm/exec/bs_match.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/process/heap_limit.h"
#include "vm/process/boot.h"
#include "vm/process/callback.h"
#include "vm/process/leader.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/process/system.h"
#include "vm/process/timer.h"
#include "vm/process/trace.h"
#include "vm/terms/arith.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

struct regs {
	const word *ip;
	term *x;
	term *e;
	term *htop;
	const word *cp;
	struct process *p;
	enum step_end end;
};

#define OP_INLINE static inline __attribute__((always_inline, unused))
#define likely(c) __builtin_expect(!!(c), 1)
#define unlikely(c) __builtin_expect(!!(c), 0)

OP_INLINE void save(struct regs *r)
{
	r->p->ip = r->ip;
	r->p->cp = r->cp;
	r->p->e = r->e;
	r->p->htop = r->htop;
}

OP_INLINE void load(struct regs *r)
{
	r->ip = r->p->ip;
	r->cp = r->p->cp;
	r->e = r->p->e;
	r->htop = r->p->htop;
}

/* Operand i when it is known to be an x register, a y register. */
#define X(r, i) (*(term *)((char *)(r)->x + (r)->ip[i]))
#define Y(r, i) (*(term *)((char *)(r)->e + (r)->ip[i] - 4))

OP_INLINE term get_word(struct regs *r, word w)
{
	if ((w & 3) != 0)
		return w;
	return *(term *)((w & 4) ? (char *)r->e + w - 4 : (char *)r->x + w);
}

/* The value of an S operand. */
OP_INLINE term get(struct regs *r, unsigned i)
{
	return get_word(r, r->ip[i]);
}

/* Writes to a D operand. */
OP_INLINE void put_word(struct regs *r, word w, term value)
{
	*(term *)((w & 4) ? (char *)r->e + w - 4 : (char *)r->x + w) = value;
}

OP_INLINE void put(struct regs *r, unsigned i, term value)
{
	put_word(r, r->ip[i], value);
}

OP_INLINE const word *label(struct regs *r, unsigned i)
{
	return (const word *)r->ip[i];
}

/* For an instruction that got a term of the wrong type, which the verifier cannot see (verify.h).
 * Returns the code that ends the run. */
const word *stop_unsound(struct process *p, const word *ip);

/* In an instruction: checks a promise of the compiler, and ends the run if it does not hold. */
#define PROMISED(r, condition)                                                 \
	do {                                                                   \
		if (unlikely(!(condition))) {                                  \
			(r)->ip = stop_unsound((r)->p, (r)->ip);               \
			return;                                                \
		}                                                              \
	} while (0)

OP_INLINE bool has_element(term t, size_t i)
{
	return term_is_tuple(t) && tuple_size(t) > i;
}

/* Whether p must stop here, at the entry of a function, with its registers saved. is_remote: the
 * call went through an export. */
bool end_turn(struct process *p, bool is_remote);

/* Goes to the handler of the exception in p->exception. */
OP_INLINE void go_raise(struct regs *r)
{
	save(r);
	exception_raise(r->p);
	load(r);
}

OP_INLINE void go_error(struct regs *r, term reason)
{
	exception_set(r->p, A_error, reason);
	go_raise(r);
}

/* Raises error {tag, value}, which needs memory. */
OP_INLINE void go_error_tagged(struct regs *r, term tag, term value)
{
	save(r);
	exception_set(r->p, A_error, heap_tuple2(r->p, tag, value));
	exception_raise(r->p);
	load(r);
}

/* A test or guard failed: goes to its label, or raises when it does not have a label. */
OP_INLINE void go_fail(struct regs *r, unsigned label_operand)
{
	if (r->ip[label_operand])
		r->ip = label(r, label_operand);
	else
		go_raise(r);
}

OP_INLINE void collect(struct regs *r, size_t need, size_t live)
{
	if (unlikely(r->p->is_probe)) /* its heap is always large enough: beam/probe.c */
		return;
	save(r);
	heap_collect(r->p, need, r->x, live);
	load(r);
}

OP_INLINE void need_heap(struct regs *r, size_t need, size_t live)
{
	if (unlikely((size_t)(r->e - r->htop) < need) || unlikely(machine.heap.is_hard))
		collect(r, need, live);
}

/* Whether p must stop here, before a visible operation, and wait until the driver chooses it. */
OP_INLINE bool must_announce(struct regs *r)
{
	return unlikely(r->p->vm->is_explored) && !r->p->may_act && !r->p->is_system;
}

/* A system process under exploration, which does not stop. */
OP_INLINE bool is_served(struct regs *r)
{
	return unlikely(r->p->is_system) && r->p->vm->is_explored;
}

bool stop_and_announce(struct process *p, enum effect effect, unsigned live, unsigned bif);

#endif
