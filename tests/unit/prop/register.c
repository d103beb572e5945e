#include "register.h"

#include "base/rng.h"

uint32_t register_call(enum register_kind kind, uint32_t n)
{
	return 1 + n * 3 + kind;
}

static enum register_kind kind_of(uint32_t call)
{
	return (call - 1) % 3;
}

static uint32_t argument_of(uint32_t call)
{
	return (call - 1) / 3;
}

void register_add(struct prop_test *test, uint32_t branch, enum register_kind kind, uint32_t n)
{
	test->calls[test->len++] = (struct prop_call){register_call(kind, n), branch};
	test->branches_len = branch;
}

static enum prop_answer initial(struct model *self, uint32_t *state, struct err *err)
{
	*state = REGISTER_ZERO;
	return PROP_YES;
}

static enum prop_answer step(struct model *self, uint32_t state, uint32_t call, uint32_t value,
			     uint32_t *next, struct err *err)
{
	struct register_model *m = (struct register_model *)self;

	m->steps++;
	*next = state;
	if (m->is_broken) {
		err_set(err, "broken");
		return PROP_FAILED;
	}
	if (kind_of(call) == REGISTER_ADD)
		*next += argument_of(call);
	if (kind_of(call) == REGISTER_TAKE)
		*next -= argument_of(call);
	if (value == PROP_SYMBOLIC)
		return m->allows_nothing || *next < REGISTER_ZERO ? PROP_NO : PROP_YES;
	return value == *next ? PROP_YES : PROP_NO;
}

static enum prop_answer generate(struct model *self, uint32_t state, const struct prop_test *so_far,
				 uint32_t branch, uint64_t seed, uint32_t *call, struct err *err)
{
	struct rng rng = rng_seeded(seed);
	uint32_t next;

	*call = register_call((enum register_kind)rng_below(&rng, 3), (uint32_t)rng_below(&rng, 4));
	return step(self, state, *call, PROP_SYMBOLIC, &next, err);
}

static enum prop_answer simplify(struct model *self, uint32_t call, uint32_t nth, uint32_t *simpler,
				 struct err *err)
{
	if (nth >= argument_of(call))
		return PROP_NO;
	*simpler = register_call(kind_of(call), nth);
	return PROP_YES;
}

static void print_call(struct model *self, uint32_t call, struct strbuf *out)
{
	static const char *const names[] = {"add", "take", "get"};

	strbuf_addf(out, "%s(%u)", names[kind_of(call)], argument_of(call));
}

static void print_value(struct model *self, uint32_t value, struct strbuf *out)
{
	strbuf_addf(out, "%d", (int)value - REGISTER_ZERO);
}

static const struct model_ops ops = {
	.initial = initial,
	.generate = generate,
	.step = step,
	.simplify = simplify,
	.print_call = print_call,
	.print_value = print_value,
};

struct register_model register_model(void)
{
	return (struct register_model){.base.ops = &ops};
}
