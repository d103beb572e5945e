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

struct target *checked_setup(struct target *target, bool announcements_change)
{
	struct checked_options options = {.announcements_change = announcements_change,
					  .on_broken = leave};
	const char *value = getenv("FERMATA_CHECK_TARGET");
	unsigned long sample = value ? strtoul(value, NULL, 10) : 0;

	if (!target || !sample)
		return target;
	options.sample = sample == 1 ? SAMPLE : (uint32_t)sample;
	return target_checked(target, &options);
}
