/* steps_sync.c: semaphores, the pipe, barrier, once, conditions and futexes. */
#include "steps.h"

#include <string.h>

/* ---- semaphores, barrier, once ---- */

static void do_once(struct step *step)
{
	uint8_t *once = &step->s->once[step->i.a];

	if (step->self->phase == 1) {
		step->s->x[step->i.a]++;
		step->self->phase = 2;
	} else if (step->self->phase == 2) {
		*once = 2;
		go_on(step);
	} else if (*once == 2) {
		go_on(step);
	} else if (needs(step, *once == 0)) {
		*once = 1;
		step->self->phase = 1;
	}
}

static void do_barrier(struct step *step)
{
	struct state *s = step->s;

	if (step->self->phase) {
		go_on_if(step, step->self->phase == 2);
		return;
	}
	step->self->phase = 1;
	set(step, ++s->arrived == PARTY);
	if (s->arrived < PARTY)
		return;
	s->arrived = 0;
	for (int t = 0; t < step->program->threads; t++)
		if (s->t[t].life == ALIVE && s->t[t].phase == 1 &&
		    step->program->code[t][s->t[t].pc].op == OP_BARRIER)
			s->t[t].phase = 2;
}

void step_down(struct step *step, int s, int r)
{
	uint8_t *sem = &step->s->sem[s];
	int is_free = *sem > 0;

	if ((r < 0 || step_must_wait(step)) && !needs(step, is_free))
		return;
	*sem = (uint8_t)(*sem - is_free);
	if (r >= 0)
		step->self->r[r] = (int8_t)is_free;
	go_on(step);
}

static void do_pipe(struct step *step)
{
	struct state *s = step->s;

	if (step->i.op == OP_PIPE_PUT) {
		if (s->piped == PIPE)
			__builtin_trap();
		s->pipe[s->piped++] = (int8_t)step->i.a;
		go_on(step);
	} else if (needs(step, s->piped > 0)) {
		set(step, s->pipe[0]);
		memmove(s->pipe, s->pipe + 1, PIPE - 1);
		s->pipe[--s->piped] = 0;
		s->pipe[PIPE - 1] = 0;
		go_on(step);
	}
}

static void do_number(struct step *step)
{
	uint8_t *open = &step->s->open;
	int number = step->i.b;

	if (step->i.op == OP_FD_OPEN) {
		for (number = 0; *open >> number & 1; number++)
			if (number == 7)
				__builtin_trap();
		*open = (uint8_t)(*open | 1u << number);
		set(step, number);
	} else {
		set(step, *open >> number & 1);
		if (step->i.op == OP_FD_CLOSE)
			*open = (uint8_t)(*open & ~(1u << number));
	}
	go_on(step);
}

int do_count(struct step *step)
{
	const struct instruction *i = &step->i;

	switch (i->op) {
	case OP_FD_OPEN:
	case OP_FD_CLOSE:
	case OP_FD_LOOK:
		do_number(step);
		return 1;
	case OP_PIPE_PUT:
	case OP_PIPE_GET:
		if (!step_is_cancelled(step))
			do_pipe(step);
		return 1;
	case OP_POST:
		step->s->sem[i->a]++;
		go_on(step);
		return 1;
	case OP_DOWN:
		if (!step_is_cancelled(step))
			step_down(step, i->a, -1);
		return 1;
	case OP_TIMEDDOWN:
		if (!step_is_cancelled(step))
			step_down(step, i->b, i->a);
		return 1;
	case OP_TRYDOWN:
		step_down(step, i->b, i->a);
		return 1;
	case OP_SEMGET:
		set(step, step->s->sem[i->b]);
		go_on(step);
		return 1;
	case OP_BARRIER:
		do_barrier(step);
		return 1;
	case OP_ONCE:
		do_once(step);
		return 1;
	default:
		return 0;
	}
}

/* ---- waiting sets: conditions and futexes ---- */

static int is_wait(int op)
{
	return op == OP_WAIT || op == OP_WAIT_CLEAN || op == OP_TIMEDWAIT;
}

static int is_futex(int op)
{
	return op == OP_FWAIT || op == OP_FTIMED;
}

/* The threads that sleep in the waiting set of condition or futex `which`. */
static unsigned sleepers(const struct program *program, const struct state *s, int futex, int which)
{
	unsigned found = 0;

	for (int t = 0; t < program->threads; t++) {
		const struct instruction *i = &program->code[t][s->t[t].pc];
		int matches = futex ? is_futex(i->op) && i->b == which
				    : is_wait(i->op) &&
					      (i->op == OP_TIMEDWAIT ? i->b : i->a) == which;

		if (s->t[t].life == ALIVE && s->t[t].phase == ASLEEP && matches)
			found |= 1u << t;
	}
	return found;
}

static int count(unsigned threads)
{
	return __builtin_popcount(threads);
}

/* A wake-up of at most n: one state for each choice. */
static int wake(const struct program *program, const struct state *from, int t, int futex,
		int which, int n, struct state *to)
{
	unsigned all = sleepers(program, from, futex, which);
	int found = 0;

	if (n > count(all))
		n = count(all);
	for (unsigned chosen = 0; chosen <= all; chosen++) {
		struct state *s = &to[found];

		if ((chosen & ~all) || count(chosen) != n)
			continue;
		*s = *from;
		for (int u = 0; u < program->threads; u++)
			if (chosen >> u & 1)
				s->t[u].phase = WOKEN;
		if (futex)
			s->t[t].r[program->code[t][s->t[t].pc].a] = (int8_t)n;
		s->t[t].pc++;
		found++;
	}
	return found;
}

/* Out of the waiting set, and the mutex is free: takes it. */
static void take_back(struct step *step, int m)
{
	uint8_t *owner = &step->s->owner[m];

	if (!needs(step, *owner == FREE))
		return;
	*owner = (uint8_t)me(step);
	if (step->self->pending) {
		step->self->phase = UNWINDING;
		return;
	}
	if (step->i.op == OP_TIMEDWAIT)
		set(step, step->self->phase == EXPIRED);
	go_on(step);
}

static void wait_on_condition(struct step *step)
{
	int m = step->i.op == OP_TIMEDWAIT ? step->i.b : step->i.a;

	switch (step->self->phase) {
	case ENTER:
		if (step->self->pending) {
			step->self->phase = UNWINDING;
			break;
		}
		step->s->owner[m] = FREE;
		step->self->phase = ASLEEP;
		break;
	case ASLEEP:
		if (step->self->pending)
			take_back(step, m);
		else
			step->blocked = 1;
		break;
	case UNWINDING:
		step->s->owner[m] = FREE;
		step_be_cancelled(step);
		break;
	default:
		take_back(step, m);
	}
}

static void wait_on_futex(struct step *step)
{
	const struct instruction *i = &step->i;

	if (step->self->phase == ENTER && step->s->x[i->b] == i->c) {
		step->self->phase = ASLEEP;
	} else if (step->self->phase == ASLEEP) {
		step->blocked = 1;
	} else {
		set(step, step->self->phase == ENTER);
		go_on(step);
	}
}

int do_wait(struct step *step)
{
	if (is_wait(step->i.op))
		wait_on_condition(step);
	else if (is_futex(step->i.op))
		wait_on_futex(step);
	else
		return 0;
	return 1;
}

int op_is_wake(int op)
{
	return op == OP_SIGNAL || op == OP_BROADCAST || op == OP_FWAKE;
}

int wake_others(const struct program *program, const struct state *from, int t, struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];

	if (i->op == OP_FWAKE)
		return wake(program, from, t, 1, i->b, i->c, to);
	return wake(program, from, t, 0, i->a, i->op == OP_SIGNAL ? 1 : THREADS, to);
}

/* A weak compare-and-swap may fail without a reason. */
static int fail_by_itself(const struct program *program, const struct state *from, int t,
			  struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];

	if (!from->spurious)
		return 0;
	*to = *from;
	to->spurious--;
	to->t[t].r[i->a] = 0;
	to->t[t].pc++;
	return 1;
}

static void expire_wait(const struct instruction *i, const struct state *from, int t,
			struct state *to)
{
	*to = *from;
	to->t[t].phase = EXPIRED;
	if (i->op == OP_FTIMED) {
		to->t[t].r[i->a] = 2;
		to->t[t].pc++;
		to->t[t].phase = 0;
	}
}

int wake_in_time(const struct program *program, const struct state *from, int t, struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];

	if (from->t[t].phase != ASLEEP || (i->op != OP_TIMEDWAIT && i->op != OP_FTIMED))
		return 0;
	expire_wait(i, from, t, to);
	return 1;
}

int wake_by_itself(const struct program *program, const struct state *from, int t, struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];
	int found = 0;

	if (i->op == OP_CAS_WEAK)
		return fail_by_itself(program, from, t, to);
	if (from->t[t].phase != ASLEEP || (!is_wait(i->op) && !is_futex(i->op)))
		return 0;
	if (!program->is_idle)
		found = wake_in_time(program, from, t, to);
	if (from->spurious) {
		to[found] = *from;
		to[found].spurious--;
		to[found].t[t].phase = WOKEN;
		found++;
	}
	return found;
}
