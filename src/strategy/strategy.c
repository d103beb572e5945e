#include "strategy/strategy.h"

#include <string.h>

#include "core/memory_model.h"

/* See strategies.def. */
enum kind { EXHAUSTIVE, SAMPLER, OTHER };

static const struct {
	const char *name;
	struct strategy *(*create)(const struct strategy_params *params);
	enum kind kind;
	const char *text;
} strategies[] = {
#define STRATEGY(name, create, kind, text) {name, create, kind, text},
#include "strategy/strategies.def"
#undef STRATEGY
};

enum { STRATEGIES = sizeof(strategies) / sizeof(strategies[0]) };

static bool is_of_kind(const char *name, enum kind kind)
{
	for (size_t i = 0; i < STRATEGIES; i++)
		if (strcmp(strategies[i].name, name) == 0)
			return strategies[i].kind == kind;
	return false;
}

bool strategy_is_exhaustive(const char *name)
{
	return is_of_kind(name, EXHAUSTIVE);
}

bool strategy_is_sampler(const char *name)
{
	return is_of_kind(name, SAMPLER);
}

struct strategy *strategy_create(const char *name, const struct strategy_params *params)
{
	struct strategy *strategy = NULL;

	for (size_t i = 0; i < STRATEGIES && !strategy; i++)
		if (strcmp(strategies[i].name, name) == 0)
			strategy = strategies[i].create(params);
	if (strategy && memory_is_weak(params->memory) && strategy_is_sampler(name))
		strategy = strategy_old_values(strategy, params);
	return strategy;
}

void strategy_list(void (*each)(const char *name, const char *text, void *ctx), void *ctx)
{
	for (size_t i = 0; i < STRATEGIES; i++)
		each(strategies[i].name, strategies[i].text, ctx);
}
