#include "core/access.h"

static const char *const texts[ACCESS_MODES] = {
#define MODE(name, text, conflicts, enables) [ACCESS_##name] = text,
#include "core/access.def"
#undef MODE
};

const char *access_mode_text(uint32_t mode)
{
	return mode < ACCESS_MODES ? texts[mode] : "?";
}

bool access_check_table(void)
{
	for (uint32_t a = 0; a < ACCESS_MODES; a++)
		for (uint32_t b = 0; b < ACCESS_MODES; b++) {
			if (access_modes_conflict(a, b) != access_modes_conflict(b, a))
				return false;
			if (access_mode_enables(a, b) && !access_modes_conflict(a, b))
				return false;
		}
	return true;
}
