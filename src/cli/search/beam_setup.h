/* beam_setup.h: makes a BEAM target from the options of a command, or from the same options as a
 * saved finding keeps them. */
#ifndef CLI_BEAM_SETUP_H
#define CLI_BEAM_SETUP_H

#include <jansson.h>

#include "base/vec.h"
#include "beam/target.h"
#include "cli/option.h"

struct beam_setup {
	struct beam_options options;
	VEC(char *) paths; /* owned, NULL at the end */
	bool is_prop, system;
	char *function, *path, *otp_dir, *setup, *start, *config, *atomic, *normal_exit; /* owned */
	struct declared declared; /* side effects */
	struct watch watch; /* of a saved race that the static analysis suspected */
};

/* The function to be tested, or one test of a suite (beam/suite.h). */
struct beam_subject {
	const char *function;     /* of a suite: its module */
	bool is_prop;             /* function is a module with properties: cli/prop/prop_beam.h */
	enum suite_kind suite;
	const char *path;         /* NULL if it is a function */
	const char *const *paths; /* the -pa folders, NULL at the end */
	struct watch *watch;      /* the suspects of `races --confirm`; or NULL */
};

/* NULL with err if the target cannot be made. */
struct target *beam_setup_create(struct beam_setup *setup, const struct test_options *options,
				 const struct beam_subject *subject, struct err *err);

/* All that replay needs, as JSON (a new value), and back. */
json_t *beam_setup_json(const struct beam_setup *setup);
struct target *beam_setup_load(struct beam_setup *setup, const json_t *json, struct err *err);

void beam_setup_release(struct beam_setup *setup);

#endif
