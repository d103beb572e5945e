/* vm.h: the state of a run (all processes, the run queue, names, timers, the clock) and the two
 * ways to drive it.
 *
 * `beam run` uses vm_run, which follows the default schedule. A process runs until it blocks, ends
 * or has had its turn of some thousand calls. Processes take turns first in, first out. The clock
 * moves when no process can run. The explorer sets vm->is_explored and uses vm_step, which runs one
 * process from the visible operation that it announced up to its next visible operation, and not
 * further.
 *
 * struct vm is the root block of the region, so a restore puts it back like everything else. The
 * tables and settings that runs share are in machine.h.
 */
#ifndef VM_VM_H
#define VM_VM_H

#include <setjmp.h>
#include <signal.h>

#include "base/err.h"
#include "vm/bifs/notes.h"
#include "vm/memory/ref_table.h"
#include "vm/process/process.h"

enum vm_end {
	VM_RUNNING,
	VM_DONE,        /* the test's process has ended */
	VM_STUCK,       /* every process waits and no timer is left */
	VM_UNSUPPORTED, /* the program needs something that vm->err names */
	VM_HALTED,      /* halt/0,1,2; vm->halt_status */
	VM_OUT_OF_MEMORY,
	VM_ENDLESS,     /* vm->turns_max was reached */
	VM_AT_TEST,     /* a set-up is done: fermata:begin_test, fermata:end_setup */
};

enum step_end {
	STEP_VISIBLE, /* stopped before its next visible operation */
	STEP_WAITING, /* blocked in a receive */
	STEP_ENDED,
	STEP_YIELDED,
	STEP_TURN,    /* its turn is over (never under exploration) */
	STEP_MATCHED, /* a probe: a pattern of the receive matches the message */
	STEP_TIMEOUT, /* a probe: no pattern matches, and the receive does not wait */
	STEP_SLEEPING, /* a probe: no pattern matches, and the receive waits for some time */
	STEP_STOPPED, /* the whole run ended: vm->end */
};

struct process_table {
	struct process **buckets;
	uint32_t buckets_len;
	uint32_t len;
};

struct timer_queue {
	struct timer **heap;
	size_t len;
	size_t cap;
	uint64_t changes; /* how often a timer was added or removed */
	struct ref_table by_ref; /* the timers that programs can cancel */
};

struct registry_entry {
	term name;
	term pid;
};

struct registry {
	struct registry_entry *entries; /* open addressing by atom hash; name 0 = free */
	uint32_t cap;
	uint32_t len;
};

/* Facts that a run relied on and that the schedule does not decide: bits of vm->relied_on. */
enum vm_reliance {
	RELIED_ON_CHANCE = 1,      /* random numbers */
	RELIED_ON_FILES = 2,       /* the contents of files and folders */
	RELIED_ON_REFUSAL = 4,     /* that a file could not be written */
	RELIED_ON_ATOMS = 8,       /* that an atom existed, or that it did not */
	RELIED_ON_ABSENCE = 16,    /* that a system process does not exist */
	RELIED_ON_PROGRAMS = 64,   /* programs outside */
	RELIED_ON_SOCKETS = 128,   /* simulated sockets */
	RELIED_ON_TRACING = 256,   /* that the receiver of a traced message was there */
	RELIED_ON_PROCESSORS = 512, /* the number of schedulers */
	RELIED_ON_PROGRESS = 1024, /* where another process was between two visible steps */
	RELIED_ON_NUMBERS = 2048,  /* unique integers that do not show the order of calls; hashes and
				      texts of pids and references, tables in the order of these */
	RELIED_ON_FIGURES = 4096,  /* statistics, sizes of memory */
	RELIED_ON_ORDER = 8192,    /* how pids or references of different creators compare */
	RELIED_ON_COUNTERS = 16384, /* that counters with write_concurrency show every change */
	RELIED_ON_TIME_LEFT = 32768, /* how much time a timer had left */
	RELIED_ON_LOADED = 65536,  /* whether another process had called a module before */
	RELIED_ON_DEPTH = 131072,  /* how deep stack traces were, while a process changed that */
	RELIED_ON_NEW_ATOMS = 32,  /* an atom was made: only then RELIED_ON_ATOMS matters */
};

struct bif;
struct ets_tables;
struct environment;
struct persistent_terms;
struct code_image;
struct module_table;
struct run_path;
struct trace_state;

/* The wall clock at virtual time 0: the same in every run on every machine. Programs divide by the parts
 * of erlang:timestamp(), so that the seconds within a million are not near 0. */
#define VM_EPOCH_SECONDS INT64_C(1700654321)
enum { LOOP_LIMIT = 40000, /* the usual one of unicode and re */
       MISSING_MAX = 8 };

/* erlang:system_monitor/2: the process that gets messages about processes with so many words
 * (bifs/system_monitor.c). The other events never occur; 0 stands for an option that is not set. */
struct system_monitor {
	bool is_set;
	bool busy_port, busy_dist_port;
	term pid;
	uint64_t long_gc, long_schedule, large_heap;
};

/* erlang:system_profile/2: the process that gets messages about which processes run
 * (process/profile.h). */
enum profile_bit {
	PROFILE_EXCLUSIVE = 1, /* without effect */
	PROFILE_SCHEDULER = 2,
	PROFILE_PROCESSES = 4,
	PROFILE_PORTS = 8, /* without effect */
	PROFILE_SHOWN = 15,
	PROFILE_NOW = 16, /* how the time is written */
	PROFILE_MONOTONIC = 32,
	PROFILE_STRICT = 64,
};

struct system_profile {
	bool is_set;
	bool is_idle; /* the last message about a scheduler was that it is inactive */
	uint32_t bits;
	term pid;
};

struct vm {
	bool is_explored;
	enum vm_end end;
	int halt_status;
	struct err err;

	uint32_t step; /* number of the current step, from 1: see message.origin */
	term stepper;  /* the process that takes it; TERM_NONE: a timer */
	uint32_t system_work; /* enum system_work; the driver clears it, */
	term system_first;    /* and this is then the name of the system process that ran first */
	bool is_async;         /* signals wait in transit until the driver delivers them */
	/* If not NULL it gets the result of each visible call that returned, TERM_NONE of one that failed; the
	 * term is not its own. */
	void (*note_result)(void *ctx, const struct bif *bif, term result);
	void *note_ctx;
	bool tells_demonitors; /* the driver wants the end of a monitor as a signal: signal.h */
	struct mailbox transit; /* signals of the current step; the driver empties it */
	struct process *news; /* processes that got a message or signal; the driver empties it */

	struct process_table processes;
	struct process *first_process; /* in order of creation */
	struct process *last_process;
	struct process *run_first;
	struct process *run_last;
	struct process *test; /* the process whose result counts; NULL when it has ended */
	term result;          /* the value or exit reason of `test`, copied */
	term result_class;    /* A_ok, or A_error / A_exit / A_throw */
	term result_trace;

	uint64_t now_ns; /* virtual monotonic time */
	struct timer_queue timers;
	uint64_t timer_seq;
	uint64_t monotonic_count;
	uint64_t turns;      /* of calls: in this step under exploration, else in this run */
	uint64_t turns_max;  /* a run, or a step under exploration, with more turns counts as endless;
				0: no limit */
	uint64_t busy_turns; /* turns since the clock moved */
	struct registry registry;
	term group_leader;
	term init_pid;
	term boot_pid;    /* the process that starts the system processes */
	bool boots_later; /* also the processes that few programs need: boot.c */
	uint32_t boot; /* how far the system processes have been started: boot.c */
	uint32_t backtrace_depth;
	uint64_t statistics_calls; /* the last result of statistics(reductions) */
	uint64_t statistics_ms[2]; /* the last time of statistics(wall_clock), and of runtime */
	uint32_t loop_limits[3]; /* erts_debug: of binary, unicode and re; without effect */
	struct heap_limit heap_limit; /* of new processes: system_flag(max_heap_size, _) */
	struct system_monitor monitor;
	struct system_profile profile;
	uint32_t requests_limit; /* system_flag(outstanding_system_requests_limit, N): has no effect */
	term system_logger; /* pid or atom, as OTP's logger_proxy set it; 0 not yet */
	bool shows_inside; /* erts_debug:set_internal_state(available_internal_state, true) */

	uint32_t collection_ms; /* erts_debug: how long a collection takes */

	uint64_t seed; /* of the random numbers of crypto */
	uint32_t relied_on; /* enum vm_reliance */

	struct module_table *modules;
	struct {
		term name; /* TERM_NONE: all */
		term by;
	} missing[MISSING_MAX]; /* modules that processes asked for and that were not loaded */
	uint32_t missing_len;
	struct unloaded_fun *unloaded_funs; /* code/unloaded_fun.c */
	uint64_t *lost_images; /* bitset by number: their funs cannot be called as they are */
	uint32_t lost_words;
	const struct code_image *purging; /* the purger has begun to purge it; processes that */
	term purger;                      /* call its funs are suspended by this process */
	struct run_path *paths; /* added by the program: path.c */
	struct trace_state *trace; /* NULL: nothing was ever traced */
	struct ets_tables *ets;
	struct environment *environment; /* changes to variables: environment.h */
	struct persistent_terms *persistent;
	struct ref_table atomics; /* and counters */
	struct note_list notes; /* of fermata:note/1 */
	struct ref_table resources; /* open files, buffers, streams: resource.h */
	uint64_t *atoms_exist; /* bitset */
	size_t atoms_exist_words;
};

#define X_REGISTERS 1024
#define X_SCRATCH 2 /* a result waits behind the live registers during a collection */

/* The part of a machine (machine.h) that belongs to the process that is running. It is not state of
 * the run: between steps the registers are saved in the process. */
struct vm_running {
	term x[X_REGISTERS + X_SCRATCH];
	double f[X_REGISTERS];
	jmp_buf leave; /* where a run goes on that has passed a limit */
	volatile sig_atomic_t limit;     /* which one: vm.c */
	volatile sig_atomic_t is_inside; /* a run, which can be left by that */
	const char *why;                 /* of vm_interrupt() */
	const struct process *process;   /* the one that runs */
	bool traces_natives; /* as vm->trace->has_natives of the machine that runs: trace.h */
};

/* Makes a machine: region, atom table, BIF table and the VM in them. The search path and the
 * settings (code_path_add, code_use_stops, leader_set_output ...) may be given before or after. */
bool vm_open(size_t memory_limit, struct err *err);
struct vm *vm_get(void);
/* Releases everything of the entered machine, search path and settings too. */
void vm_close(void);

struct process *vm_spawn(struct vm *vm, struct process *parent, term module, term function,
			 term args);
enum vm_end vm_run(struct vm *vm);
/* For signal handlers: leaves the step that is running, if there is one and it can be left; then it
 * does not return. The run ends as not supported; the message begins with `why`. A native function
 * that works on a term of a thousand bytes may take years if the term has 2^60 parts, and looks at
 * nothing meanwhile. */
void vm_interrupt(const char *why);
/* Was the last run left by that? */
bool vm_is_interrupted(const struct vm *vm);
/* Runs p from the operation it announced up to its next one, and then every system process
 * that was woken. A process that has announced nothing (it is new) runs up to its first
 * visible operation. After STEP_VISIBLE and STEP_WAITING p->announced describes the next
 * operation; a process that waits can go on once it is in the run queue again (p->is_queued). */
enum step_end vm_step(struct vm *vm, struct process *p);
/* Runs every system process that was woken, by a timer that the driver let fire. */
void vm_serve(struct vm *vm);

/* Called when p has made as many calls as a turn has (interp.h). True: p must stop and let other
 * processes go on. */
bool vm_count_turn(struct vm *vm, const struct process *p);

/* Puts p at the end of the run queue unless it is there. */
void vm_wake(struct process *p);

/* Ends the whole run as not supported. */
void vm_unsupported(struct vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
