/* coverage.h: numbers about the coverage-guided search (coverage.c). The goals that were reached
 * are counted for every strategy in the same way (core/goals.h). */
#ifndef STRATEGY_COVERAGE_H
#define STRATEGY_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/goals.h"

struct cover_numbers {
	uint64_t generated[GOAL_CRITERIA]; /* schedules made for each criterion */
	uint64_t dropped;    /* decisions that were not possible, over all runs */
	uint64_t with_drops; /* runs with such decisions */
	uint64_t in_vain;    /* schedules whose run did not reach the goal they were made for */
	uint64_t foreseen;   /* schedules that were not run, because that was known before */
	bool cut;            /* a run had more receives than RECEIVES_MAX */
};

#endif
