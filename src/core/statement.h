/* statement.h: which statement of the source made an event, as a small number.
 *
 * Two events are of the same statement when they come from the same file and line, are
 * of the same kind, and were reached through the same innermost callers. (The kind
 * matters because a line may hold several steps: the load and the store of `n = n +
 * 1`.) The number is valid in this process only. The text stays valid: where there is
 * debug information it has no address in it, so it survives a rebuild that did not move
 * the lines.
 *
 *     queue.c:41 lock < main.c:7 < main.c:30
 *
 * The actor does not count, so there are fewer statements than events.
 *
 * Only a target can turn an event's site and context into places. It is asked through
 * `places`, once per (kind, site, context); without it the statement is the bare site.
 */
#ifndef CORE_STATEMENT_H
#define CORE_STATEMENT_H

#include "base/map.h"
#include "base/vec.h"
#include "core/event.h"

enum { STATEMENT_CALLERS_MAX = 8 };

struct statement_place {
	const char *file; /* NULL if not known; borrowed */
	uint32_t line;
	uint64_t address; /* when the file is not known */
};

/* Fills in where the event happened and its callers, innermost first; returns how many,
 * at most max. */
typedef uint32_t statement_places(void *ctx, const struct event *event,
				  struct statement_place *places, uint32_t max);

struct statements {
	statement_places *places; /* NULL: bare sites */
	void *ctx;
	uint32_t callers; /* how many innermost callers count */
	struct map by_event; /* hash of kind, site, context -> number */
	struct map by_text;
	VEC(char *) texts;   /* by number; owned */
};

/* The number of the event's statement, from 0 in the order they were met. */
uint32_t statement_of(struct statements *statements, const struct event *event);

/* The number of the statement with that text. */
uint32_t statement_named(struct statements *statements, const char *text);

static inline const char *statement_text(const struct statements *statements, uint32_t number)
{
	return statements->texts.items[number];
}

void statements_release(struct statements *statements);

#endif
