/* wakeup.h: wake-up trees (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014).
 *
 * At a node of the search a wake-up tree holds the beginnings of executions still to
 * be explored from there, as an ordered tree of events. Following its first branch
 * to a leaf and then running freely never ends in a sleep-set block, and each
 * equivalence class is run exactly once.
 *
 * Trees are lists of siblings, each with its own list of children; nodes come from a
 * pool. The current execution is a path of first siblings. Below a leaf whose run has been
 * analysed are the rest of that run and the branches that the run showed to be left.
 *
 * The paper leaves a sequence out if it begins like a leaf, because exploring the leaf is to find
 * it. Here the sequence is added below the leaf instead. A leaf stands for all executions that
 * begin so and that no sleeper covers. But its last step may do less than it announced (a
 * compare-and-swap that fails only reads) and then does not wake the sleepers it was thought to
 * wake. The search below the leaf leaves out the executions that those sleepers cover, and the
 * sequence may be among them. So every sequence that was wanted has a path in the tree.
 */
#ifndef STRATEGY_WAKEUP_H
#define STRATEGY_WAKEUP_H

#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "core/event.h"
#include "core/dependence.h"

struct trace;

/* A race whose second step is the step of the node. Its reversal was covered only because of the
 * way the run went on behind that step, so the race must be looked at again in a run that begins
 * alike and goes on otherwise. Example: the reversal "b2" is covered by a sleeper c, a step of
 * another actor, as long as no step behind b2 depends on c. */
struct wakeup_open {
	struct wakeup_open *next;
	uint32_t first; /* the first step of the race */
};

struct wakeup {
	/* The members that a walk through the tree reads come first, in one cache line. */
	struct wakeup *next;
	struct wakeup *children;
	struct wakeup *parent; /* NULL at the top */
	struct trace *ahead;   /* owned: the run of this branch, if it was made already */
	uint32_t unmade;       /* branches below it without a run; not kept up on the stack */
	uint32_t at;           /* its step number: as many nodes are above it */
	uint32_t grown;        /* pool.clock when a node was last added below it, or it was added */
	bool has_open_ghost; /* a race with a step that this step withdrew is open */
	bool is_taken;       /* a run has taken the step here, so it is possible */
	bool is_own;         /* the branch cannot be explored elsewhere: not given again */
	uint8_t deaths;      /* of workers that explored it */
	struct wakeup_out *out; /* another process explores the branch (dpor_part.h); else NULL */
	struct wakeup_open *open;
	struct event event;
};

/* A branch that another process explores. Until its turn comes nothing is changed below the branch:
 * sequences that are wanted there are noted. A checked part is compared with the tree when its turn
 * comes (dpor_checked.c): there the branch is treated as if no process had it. */
struct wakeup_out {
	struct wakeup *branch; /* NULL: the search began anew, the result is not wanted any more */
	struct strbuf late;    /* wanted sequences (wakeup_bytes.h), and how many */
	uint32_t late_len;
	bool is_back;          /* the result is there; the branch has its event as it ran, unless
	                          the part is checked */
	bool is_checked;
	bool has_died;         /* the worker */
	uint64_t basis;        /* of a checked part: hash of the text that the worker got, */
	uint32_t grown;        /* and when the branch had grown last then */
	struct strbuf result;
	struct event was;      /* the event of the branch before it was run, */
	bool was_taken;        /* and whether it had been run before */
	struct strbuf extra;   /* of the caller */
	struct wakeup_out *next;
};

struct wakeup_pool {
	uint32_t clock; /* moved on by the owner: how long ago a branch has grown */
	struct wakeup *unused;
	struct wakeup **blocks;
	size_t blocks_len, blocks_cap;
	struct wakeup_open *unused_open;
	size_t open;  /* number of open races of all nodes */
	bool has_open_ghost; /* some node has had an open ghost */
};

/* A wanted sequence: the steps of a reversal, which shall come before `first`. */
struct wakeup_wanted {
	const struct event *first;
	const struct event **sequence;
	uint64_t *marks; /* of the sequence, if every order counts; or NULL */
	size_t len;
	size_t kept; /* so many steps are added to the tree if it is not covered, at least one */
	size_t firm; /* so many steps are the same in every run with this beginning */
	enum observers observers;
};

/* Was the run of this branch made before its turn? */
static inline bool wakeup_has_run(const struct wakeup *branch)
{
	return branch->ahead || (branch->out && branch->out->is_back);
}

/* A new leaf below the parent; the caller puts it into a list. */
struct wakeup *wakeup_leaf(struct wakeup_pool *pool, struct wakeup *parent,
			   const struct event *event);

/* A timer that fires in the order of deadlines may be impossible where its accesses would allow it,
 * and possible behind other steps of the wanted sequence. So a branch that begins with such a timer
 * covers only sequences that begin with it, unless a run has taken the timer there.
 *
 * Adds the wanted sequence to the list, which is below the parent, unless a branch covers it
 * already. Overwrites the array. Returns the new branch or NULL. *is_open: the answer may be
 * another one for a run that goes on otherwise behind the firm steps. */
struct wakeup *wakeup_insert(struct wakeup_pool *pool, struct wakeup *parent, struct wakeup **list,
			     struct wakeup_wanted wanted, bool *is_open);

/* Opens the race: it is looked at again in every run that comes through the node. */
void wakeup_open(struct wakeup_pool *pool, struct wakeup *node, uint32_t first);
/* The same for a race with a step that the step of the node withdrew. */
void wakeup_open_ghost(struct wakeup_pool *pool, struct wakeup *node);
/* Takes the list of open races away from the node; closes all of them; closes the first race of a
 * list that was taken and returns the next. */
struct wakeup_open *wakeup_take_open(struct wakeup *node);
void wakeup_forget_open(struct wakeup_pool *pool, struct wakeup *node);
struct wakeup_open *wakeup_close(struct wakeup_pool *pool, struct wakeup_open *open);

/* Removes the first branch and returns its nodes to the pool. */
void wakeup_remove_first(struct wakeup_pool *pool, struct wakeup **tree);

/* Removes the leaf and the steps that lead to no other leaf. The branch that it belongs to is in
 * the list, and goes with its last leaf. */
void wakeup_remove_leaf(struct wakeup_pool *pool, struct wakeup **list,
			const struct wakeup *branch, struct wakeup *leaf);

/* Removes the event at that place from the sequence. */
void wakeup_consume(struct wakeup_wanted *wanted, size_t at);

/* Removes the first branch, whose first step turned out to be impossible. Each sequence below that
 * step is wanted all the same, as far as it can do without the step: it is added to the tree again
 * without the step and the steps that depend on it. Returns how many nodes had runs made ahead,
 * which are dropped. */
uint32_t wakeup_dissolve_first(struct wakeup_pool *pool, struct wakeup **tree,
			       enum observers observers);

/* Is the actor of `event`, whose next step the event is, a weak initial of the wanted sequence
 * (dependence_is_weak_initial)? On yes, *at is the place of the event, or len when the event does
 * not occur in the sequence. Where it does not occur and forestalls `first`, an execution
 * that begins with the event is not what is wanted. */
bool wakeup_covers(const struct event *event, const struct wakeup_wanted *wanted, size_t *at);

/* The event, which is at that place of the wanted sequence, covers it. Does it also if the run goes
 * on otherwise behind the firm steps? */
bool wakeup_is_firm(const struct event *event, const struct wakeup_wanted *wanted, size_t at);

void wakeup_pool_release(struct wakeup_pool *pool);

#endif
