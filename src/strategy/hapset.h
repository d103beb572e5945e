/* hapset.h: history-aware predecessor sets (Wang, Said, Gupta, "Coverage guided
 * systematic concurrency testing", ICSE 2011).
 *
 * HaPSet[st] is the set of statements on which an event of st was immediately dependent
 * in some good run: the last event of another actor on the same object, in conflict,
 * with no access of st's own actor to the object in between. A pair (st, before) means
 * "this order of these two statements has been tried, and the run was good"; a reversal that
 * would only show pairs already in the set is not worth a run. The set holds pairs of
 * statements, not of events, and no names of actors: so it is small, it saturates, and it
 * hardly grows with the number of threads.
 *
 *   Reads and writes, locks, waiting and waking count, as in dependence.def; unlocks do
 *   not. (The paper counts unlocks of recursive locks; here a thread that locks again a lock
 *   that it holds does not take a step, so such a lock looks like any other.) Messages count:
 *   two sends to one mailbox whose order a receive could distinguish, and a receive after the
 *   send of the message it took.
 *
 * A set outlives the search: it is merged over test inputs and days through a file of
 * text (hapset_read, hapset_write). The creator of a set fills in `statements` first.
 */
#ifndef STRATEGY_HAPSET_H
#define STRATEGY_HAPSET_H

#include "base/err.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "core/statement.h"
#include "core/trace.h"

enum { HAPSET_CURVE_STEP = 100 };

/* An order of two statements that seems possible and has not been seen. */
struct hapset_missed {
	uint64_t pair;
	uint32_t raced; /* in how many runs the two raced in the other order */
	uint32_t tried; /* runs that asked for this order in vain */
};

struct hapset_access {
	uint32_t event;
	uint32_t mode;
	uint32_t prev; /* plus one; 0 none */
	uint32_t detail; /* of the access */
};

struct hapset {
	struct statements statements;
	struct map pairs;       /* hapset_pair(st, before) -> good run that showed it, 0: file */
	struct map missed_index;
	VEC(struct hapset_missed) missed; /* also those that were covered later */
	VEC(uint32_t) curve;    /* new pairs in each HAPSET_CURVE_STEP good runs */
	uint64_t runs;          /* good runs learned from */
	uint64_t read_len;      /* pairs that came from the file */
	/* of the trace being learned from: accesses, each with the previous one to its object */
	struct map last_access;
	VEC(struct hapset_access) accesses;
};

static inline uint64_t hapset_pair(uint32_t statement, uint32_t before)
{
	return (uint64_t)statement << 32 | before;
}

static inline bool hapset_has(const struct hapset *set, uint64_t pair)
{
	return map_get(&set->pairs, pair) != NULL;
}

/* Does this access count? */
bool hapset_counts(const struct access *access);

/* Do two events conflict by accesses that count, and is their order observed? */
bool hapset_conflict(const struct event *a, const struct event *b);

/* Was the run good (no bug), so that it may be learned from? */
bool hapset_is_good(const struct trace *trace);

/* Takes over the pairs of a good run; returns how many were new. */
uint32_t hapset_learn(struct hapset *set, const struct trace *trace);

/* An event of `second` raced with one of `first` that came before it: the pair (first,
 * second) would be the other order. True if it has not been seen. */
bool hapset_race(struct hapset *set, uint32_t first, uint32_t second);
void hapset_tried(struct hapset *set, uint64_t pair);

/* Up to max pairs that raced and were never seen, the riskiest first: never tried before
 * tried, then by how often they raced. Returns how many. */
uint32_t hapset_riskiest(const struct hapset *set, struct hapset_missed *out, uint32_t max);
uint32_t hapset_missed_len(const struct hapset *set);

/* Writes the set as text; merges a text into the set. False with err: the text is not a set, or of
 * another version. */
void hapset_write(const struct hapset *set, struct strbuf *out);
bool hapset_read(struct hapset *set, const char *text, struct err *err);

void hapset_release(struct hapset *set);

#endif
