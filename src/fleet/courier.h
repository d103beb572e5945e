/* courier.h: the coordinator's side of a fleet.
 *
 * The search is that of --jobs (explore/jobs.h): the tool decides which schedules there are, gives
 * branches away and takes results in the order of their turns. With --fleet the children to which
 * it gives them do not explore. They are *couriers*: each reads a part, puts it into Redis, waits
 * for the answer and writes it back. So the search does not know about the fleet, its counts are
 * exact for the same reason, and it never waits for the network.
 *
 *     tool --part--> courier --XADD--> Redis --take.lua--> worker --part--> explorer
 *          <-answer-        <--BLPOP-        <-finish.lua-        <-answer-
 *
 * A courier sends its part again if the server has lost it. It gives a part back unexplored if the
 * tool waits for it and its worker is gone or has not answered for some seconds, or the server is
 * away; the tool then explores the branch itself. So a server that is away, or a fleet without
 * workers, makes the search slow and never stops it. (The tool does not wait for a share of a
 * sampler in this sense: a share that a courier has stays with it until there is an answer.)
 */
#ifndef FLEET_COURIER_H
#define FLEET_COURIER_H

#include "base/vec.h"
#include "explore/jobs_worker.h"
#include "fleet/job.h"
#include "fleet/link.h"

/* A file of the program; the content is owned. */
struct fleet_file {
	char hash[SHA256_HEX + 1];
	struct strbuf content;
};

VEC_TYPE(fleet_file_vec, struct fleet_file);

/* Shared by the couriers and the tool. */
struct fleet_shared {
	struct link_notice notice;
	_Atomic uint32_t workers; /* that there were, last */
	_Atomic bool is_published;
};

/* Made by the caller: address, secret, record and files. */
struct fleet_search {
	struct fleet_url url;
	struct secret secret;
	link_say *say;
	struct fleet_file_vec files;
	struct job job;
	uint32_t wanted; /* for tests: workers that the search waits for once, at its beginning */
	/* of fleet_search_begin() */
	struct fleet_shared *shared;
	bool is_begun; /* the name is ours */
	struct jobs_elsewhere elsewhere; /* for explore_options */
	double next_probe, probe_seconds; /* of a server that is away: when, and how often */
};

/* Takes the name for this search. False with err: the server cannot be used, or another search uses
 * the name. */
bool fleet_search_begin(struct fleet_search *search, struct err *err);

/* Tells the workers that the search is over, if the server answers within some seconds; frees. */
void fleet_search_end(struct fleet_search *search);

#endif
