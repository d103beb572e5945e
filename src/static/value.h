/* value.h: the knowledge of the analysis about a term, as hash-consed symbols.
 *
 * Two registers that hold the same value number hold the same term in every run of the
 * function: that is what "equal by value flow" means here. A value is a constant, a piece
 * of an argument, the result of a call site, or built from such. Equal structure gives
 * the equal number, so comparing two values is comparing two integers, and a set of
 * values is a set of integers.
 *
 * VALUE_TOP is "anything"; it is equal to nothing, not even to itself. Where two paths
 * meet with different values a VALUE_PHI stands for the variable; its possible values are kept
 * beside it (value_alternatives).
 *
 * A callee speaks of its own arguments and call sites. To translate them to the caller,
 * value_subst() replaces arguments by the actual values. A value that is local to the callee
 * becomes "that value, as seen from this call site" (VALUE_OUTER). So two calls of the same
 * function, or two turns of a recursion, are not taken for one.
 *
 * Depth and width are bounded; a value beyond the bounds becomes VALUE_TOP.
 */
#ifndef STATIC_VALUE_H
#define STATIC_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

enum value_kind {
	VALUE_ANY,    /* only VALUE_TOP */
	VALUE_ATOM,   /* a: atom of the program */
	VALUE_INT,    /* a, b: low and high half */
	VALUE_NIL,
	VALUE_LIT,    /* a, b: hash of a constant that is not taken apart */
	VALUE_TUPLE,  /* children */
	VALUE_CONS,   /* children: head, tail */
	VALUE_ELEM,   /* child: tuple; a: position from 0 */
	VALUE_HD,     /* child */
	VALUE_TL,     /* child */
	VALUE_GET,    /* children: map, key */
	VALUE_SET,    /* children: tuple, new element; a: position from 0 */
	VALUE_ARG,    /* a: number of the argument */
	VALUE_RESULT, /* a: site; b: which of its results */
	VALUE_TABLE,  /* a: site of creation; children: name, options */
	VALUE_FUN,    /* a: function; children: free variables */
	VALUE_PHI,    /* a: site of the meeting point; b: register */
	VALUE_OUTER,  /* a: call site; child: value in terms of the callee */
	VALUE_STATE,  /* a: module; the state of its server process */
	VALUE_SAME,   /* children: a, b of `a =:= b`; a: 1 if it was `a =/= b` */
	VALUE_PID,    /* a: 0 some pid (after is_pid); 1 the process itself */
};

enum {
	VALUE_TOP = 0,
	VALUE_MAX_CHILDREN = 24,
	VALUE_MAX_DEPTH = 10,
	VALUE_MAX_ALTERNATIVES = 6,
	VALUE_UNIQUE = 15, /* the number of a result that no other call returns */
};

/* Properties of a value and of all its parts. */
enum {
	VALUE_HAS_ARG = 1,
	VALUE_HAS_LOCAL = 2, /* results, meeting points: mean something in one function only */
	VALUE_HAS_TOP = 4,
	VALUE_HAS_TABLE = 8,
	VALUE_HAS_FUN = 16,
};

struct value {
	uint8_t kind;
	uint8_t depth;
	uint8_t has;
	uint8_t len; /* children */
	uint32_t a;
	uint32_t b;
	uint32_t children; /* index into the pool */
};

struct values {
	VEC(struct value) nodes;
	VEC(uint32_t) pool;
	uint32_t *slots; /* hash table of node numbers, 0 = empty */
	size_t slots_len;
	struct map alternatives; /* value -> index into alternative_sets */
	VEC(struct value_set) alternative_sets;
};

struct value_set {
	uint32_t items[VALUE_MAX_ALTERNATIVES];
	uint32_t len; /* more than fit: len is VALUE_MAX_ALTERNATIVES + 1 */
	uint32_t args_hash; /* of the call that the alternatives come from */
};

void values_init(struct values *vs);
void values_release(struct values *vs);

uint32_t value_make(struct values *vs, enum value_kind kind, uint32_t a, uint32_t b,
		    const uint32_t *children, size_t len);

uint32_t value_atom(struct values *vs, uint32_t atom);
uint32_t value_int(struct values *vs, int64_t number);
uint32_t value_arg(struct values *vs, uint32_t number);
uint32_t value_opaque(struct values *vs, uint64_t hash); /* a constant known by its hash only */
uint32_t value_result(struct values *vs, uint32_t site, uint32_t which);
uint32_t value_cons(struct values *vs, uint32_t head, uint32_t tail);

/* Pieces; simplified where the whole is known. */
uint32_t value_elem(struct values *vs, uint32_t tuple, uint32_t position);
uint32_t value_head(struct values *vs, uint32_t list);
uint32_t value_tail(struct values *vs, uint32_t list);

static inline const struct value *value_at(const struct values *vs, uint32_t v)
{
	return &vs->nodes.items[v];
}

static inline uint32_t value_child(const struct values *vs, uint32_t v, uint32_t i)
{
	return vs->pool.items[value_at(vs, v)->children + i];
}

static inline bool value_is_constant(const struct values *vs, uint32_t v)
{
	return !(value_at(vs, v)->has & (VALUE_HAS_ARG | VALUE_HAS_LOCAL | VALUE_HAS_TOP |
					 VALUE_HAS_TABLE | VALUE_HAS_FUN));
}

bool value_is_atom(const struct values *vs, uint32_t v, uint32_t atom);
bool value_get_int(const struct values *vs, uint32_t v, int64_t *out);

/* Does part occur in whole (or in an alternative of it)? */
bool value_contains(const struct values *vs, uint32_t whole, uint32_t part);

/* Is a part of it, as a term, one that no other call returns (make_ref/0 and the like)? */
bool value_is_unique(const struct values *vs, uint32_t v);

/* The variable at this meeting point, one alternative more. Returns the phi's number. */
uint32_t value_join(struct values *vs, uint32_t site, uint32_t reg, uint32_t old, uint32_t new);

/* NULL if v is not a meeting point or has more alternatives than are kept. */
const struct value_set *value_alternatives(const struct values *vs, uint32_t v);

/* v in terms of the caller. */
uint32_t value_subst(struct values *vs, uint32_t v, const uint32_t *args, size_t args_len,
		     uint32_t call_site);

/* v with other children; simplified like the pieces above. */
uint32_t value_rebuild(struct values *vs, uint32_t v, const uint32_t *children);

/* Can two values be the same term? */
enum value_relation { VALUE_DIFFERENT, VALUE_MAY, VALUE_EQUAL };
enum value_relation value_relate(const struct values *vs, uint32_t a, uint32_t b);

#endif
