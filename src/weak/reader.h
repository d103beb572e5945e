/* reader.h: from the events of a trace to the nodes of a graph.
 *
 * The graph has one node per event, in the order of the trace, which is an order in which a graph
 * can be pushed (graph.h). Some events are not modelled: timers, signals, pipes …
 * A search that meets one ends and is not a proof; reader_unmodelled names the first.
 *
 * A lenient reader takes those as well, for runs of samplers, which wait in the usual way and do not
 * have to be complete. It orders them one after another as they ran. That is more order than there
 * may be, so a trace that it allows is one that the memory model allows. */
#ifndef WEAK_READER_H
#define WEAK_READER_H

#include "core/trace.h"
#include "weak/graph.h"

struct reader {
	struct map variables; /* object -> 1 + index */
	struct map rounds;    /* round of a barrier -> node of the last arrival */
	struct node_ids initials; /* of each object: its first value (object.h) */
	uint32_t last_unmodelled; /* node; NODE_NONE */
	bool is_lenient;      /* events that are not modelled are taken, too */
	uint32_t variables_len;
};

void reader_start(struct reader *reader);
void reader_release(struct reader *reader);

/* The index of the first event that is not modelled, or events_len. */
uint32_t reader_unmodelled(const struct trace *trace);

/* The node of event number `step`. The graph has the nodes of all events before it. */
struct node reader_node(struct reader *reader, const struct graph *graph,
			const struct trace *trace, uint32_t step);

/* Did the step, which is to be pushed next, do what the model of its object says? */
bool reader_agrees(const struct reader *reader, const struct graph *graph, const struct node *node);

/* The compare-and-swap as it would be if it succeeded, or if it failed. */
void reader_set_success(const struct event *event, struct node *node, bool succeeds);

/* Is the trace a run that the memory model allows? True also if it was not made under one. */
bool reader_is_allowed(const struct trace *trace);

#endif
