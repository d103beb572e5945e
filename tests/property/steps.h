/* steps.h: a step that is being worked out; shared by the files that say what instructions do.
 *
 * steps.c has atomics, locks and threads, and puts everything together; steps_sync.c semaphores,
 * barrier, once, conditions and futexes; steps_loops.c the loops. A function do_… takes the step if
 * the instruction is one of its own and returns whether it was; a step that has to wait sets
 * `blocked`.
 */
#ifndef PROPERTY_STEPS_H
#define PROPERTY_STEPS_H

#include "model.h"

/* A step of thread t that is being worked out. `blocked` says that it cannot be taken. */
struct step {
	const struct program *program;
	struct state *s;
	int t;
	struct thread_state *self;
	struct instruction i;
	int blocked;
};

enum { FREE = 0 };

/* Phases of an instruction that waits in a waiting set, or with a time limit. */
enum { ENTER, ASLEEP, WOKEN, EXPIRED, UNWINDING };

static inline int me(const struct step *step)
{
	return step->t + 1;
}

static inline void go_on(struct step *step)
{
	step->self->pc++;
	step->self->phase = 0;
}

static inline void set(struct step *step, int value)
{
	step->self->r[step->i.a] = (int8_t)value;
}

/* The step can be taken only if `possible`. */
static inline int needs(struct step *step, int possible)
{
	step->blocked = !possible;
	return possible;
}

static inline void go_on_if(struct step *step, int possible)
{
	if (needs(step, possible))
		go_on(step);
}

/* Takes a lock if it is free; `r` (or -1) gets whether. */
void step_take(struct step *step, uint8_t *owner, int is_free, int r);

/* Takes one from semaphore s; `r` as before. */
void step_down(struct step *step, int s, int r);

/* Is there a time limit that has not ended and ends only when nobody else can go on? */
int step_must_wait(const struct step *step);

/* May the instruction give up because of a time limit (other than a wait)? */
int op_has_limit(int op);

/* The thread ends here because it was cancelled. */
void step_be_cancelled(struct step *step);
int step_is_cancelled(struct step *step);

int do_count(struct step *step);
int do_loop(struct step *step);
int do_wait(struct step *step);

/* Does the instruction wake others, and then: the states that follow, one for each choice. */
int op_is_wake(int op);
int wake_others(const struct program *program, const struct state *from, int t, struct state *to);

/* The states that follow when a thread wakes, or fails, without another's help. */
int wake_by_itself(const struct program *program, const struct state *from, int t,
		   struct state *to);

/* The time limit of a thread that sleeps ends. False if it does not sleep with one. */
int wake_in_time(const struct program *program, const struct state *from, int t, struct state *to);

#endif
