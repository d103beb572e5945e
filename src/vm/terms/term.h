/* term.h: the representation of Erlang terms in 64-bit words. All functions here are inline and
 * pure. The lowest bits of a word are its tag:
 *
 *   ...00  header word (first word of a boxed object; never a term by itself)
 *   ...01  cons cell:   pointer to two words, head and tail
 *   ...10  boxed:       pointer to a header word and the words of the object
 *   ..0011 local pid    ..0111 local port
 *   001011 atom         011011 catch (stack only)   111011 nil
 *   ..1111 small integer, 60 bits
 *
 * TERM_NONE (0) is not a term: a BIF that raised an exception returns it.
 *
 * A header has the kind in bits 2..6 and, above, the number of words that follow it.
 *   TUPLE      elements
 *   BIG_POS/NEG  limbs, least significant first, no leading zero limb, never a small
 *   FLOAT      one double
 *   FUN        struct fun_entry *, then the free variables
 *   EXPORT     one word: export number (code.h)
 *   REF        pid value of the creator, its counter, flags
 *   HEAPBIN    size in bytes, then the bytes
 *   REFCBIN    size in bytes, struct refc_binary *, next in the process's off-heap list
 *   SUBBIN     the HEAPBIN or REFCBIN it is part of, size in bits, offset in bits, writable
 *   MATCHCTX   same as SUBBIN but: binary, current offset, end offset (bits)
 *   FLATMAP    tuple of the keys in term order, then the values (at most 32)
 *   HASHMAP    see tmap.h; all words are terms
 *   REMOTE_*   see remote.h: a pid, port or reference of another node
 * Sizes and offsets in SUBBIN, MATCHCTX, HEAPBIN, REFCBIN are raw words.
 */
#ifndef VM_TERMS_TERM_H
#define VM_TERMS_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"

typedef uint64_t term;
VEC_TYPE(term_vec, term);

struct fun_entry;
struct refc_binary;

enum term_kind {
	KIND_TUPLE,
	KIND_BIG_POS,
	KIND_BIG_NEG,
	KIND_FLOAT,
	KIND_FUN,
	KIND_EXPORT,
	KIND_REF,
	KIND_HEAPBIN,
	KIND_REFCBIN,
	KIND_SUBBIN,
	KIND_MATCHCTX,
	KIND_FLATMAP,
	KIND_HASHMAP,
	KIND_REMOTE_PID,
	KIND_REMOTE_PORT,
	KIND_REMOTE_REF,
};

#define TERM_NONE ((term)0)
#define TAG_MASK 3u
#define TAG_HEADER 0u
#define TAG_LIST 1u
#define TAG_BOXED 2u
#define TAG_IMMEDIATE 3u

#define TAG_PID 0x3u
#define TAG_PORT 0x7u
#define TAG_SMALL 0xfu
#define TAG_ATOM 0x0bu
#define TAG_CATCH 0x1bu
#define NIL ((term)0x3b)

#define SMALL_MAX (((int64_t)1 << 59) - 1)
#define SMALL_MIN (-((int64_t)1 << 59))

/* ---- immediates ---- */

static inline term small_make(int64_t value) { return ((uint64_t)value << 4) | TAG_SMALL; }
static inline int64_t small_value(term t) { return (int64_t)t >> 4; }
static inline bool term_is_small(term t) { return (t & 15) == TAG_SMALL; }
static inline bool terms_are_small(term a, term b) { return (a & b & 15) == TAG_SMALL; }
static inline bool small_fits(int64_t value) { return value <= SMALL_MAX && value >= SMALL_MIN; }

static inline term atom_make(uint32_t index) { return ((uint64_t)index << 6) | TAG_ATOM; }
static inline uint32_t atom_index(term t) { return (uint32_t)(t >> 6); }
static inline bool term_is_atom(term t) { return (t & 63) == TAG_ATOM; }

static inline term pid_make(uint64_t value) { return (value << 4) | TAG_PID; }
static inline uint64_t pid_value(term t) { return t >> 4; }
static inline bool term_is_pid(term t) { return (t & 15) == TAG_PID; }

static inline term port_make(uint64_t value) { return (value << 4) | TAG_PORT; }
static inline bool term_is_port(term t) { return (t & 15) == TAG_PORT; }

static inline bool term_is_nil(term t) { return t == NIL; }
static inline bool term_is_immediate(term t) { return (t & TAG_MASK) == TAG_IMMEDIATE; }

/* ---- lists ---- */

static inline bool term_is_cons(term t) { return (t & TAG_MASK) == TAG_LIST; }
static inline bool term_is_list(term t) { return term_is_cons(t) || t == NIL; }
static inline term *cons_ptr(term t) { return (term *)(t - TAG_LIST); }
static inline term cons_make(const term *cell) { return (term)cell + TAG_LIST; }
static inline term cons_head(term t) { return cons_ptr(t)[0]; }
static inline term cons_tail(term t) { return cons_ptr(t)[1]; }

/* ---- boxed ---- */

static inline bool term_is_boxed(term t) { return (t & TAG_MASK) == TAG_BOXED; }
static inline term *boxed_ptr(term t) { return (term *)(t - TAG_BOXED); }
static inline term boxed_make(const term *header) { return (term)header + TAG_BOXED; }

static inline term header_make(enum term_kind kind, size_t words)
{
	return ((term)words << 7) | ((term)kind << 2);
}
static inline enum term_kind header_kind(term header) { return (header >> 2) & 31; }
static inline size_t header_words(term header) { return header >> 7; }
static inline bool term_is_header(term t) { return (t & TAG_MASK) == TAG_HEADER; }

static inline bool term_is_kind(term t, enum term_kind kind)
{
	return term_is_boxed(t) && header_kind(*boxed_ptr(t)) == kind;
}

/* Tuples: elements are numbered from 0 here. */
static inline bool term_is_tuple(term t) { return term_is_kind(t, KIND_TUPLE); }
static inline size_t tuple_size(term t) { return header_words(*boxed_ptr(t)); }
static inline term *tuple_elements(term t) { return boxed_ptr(t) + 1; }
static inline term tuple_element(term t, size_t i) { return boxed_ptr(t)[1 + i]; }
static inline bool term_is_tuple_of(term t, size_t size)
{
	return term_is_boxed(t) && *boxed_ptr(t) == header_make(KIND_TUPLE, size);
}

static inline bool term_is_float(term t) { return term_is_kind(t, KIND_FLOAT); }
static inline double float_value(term t)
{
	double value;

	memcpy(&value, boxed_ptr(t) + 1, sizeof(value));
	return value;
}

static inline bool term_is_big(term t)
{
	return term_is_boxed(t) && (header_kind(*boxed_ptr(t)) == KIND_BIG_POS ||
				    header_kind(*boxed_ptr(t)) == KIND_BIG_NEG);
}
static inline bool big_is_negative(term t) { return header_kind(*boxed_ptr(t)) == KIND_BIG_NEG; }
static inline size_t big_len(term t) { return header_words(*boxed_ptr(t)); }
static inline const uint64_t *big_limbs(term t) { return boxed_ptr(t) + 1; }

static inline bool term_is_integer(term t) { return term_is_small(t) || term_is_big(t); }
static inline bool term_is_number(term t) { return term_is_integer(t) || term_is_float(t); }

static inline bool term_is_ref(term t) { return term_is_kind(t, KIND_REF); }

static inline bool term_is_local_fun(term t) { return term_is_kind(t, KIND_FUN); }
static inline struct fun_entry *fun_entry_of(term t) { return (struct fun_entry *)boxed_ptr(t)[1]; }
static inline size_t fun_free_len(term t) { return header_words(*boxed_ptr(t)) - 1; }
static inline term *fun_free(term t) { return boxed_ptr(t) + 2; }
static inline bool term_is_export_fun(term t) { return term_is_kind(t, KIND_EXPORT); }
static inline bool term_is_fun(term t) { return term_is_local_fun(t) || term_is_export_fun(t); }

static inline bool term_is_flatmap(term t) { return term_is_kind(t, KIND_FLATMAP); }
static inline bool term_is_hashmap(term t) { return term_is_kind(t, KIND_HASHMAP); }
static inline bool term_is_map(term t) { return term_is_flatmap(t) || term_is_hashmap(t); }

/* Any bit string, also one whose size is not a multiple of 8. binary.h gives access. */
static inline bool term_is_bitstring(term t)
{
	return term_is_boxed(t) && header_kind(*boxed_ptr(t)) >= KIND_HEAPBIN &&
	       header_kind(*boxed_ptr(t)) <= KIND_SUBBIN;
}

/* ---- building: each writes at *hp and moves *hp behind the object ---- */

#define CONS_WORDS 2u
#define FLOAT_WORDS 2u
#define TUPLE_WORDS(n) (1u + (n))
#define REF_WORDS 4u

static inline term cons_build(term **hp, term head, term tail)
{
	term *cell = *hp;

	cell[0] = head;
	cell[1] = tail;
	*hp = cell + 2;
	return cons_make(cell);
}

static inline term float_build(term **hp, double value)
{
	term *box = *hp;

	box[0] = header_make(KIND_FLOAT, 1);
	memcpy(box + 1, &value, sizeof(value));
	*hp = box + FLOAT_WORDS;
	return boxed_make(box);
}

static inline term tuple_build2(term **hp, term a, term b)
{
	term *box = *hp;

	box[0] = header_make(KIND_TUPLE, 2);
	box[1] = a;
	box[2] = b;
	*hp = box + 3;
	return boxed_make(box);
}

static inline term tuple_build3(term **hp, term a, term b, term c)
{
	term *box = *hp;

	box[0] = header_make(KIND_TUPLE, 3);
	box[1] = a;
	box[2] = b;
	box[3] = c;
	*hp = box + 4;
	return boxed_make(box);
}

static inline term tuple_build4(term **hp, term a, term b, term c, term d)
{
	term *box = *hp;

	box[0] = header_make(KIND_TUPLE, 4);
	box[1] = a;
	box[2] = b;
	box[3] = c;
	box[4] = d;
	*hp = box + 5;
	return boxed_make(box);
}

static inline term tuple_build5(term **hp, term a, term b, term c, term d, term e)
{
	term *box = *hp;

	box[0] = header_make(KIND_TUPLE, 5);
	box[1] = a;
	box[2] = b;
	box[3] = c;
	box[4] = d;
	box[5] = e;
	*hp = box + 6;
	return boxed_make(box);
}

#endif
