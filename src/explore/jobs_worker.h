/* jobs_worker.h: a worker: a process that explores parts of a search (strategy/dpor_part.h).
 *
 * It is forked from the tool, so it knows everything that the tool knew then, and has an instance
 * of the target of its own. It reads a part, explores it up to a limit or until the tool waits for
 * it, writes the answer (jobs_text.h) and reads the next. It confirms no finding: it sends the
 * schedule, and the tool runs it.
 */
#ifndef EXPLORE_JOBS_WORKER_H
#define EXPLORE_JOBS_WORKER_H

#include <sys/types.h>

#include "explore/explore.h"
#include "explore/walk.h"

/* Longer messages are not sent: a part that is larger is not worth it. */
enum { JOBS_MESSAGE_MAX = 1 << 29 };

struct jobs_worker {
	pid_t tool;
	int fd;              /* to the tool: length-prefixed texts both ways */
	uint32_t number;     /* from 1 */
	const volatile uint32_t *hurry; /* shared: the number of a part that the tool waits for */
	struct target *target; /* the tool's; the worker makes an instance of its own from it */
	struct detectors *detectors; /* the tool's, as they were at the fork */
	const struct explore_options *options;
	uint32_t epoch;              /* of the state below, from 1 */
	const struct strbuf *state;  /* of the search, for workers elsewhere (jobs_state.h) */
};

/* In a child of the tool: serves until the tool closes its end. Never returns. */
_Noreturn void jobs_worker_serve(struct jobs_worker *worker);

/* In a process that was brought to the state of the search by jobs_state_load(): the same, with
 * that walk and its target. Returns when the other side has closed its end. */
struct jobs_state;
void jobs_worker_serve_state(struct jobs_worker *worker, struct jobs_state *state);

/* Another way to have parts explored than by jobs_worker_serve(): the child of the tool hands each
 * part on and writes the answer when it comes (fleet/courier.h). */
struct jobs_elsewhere {
	void (*serve)(void *ctx, struct jobs_worker *worker); /* never returns */
	/* How many parts can be explored at a time, as far as is known now. */
	uint32_t (*places)(void *ctx);
	void *ctx;
};

/* Writes and reads one text. False if the other side is gone. */
bool jobs_send(int fd, const struct strbuf *text);
bool jobs_receive(int fd, struct strbuf *text);

#endif
