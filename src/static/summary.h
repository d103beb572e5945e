/* summary.h: the summary of a function, which its callers use instead of its code.
 *
 * Summaries keep the analysis linear: a function's code is interpreted once (a
 * few times inside a recursion), and a call costs the size of the callee's summary, which
 * is bounded. A summary speaks in terms of the function's arguments; summary_apply()
 * (call.h) translates it to a caller.
 *
 *   reads    accesses after which the function can still return: a later write of the
 *            caller makes a pair with them
 *   writes   accesses that a read before the call makes a pair with
 *   pairs    pairs inside the function that are not decided yet, because table or key is
 *            an argument
 *   creates  tables created here whose name or options are arguments
 *   calls    calls of a fun that is an argument
 */
#ifndef STATIC_SUMMARY_H
#define STATIC_SUMMARY_H

#include "base/vec.h"
#include "static/vocabulary.h"

enum {
	ACCESS_MAX_FACTS = 6,
	PAIR_MAX_SAME = 3,
	SUMMARY_MAX_ACCESSES = 48, /* reads, and writes */
	SUMMARY_MAX_VARIANTS = 4,  /* of one access, by keys: recursion makes many */
	SUMMARY_MAX_PAIRS = 32,
	SUMMARY_MAX_CREATES = 16,
	SUMMARY_MAX_CALLS = 8,
	SUMMARY_MAX_DEPTH = 7, /* calls between an access and the function it is paired in */
	CALL_MAX_ARGS = 8,
	CALL_MAX_BEFORE = 8,
};

enum access_flag {
	ACCESS_WEAK = 1,        /* checks by itself: low confidence */
	ACCESS_ACTIVITY = 2,    /* counts only inside a dirty activity */
	ACCESS_TRANSACTION = 4, /* a dirty operation inside a transaction */
	ACCESS_SPAWNED = 8,     /* in a process started on the way */
	ACCESS_UNKNOWN = 16,    /* reached through a call of an unknown fun */
	ACCESS_SERVED = 32,     /* in a server, through a synchronous call (--calls) */
	ACCESS_OBJECT = 64,     /* key holds the object; the table says which element is it */
	ACCESS_PATTERN = 128,   /* like ACCESS_OBJECT, of a pattern */
	ACCESS_DOUBTFUL = 256,  /* an argument decides, and its value was lost on the way */
	ACCESS_CAUGHT = 512,    /* its failure is handled */
};

/* A value that must be this constant, or one of the constants of a phi, for the access to be
 * reached. */
struct fact {
	uint32_t value;
	uint32_t constant;
};

struct access {
	uint8_t kind;   /* enum race_kind */
	uint8_t role;   /* enum builtin_role */
	uint16_t flags; /* enum access_flag */
	uint8_t depth; /* calls on the path */
	uint8_t facts_len;
	uint16_t builtin;
	uint32_t table; /* values */
	uint32_t key;
	uint32_t result; /* of a read; of register/2: the pid */
	uint32_t site;
	uint32_t path; /* of calls that lead there; 0 = none (see analysis.h) */
	struct fact facts[ACCESS_MAX_FACTS];
};

struct pair {
	struct access read;
	struct access write;
	bool is_same_table; /* found so in a callee: stays so, however deep the values get */
	bool is_same_key;
	uint32_t same_key_pos; /* the same if the table has this key position; 0: not known */
	uint8_t same_len; /* tests on the way that make the ends equal (equal.c) */
	struct fact same[PAIR_MAX_SAME];
	bool in_closure; /* found in a fun at its creation: runs whenever the fun does */
	uint32_t closure;
};

struct create {
	uint32_t name; /* values */
	uint32_t options;
	uint32_t site;
};

/* A call of a fun that is not known yet, and what was read before it. */
struct fun_call {
	uint32_t fun;
	uint32_t site;
	uint32_t path;
	uint8_t depth;
	uint8_t args_len;
	uint8_t before_len;
	uint32_t args[CALL_MAX_ARGS];
	struct access before[CALL_MAX_BEFORE];
};

VEC_TYPE(access_vec, struct access);

struct summary {
	bool is_done;
	uint32_t result;       /* value returned */
	uint32_t becomes;      /* module + 1 of the server whose loop it enters, never to return */
	uint64_t escaping;     /* arguments that others may get hold of, one bit each */
	uint64_t spawning;     /* arguments that are lists of funs which new processes run */
	struct access_vec reads;
	struct access_vec writes;
	VEC(struct pair) pairs;
	VEC(struct create) creates;
	VEC(struct fun_call) calls;
};

void summary_release(struct summary *s);

/* Adds unless there already or full. */
void summary_add_access(struct access_vec *list, const struct access *access);
void summary_add_pair(struct summary *s, const struct pair *pair);
void summary_add_create(struct summary *s, const struct create *create);

bool access_is_same(const struct access *a, const struct access *b);

/* The same but for what is stored beside the key, which differs with every call. */
bool pair_is_same(const struct pair *a, const struct pair *b);

#endif
