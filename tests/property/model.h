/* model.h: a generated program as a set of states.
 *
 * This is the opinion that shares nothing with the tool: a state is the values of all variables
 * and where each thread is; steps.c says which states follow when a thread takes its next step;
 * model.c visits every state that can be reached, once, and collects the ends. There is no
 * dependence relation, no reduction and no schedule here.
 *
 * An instruction of several steps (waiting on a condition) counts them in `phase`. A loop is as
 * many steps as it has accesses, and a turn in vain leads back to a state that was seen.
 */
#ifndef PROPERTY_MODEL_H
#define PROPERTY_MODEL_H

#include <stdint.h>

#include "instruction.h"

enum life { UNBORN, ALIVE, ENDED };

/* How a run ends; the numbers are those of enum run_end in core/trace.h, which are hashed. */
enum end { RUNS = -1, END_DONE = 0, END_EXIT = 1, END_ABORT = 2, END_DEADLOCK = 4, END_SPIN = 5 };

struct thread_state {
	uint8_t pc, phase, life;
	uint8_t pending;   /* was asked to end */
	uint8_t signalled; /* has a signal that it has not taken */
	uint8_t cancelled; /* did so */
	uint8_t key;	   /* 1 + the atomic to increment at the end, or 0 */
	int8_t last, scratch;
	int8_t r[REGISTERS];
};

/* All bytes count: it is hashed and compared as memory, so it has no padding. */
struct state {
	int8_t x[ATOMICS];
	int8_t data[MUTEXES], plain[PLAINS], rw_data, spin_data;
	uint8_t owner[MUTEXES]; /* 1 + the thread that holds it, or 0 */
	uint8_t readers;	/* a set of threads */
	uint8_t writer, spinner;
	uint8_t sem[SEMAPHORES];
	uint8_t arrived;
	uint8_t once[ATOMICS]; /* 0, 1 running, 2 done */
	uint8_t pointer;
	uint8_t open;  /* numbers of descriptors: a bit for each that is open */
	uint8_t piped; /* bytes in the pipe */
	int8_t pipe[PIPE];
	uint8_t leaving;  /* somebody has called exit */
	uint8_t signalled; /* the process has a signal that no thread has taken */
	uint8_t spurious; /* wake-ups without a reason that may still happen */
	int8_t end, code;
	struct thread_state t[THREADS];
};

struct program {
	int threads;
	int has_detached;
	int is_idle; /* time limits end only when nobody else can go on */
	int length[THREADS];
	struct instruction code[THREADS][CODE];
};

enum { SUCCESSORS = 1 << THREADS };

/* The states that follow `from` when thread t takes its next step, written to `to`, which has
 * room for SUCCESSORS. Returns how many: 0 if the thread is not there or has to wait. */
int state_successors(const struct program *program, const struct state *from, int t,
		     struct state *to);

/* The same when nobody can take a step and the time limit of thread t may end. */
int state_expire(const struct program *program, const struct state *from, int t, struct state *to);

/* The state before the first step. */
struct state state_first(const struct program *program, int spurious);

#endif
