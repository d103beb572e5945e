/* enumerate.h: the graphs of the slow enumerator (enumerate.c) and the axioms on them (axioms.c). */
#ifndef ENUMERATE_H
#define ENUMERATE_H

#include <stdbool.h>
#include <stdint.h>

enum model { MODEL_SC, MODEL_TSO, MODEL_RC11 };

enum {
	THREADS = 4,
	STEPS = 16,   /* of a thread */
	EVENTS = 16,  /* of a thread */
	VARS = 10,
	OBJECTS = 3,  /* variables from this one on are not atomic variables */
	FUTEXES = 7,  /* the futex of variable v is variable v + FUTEXES */
	INITIAL = -1, /* the write of the initial value */
};

enum order { RLX, ACQ, REL, AR, SC, NA, ORDER_LOOK, ORDER_NONE };

enum kind { READ, WRITE, UPDATE, FENCE, NOTHING };

/* On objects, and the look at the word of a futex. */
enum action {
	NO_ACTION, LOCK, TRY, UNLOCK, WRLOCK, WRUNLOCK, RDLOCK, RDUNLOCK, SEM_WAIT, SEM_TRY,
	SEM_POST, ENTER, LOOK, LEAVE, WOKEN, WAKE_ONE, WAKE_ALL,
};

enum step_kind {
	STEP_LOAD, STEP_STORE, STEP_ADD, STEP_XCHG, STEP_CAS, STEP_FENCE, STEP_AWAIT, STEP_OBJECT,
	STEP_UNTRY, STEP_FWAIT,
};

struct step {
	enum step_kind kind;
	enum action action;
	int var, value, written, order, failed_order;
};

struct program {
	int threads, len[THREADS];
	struct step steps[THREADS][STEPS];
};

struct event {
	int8_t thread, index, kind, var, order, action;
	int8_t source; /* key of the write that is read */
	int8_t value;  /* that is read */
	int8_t written;
	int8_t step;   /* of its thread */
	bool is_locked; /* a locked instruction on x86 */
	bool blocks;    /* of the look at the word of a futex: it has the expected value */
};

struct graph {
	struct event events[THREADS][EVENTS];
	int8_t mo[VARS][THREADS * EVENTS]; /* keys */
	int8_t mo_len[VARS], len[THREADS], at[THREADS];
};

static inline int8_t event_key(const struct event *e)
{
	return (int8_t)(e->thread * EVENTS + e->index);
}

static inline const struct event *graph_event(const struct graph *g, int key)
{
	return &g->events[key / EVENTS][key % EVENTS];
}

static inline bool event_reads(const struct event *e)
{
	return e->kind == READ || e->kind == UPDATE;
}

static inline bool event_writes(const struct event *e)
{
	return e->kind == WRITE || e->kind == UPDATE;
}

/* May a thread that waits for the futex go on, because a wake-up may have chosen it? */
bool futex_can_wake(const struct graph *graph, int var, int thread);

bool is_allowed(const struct graph *graph, enum model model);

#endif
