#include "beamfile/opcode.h"

static const struct opcode_info infos[256] = {
#define OPCODE(number, opname, opsignature, first_release, last_release, opdoc) \
	[number] = {.name = #opname, .signature = opsignature, .first = first_release, \
		    .last = last_release, .doc = opdoc},
#include "beamfile/opcode.def"
#undef OPCODE
};

const struct opcode_info *opcode_info(uint8_t number)
{
	return &infos[number];
}
