#include "core/goals.h"

#include "base/hash.h"

const char *goal_criterion_text(enum goal_criterion criterion)
{
	static const char *const texts[GOAL_CRITERIA] = {
		[GOAL_PR] = "pr", [GOAL_PBR] = "pbr", [GOAL_PCR] = "pcr"};

	return texts[criterion];
}

static uint64_t pair_of(const struct receive *first, const struct receive *second, uint64_t *bit)
{
	uint64_t a = first->name, b = second->name;

	*bit = a < b ? 1 : 2;
	return a < b ? hash_combine(a, b) : hash_combine(b, a);
}

bool goals_has(const struct goals *goals, enum goal_criterion criterion,
	       const struct receive *first, const struct receive *second)
{
	uint64_t bit, pair = pair_of(first, second, &bit);
	const uint64_t *bits = map_get(&goals->pairs[criterion], pair);

	return bits && (*bits & bit);
}

static uint32_t add_goal(struct goals *goals, enum goal_criterion criterion,
			 const struct receive *first, const struct receive *second)
{
	uint64_t bit, pair = pair_of(first, second, &bit);
	uint64_t *bits = map_put(&goals->pairs[criterion], pair, NULL);
	bool is_new = !(*bits & bit);

	*bits |= bit;
	return is_new;
}

bool goals_are_related(enum goal_criterion criterion, const struct receive *a,
		       const struct receive *b)
{
	return receives_are_related(a, b) &&
	       (criterion != GOAL_PBR || a->changes || b->changes);
}

/* All goals that end in receives[j], going back from it. */
static uint32_t add_goals_of(struct goals *goals, enum goal_criterion criterion,
			     const struct receive *receives, uint32_t j)
{
	uint32_t news = 0;

	for (uint32_t i = j; i-- > 0;) {
		if (receives[i].receiver != receives[j].receiver)
			continue;
		if (goals_are_related(criterion, &receives[i], &receives[j]))
			news += add_goal(goals, criterion, &receives[i], &receives[j]);
		if (criterion == GOAL_PCR || (criterion == GOAL_PBR && receives[i].changes))
			break;
	}
	return news;
}

uint32_t goals_add(struct goals *goals, enum goal_criterion criterion,
		   const struct receive *receives, uint32_t len)
{
	uint32_t news = 0;

	for (uint32_t j = 1; j < len; j++)
		news += add_goals_of(goals, criterion, receives, j);
	return news;
}

struct goals_count goals_count(const struct goals *goals, enum goal_criterion criterion)
{
	const struct map *pairs = &goals->pairs[criterion];
	struct goals_count count = {0};

	for (size_t i = 0; i < pairs->len; i++) {
		if (pairs->entries[i].value == 3)
			count.both++;
		else
			count.one++;
	}
	return count;
}

void goals_clear(struct goals *goals)
{
	for (uint32_t c = 0; c < GOAL_CRITERIA; c++)
		map_clear(&goals->pairs[c]);
}

void goals_release(struct goals *goals)
{
	for (uint32_t c = 0; c < GOAL_CRITERIA; c++)
		map_release(&goals->pairs[c]);
}
