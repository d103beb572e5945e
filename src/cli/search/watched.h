/* watched.h: pairs of places to watch, from a suspect, and as JSON in a saved finding. */
#ifndef CLI_WATCHED_H
#define CLI_WATCHED_H

#include <jansson.h>

#include "beam/watch.h"
#include "static/suspect.h"

void watched_add(struct watch *watch, const struct suspect *suspect);

/* One pair as a new value, and back; false if the value is not a pair. */
json_t *watched_json(const struct watch *watch, const struct watch_pair *pair);
bool watched_load(struct watch *watch, const json_t *json);

#endif
