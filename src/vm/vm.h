/* vm.h: the machine: all processes, the run queue, names, timers, the clock; and the seam
 * through which it is driven.
 *
 * `beam run` uses vm_run: the default schedule (a process runs until it blocks, ends
 * or has had its turn of some thousand calls; first in, first out; time moves when nobody can run).
 * The explorer sets vm->is_explored and drives by vm_step: one process, from the visible operation
 * it announced up to, not including, its next one.
 *
 * struct vm is the region's root block: it goes back with a restore like everything else.
 */
#ifndef VM_VM_H
#define VM_VM_H

#include "base/err.h"
#include "vm/bifs/notes.h"
#include "vm/memory/ref_table.h"
#include "vm/process/process.h"

enum vm_end {
	VM_RUNNING,
	VM_DONE,        /* the test's process has ended */
	VM_STUCK,       /* everybody waits and no timer is left */
	VM_UNSUPPORTED, /* vm->err says what */
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
	STEP_TURN,    /* has had its turn: others first (never under exploration) */
	STEP_MATCHED, /* a probe: the patterns of the receive take the message */
	STEP_TIMEOUT, /* a probe: they do not, and the receive does not wait */
	STEP_SLEEPING, /* a probe: they do not, and the receive waits for some time */
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
	uint64_t changes; /* how often one was added or taken out */
	struct ref_table by_ref; /* those that programs can cancel */
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

/* What a run relied on that the schedule does not decide: bits of vm->relied_on. */
enum vm_reliance {
	RELIED_ON_CHANCE = 1,      /* random numbers */
	RELIED_ON_FILES = 2,       /* what is in files and folders */
	RELIED_ON_REFUSAL = 4,     /* that a file could not be written */
	RELIED_ON_ATOMS = 8,       /* that an atom existed, or that it did not */
	RELIED_ON_ABSENCE = 16,    /* that a system process is not there */
	RELIED_ON_NEW_ATOMS = 32,  /* an atom was made: only then the former matters */
};

struct ets_tables;
struct environment;
struct persistent_terms;
struct module_table;
struct run_path;

struct vm {
	bool is_explored;
	enum vm_end end;
	int halt_status;
	struct err err;

	uint32_t step; /* number of the step that is being taken, from 1: see message.origin */
	bool is_async;         /* signals wait in transit until the driver delivers them */
	struct mailbox transit; /* those sent by the step being taken; the driver empties it */
	struct process *news; /* processes that got a message or signal; the driver empties it */

	struct process_table processes;
	struct process *first_process; /* in order of creation */
	struct process *last_process;
	struct process *run_first;
	struct process *run_last;
	struct process *test; /* the process whose result counts; NULL when it has ended */
	term result;          /* its value or exit reason, copied; see vm_result */
	term result_class;    /* A_ok, or A_error / A_exit / A_throw */
	term result_trace;

	uint64_t now_ns; /* virtual monotonic time */
	struct timer_queue timers;
	uint64_t timer_seq;
	uint64_t monotonic_count;
	uint64_t turns;      /* of calls: in this step under exploration, else in this run */
	uint64_t turns_max;  /* more than that is endless; 0: no limit */
	uint64_t busy_turns; /* since the clock moved */
	struct registry registry;
	term group_leader;
	term init_pid;
	uint32_t boot; /* how far the start of the system processes is: boot.c */
	uint32_t backtrace_depth;

	uint64_t seed; /* of what crypto draws */
	uint32_t relied_on; /* enum vm_reliance */

	struct module_table *modules;
	struct run_path *paths; /* added by the program: path.c */
	struct ets_tables *ets;
	struct environment *environment; /* changes to variables: environment.h */
	struct persistent_terms *persistent;
	struct ref_table atomics; /* and counters */
	struct note_list notes; /* of fermata:note/1 */
	struct ref_table resources; /* open files, buffers, streams: resource.h */
	uint64_t *atoms_exist; /* bitset */
	size_t atoms_exist_words;
};

/* x registers of the running process. Not run state: between steps they are saved in it. */
#define X_REGISTERS 1024
#define X_SCRATCH 2 /* results wait behind the live ones while memory is made */
extern term vm_x[X_REGISTERS + X_SCRATCH];

/* Opens region, atom table, BIF table and the VM in them. */
bool vm_open(size_t memory_limit, struct err *err);
struct vm *vm_get(void);
void vm_close(void);

struct process *vm_spawn(struct vm *vm, struct process *parent, term module, term function,
			 term args);
enum vm_end vm_run(struct vm *vm);
/* Runs p from the operation it announced up to its next one, and then every system process
 * that was woken. A process that has announced nothing (it is new) runs up to its first
 * visible operation. After STEP_VISIBLE and STEP_WAITING p->announced says what comes next; a
 * process that waits can go on once it is in the run queue again (p->is_queued). */
enum step_end vm_step(struct vm *vm, struct process *p);

/* p has made as many calls as make a turn (interp.h): whether it must stop and let others go on. */
bool vm_count_turn(struct vm *vm, const struct process *p);

/* Puts p at the end of the run queue unless it is there. */
void vm_wake(struct process *p);

/* Ends the whole run as not supported. */
void vm_unsupported(struct vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
