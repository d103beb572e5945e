/* session_json.h: the numbers of a search as JSON, for reports and saved findings. Each function
 * returns a new value. */
#ifndef CLI_SESSION_JSON_H
#define CLI_SESSION_JSON_H

#include <jansson.h>

#include "cli/search/session.h"
#include "explore/explore.h"

/* For `fermata report`, which has no search of its own. */
json_t *session_search_json(const struct session *session, const struct found *found);

/* How the numbers of the search grew (stats.h): those of the search around it, if there is one. */
struct stats;
json_t *session_history(const struct session *session, const struct stats *stats);

/* The distinct ends and outputs of the runs, by their hashes. */
json_t *session_outcomes_json(const struct explore_result *result);

/* Runs that are counted apart: confirmations, shortening, samples, workers. */
json_t *session_apart_json(const struct explore_result *result);

#endif
