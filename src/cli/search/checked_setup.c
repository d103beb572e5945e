#include "cli/search/checked_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/exits.h"
#include "target/checked.h"

enum { SAMPLE = 64 };

/* Not exit(): the program under test may be in the middle of a run. It dies with this process. */
static void leave(const char *text)
{
	fflush(NULL);
	fprintf(stderr, "fermata: lost control: %s\n", text);
	_exit(EXIT_LOST);
}

static unsigned long asked_for(void)
{
	const char *value = getenv("FERMATA_CHECK_TARGET");

	return value ? strtoul(value, NULL, 10) : 0;
}

bool checked_setup_is_on(void)
{
	return asked_for() != 0;
}

struct target *checked_setup(struct target *target, bool announcements_change)
{
	struct checked_options options = {.announcements_change = announcements_change,
					  .on_broken = leave};
	unsigned long sample = asked_for();

	if (!target || !sample)
		return target;
	options.sample = sample == 1 ? SAMPLE : (uint32_t)sample;
	return target_checked(target, &options);
}
