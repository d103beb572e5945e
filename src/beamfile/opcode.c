#include "beamfile/opcode.h"

static const struct opcode_info infos[256] = {
#define OPCODE(number, opname, opsignature, opdoc) \
	[number] = {.name = #opname, .signature = opsignature, .doc = opdoc},
#include "beamfile/opcode.def"
#undef OPCODE
};

const struct opcode_info *opcode_info(uint8_t number)
{
	return &infos[number];
}
