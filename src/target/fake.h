/* fake.h: a scripted target for tests: small programs as data, run in this process.
 *
 * A program is a list of threads, a thread a list of steps on numbered variables,
 * locks, semaphores and conditions. It keeps the contract of target.h and nothing
 * else, so strategies can be tested by the hundred thousand without a compiler:
 * dpor must find exactly the classes and outcomes that dfs finds.
 */
#ifndef TARGET_FAKE_H
#define TARGET_FAKE_H

#include "target/target.h"

enum fake_op {
	FAKE_READ,    /* folds the variable into the thread's memory */
	FAKE_WRITE,   /* stores `value` */
	FAKE_COPY,    /* stores a number made of the thread's memory */
	FAKE_CAS,     /* stores `value` if the variable is 0 */
	FAKE_LOCK,
	FAKE_UNLOCK,
	FAKE_TRYLOCK, /* on failure skips the next `value` steps */
	FAKE_POST,
	FAKE_WAIT,
	FAKE_COND_WAIT,   /* on condition `object`, with lock `value`: two steps */
	FAKE_COND_SIGNAL,
	FAKE_SKIP_IF_ZERO, /* no event: skips `value` steps if what was last read is 0 */
	FAKE_ASSERT_ZERO,  /* no event, but an ABORT if what was last read is not 0 */
	FAKE_EXIT,         /* the run ends for everybody */
};

struct fake_step {
	uint8_t op;
	uint8_t object;
	int8_t value;
};

enum { FAKE_THREADS = 6, FAKE_STEPS = 24, FAKE_OBJECTS = 8 };

struct fake_program {
	uint32_t threads_len;
	uint32_t lens[FAKE_THREADS];
	struct fake_step steps[FAKE_THREADS][FAKE_STEPS];
	int8_t semaphores[FAKE_OBJECTS]; /* initial values */
};

/* Borrows the program, which must outlive the target. */
struct target *fake_create(const struct fake_program *program);

#endif
