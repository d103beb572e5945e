/* process.h: one Erlang process: its registers, heap, mailbox and relations.
 *
 * A process struct and all it points to (code and literals excepted) lie in the
 * region. Between steps everything is in here; while a process runs, the interpreter
 * holds heap top, stack top and instruction pointer in locals and writes them back
 * before it calls a function that may read them (every BIF may).
 *
 * heap .. htop grows up, e .. hend is the stack and grows down, in one block. Terms of
 * a process are in its block, in its heap fragments, or are literals (outside the
 * region) or persistent terms: the collector moves only the first two.
 *
 * Names: a pid's value encodes the place in the spawn tree (process_child_value): it is the
 * same in every schedule. References and unique integers are (pid value, counter of that process).
 */
#ifndef VM_PROCESS_PROCESS_H
#define VM_PROCESS_PROCESS_H

#include "vm/process/effect.h"
#include "vm/terms/term.h"

struct vm;
struct export;
struct ets_table;
struct timer;

typedef uint64_t word; /* of decoded code */

/* process_flag(max_heap_size, ...): a process that needs more words is killed. */
struct heap_limit {
	uint64_t words; /* 0: no limit */
	bool is_silent; /* the kill is not reported */
	bool counts_shared; /* include_shared_binaries of OTP 27: kept, but not counted */
	bool is_harmless; /* the process is reported, but not killed */
};

enum process_status {
	PROCESS_RUNNABLE, /* in the run queue or running */
	PROCESS_WAITING,  /* in a receive */
	PROCESS_EXITING,  /* dying, step by step */
	PROCESS_SUSPENDED,
};

/* Memory that did not fit onto the heap; the next collection moves it there. */
struct heap_fragment {
	struct heap_fragment *next;
	size_t words_len;
	size_t used;
	term words[];
};

/* REFCBIN objects on a heap, chained so that dead ones can be found. */
struct off_heap {
	term *first;
};

enum message_kind {
	MESSAGE_ON_HEAP,  /* term points into the receiver's heap: a GC root */
	MESSAGE_FRAGMENT, /* term is in the words after this struct */
};

struct message {
	struct message *next;
	struct message *prev;
	term content;
	term sender;         /* pid, or A_system */
	term to;             /* pid, while it is in transit: signal.h */
	uint64_t send_event; /* which signal it is: see signal_parts.h */
	uint32_t origin;     /* vm->step when it was made */
	uint32_t observed;   /* for the driver of the VM: its own facts about the message */
	uint64_t alias_counter; /* the alias of the receiver that it was sent through; 0: none */
	uint8_t kind;
	bool is_priority; /* goes before all messages that are not (OTP 28) */
	bool is_marked;   /* a receive_marker points at it */
	bool is_traced;   /* the tracer of its receiver has got a message about it (trace.h) */
	bool is_taken_in; /* mailbox_take_in */
	uint32_t words_len;
	struct off_heap off_heap;
	term words[];
};

struct mailbox {
	struct message *first;
	struct message *last;
	struct message *save; /* the next message to look at; NULL: all were looked at */
	size_t len;
};

/* Where the mailbox ended when a reference was about to be made. A receive that waits for a message
 * with that reference need not look at the messages up to there. The instructions recv_marker_...
 * work on it; in an explored run they do nothing. */
struct receive_marker {
	uint64_t serial;       /* of the reservation; 0: free */
	uint64_t ref_pid;      /* the reference that it is bound to, or 0 */
	uint64_t ref_counter;
	struct message *last;  /* the last message at that time; NULL: there was none */
};

enum { RECEIVE_MARKERS = 8 }; /* as on the real VM */

/* The process dictionary: open addressing, keys TERM_NONE when free. */
struct pdict {
	term *entries; /* key, value, key, value ... */
	uint32_t cap;  /* pairs, a power of two, or 0 */
	uint32_t len;
	uint32_t used; /* len plus deleted ones */
};

/* An exception that is being raised. class_ is A_error, A_exit or A_throw. */
struct exception {
	term class_;
	term reason;
	term trace;      /* the raw trace when it is raised again, or TERM_NONE: not built yet */
	term args;       /* list of arguments for the first frame, or TERM_NONE */
	term cause; /* for {error_info, #{cause => Cause}}, or TERM_NONE */
	term mfa_module; /* the BIF that raised, or TERM_NONE */
	term mfa_function;
	uint32_t mfa_arity;
	term info;       /* the whole error_info map (erlang:error/3), or TERM_NONE */
	bool skip_place; /* the failing instruction does not get a frame of its own */
	bool is_caller;  /* the first frame is the function at ip, and has a line */
};

enum bif_outcome { OUTCOME_RAISED, OUTCOME_TRAP, OUTCOME_WAIT, OUTCOME_YIELD, OUTCOME_STOP,
		   OUTCOME_EXITED, OUTCOME_RETRY, OUTCOME_ON_LOAD, OUTCOME_COLLECT };

struct relation; /* link or monitor: relation.h */
struct suspension;
struct ets_fixation;

/* The last call of another module by code of the program. A tail call leaves no frame: the stack goes on with
 * the continuation, where it had so many words. */
struct departure {
	const word *ip; /* NULL: none yet */
	const word *continuation;
	uint32_t depth;
	uint32_t step; /* vm->step at that time */
	bool is_tail;
};

/* The function of the program that a library applies after it has received a message, and where that
 * function was at the first call of another module. A second such function ends the search for the place. */
struct callback {
	const word *entry; /* NULL: none yet */
	const word *at;    /* NULL: not known */
	bool is_sought;
};

struct process {
	struct vm *vm;
	term pid;

	term *heap;
	term *hend;
	term *htop;
	term *e; /* stack top: e[0] is the saved continuation, e[1] is y0 */
	struct heap_fragment *fragments;
	struct off_heap off_heap;
	size_t gc_count;
	size_t live_words; /* words that the last collection found alive */
	size_t old_words;  /* the same, but 0 after one that a program asked for; only shown */
	struct heap_limit heap_limit;
	uint64_t min_heap_size, min_bin_vheap_size; /* only shown; 0: as usual */
	uint32_t fullsweep_after; /* only shown; plus one */
	bool is_too_large; /* a collection found it so; the process dies at its next call */
	bool is_large;     /* the same for erlang:system_monitor/2 */
	const term *fresh; /* the tuple setelement/3 made last, until it moves */

	const word *ip;
	const word *cp;
	int32_t fuel; /* calls left of its turn */
	uint64_t calls; /* of its turns before; not counted in a search */
	const word *end_ip; /* where it was when it began to die */
	struct departure departure;
	struct callback callback;
	const word *atomic_return; /* where a call that is one step returns to: beam/atomic.h */
	term *saved_x; /* live x registers while not running */
	uint32_t saved_len;
	uint32_t saved_cap;

	uint8_t status;
	bool trap_exit;
	bool is_system;    /* its steps belong to the step that woke it: never explored */
	uint8_t scheduler; /* process_flag(scheduler, N): has no effect */
	uint16_t multi_blocks[2]; /* system_flag(multi_scheduling, _): bifs/system_schedulers.c */
	bool is_port;      /* it serves a port: programs know it as process_known_as */
	bool is_aside;     /* a system process that only waits for the end of the test */
	bool is_queued;
	bool is_active;	   /* woken, and has not waited since (profile.h); not kept in a search */
	bool is_ready;     /* waits in a receive, and a message that the receive takes has arrived */
	bool may_act;      /* the announced visible step has been granted */
	uint8_t outcome;   /* enum bif_outcome, when a BIF returned TERM_NONE */
	bool timed_out;    /* the receive timer has fired */
	term probed_time;  /* a probe: how long the receive would wait */
	bool is_doomed;    /* an exit signal has ended it, though it has not begun to die */
	bool is_known_dead; /* and another process has asked (signal_ask) */
	bool is_sensitive;
	bool is_off_heap;  /* message_queue_data: only shown */
	bool waits_for_boot; /* until the system processes have started: boot.h */
	uint64_t busy_until_ns; /* it sleeps until then and shows as running (bifs/erts_dirty.c), */
	term busy_function;     /* in this function of erts_debug, of this arity */
	uint32_t busy_arity;
	uint32_t suspend_count; /* processes that suspend it */
	struct suspension *suspensions; /* those that it suspends: suspend.h */
	bool has_let_run;  /* a change of code let other processes run before: bifs/erlang_code.c */
	bool is_probe;     /* stops at the end of a receive's patterns: beam/probe.h */
	bool has_news;     /* in the list vm->news */
	bool has_own_outside; /* it has sent to its own alias: mailbox_take_in */
	bool is_test;      /* it runs the test, whose body has not returned (fermata:end_test) */
	uint8_t priority;
	struct process *queue_next;
	struct process *news_next;
	uint32_t actor;    /* for the driver of the VM: its number there, plus one; 0: none yet */
	struct announced announced;

	term tracer;          /* pid, or TERM_NONE: trace.h */
	uint32_t trace_flags; /* enum trace_flag */
	uint32_t trace_live;  /* live registers before an announced trace message, plus one; 0 none */
	bool is_end_traced;   /* the tracer knows that it ends */
	bool is_native_traced; /* the tracer knows of the native function that p calls again */
	bool is_send_traced;  /* the tracer knows of the send that it is about to do */
	int32_t trace_calls;  /* calls left of the turn while fuel is for one call only */
	term trace_notes;     /* list of messages to the tracer within a step, or TERM_NONE */

	struct mailbox mailbox;
	struct receive_marker markers[RECEIVE_MARKERS]; /* the oldest is reused */
	uint64_t marker_count;
	struct message *marked_first; /* the first message where a marker let a receive start, or NULL */
	uint64_t marked_serial;       /* of that marker; older ones are nearer to the front */
	struct mailbox signals; /* exit signals and what follows them: taken by p's own step */
	struct timer *receive_timer;
	struct exception exception;
	term trap_module; /* OUTCOME_TRAP: where to go on; arguments are in the x registers */
	term trap_function;
	uint32_t trap_arity;
	struct pdict dictionary;

	term port_peer;  /* of a socket: the pid of the port at the other end, or TERM_NONE */
	bool is_shut;    /* of a socket: the port is closed, and its process says so */
	term group_leader;
	term registered_name; /* atom or TERM_NONE */
	term exit_name;       /* while p is dying: the name it had when it began to */
	term error_handler;
	term parent;
	uint32_t born; /* vm->step when it was spawned */
	term initial_module;
	term initial_function;
	uint32_t initial_arity;
	term exit_reason;

	uint32_t child_count; /* children spawned so far, and the number of the last one */
	uint64_t ref_count;
	uint64_t unique_count;
	uint64_t table_count;
	uint64_t reductions;

	struct relation *relations;
	struct relation **relation_index; /* by link or reference, when there are many; or NULL */
	uint32_t relation_buckets;
	uint32_t relations_len;
	bool relations_are_ordered; /* it dies: relation_order_for_death was called */
	struct ets_table *tables; /* owned ETS tables, chained by their owner link */
	struct ets_fixation *fixations; /* ETS tables that it fixes, the last one first */
	struct timer *timers;     /* timers this process started */
	struct process *table_next; /* hash chain of the process table */
	struct process *all_next, *all_prev; /* in order of creation */
};

/* The process, or NULL when it has ended or never existed. */
struct process *process_find(struct vm *vm, term pid);
/* Does processes/0 list it? It does not list processes that have ended and still send the news of
 * their end. */
static inline bool process_is_listed(const struct process *p)
{
	return p->status != PROCESS_EXITING && !p->is_known_dead && !p->is_port;
}

/* A port is a process that programs know by another name: the port with the value of its pid. */
static inline term process_of_port(term port) { return pid_make(pid_value(port)); }
/* The port that every node has from the start: #Port<0.0>, "forker". It has no process here, and
 * only its existence and port_info/1 are known. */
#define PORT_OF_NODE port_make(0)
static inline term process_known_as(const struct process *p)
{
	return p->is_port ? port_make(pid_value(p->pid)) : p->pid;
}

/* A new reference: (pid value, counter). flags: the kind of object it stands for, or 0. */
enum ref_flags {
	REF_ALIAS = 1,
	REF_ONCE = 32, /* an alias that ends with the first message through it */
	REF_TABLE = 2,
	REF_ATOMICS = 4,
	REF_COUNTERS = 8,
	REF_MATCH_SPEC = 16,
	REF_PREPARED = 64, /* code that erlang:prepare_loading/2 has read */
};
/* The counter of a reference that is derived from a hash instead of its maker. */
#define REF_COUNTER_MASK (((uint64_t)1 << 48) - 1)
term process_make_ref(struct process *p, unsigned flags);
static inline uint64_t ref_pid_value(term ref) { return boxed_ptr(ref)[1]; }
static inline uint64_t ref_counter(term ref) { return boxed_ptr(ref)[2]; }
static inline uint64_t ref_flags(term ref) { return boxed_ptr(ref)[3]; }
static inline bool refs_are_equal(term a, term b)
{
	return ref_pid_value(a) == ref_pid_value(b) && ref_counter(a) == ref_counter(b);
}

/* Priorities can be set and read, but do not change who runs. False: not the name of one. */
bool process_read_priority(term name, uint8_t *priority);
term process_priority_name(const struct process *p);

/* Flags that tune the collector of the real VM. They are kept and shown, and change nothing here.
 * Sizes are rounded up to a size that a heap of the real VM can have. */
uint64_t process_tuned(const struct process *p, term flag);
void process_tune(struct process *p, term flag, uint64_t value);

/* Saves x[0..n-1] while the process does not run. */
void process_save_x(struct process *p, unsigned n);

/* The initial function returned, or an exception was not caught: sets the exit reason and goes to
 * the code that ends the process. */
void process_returned(struct process *p, term value);
void process_uncaught(struct process *p);
/* Ends p with this reason (an exit signal, exit/1 ...), wherever it is. */
void process_exit(struct process *p, term reason);
/* From here on other processes see that p is dying. */
void process_begin_exit(struct process *p);
/* One step of dying; true when it was the last and p is gone. */
bool process_exit_step(struct process *p);

struct spawn_options {
	bool link;
	bool monitor;
	term monitor_tag;     /* 'DOWN', or T of {tag, T} */
	uint64_t alias_flags; /* of the monitor, see signal.h */
	term ref;             /* out: the monitor's reference */
};

/* A new process that will call module:function with the arguments (a proper list). It is
 * runnable but not run. */
/* As many processes exist at most, as on the real VM of this release without the option +P. */
static inline uint32_t process_limit(unsigned release)
{
	return release >= 27 ? 1048576 : 262144;
}
struct process *process_spawn(struct vm *vm, struct process *parent, term module, term function,
			      term args);

/* The pid value of the n-th child (from 1) of the process with this value. */
uint64_t process_child_value(uint64_t parent, uint32_t n);
/* Whether the processes of two different values are children of one, or one descends from the other. */
bool process_are_kin(uint64_t a, uint64_t b);

#endif
