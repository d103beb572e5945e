#include "native/asm_unseen.h"

#include <stddef.h>
#include <string.h>

enum { OPERANDS_MAX = 4, REGISTERS = 16, NO_REGISTER = -1, RBP = 6, RSP = 7 };

struct operand {
	const char *text;
	int len;
};

static const char *const names[REGISTERS][4] = {
	{"rax", "eax", "ax", "al"},     {"rbx", "ebx", "bx", "bl"},
	{"rcx", "ecx", "cx", "cl"},     {"rdx", "edx", "dx", "dl"},
	{"rsi", "esi", "si", "sil"},    {"rdi", "edi", "di", "dil"},
	{"rbp", "ebp", "bp", "bpl"},    {"rsp", "esp", "sp", "spl"},
	{"r8", "r8d", "r8w", "r8b"},    {"r9", "r9d", "r9w", "r9b"},
	{"r10", "r10d", "r10w", "r10b"}, {"r11", "r11d", "r11w", "r11b"},
	{"r12", "r12d", "r12w", "r12b"}, {"r13", "r13d", "r13w", "r13b"},
	{"r14", "r14d", "r14w", "r14b"}, {"r15", "r15d", "r15w", "r15b"},
};

/* The register that begins at `text` (behind the '%'). */
static int register_at(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");

	for (int r = 0; r < REGISTERS; r++)
		for (int i = 0; i < 4; i++)
			if (strlen(names[r][i]) == len && strncmp(names[r][i], text, len) == 0)
				return r;
	return NO_REGISTER;
}

static int split(const char *text, struct operand *out)
{
	int len = 0, depth = 0;
	const char *start = text;

	for (const char *at = text;; at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at && (*at != ',' || depth))
			continue;
		if (len < OPERANDS_MAX && at > start)
			out[len++] = (struct operand){start, (int)(at - start)};
		if (!*at)
			return len;
		for (start = at + 1; *start == ' ' || *start == '\t'; start++)
			;
	}
}

static bool is_memory(const struct operand *one)
{
	return one->len && one->text[0] != '%' && one->text[0] != '$';
}

static bool has(const struct operand *one, const char *part)
{
	size_t len = strlen(part);

	for (int i = 0; i + (int)len <= one->len; i++)
		if (strncmp(one->text + i, part, len) == 0)
			return true;
	return false;
}

/* Does the operand address a frame, a constant, a thread-local variable or the table by
 * which the linker finds names? */
static bool is_private(const struct asm_unseen *state, const struct operand *one,
		       bool (*is_constant)(void *, const char *, int), void *ctx)
{
	const char *paren = memchr(one->text, '(', (size_t)one->len);
	const char *name = one->text + strspn(one->text, "-+0123456789*");
	int name_len = (int)((paren ? paren : one->text + one->len) - name);

	if (has(one, "%fs:") || has(one, "@GOT") || has(one, "@gottpoff") || has(one, "@tpoff"))
		return true;
	if (name_len > 0 && *name != '(' && *name != '%')
		return is_constant(ctx, name, name_len);
	for (const char *at = paren; at && at < one->text + one->len; at++) {
		int r = *at == '%' ? register_at(at + 1) : NO_REGISTER;

		if (r != NO_REGISTER && (state->private >> r & 1))
			return true;
	}
	return false;
}

void asm_unseen_start(struct asm_unseen *state)
{
	state->private = 1u << RBP | 1u << RSP;
}

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* What the instruction leaves in the register that is its last operand. */
static void follow(struct asm_unseen *state, const char *mnemonic, const struct operand *operands,
		   int len, bool source_is_private)
{
	const struct operand *to = &operands[len - 1];
	int r = to->text[0] == '%' ? register_at(to->text + 1) : NO_REGISTER;
	bool keeps = starts(mnemonic, "add") || starts(mnemonic, "sub") ||
		     starts(mnemonic, "and") || starts(mnemonic, "cmp") ||
		     starts(mnemonic, "test") || starts(mnemonic, "inc") ||
		     starts(mnemonic, "dec") || starts(mnemonic, "push");
	int from = operands[0].text[0] == '%' ? register_at(operands[0].text + 1) : NO_REGISTER;

	if (r == NO_REGISTER || r == RBP || r == RSP || keeps)
		return;
	state->private &= ~(1u << r);
	if ((starts(mnemonic, "lea") && source_is_private) ||
	    (starts(mnemonic, "mov") && len == 2 && from != NO_REGISTER &&
	     (state->private >> from & 1)))
		state->private |= 1u << r;
}

bool asm_unseen_step(struct asm_unseen *state, const char *mnemonic, const char *operands,
		     bool (*is_constant)(void *ctx, const char *name, int len), void *ctx)
{
	struct operand parts[OPERANDS_MAX];
	int len = split(operands, parts);
	bool is_address = starts(mnemonic, "lea") || starts(mnemonic, "nop") ||
			  starts(mnemonic, "prefetch");
	bool is_jump = mnemonic[0] == 'j' || starts(mnemonic, "call") || starts(mnemonic, "notrack");
	bool found = false, source_is_private = false;

	if (is_jump) {
		if (starts(mnemonic, "call")) /* rbx, rbp, rsp and r12 to r15 are kept */
			state->private &= 1u << 1 | 1u << RBP | 1u << RSP | 0xf000;
		return false;
	}
	for (int i = 0; i < len; i++) {
		if (!is_memory(&parts[i]))
			continue;
		source_is_private = is_private(state, &parts[i], is_constant, ctx);
		found |= !is_address && !source_is_private;
	}
	if (len)
		follow(state, mnemonic, parts, len, source_is_private);
	return found;
}
