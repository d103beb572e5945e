/* exception.h: raising, finding the handler, stack traces.
 *
 * To raise, code fills p->exception (class, reason, and for the first frame of the trace the
 * function and its arguments) and calls exception_raise. That saves a raw trace, finds the nearest
 * catch term on the stack and sets ip and e to go on there, or ends the process.
 *
 * A raw trace is a tuple {Class, FirstFrames, Addresses}: a list of complete frames and a list of
 * code addresses as small integers. It becomes the list that the program sees only when the
 * program asks for it. Where a program passes a list of its own (erlang:raise/3), that list is
 * FirstFrames.
 */
#ifndef VM_EXEC_EXCEPTION_H
#define VM_EXEC_EXCEPTION_H

#include "vm/process/process.h"

struct bif;
struct strbuf;

#define BACKTRACE_DEPTH 8

static inline term catch_make(const word *code) { return ((term)code << 3) | TAG_CATCH; }
static inline bool term_is_catch(term t) { return (t & 63) == TAG_CATCH; }
static inline const word *catch_code(term t) { return (const word *)((t & ~(term)63) >> 3); }

/* A new exception without first frame. */
void exception_set(struct process *p, term class_, term reason);
/* Raises an exception again that was caught; class_ TERM_NONE: the class in the raw trace. */
void exception_again(struct process *p, term class_, term reason, term trace);
/* Adds the native function and its arguments as first frame. */
void exception_from_bif(struct process *p, const struct bif *bif, const term *args);
void exception_bif_badarg(struct process *p, term function, unsigned arity, const term *args);

/* Gives the frame of the failing instruction an error_info. */
void exception_explain(struct process *p, term info);

void exception_raise(struct process *p);

/* function_clause in the function whose func_info is at ip. */
void exception_function_clause(struct process *p, const word *ip, term *x);
void exception_bad_fun(struct process *p, term fun, unsigned n, const term *x);
/* A fun without code, and an error_handler of the program that knows what to do; or a fun whose code is
 * being purged, where the second one suspends p. That function is called in place of the fun. */
bool exception_handles_fun(struct process *p, term fun, unsigned n);
void exception_handle_fun(struct process *p, term fun, unsigned n, const term *x);

/* Raises undef for module:function with n arguments. */
void exception_undef(struct process *p, term module, term function, unsigned n, const term *x);
/* A call of an export without code: loads the module and sets p->ip to the function, or raises. */
void exception_undefined(struct process *p, uint32_t export_number, const term *x);
/* The slot for module:function/n; NULL after raising when these do not name a function. */
const word **exception_apply_slot(struct process *p, term module, term function, unsigned n,
				  const term *x);

/* The value of a `catch` expression that caught the exception. */
term exception_catch_value(struct process *p, term class_, term reason, term trace);
/* The trace as a list; a trace that is a list already is returned as it is. */
term exception_trace_list(struct process *p, term trace);

/* The reason with which an uncaught exception ends the process. */
term exception_exit_reason(struct process *p);

/* Makes p->ip the call of the function that p is at the entry of. */
void exception_go_to_caller(struct process *p);
/* Ends the run: "not supported: WHAT, called from m:f/1 (file.erl:12)". */
void exception_unsupported(struct process *p, const char *what);
/* The code at p->ip breaks a promise of the compiler (verify.h): ends the run. */
void exception_unsound(struct process *p);

/* The function in which a process is; false: not known. */
struct code_place;
bool exception_current_place(const struct process *of, struct code_place *place);
/* The current stack as a list of frames (process_info current_stacktrace). */
term exception_current_trace(struct process *of, struct process *p, unsigned depth);

#endif
