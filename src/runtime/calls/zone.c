#include "runtime/calls/zone.h"

#include <stddef.h>
#include <unistd.h>

#include "runtime/rt.h"
#include "runtime/rt_sys.h"

enum { ZONE_MAX = 256 };

/* The value of TZ at which the zone was set. Put back with the program's memory, as the library's own copy. */
static struct {
	bool is_set;
	char name[ZONE_MAX];
} zone;

static const char *zone_wanted(void)
{
	for (char **entry = environ; entry && *entry; entry++)
		if (rt_strncmp(*entry, "TZ=", 3) == 0)
			return *entry + 3;
	return "\n"; /* none, which is not the same as an empty one */
}

static void set_zone(const char *name)
{
	size_t len = rt_strlen(name);

	if (len >= ZONE_MAX)
		len = ZONE_MAX - 1;
	rt_memcpy(zone.name, name, len);
	zone.name[len] = '\0';
	zone.is_set = true;
}

void rt_zone_use(char how, uint64_t site)
{
	const char *wanted = zone_wanted();
	bool is_news = !zone.is_set || rt_strncmp(zone.name, wanted, ZONE_MAX - 1) != 0;

	if (!is_news || (zone.is_set && how == 'i'))
		return;
	if (zone.is_set && how == 'c' && rt_running())
		rt_warn_uncontrolled_at("a change of the time zone by a call that reads TZ", site);
	set_zone(wanted);
}
