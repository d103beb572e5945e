/* analysis.h: the state of one whole-program race analysis. Private to static/.
 *
 * The phases, one file each:
 *
 *     callees.c  call graph, strongly connected components, callees first
 *     interp.c   abstract interpretation of one function (state.h: its registers)
 *     apply.c    the summary of a callee becomes part of the caller
 *     event.c    accesses of built-ins; writes meet the reads before them
 *     caught.c   calls whose failure is handled
 *     hof.c      functions that run functions; servers
 *     call.c     the effect of a call: built-ins, summaries of callees, funs
 *     equal.c    ends that are equal because a test found them so
 *     pair.c     which reads and writes make a candidate
 *     follow.c   calls of funs that stayed unknown, if that is asked for
 *     context.c  in which processes a function can run
 *     rate.c     which candidates are suspects, and how sure that is
 *     table.c    the knowledge about a table and about the key of an access to it
 *     apart.c    writes of two processes that never have the same key
 *     entry.c    the function by which other processes get to a write
 *     describe.c turns candidates into suspects: numbers into texts
 *     guess.c    how a suspect could be called without a test
 *
 * interp, call and pair run together, function by function in order; context and rate
 * run when everything has been seen, since a table may be created anywhere.
 */
#ifndef STATIC_ANALYSIS_H
#define STATIC_ANALYSIS_H

#include "static/program.h"
#include "static/races.h"
#include "static/summary.h"

/* A call on the way to an access; 0 ends the chain. */
struct path_node {
	uint32_t site;
	uint32_t next;
};

/* A pair that may be a race, in terms of function fn. */
struct candidate {
	struct pair pair;
	uint32_t fn;
	uint32_t next; /* of the same two sites; 0 = last */
};

/* A write that others can see, by the atom that names the table (or the key where the
 * store is one). */
struct writer {
	struct access access;
	uint32_t fn;
	uint32_t next; /* of the same kind and name */
};

/* A call within one process. */
struct edge {
	uint32_t caller;
	uint32_t callee;
	bool in_transaction;
};

struct unknown_call {
	struct fun_call call;
	uint32_t fn;
};

struct analysis {
	struct program *p;
	const struct races_options *options;
	struct summary *summaries; /* one per function */
	uint32_t *order;           /* functions, callees first */
	uint32_t *component;       /* of a function: equal numbers call each other */
	bool *is_recursive;        /* function can reach itself */
	VEC(struct path_node) paths;
	VEC(struct candidate) candidates;
	struct map candidate_heads; /* both sites -> first candidate */
	VEC(struct writer) writers;
	struct map writer_heads;
	VEC(struct create) creates; /* with known names */
	struct map create_heads;    /* name -> index + 1 of the latest create; see create_next */
	VEC(uint32_t) create_next;
	VEC(uint32_t) create_fns; /* who created it */
	struct map escaped_tables;  /* sites of creation that others can get hold of */
	struct map escaped_fns;     /* code of funs that others can run */
	struct map spawned_fns;     /* code that new processes start with */
	VEC(struct edge) edges;     /* calls within one process */
	VEC(struct unknown_call) unknown_calls;
	uint32_t *roots;    /* contexts of functions that others can run, before spreading */
	uint32_t *contexts; /* per function: see context.c */
	uint32_t *transaction_contexts; /* the same, transactions included */
	bool *is_single; /* per kind of process: there is never more than one */
	uint32_t *seen_contexts; /* the same, if only calls that are seen count */
	uint32_t *seen_roots;    /* and before spreading */
	struct {            /* atoms the analysis looks for */
		uint32_t undefined, public, protected, private, named_table, keypos, local, name,
			underscore, transaction, sync_transaction, write, append, exclusive,
			init, true_;
	} atoms;
	uint32_t key_all; /* values that stand for "every key" and "is there a table" */
	uint32_t key_exists;
};

/* callees.c */
void order_functions(struct analysis *a);

/* interp.c: fills the function's summary; adds candidates, writers, creates, edges. */
void interp_function(struct analysis *a, uint32_t fn);

/* pair.c */
void pair_consider(struct analysis *a, uint32_t fn, struct summary *s, const struct pair *pair);
enum value_relation pair_tables(struct analysis *a, const struct pair *pair);
enum value_relation pair_keys(struct analysis *a, uint32_t fn, const struct pair *pair);
void pair_note_write(struct analysis *a, uint32_t fn, const struct access *write);
void pair_note_create(struct analysis *a, uint32_t fn, const struct create *create);

/* equal.c: v with the first of each two equal values replaced by the second. */
uint32_t equal_resolve(struct values *vs, const struct fact *same, size_t same_len, uint32_t v);

/* follow.c: pairs across calls of unknown funs, if any were noted. */
void follow_unknown_calls(struct analysis *a);

/* context.c: fills contexts. Of a function: CONTEXT_NONE, CONTEXT_ANY, or the number of a
 * kind of process: a server's module plus 1, or (after the modules) the function a process
 * with a name of its own starts with. */
#define CONTEXT_NONE 0u
#define CONTEXT_ANY UINT32_MAX
void context_spread(struct analysis *a);

/* rate.c */
struct rating {
	enum { RATED_INNOCENT, RATED_LOW, RATED_MEDIUM, RATED_HIGH } confidence;
	const char *reason; /* why not higher; static text */
};
struct rating rate_candidate(struct analysis *a, const struct candidate *c);

/* Of a candidate that runs in one process only: a write of other code that makes it a race all the
 * same. NULL: the candidate's own code can run in two processes at once. */
const struct writer *rate_find_rival(struct analysis *a, const struct candidate *c);
/* The context of the candidate's own code. */
uint32_t rate_context(const struct analysis *a, const struct candidate *c);

/* entry.c: the nearest function, back along calls, from which a process of another kind than
 * context gets to fn, if possible one without a caller that is seen; or PROGRAM_NONE. */
uint32_t entry_find(const struct analysis *a, uint32_t fn, uint32_t context);

/* table.c: the known facts about a table by its value in terms of function fn. */
enum table_access { TABLE_UNKNOWN, TABLE_CLOSED, TABLE_PUBLIC };
struct table_info {
	enum table_access access;
	uint32_t keypos; /* from 1 */
	bool is_named;
	bool is_confined; /* only its creator can know it */
	uint32_t creation; /* site, or PROGRAM_NONE */
};
struct table_info table_describe(struct analysis *a, uint32_t fn, uint32_t table);
bool table_is_named(struct analysis *a, uint32_t options);

/* The key of an access, given the table's key position. */
uint32_t access_key(struct analysis *a, const struct access *access, uint32_t keypos);
enum value_relation access_relate_keys(struct analysis *a, const struct access *read,
				       const struct access *write, uint32_t keypos);

/* apart.c: can the two writes, in two different processes, never be of the same key? */
bool access_are_apart(struct analysis *a, const struct access *mine, const struct access *theirs,
		      uint32_t keypos);
/* Is the pid of the process itself a part of the key? */
bool access_is_own(struct analysis *a, const struct access *access, uint32_t keypos);
/* Is a new reference, or a unique number, a part of the key? */
bool access_is_new(struct analysis *a, const struct access *access, uint32_t keypos);

uint32_t path_push(struct analysis *a, uint32_t site, uint32_t next);

#endif
