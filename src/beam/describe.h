/* describe.h: the steps of a run in the program's own words, for reports.
 *
 * "send {hello, P1.1} to P1.2 (server)" says more than an event does, but the terms are there only
 * while the run is made. So when a report is wanted (want_stacks) the conductor
 * has every step described as it is taken, and keeps the words until the next run. Pids are given as
 * the names of actors, long terms are cut.
 */
#ifndef BEAM_DESCRIBE_H
#define BEAM_DESCRIBE_H

#include "base/vec.h"
#include "core/event.h"
#include "target/target.h"
#include "vm/vm.h"

struct bif;
struct conductor;
struct slot;

/* The words for a step that only a library is interested in begin with this character. */
#define DESCRIBE_FRAMEWORK TARGET_FRAMEWORK

struct described_ref {
	uint64_t pid, counter;
};

/* The words for the steps of a run. */
struct descriptions {
	VEC(char *) steps;     /* by event, owned; "" where there is nothing to add */
	VEC(uint64_t) sites;   /* by event: the code address at which it was announced */
	VEC(char *) names;     /* by actor, owned; NULL: not known (describe_name) */
	VEC(uint64_t) frames;  /* sites of the call stack of the last process that ended badly */
	uint32_t frames_actor;
	VEC(struct described_ref) atomics; /* in the order of their first steps */
	bool is_routine;       /* the last call of a native function is a library's own (describe_call) */
	uint32_t called; /* the native function that the last step calls, as in effect.bif; 0: none */
	int registry;	/* of the last call of a native function: enum registry_call */
	int socket;	/* the same: enum socket_step */
	bool is_global; /* of the last call: it looks for a global name (describe_global) */
	bool makes_agent;      /* the last process that a step creates is an Agent */
	bool is_elixir;        /* terms are written in the syntax of Elixir */
};

/* The step is about to be taken. */
void describe_step(struct conductor *c, struct descriptions *all, const struct slot *slot,
	       const struct event *event);
/* The function that the step called has returned this: "ets:lookup(cache, k) → []". */
void describe_result(struct conductor *c, struct descriptions *all, const struct bif *bif,
		     term result);
/* It has created this process. */
void describe_created(struct conductor *c, struct descriptions *all, const struct process *created);

/* A term in the syntax of the program's language, with the names of actors instead of their pids, cut
 * after about so many characters. */
void describe_add_term(struct conductor *c, term t, size_t limit, struct strbuf *out);

/* "'DOWN' of client: {badmatch,1} in …" of the news of an end with a stack trace, which would fill the line; false,
 * and nothing is appended, if the message is another one. */
bool describe_news(struct conductor *c, term message, struct strbuf *out);

/* "the call get of client" or "the cast reset" of a request to a gen_server; false, and nothing is appended, if the
 * message is another one. */
bool describe_request(struct conductor *c, term message, struct strbuf *out);

/* A process by its actor, which a report calls by its name; a system process by its own name. */
void describe_add_process(struct conductor *c, term pid, struct strbuf *out);

void descriptions_reset(struct descriptions *all);
void descriptions_release(struct descriptions *all);

#endif
