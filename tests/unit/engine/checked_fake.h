/* checked_fake.h: the scripted target, with its contract asserted on every run.
 *
 * The tests of this folder create their targets here, so that a strategy that passes has passed
 * on a target that kept its promises. A broken promise ends the test program. */
#ifndef UNIT_ENGINE_CHECKED_FAKE_H
#define UNIT_ENGINE_CHECKED_FAKE_H

#include <stdio.h>
#include <stdlib.h>

#include "target/checked.h"
#include "target/fake.h"

static void checked_fake_broken(const char *text)
{
	fprintf(stderr, "%s\n", text);
	abort();
}

static inline struct target *checked_fake_create(const struct fake_program *program)
{
	struct checked_options options = {.sample = 64, .on_broken = checked_fake_broken};

	return target_checked(fake_create(program), &options);
}

#endif
