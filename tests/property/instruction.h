/* instruction.h: an instruction of a generated program (ops.def), for those that execute it. */
#ifndef PROPERTY_INSTRUCTION_H
#define PROPERTY_INSTRUCTION_H

#include "limits.h"

struct instruction {
	int op, a, b, c, d;
};

enum op {
#define OP(name, arguments, meaning) OP_##name,
#include "ops.def"
#undef OP
	OPS
};

#endif
