/* steps_loops.c: loops. A turn in vain leads back to a state that was seen. */
#include "steps.h"

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

int do_loop(struct step *step)
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
			step_take(step, &s->owner[i->a], 1, -1);
		return 1;
	case OP_SPIN_SEM:
		if (s->sem[i->a])
			step_down(step, i->a, -1);
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
