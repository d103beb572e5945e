/* prop_beam.h: `fermata prop` for Erlang: a module with PropEr's callbacks or properties. */
#ifndef CLI_PROP_BEAM_H
#define CLI_PROP_BEAM_H

#include "cli/prop/prop_session.h"
#include "cli/search/beam_setup.h"

/* `name` is MODULE or MODULE:PROPERTY; paths: the -pa folders, NULL at the end. Returns the exit
 * status. */
int prop_beam(struct prop_session *session, const char *name, const char *const *paths);

/* For replay: opens the test that a finding's set-up (with its member "prop") describes. For a
 * state machine *model is a new model, which the caller frees before the result; for a plain
 * property *model is NULL and the caller runs prop_beam_target(). NULL with err. */
struct prop_beam_replay *prop_beam_load(const json_t *json, struct model **model, struct err *err);
struct target *prop_beam_target(struct prop_beam_replay *replay);
void prop_beam_free(struct prop_beam_replay *replay);

#endif
