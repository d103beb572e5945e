#include "core/access.h"

static const char *const texts[ACCESS_MODES] = {
#define MODE(name, text, family, conflicts, opens, feeds) [ACCESS_##name] = text,
#include "core/access.def"
#undef MODE
};

const char *access_mode_text(uint32_t mode)
{
	return mode < ACCESS_MODES ? texts[mode] : "?";
}

static bool conflicts_with_family(uint32_t mode)
{
	for (uint32_t other = 0; other < ACCESS_MODES; other++)
		if (access_rules[other].family == access_rules[mode].family &&
		    !access_modes_conflict(mode, other))
			return false;
	return true;
}

bool access_mode_dominates(uint32_t mode)
{
	static uint32_t known, dominating; /* sets of modes, filled as they are asked for */

	if (!(known >> mode & 1)) {
		known |= 1u << mode;
		dominating |= (uint32_t)conflicts_with_family(mode) << mode;
	}
	return dominating >> mode & 1;
}
