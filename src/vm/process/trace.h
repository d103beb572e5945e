/* trace.h: tracing: messages to a tracer about the calls, sends, receives and the life of a process.
 *
 * A call is noticed at the entry of the function: a process whose calls are traced has fuel for one
 * call only, so that each call leaves the fast path (interp.c). trace_point says which functions are
 * traced (trace_point.c); trace_call.c follows their calls. A frame on the stack with a return
 * address of its own notices the return, and its catch an exception.
 *
 * Under exploration a trace message is a visible step of its own, an announced send to the tracer:
 * before the first instruction of a function that is called, before a send, behind any other
 * operation. The message waits behind the live registers in p->saved_x. Else it is sent at once:
 *
 *     p calls f(1)     explored:      p stops at f's entry, announces {trace, P, call, {m,f,[1]}}
 *                      not explored:  the message is sent, p goes on
 */
#ifndef VM_PROCESS_TRACE_H
#define VM_PROCESS_TRACE_H

#include "vm/process/process.h"

struct bif;
struct code_image;

enum trace_flag {
	TRACE_SEND = 1 << 0,
	TRACE_RECEIVE = 1 << 1,
	TRACE_PROCS = 1 << 2,
	TRACE_CALL = 1 << 3,
	TRACE_ARITY = 1 << 4,
	TRACE_SILENT = 1 << 5,
	TRACE_TIMESTAMP = 1 << 6,
	TRACE_MONOTONIC = 1 << 7,
	TRACE_SET_ON_SPAWN = 1 << 8,
	TRACE_SET_ON_FIRST_SPAWN = 1 << 9,
	TRACE_PORTS = 1 << 10, /* ports are not traced: kept and shown */
	TRACE_RETURN_TO = 1 << 11,
	TRACE_SET_ON_LINK = 1 << 12,
	TRACE_SET_ON_FIRST_LINK = 1 << 13,
	TRACE_STRICT = 1 << 14, /* strict_monotonic_timestamp */
	TRACE_RUNNING = 1 << 15,
	TRACE_RUNNING_PROCS = 1 << 16,
	TRACE_COLLECTIONS = 1 << 17,
	TRACE_SCHEDULER = 1 << 18, /* scheduler_id */
};

/* The calls of a process that the flag call_time counts. */
struct trace_tally {
	term pid;
	uint64_t count;
};

/* A traced function. Its calls are traced for processes that have the flag `call`, and so is their
 * time; meta tracing and counting are for all processes. Time is only the number of calls by process:
 * computing takes no time here. */
struct trace_point {
	const word *entry;
	bool is_local; /* all calls; else only those through an export */
	bool is_native; /* entry is its bif_code */
	bool counts;   /* call_count */
	bool is_paused;
	uint64_t count;
	bool is_timed; /* call_time */
	bool is_time_paused;
	struct trace_tally *tallies; /* in the order of their first calls */
	uint32_t tallies_len, tallies_cap;
	struct message *spec; /* its content is [] or a match spec; NULL: calls are not traced */
	struct message *meta_spec; /* NULL: there is not one */
	term meta_tracer;
};

struct trace_state {
	struct trace_point *points; /* in the order in which they were set */
	uint32_t len, cap;
	uint32_t *index; /* by entry: number in points + 1; open addressing */
	uint32_t index_cap;
	struct trace_point loading; /* on_load: how functions of modules that will be loaded are traced */
	bool watches_all; /* every process notices its calls */
	bool has_natives;
	bool counts_work; /* cpu_timestamp */
	bool hides_sends, hides_receives; /* trace_pattern(send, false, []) */
	struct message *send_spec; /* its content is a match spec for [Receiver, Message]; or NULL */
	uint32_t control_word; /* system_flag(trace_control_word, N) */
	uint32_t new_flags; /* of processes that are made from now on */
	term new_tracer;
	term session_tracer; /* of the session of OTP 27, or TERM_NONE */
	uint64_t session;    /* counter of its reference, or 0 */
	uint64_t sessions_made;
};

/* The changes that erlang:trace_pattern makes to a function. spec TERM_NONE: that kind of tracing ends. */
struct trace_change {
	bool sets_call, sets_meta, sets_count, sets_time;
	bool is_local;
	bool is_forced; /* ends tracing of local and of global calls alike */
	bool is_native;
	term meta_tracer;
	term spec;
};

/* The state of the run; made when it is first asked for. */
struct trace_state *trace_get(struct vm *vm);
struct trace_point *trace_find(struct vm *vm, const word *entry);
/* The spec is copied. */
void trace_set(struct vm *vm, const word *entry, const struct trace_change *change);
/* The same for the functions of modules that will be loaded, and for those of one that is. */
void trace_set_loading(struct vm *vm, const struct trace_change *change);
void trace_loaded(struct vm *vm, const struct code_image *image);
void trace_clear(struct vm *vm);
/* Which sends, which receives are traced: false, [] or, for the first, a match spec. */
void trace_set_sends(struct vm *vm, term spec);
void trace_set_receives(struct vm *vm, bool shows);
/* p calls the function of the point. */
void trace_count(struct process *p, struct trace_point *point);
/* New code has come: calls of the code before it are not traced any more. */
void trace_forget(struct vm *vm, const struct code_image *image);
/* Whether each call of p must leave the fast path. */
bool trace_watches(const struct process *p);

/* p->trace_flags and p->tracer have changed. */
void trace_changed(struct process *p);

/* At the entry of a function, with its arguments in x registers. True: p must stop, it has announced
 * the message. */
bool trace_call(struct process *p, bool is_remote);
/* Calls a native function while some of them are traced. Never in a search. */
term trace_native(struct process *p, const struct bif *bif, const term *args);
/* The frame of a traced call was reached by a return, by an exception; the first of the instructions
 * below that belong to it. True: p must stop. */
bool trace_return(struct process *p);
bool trace_exception(struct process *p);
extern word interp_trace_return[];
extern word interp_trace_raise[];

/* {trace, P, Parts...}, or {trace_ts, P, Parts..., Time} if p's flags ask for a time. */
term trace_message(struct process *p, const term *parts, size_t len);
/* Sends the message to p's tracer now, or leaves it in p->trace_notes. */
void trace_note(struct process *p, term message);
/* p was linked to a process that it made. */
void trace_inherit_by_link(struct process *p, struct process *of);
/* p begins or ends a turn (in, out). Never in a search. */
void trace_turn(struct process *p, const char *tag);
/* p's heap is collected because a program asked for it. Never in a search. */
void trace_collection(struct process *p, bool is_minor);
/* A receive of p has timed out. */
void trace_timeout(struct process *p);
/* A link of p is gone because the other process has ended. Not in a search. */
void trace_lost_link(struct process *p, term pid);
/* Whether that send of p is traced; with *message in its trace message, if that is not `true`. */
bool trace_selects_send(struct process *p, term to, term content, term *message);
/* p is about to send. */
void trace_send(struct process *p, term to, term content);
/* Note an act of a native function, about which p will send a trace message. */
void trace_spawn(struct process *p, struct process *child);
void trace_life(struct process *p, term tag, term what);
/* The same about `of`, in a step of p; NULL: about nothing. */
void trace_about(struct process *p, struct process *of, term tag, term what);
/* p made or removed a link to another process, which hears of it by the second tag. */
void trace_tie(struct process *p, term pid, term tag, term other_tag);
/* p has made a link to this process; since OTP 27 that process inherits flags, too. */
void trace_link(struct process *p, term pid);
/* Messages that p has not looked at yet. */
void trace_received(struct process *p);
/* True: p, whose first `live` registers are live, must stop and has announced the next of the
 * messages that trace_send and the others left. */
bool trace_stop(struct process *p, unsigned live);

/* Whether p is to stop before it goes on (interp_run): it sends the message that it announced. */
bool trace_resume(struct process *p);

#endif
