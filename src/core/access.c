#include "core/access.h"

static const char *const texts[ACCESS_MODES] = {
#define MODE(name, text, family) [ACCESS_##name] = text,
#include "core/access.def"
#undef MODE
};

const char *access_mode_text(uint32_t mode)
{
	return mode < ACCESS_MODES ? texts[mode] : "?";
}
