#include "strategy/strategy.h"

#include <string.h>

#include "core/memory_model.h"

static const struct {
	const char *name;
	struct strategy *(*create)(const struct strategy_params *params);
	bool exhaustive;
	const char *text;
} strategies[] = {
#define STRATEGY(name, create, exhaustive, text) {name, create, exhaustive, text},
#include "strategy/strategies.def"
#undef STRATEGY
};

enum { STRATEGIES = sizeof(strategies) / sizeof(strategies[0]) };

struct strategy *strategy_create(const char *name, const struct strategy_params *params)
{
	struct strategy *strategy = NULL;

	for (size_t i = 0; i < STRATEGIES && !strategy; i++)
		if (strcmp(strategies[i].name, name) == 0)
			strategy = strategies[i].create(params);
	if (strategy && params->memory != MEMORY_SC && strcmp(name, "graphs") != 0)
		strategy = strategy_old_values(strategy, params);
	return strategy;
}

bool strategy_is_exhaustive(const char *name)
{
	for (size_t i = 0; i < STRATEGIES; i++)
		if (strcmp(strategies[i].name, name) == 0)
			return strategies[i].exhaustive;
	return false;
}

void strategy_list(void (*each)(const char *name, const char *text, void *ctx), void *ctx)
{
	for (size_t i = 0; i < STRATEGIES; i++)
		each(strategies[i].name, strategies[i].text, ctx);
}
