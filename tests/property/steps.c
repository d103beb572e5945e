/* steps.c: the meaning of each instruction (ops.def) on a state (model.h). */
#include "steps.h"

#include <string.h>

/* ---- atomics and plain variables ---- */

static int updated(int value, int kind, int by)
{
	switch (kind) {
	case 0:
		return value + by;
	case 1:
		return value - by;
	case 2:
		return value | by;
	case 3:
		return value & by;
	default:
		return value ^ by;
	}
}

static void swap_if(struct step *step, int expected, int desired, int wants_old)
{
	int8_t *x = &step->s->x[step->i.b];
	int old = *x;

	if (old == expected)
		*x = (int8_t)desired;
	set(step, wants_old ? old : old == expected);
}

static int do_memory(struct step *step)
{
	const struct instruction *i = &step->i;
	struct state *s = step->s;
	int8_t *r = step->self->r;

	switch (i->op) {
	case OP_LOAD:
		set(step, s->x[i->b]);
		break;
	case OP_STORE:
		s->x[i->a] = (int8_t)i->b;
		break;
	case OP_STORE_REG:
		s->x[i->a] = (int8_t)(r[i->b] + i->c);
		break;
	case OP_UPDATE: {
		int old = s->x[i->b];

		s->x[i->b] = (int8_t)updated(old, i->c, i->d);
		set(step, old);
		break;
	}
	case OP_XCHG: {
		int old = s->x[i->b];

		s->x[i->b] = (int8_t)i->c;
		set(step, old);
		break;
	}
	case OP_CAS:
	case OP_CAS_WEAK:
		swap_if(step, i->c, i->d, 0);
		break;
	case OP_CAS_OLD:
		swap_if(step, i->c, i->d, 1);
		break;
	case OP_CAS_REG:
		swap_if(step, r[i->c], i->d, 0);
		break;
	case OP_PUT:
	case OP_DROP:
		set(step, s->pointer);
		s->pointer = i->op == OP_PUT;
		break;
	case OP_PLAIN_LOAD:
		set(step, s->plain[i->b]);
		break;
	case OP_PLAIN_STORE:
		s->plain[i->a] = (int8_t)i->b;
		break;
	default:
		return 0;
	}
	go_on(step);
	return 1;
}

/* ---- locks ---- */

int op_has_limit(int op)
{
	return op == OP_TIMEDLOCK || op == OP_TIMEDRD || op == OP_TIMEDWR || op == OP_TIMEDDOWN;
}

/* Is there a limit that has not ended? */
int step_must_wait(const struct step *step)
{
	return step->program->is_idle && op_has_limit(step->i.op) && !step->self->phase;
}

/* Takes it if it is free; `r` (or -1) gets whether. A limit that may end at any moment lets
 * a thread give up whenever it finds the lock taken. */
void step_take(struct step *step, uint8_t *owner, int is_free, int r)
{
	if ((r < 0 || step_must_wait(step)) && !needs(step, is_free))
		return;
	if (is_free)
		*owner = (uint8_t)me(step);
	if (r >= 0)
		step->self->r[r] = (int8_t)is_free;
	go_on(step);
}

static void take_shared(struct step *step, int r)
{
	int is_free = step->s->writer == FREE;

	if ((r < 0 || step_must_wait(step)) && !needs(step, is_free))
		return;
	if (is_free)
		step->s->readers |= (uint8_t)(1u << step->t);
	if (r >= 0)
		step->self->r[r] = (int8_t)is_free;
	go_on(step);
}

static int do_lock(struct step *step)
{
	const struct instruction *i = &step->i;
	struct state *s = step->s;
	int rw_free = s->writer == FREE && !s->readers;

	switch (i->op) {
	case OP_LOCK:
		step_take(step, &s->owner[i->a], s->owner[i->a] == FREE, -1);
		return 1;
	case OP_TRYLOCK:
	case OP_TIMEDLOCK:
		step_take(step, &s->owner[i->b], s->owner[i->b] == FREE, i->a);
		return 1;
	case OP_RDLOCK:
		take_shared(step, -1);
		return 1;
	case OP_TRYRD:
	case OP_TIMEDRD:
		take_shared(step, i->a);
		return 1;
	case OP_WRLOCK:
		step_take(step, &s->writer, rw_free, -1);
		return 1;
	case OP_TRYWR:
	case OP_TIMEDWR:
		step_take(step, &s->writer, rw_free, i->a);
		return 1;
	case OP_SPLOCK:
		step_take(step, &s->spinner, s->spinner == FREE, -1);
		return 1;
	case OP_SPTRY:
		step_take(step, &s->spinner, s->spinner == FREE, i->a);
		return 1;
	default:
		return 0;
	}
}

static int do_unlock(struct step *step)
{
	struct state *s = step->s;

	switch (step->i.op) {
	case OP_UNLOCK:
		s->owner[step->i.a] = FREE;
		break;
	case OP_RWUNLOCK:
		s->readers &= (uint8_t) ~(1u << step->t);
		if (s->writer == me(step))
			s->writer = FREE;
		break;
	case OP_SPUNLOCK:
		s->spinner = FREE;
		break;
	default:
		return 0;
	}
	go_on(step);
	return 1;
}

/* ---- the end of a thread ---- */

static int last_instruction(const struct step *step)
{
	return step->program->length[step->t] - 1;
}

void step_be_cancelled(struct step *step)
{
	memset(step->self->r, 0, sizeof(step->self->r));
	step->self->cancelled = 1;
	step->self->pending = 0;
	step->self->pc = (uint8_t)last_instruction(step);
	step->self->phase = 0;
}

/* A cancellation point outside of a wait on a condition. */
int step_is_cancelled(struct step *step)
{
	if (!step->self->pending)
		return 0;
	step_be_cancelled(step);
	return 1;
}

static void end_thread(struct step *step)
{
	if (step->t == 0 && !step->self->phase) {
		step->self->phase = 1; /* prints */
	} else if (step->t == 0) {
		step->s->end = END_DONE;
	} else if (step->self->key) {
		step->s->x[step->self->key - 1]++;
		step->self->key = 0;
	} else {
		step->self->life = ENDED;
	}
}

static void leave_program(struct step *step, int code)
{
	step->s->end = code ? END_EXIT : END_DONE;
	step->s->code = (int8_t)code;
}

static int do_thread(struct step *step)
{
	const struct instruction *i = &step->i;
	struct state *s = step->s;

	switch (i->op) {
	case OP_END:
		end_thread(step);
		return 1;
	case OP_CREATE:
		s->t[i->a].life = ALIVE;
		break;
	case OP_JOIN:
		go_on_if(step, s->t[i->a].life == ENDED);
		return 1;
	case OP_TRYJOIN:
		set(step, s->t[i->b].life == ENDED);
		break;
	case OP_CANCEL:
		s->t[i->a].pending = 1;
		break;
	case OP_SLEEP: /* begins, the time is over, ends: no more than a delay */
		if (step->self->phase && step_is_cancelled(step))
			return 1;
		if (++step->self->phase < 3)
			return 1;
		break;
	case OP_HIT: /* the handler runs between two steps of the other thread, and changes nothing */
		break;
	case OP_KILL:
		s->t[i->a].signalled = 1;
		break;
	case OP_KILL_ALL:
		s->signalled = 1;
		break;
	case OP_SIGWAIT: /* a signal of the thread's own before one of the process */
		if (step_is_cancelled(step) || !needs(step, step->self->signalled || s->signalled))
			return 1;
		*(step->self->signalled ? &step->self->signalled : &s->signalled) = 0;
		break;
	case OP_SIGLOOK:
		set(step, step->self->signalled || s->signalled);
		break;
	case OP_TESTCANCEL:
		if (step_is_cancelled(step))
			return 1;
		break;
	case OP_EXIT:
		if (step->self->phase) {
			leave_program(step, i->a);
		} else if (needs(step, !s->leaving)) {
			s->leaving = 1;
			step->self->phase = 1;
		}
		return 1;
	case OP_EXIT_NOW:
		leave_program(step, i->a);
		return 1;
	case OP_ABORT:
		s->end = END_ABORT;
		s->code = 6;
		return 1;
	default:
		return 0;
	}
	go_on(step);
	return 1;
}

/* ---- putting it together ---- */

/* Takes the steps of a thread that nobody else can notice. False if the next one is not such. */
static int take_silent(const struct program *program, struct state *s, int t)
{
	struct thread_state *self = &s->t[t];
	const struct instruction *i = &program->code[t][self->pc];
	int next = self->pc + 1;

	switch (i->op) {
	case OP_JUMP:
		next = i->a;
		break;
	case OP_UNLESS:
		next = self->r[i->a] == i->b ? next : i->c;
		break;
	case OP_READY:
		next = s->data[i->a] >= i->b ? i->c : next;
		break;
	case OP_DATA_ADD:
		s->data[i->a] = (int8_t)(s->data[i->a] + i->b);
		break;
	case OP_DATA_SET:
		s->data[i->a] = (int8_t)i->b;
		break;
	case OP_DATA_GET:
		self->r[i->a] = s->data[i->b];
		break;
	case OP_RW_ADD:
		s->rw_data = (int8_t)(s->rw_data + i->a);
		break;
	case OP_RW_GET:
		self->r[i->a] = s->rw_data;
		break;
	case OP_SPIN_ADD:
		s->spin_data = (int8_t)(s->spin_data + i->a);
		break;
	case OP_KEY:
		self->key = (uint8_t)(i->a + 1);
		break;
	case OP_LEAVE:
		next = program->length[t] - 1;
		break;
	case OP_DETACH:
	case OP_YIELD:
	case OP_FENCE:
		break;
	default:
		return 0;
	}
	self->pc = (uint8_t)next;
	return 1;
}

static void settle(const struct program *program, struct state *s)
{
	for (int t = 0; t < program->threads; t++)
		while (s->t[t].life == ALIVE && take_silent(program, s, t))
			;
}

static int take_step(const struct program *program, const struct state *from, int t,
		     struct state *to)
{
	struct step step = {program, to, t, &to->t[t], program->code[t][from->t[t].pc], 0};

	*to = *from;
	if (!do_memory(&step) && !do_lock(&step) && !do_unlock(&step) && !do_thread(&step) &&
	    !do_wait(&step) && !do_count(&step) && !do_loop(&step))
		__builtin_trap(); /* an instruction without a meaning */
	return !step.blocked;
}

int state_successors(const struct program *program, const struct state *from, int t,
		     struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];
	int found;

	if (from->t[t].life != ALIVE || from->end != RUNS)
		return 0;
	if (op_is_wake(i->op))
		found = wake_others(program, from, t, to);
	else
		found = take_step(program, from, t, to);
	found += wake_by_itself(program, from, t, to + found);
	for (int n = 0; n < found; n++)
		settle(program, &to[n]);
	return found;
}

int state_expire(const struct program *program, const struct state *from, int t, struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];

	if (from->t[t].life != ALIVE || from->end != RUNS)
		return 0;
	if (op_has_limit(i->op) && from->t[t].phase == ENTER) {
		*to = *from;
		to->t[t].phase = EXPIRED;
	} else if (!wake_in_time(program, from, t, to)) {
		return 0;
	}
	settle(program, to);
	return 1;
}

struct state state_first(const struct program *program, int spurious)
{
	struct state s;

	memset(&s, 0, sizeof(s));
	s.end = RUNS;
	s.spurious = (uint8_t)spurious;
	s.t[0].life = ALIVE;
	settle(program, &s);
	return s;
}
