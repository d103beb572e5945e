/* native_setup.h: makes a native target from the options of a command, or from the same options as
 * a saved finding keeps them. */
#ifndef CLI_NATIVE_SETUP_H
#define CLI_NATIVE_SETUP_H

#include <jansson.h>

#include "base/strbuf.h"
#include "cli/option.h"
#include "native/native.h"

struct native_setup {
	struct program_options program;
	struct strbuf path, preload;
	char **loaded_argv; /* owned: of a saved finding; else NULL */
};

/* argv is the program and its arguments, NULL at the end; borrowed for the target's life.
 * NULL with err if the target cannot be made. */
struct target *native_setup_create(struct native_setup *setup, const struct test_options *options,
				   char **argv, struct err *err);

/* All that replay needs, as JSON (a new value), and back. */
json_t *native_setup_json(const struct native_setup *setup, struct target *target);
struct target *native_setup_load(struct native_setup *setup, const json_t *json, struct err *err);

void native_setup_release(struct native_setup *setup);

#endif
