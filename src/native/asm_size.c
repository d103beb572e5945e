#include "native/asm_size.h"

#include <fnmatch.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Vector instructions whose memory is `divisor`-th of the widest register, or of `bytes` bytes. The first row
 * that fits counts. */
static const struct {
	const char *pattern;
	int divisor, bytes;
} narrow[] = {
	{"v*broadcast*64x4", 0, 32}, {"v*broadcast*32x8", 0, 32}, {"v*insert*64x4", 0, 32},
	{"v*insert*32x8", 0, 32},    {"v*extract*64x4", 0, 32},   {"v*extract*32x8", 0, 32},
	{"v*broadcast*128", 0, 16},  {"v*broadcast*x4", 0, 16},   {"v*broadcast*64x2", 0, 16},
	{"v*broadcast*", 0, 1},      {"v*insert*", 0, 1},         {"v*extract*", 0, 1},
	{"vpmov[sz]xbw", 2, 0},      {"vpmov[sz]xwd", 2, 0},      {"vpmov[sz]xdq", 2, 0},
	{"vpmov[sz]xbd", 4, 0},      {"vpmov[sz]xwq", 4, 0},      {"vpmov[sz]xbq", 8, 0},
	{"vpmov*qb", 8, 0},          {"vpmov*db", 4, 0},          {"vpmov*qw", 4, 0},
	{"vpmov*", 2, 0},            {"vcvtps2pd*", 2, 0},        {"vcvt*dq2pd*", 2, 0},
	{"vcvt*ps2*qq", 2, 0},       {"vcvtp[hs]2p[hs]*", 2, 0},
};

/* The number of bytes that a register holds, or 0 if there are only smaller ones. A conversion from memory into a smaller
 * register has the size behind its name. */
static int widest(const char *mnemonic, const char *operands, int len)
{
	size_t name = strlen(mnemonic);

	if (memmem(operands, (size_t)len, "%zmm", 4))
		return 64;
	if (memmem(operands, (size_t)len, "%ymm", 4))
		return 32;
	if (strncmp(mnemonic, "vcvt", 4) == 0 && (mnemonic[name - 1] == 'y' || mnemonic[name - 1] == 'z'))
		return mnemonic[name - 1] == 'y' ? 32 : 64;
	return 0;
}

/* Shifts of all elements by the number in memory, which has 16 bytes. */
static bool is_shift_by_memory(const char *mnemonic, const char *operands)
{
	return fnmatch("vps[lr][la][wdq]", mnemonic, 0) == 0 && operands[0] != '$' && operands[0] != '%';
}

static int vector_size(const char *mnemonic, const char *operands, int len)
{
	int size = widest(mnemonic, operands, len);

	if (!size || mnemonic[0] != 'v')
		return 0;
	if (memmem(operands, (size_t)len, "{1to", 4))
		return 1;
	if (is_shift_by_memory(mnemonic, operands))
		return 16;
	for (size_t i = 0; i < LENGTH(narrow); i++)
		if (fnmatch(narrow[i].pattern, mnemonic, 0) == 0)
			return narrow[i].divisor ? size / narrow[i].divisor : narrow[i].bytes;
	return size;
}

int asm_size(const char *mnemonic, const char *operands, int len)
{
	static const struct {
		const char *prefix;
		int size;
	} known[] = {
		{"movup", 16}, {"movap", 16}, {"movdq", 16}, {"movss", 4}, {"movsd", 8},
		{"movzb", 1}, {"movsb", 1}, {"movzw", 2}, {"movsw", 2}, {"movsl", 4},
		{"movhp", 8}, {"movlp", 8}, {"set", 1}, {"fldt", 10}, {"fstpt", 10},
		{"fldl", 8}, {"fstpl", 8}, {"flds", 4}, {"fstps", 4}, {"vmovup", 16},
		{"vmovap", 16}, {"vmovdq", 16}, {"vmovss", 4}, {"vmovsd", 8}, {"vmovd", 4},
		{"vmovq", 8}, {"vmovhp", 8}, {"vmovlp", 8}, {"v", 1},
	};
	int size = vector_size(mnemonic, operands, len);

	if (size)
		return size;
	for (size_t i = 0; i < LENGTH(known); i++)
		if (strncmp(mnemonic, known[i].prefix, strlen(known[i].prefix)) == 0)
			return known[i].size;
	switch (mnemonic[strlen(mnemonic) - 1]) {
	case 'q': return 8;
	case 'l': return 4;
	case 'w': return 2;
	default: return 1;
	}
}

bool asm_is_masked(const char *mnemonic, const char *operands, int len)
{
	return memmem(operands, (size_t)len, "{%k", 3) || strstr(mnemonic, "maskmov");
}

bool asm_is_wide(const char *line)
{
	return strstr(line, "%ymm") || strstr(line, "%zmm") || strncmp(line, "fld", 3) == 0 ||
	       strncmp(line, "fild", 4) == 0;
}
