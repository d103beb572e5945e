/* opcode.h: the instruction set as a table.
 *
 * opcode.def is the one list: from it come the enum, the names and the operand
 * signatures. The reader checks every instruction against its signature, the
 * disassembler prints from it, the VM and the static analysis switch over the
 * enum. The constants keep Erlang's own spelling (OP_call_ext), so that a search
 * for an instruction's name finds every place that deals with it.
 *
 * To add one: add its line to opcode.def. The reader refuses an opcode
 * that is not in the table and names its number.
 */
#ifndef BEAMFILE_OPCODE_H
#define BEAMFILE_OPCODE_H

#include <stdint.h>

enum opcode {
#define OPCODE(number, name, signature, first, last, doc) OP_##name = number,
#include "beamfile/opcode.def"
#undef OPCODE
	OPCODE_MAX = OP_is_any_native_record,
};

struct opcode_info {
	const char *name;      /* NULL: not an instruction */
	const char *signature; /* letters as explained in opcode.def */
	uint8_t first; /* releases of OTP that run it; last is 0 when all later ones do */
	uint8_t last;
	const char *doc;
};

/* Never NULL; .name is NULL for numbers that are not in the table. */
const struct opcode_info *opcode_info(uint8_t number);

#endif
