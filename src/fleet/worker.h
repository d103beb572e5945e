/* worker.h: a worker of a fleet: takes parts from Redis and has them explored.
 *
 * Two processes. The *porter* speaks with Redis: it looks which search there is, checks that it may
 * and can be explored here, takes a part, renews the lease of the part while it is explored, and
 * hands the answer in. The *explorer* is its child and explores: it makes the target, brings it to
 * the state of the search (explore/jobs_state.h) and serves parts as a worker of --jobs does. After
 * a restart of the search (another epoch) there is a new explorer.
 *
 * If the explorer dies, its porter starts another one; if the porter dies, its lease ends. In both
 * cases the part is taken again, by this worker or by another one. A part that was begun with four
 * times is handed in as deadly: the coordinator explores it itself.
 *
 * A worker refuses, with a reason: a search that is not sealed with its secret; files that are not
 * those of the sealed record; a machine that is not like that of the coordinator (the caller's
 * `check`); a program that does not run as it does there. A part that is not sealed is removed; the
 * coordinator sends it again.
 */
#ifndef FLEET_WORKER_H
#define FLEET_WORKER_H

#include <jansson.h>
#include <signal.h>

#include "explore/jobs_worker.h"
#include "fleet/link.h"
#include "fleet/seal.h"

struct fleet_worker {
	struct fleet_url url;
	struct secret secret;
	link_say *say;
	const char *folder;  /* where files are kept (files.h) */
	const volatile sig_atomic_t *stop;
	double max_seconds;  /* that the worker lives; 0: no limit */
	double idle_seconds; /* after which it ends if there is nothing to do; 0: no limit */
	double patience_seconds; /* that the server, or the search it served, may be silent */
	uint64_t memory;     /* bytes that the explorer and the program may use; 0: no limit */
	bool has_network;    /* the program may use the network of the machine */
	bool stays;          /* for the next search when one is over; its patience has no end */
	/* Is this machine like the one of the record? False with err. */
	bool (*check)(void *ctx, const json_t *record, struct err *err);
	/* In the explorer: makes the target with the files in `folder`, loads the state, calls
	 * fleet_explorer_begin() and serves. Ends the process. */
	void (*explore)(void *ctx, const json_t *record, const char *folder, struct bytes_in state,
			struct jobs_worker *worker);
	void *ctx;
};

/* Until the search is over, or the limits or the user end it, or nobody has been heard of for too
 * long. False with err: refused. */
bool fleet_worker_run(const struct fleet_worker *worker, struct err *err);

/* The explorer is ready; with an error: it cannot explore here, for this reason. */
void fleet_explorer_begin(struct jobs_worker *worker, const struct err *err);

#endif
