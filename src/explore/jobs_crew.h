/* jobs_crew.h: the worker processes of a search: starting them, waiting for answers, ending them.
 *
 * Two kinds of search have workers: dpor gives branches away (jobs.h), samplers give seeds away
 * (samples.h). Both send a text and wait for a text (jobs_worker.h). A member of the crew that is
 * not running has fd -1.
 */
#ifndef EXPLORE_JOBS_CREW_H
#define EXPLORE_JOBS_CREW_H

#include <sys/types.h>

#include "explore/explore.h"
#include "explore/walk.h"

struct crew_member {
	pid_t pid;
	int fd;
	bool is_busy; /* it has something to do; set and cleared by the owner of the crew */
	uint32_t part; /* number of the part it explores */
};

struct crew {
	struct walk *walk;
	const struct explore_options *options;
	struct explore_result *result;
	struct crew_member *members;
	uint32_t len;
	volatile uint32_t *hurry; /* shared with the workers: the part that is waited for */
	uint32_t actors_len;      /* of the table, when the workers were started */
	uint32_t values_len;      /* numbered by the target, then */
	struct strbuf state;      /* of the search, then: for workers elsewhere */
	uint32_t epoch;           /* of that state, from 1 */
};

/* False if memory cannot be shared. Borrows all. */
bool crew_init(struct crew *crew, uint32_t len, struct walk *walk,
	       const struct explore_options *options, struct explore_result *result);
void crew_release(struct crew *crew);

bool crew_start(struct crew *crew, struct crew_member *member);
/* A busy member is killed. */
void crew_end(struct crew *crew, struct crew_member *member);

/* So many members, the first ones, can have something to do now. */
uint32_t crew_places(const struct crew *crew);

/* Calls take() for each busy member from which a text can be read, or who is gone; waits for one at
 * most so long. */
void crew_wait(struct crew *crew, int wait_ms, void (*take)(void *ctx, struct crew_member *member),
	       void *ctx);

/* Have names (actors, values) been met that the workers do not know? Remembers them. */
bool crew_has_new_names(struct crew *crew);

/* Do runs change more than the memory of the program? Then two instances of it would get in each
 * other's way. */
bool crew_has_effects(const struct crew *crew);

/* Has the search gone on long enough for workers to be worth it? */
bool crew_is_due(const struct crew *crew, double began);

#endif
