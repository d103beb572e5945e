/* steps.c: the meaning of each instruction (ops.def) on a state (model.h). */
#include "model.h"

#include <string.h>

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

static int me(const struct step *step)
{
	return step->t + 1;
}

static void go_on(struct step *step)
{
	step->self->pc++;
	step->self->phase = 0;
}

static void set(struct step *step, int value)
{
	step->self->r[step->i.a] = (int8_t)value;
}

/* The step can be taken only if `possible`. */
static int needs(struct step *step, int possible)
{
	step->blocked = !possible;
	return possible;
}

static void go_on_if(struct step *step, int possible)
{
	if (needs(step, possible))
		go_on(step);
}

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

/* Takes it if it is free; `r` (or -1) gets whether. A limit that may end at any moment lets
 * a thread give up whenever it finds the lock taken. */
static void take(struct step *step, uint8_t *owner, int is_free, int r)
{
	if (r < 0 && !needs(step, is_free))
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

	if (r < 0 && !needs(step, is_free))
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
		take(step, &s->owner[i->a], s->owner[i->a] == FREE, -1);
		return 1;
	case OP_TRYLOCK:
	case OP_TIMEDLOCK:
		take(step, &s->owner[i->b], s->owner[i->b] == FREE, i->a);
		return 1;
	case OP_RDLOCK:
		take_shared(step, -1);
		return 1;
	case OP_TRYRD:
	case OP_TIMEDRD:
		take_shared(step, i->a);
		return 1;
	case OP_WRLOCK:
		take(step, &s->writer, rw_free, -1);
		return 1;
	case OP_TRYWR:
	case OP_TIMEDWR:
		take(step, &s->writer, rw_free, i->a);
		return 1;
	case OP_SPLOCK:
		take(step, &s->spinner, s->spinner == FREE, -1);
		return 1;
	case OP_SPTRY:
		take(step, &s->spinner, s->spinner == FREE, i->a);
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

static void be_cancelled(struct step *step)
{
	memset(step->self->r, 0, sizeof(step->self->r));
	step->self->cancelled = 1;
	step->self->pending = 0;
	step->self->pc = (uint8_t)last_instruction(step);
	step->self->phase = 0;
}

/* A cancellation point outside of a wait on a condition. */
static int is_cancelled_here(struct step *step)
{
	if (!step->self->pending)
		return 0;
	be_cancelled(step);
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
	case OP_TESTCANCEL:
		if (is_cancelled_here(step))
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

static void do_down(struct step *step, int s, int r)
{
	uint8_t *sem = &step->s->sem[s];
	int is_free = *sem > 0;

	if (r < 0 && !needs(step, is_free))
		return;
	*sem = (uint8_t)(*sem - is_free);
	if (r >= 0)
		step->self->r[r] = (int8_t)is_free;
	go_on(step);
}

static int do_count(struct step *step)
{
	const struct instruction *i = &step->i;

	switch (i->op) {
	case OP_POST:
		step->s->sem[i->a]++;
		go_on(step);
		return 1;
	case OP_DOWN:
		if (!is_cancelled_here(step))
			do_down(step, i->a, -1);
		return 1;
	case OP_TIMEDDOWN:
		if (!is_cancelled_here(step))
			do_down(step, i->b, i->a);
		return 1;
	case OP_TRYDOWN:
		do_down(step, i->b, i->a);
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

/* ---- loops ---- */

/* Two loads in each turn: the first goes to `scratch`. */
static void do_sum(struct step *step)
{
	const struct instruction *i = &step->i;
	struct thread_state *self = step->self;
	int sum = self->scratch + step->s->x[i->b];

	if (self->phase == 0) {
		self->scratch = step->s->x[i->a];
		self->phase = 1;
		return;
	}
	self->scratch = 0;
	self->phase = 0;
	if (sum == i->c)
		go_on(step);
}

static void do_poll(struct step *step)
{
	struct state *s = step->s;
	int m = step->i.a;

	if (step->self->phase == 0) {
		if (needs(step, s->owner[m] == FREE)) {
			s->owner[m] = (uint8_t)me(step);
			step->self->phase = 1;
		}
		return;
	}
	s->owner[m] = FREE;
	step->self->phase = 0;
	if (s->data[m] >= step->i.b)
		go_on(step);
}

static void do_counted(struct step *step)
{
	const struct instruction *i = &step->i;

	set(step, step->s->x[i->b]);
	if (step->s->x[i->b] == i->c || ++step->self->scratch == i->d) {
		step->self->scratch = 0;
		go_on(step);
	}
}

static void do_retry(struct step *step)
{
	int8_t *x = &step->s->x[step->i.b];
	int8_t *r = &step->self->r[step->i.a];

	if (step->self->phase == 0) {
		*r = *x;
		step->self->phase = 1;
		return;
	}
	step->self->phase = 0;
	if (*x == *r) {
		*x = (int8_t)(*r + 1);
		go_on(step);
	}
}

/* Turns with one load. */
static int do_single(struct step *step)
{
	const struct instruction *i = &step->i;
	int8_t *x = step->s->x;
	int is_over;

	switch (i->op) {
	case OP_SPIN:
	case OP_SPIN_PAUSE:
	case OP_SPIN_YIELD:
		is_over = x[i->a] == i->b;
		break;
	case OP_AWAIT:
		set(step, x[i->b]);
		is_over = x[i->b] >= i->c;
		break;
	case OP_FRESH:
		set(step, x[i->b]);
		is_over = x[i->b] != step->self->last;
		step->self->last = x[i->b];
		break;
	case OP_SPIN_CAS:
		is_over = x[i->a] == i->b;
		if (is_over)
			x[i->a] = (int8_t)i->c;
		break;
	case OP_SPIN_TAS:
		is_over = x[i->a] == 0;
		x[i->a] = 1;
		break;
	default:
		return 0;
	}
	if (is_over)
		go_on(step);
	return 1;
}

static int do_loop(struct step *step)
{
	const struct instruction *i = &step->i;
	struct state *s = step->s;

	switch (i->op) {
	case OP_SPIN_BEAT:
		if (step->self->phase) {
			s->x[ATOMICS - 1] = 1;
			step->self->phase = 0;
		} else if (s->x[i->a] == i->b) {
			go_on(step);
		} else {
			step->self->phase = 1;
		}
		return 1;
	case OP_SPIN_BOTH:
		if (step->self->phase == 0)
			step->self->phase = s->x[i->a] == i->b;
		else if (s->x[i->c] == i->d)
			go_on(step);
		else
			step->self->phase = 0;
		return 1;
	case OP_SPIN_SUM:
		do_sum(step);
		return 1;
	case OP_SPIN_TRY:
		if (s->owner[i->a] == FREE)
			take(step, &s->owner[i->a], 1, -1);
		return 1;
	case OP_SPIN_SEM:
		if (s->sem[i->a])
			do_down(step, i->a, -1);
		return 1;
	case OP_SPIN_POLL:
		do_poll(step);
		return 1;
	case OP_COUNTED:
		do_counted(step);
		return 1;
	case OP_RETRY:
		do_retry(step);
		return 1;
	default:
		return do_single(step);
	}
}

/* ---- waiting sets: conditions and futexes ---- */

enum { ENTER, ASLEEP, WOKEN, EXPIRED, UNWINDING };

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

static void do_wait(struct step *step)
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
		be_cancelled(step);
		break;
	default:
		take_back(step, m);
	}
}

static void do_futex(struct step *step)
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

/* A weak compare-and-swap may fail without a reason. */
static int fail_by_itself(const struct program *program, const struct state *from, int t,
			  struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];

	if (i->op != OP_CAS_WEAK || !from->spurious)
		return 0;
	*to = *from;
	to->spurious--;
	to->t[t].r[i->a] = 0;
	to->t[t].pc++;
	return 1;
}

/* A thread that sleeps may also wake because of its limit, or without a reason. */
static int wake_by_itself(const struct program *program, const struct state *from, int t,
			  struct state *to)
{
	const struct instruction *i = &program->code[t][from->t[t].pc];
	int found = 0;

	if (from->t[t].phase != ASLEEP || (!is_wait(i->op) && !is_futex(i->op)))
		return 0;
	if (i->op == OP_TIMEDWAIT || i->op == OP_FTIMED) {
		to[found] = *from;
		to[found].t[t].phase = EXPIRED;
		if (i->op == OP_FTIMED) {
			to[found].t[t].r[i->a] = 2;
			to[found].t[t].pc++;
			to[found].t[t].phase = 0;
		}
		found++;
	}
	if (from->spurious) {
		to[found] = *from;
		to[found].spurious--;
		to[found].t[t].phase = WOKEN;
		found++;
	}
	return found;
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
	if (is_wait(step.i.op))
		do_wait(&step);
	else if (is_futex(step.i.op))
		do_futex(&step);
	else if (!do_memory(&step) && !do_lock(&step) && !do_unlock(&step) && !do_thread(&step) &&
		 !do_count(&step) && !do_loop(&step))
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
	if (i->op == OP_SIGNAL || i->op == OP_BROADCAST)
		found = wake(program, from, t, 0, i->a, i->op == OP_SIGNAL ? 1 : THREADS, to);
	else if (i->op == OP_FWAKE)
		found = wake(program, from, t, 1, i->b, i->c, to);
	else
		found = take_step(program, from, t, to);
	found += wake_by_itself(program, from, t, to + found);
	found += fail_by_itself(program, from, t, to + found);
	for (int n = 0; n < found; n++)
		settle(program, &to[n]);
	return found;
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
