/* programs.h: generated programs for the scripted target: some threads with steps on a few shared
 * variables, locks, a semaphore and conditions, small enough for dfs. The same seed gives the same
 * programs in every test. */
#ifndef UNIT_ENGINE_PROGRAMS_H
#define UNIT_ENGINE_PROGRAMS_H

#include <string.h>

#include "base/rng.h"
#include "target/fake.h"

static void add(struct fake_program *p, uint32_t t, int op, int object, int value)
{
	p->steps[t][p->lens[t]++] = (struct fake_step){(uint8_t)op, (uint8_t)object, (int8_t)value};
}

static void generate_section(struct fake_program *p, uint32_t t, struct rng *rng)
{
	int lock = (int)rng_below(rng, 2), inner = (int)rng_below(rng, 2);

	switch (rng_below(rng, 5)) {
	case 0:
		add(p, t, FAKE_LOCK, lock, 0);
		add(p, t, FAKE_WRITE, 3, (int)t + 1);
		add(p, t, FAKE_UNLOCK, lock, 0);
		break;
	case 1: /* may deadlock */
		add(p, t, FAKE_LOCK, lock, 0);
		if (inner != lock)
			add(p, t, FAKE_LOCK, inner, 0);
		add(p, t, FAKE_READ, 3, 0);
		if (inner != lock)
			add(p, t, FAKE_UNLOCK, inner, 0);
		add(p, t, FAKE_UNLOCK, lock, 0);
		break;
	case 2:
		add(p, t, FAKE_TRYLOCK, lock, 2);
		add(p, t, FAKE_READ, 2, 0);
		add(p, t, FAKE_UNLOCK, lock, 0);
		break;
	case 3:
		add(p, t, FAKE_LOCK, lock, 0);
		add(p, t, FAKE_COND_SIGNAL, 1, 0);
		add(p, t, FAKE_COND_SIGNAL, 1, 0);
		add(p, t, FAKE_UNLOCK, lock, 0);
		break;
	default:
		add(p, t, FAKE_LOCK, lock, 0);
		add(p, t, FAKE_READ, 2, 0);
		add(p, t, FAKE_SKIP_IF_ZERO, 0, 1);
		add(p, t, FAKE_COND_SIGNAL, 0, 0);
		add(p, t, FAKE_COND_WAIT, 1, lock);
		add(p, t, FAKE_UNLOCK, lock, 0);
	}
}

static void generate_step(struct fake_program *p, uint32_t t, struct rng *rng)
{
	int var = (int)rng_below(rng, 3);

	switch (rng_below(rng, 10)) {
	case 0: case 1:
		add(p, t, FAKE_READ, var, 0);
		break;
	case 2: case 3:
		add(p, t, FAKE_WRITE, var, (int)rng_below(rng, 3));
		break;
	case 4:
		add(p, t, FAKE_COPY, var, 0);
		break;
	case 5:
		add(p, t, FAKE_CAS, var, (int)t + 1);
		break;
	case 6:
		add(p, t, FAKE_POST, 0, 0);
		break;
	case 7:
		add(p, t, FAKE_WAIT, 0, 0);
		break;
	case 8:
		add(p, t, FAKE_READ, var, 0);
		add(p, t, FAKE_ASSERT_ZERO, 0, 0);
		break;
	default:
		add(p, t, FAKE_COND_SIGNAL, 1, 0);
	}
}

static void generate(struct fake_program *p, struct rng *rng)
{
	uint32_t budget = 5 + (uint32_t)rng_below(rng, 4);

	memset(p, 0, sizeof(*p));
	p->threads_len = 2 + (uint32_t)rng_below(rng, 3);
	p->semaphores[0] = (int8_t)rng_below(rng, 2);
	for (uint32_t i = 0; i < budget; i++) {
		uint32_t t = (uint32_t)rng_below(rng, p->threads_len);

		if (rng_below(rng, 4) == 0)
			generate_section(p, t, rng);
		else
			generate_step(p, t, rng);
	}
	if (rng_below(rng, 8) == 0)
		add(p, 0, FAKE_EXIT, 0, 0);
}

static void print_program(const struct fake_program *p)
{
	for (uint32_t t = 0; t < p->threads_len; t++) {
		print_message("T%u:", t);
		for (uint32_t i = 0; i < p->lens[t]; i++)
			print_message(" %d(%d,%d)", p->steps[t][i].op, p->steps[t][i].object,
				      p->steps[t][i].value);
		print_message("\n");
	}
	print_message("sem %d\n", p->semaphores[0]);
}

#endif
