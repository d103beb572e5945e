#include "native/asm_unseen.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "native/asm_size.h"

enum { OPERANDS_MAX = 4, REGISTERS = ASM_REGISTERS, NO_REGISTER = -1, RDI = 5, RBP = 6, RSP = 7 };

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
		bool is_end = !*at || *at == '#';
		const char *end = at;

		if (!is_end && (*at != ',' || depth))
			continue;
		while (is_end && end > start && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		if (len < OPERANDS_MAX && end > start)
			out[len++] = (struct operand){start, (int)(end - start)};
		if (is_end)
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

/* The variable in "16+v(%rip)", "v+8(,%rax,4)" or "$v"; 0 if the operand names none. */
static uint64_t variable_of(const struct operand *one)
{
	const char *name = one->text + (one->text[0] == '$');
	int len = 0;

	name += strspn(name, "-+0123456789*");
	while (name + len < one->text + one->len && !strchr("+-(@", name[len]))
		len++;
	return len && *name != '%' ? hash_bytes(name, (size_t)len) : 0;
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

void asm_unseen_start(struct asm_unseen *state, bool is_clangs, bool lends_frame)
{
	*state = (struct asm_unseen){.private = 1u << RBP | 1u << RSP, .range = INT_MAX,
				     .is_clangs = is_clangs, .lends_frame = lends_frame};
}

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool asm_takes_local(const char *mnemonic, const char *operands)
{
	return (starts(mnemonic, "lea") && (strstr(operands, "(%rbp") || strstr(operands, "(%rsp")) &&
		!strstr(operands, "%rsp,") && !strstr(operands, "), %rsp")) ||
	       (starts(mnemonic, "mov") && starts(operands, "%rsp, ") &&
		!starts(operands, "%rsp, %rbp"));
}

/* Is the operand in a frame that was lent, or behind a register that may have its address? Names are
 * constants here. */
static bool is_lent(const struct asm_unseen *state, const char *mnemonic, const struct operand *one,
		    const char *comment)
{
	return state->lends_frame && !starts(mnemonic, "rep") && one->len && strchr("-(0123456789", one->text[0]) &&
	       !has(one, "%fs:") && !has(one, "%rip") && !strstr(comment, "Spill") &&
	       !strstr(comment, "Reload");
}

/* ---- addresses kept in the frame ---- */

/* "-24(%rbp)": the place in the frame; false if the operand is something else. */
static bool is_slot(const struct operand *one, int *place)
{
	if (one->len < 7 || strncmp(one->text + one->len - 6, "(%rbp)", 6) != 0)
		return false;
	*place = atoi(one->text);
	return true;
}

static bool slot_is_private(const struct asm_unseen *state, int place)
{
	for (int i = 0; i < state->slots_len; i++)
		if (state->slots[i] == place)
			return true;
	return false;
}

static void set_slot(struct asm_unseen *state, int place, bool is_private)
{
	int i = 0;

	while (i < state->slots_len && state->slots[i] != place)
		i++;
	if (i == state->slots_len && is_private && i < ASM_SLOTS)
		state->slots[state->slots_len++] = place;
	else if (i < state->slots_len && !is_private)
		state->slots[i] = state->slots[--state->slots_len];
}

/* The variable in the operand, or whose address is in the register before it. */
static uint64_t accessed_variable(const struct asm_unseen *state, const struct operand *one)
{
	const char *paren = memchr(one->text, '(', (size_t)one->len);
	uint64_t variable = variable_of(one);
	int r = !variable && paren && paren[1] == '%' ? register_at(paren + 2) : NO_REGISTER;

	return r != NO_REGISTER ? state->named[r] : variable;
}

/* Notes the value that the instruction writes to its last operand, a register or a place in the
 * frame. */
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
	bool is_move = starts(mnemonic, "mov") && len == 2, is_kept;
	uint64_t variable = 0;
	int place;

	is_kept = is_move && from != NO_REGISTER && (state->private >> from & 1);
	if (is_move && is_slot(to, &place))
		set_slot(state, place, is_kept);
	if (r == NO_REGISTER || r == RBP || r == RSP || keeps)
		return;
	is_kept |= is_move && is_slot(&operands[0], &place) && slot_is_private(state, place);
	is_kept |= starts(mnemonic, "lea") && source_is_private;
	state->private &= ~(1u << r);
	state->private |= (uint32_t)is_kept << r;
	if (is_move && from != NO_REGISTER)
		variable = state->named[from];
	else if (starts(mnemonic, "lea") || (is_move && operands[0].text[0] == '$'))
		variable = accessed_variable(state, &operands[0]);
	state->named[r] = variable;
}

/* ---- instructions ---- */

/* "(%rdi){1to8}", "(%rdi) {%k1}": the address alone. */
static int length_of_address(const struct operand *one)
{
	const char *brace = memchr(one->text, '{', (size_t)one->len);
	int len = brace ? (int)(brace - one->text) : one->len;

	while (len && one->text[len - 1] == ' ')
		len--;
	return len;
}

/* "(%rdi,%ymm0,4)": many addresses. The instructions that have them are in asm_known.def. */
static bool is_scattered(const struct operand *one)
{
	return has(one, ",%xmm") || has(one, ",%ymm") || has(one, ",%zmm");
}

static void describe(const char *mnemonic, const struct operand *one, bool is_last, int len,
		     int size, struct asm_access *access)
{
	bool only_reads = starts(mnemonic, "cmp") || starts(mnemonic, "test") ||
			  starts(mnemonic, "push") || starts(mnemonic, "ucomi") ||
			  starts(mnemonic, "comi") || starts(mnemonic, "fld") ||
			  starts(mnemonic, "fild") || starts(mnemonic, "bt");
	bool only_writes = starts(mnemonic, "mov") || starts(mnemonic, "vmov") ||
			   starts(mnemonic, "set") || starts(mnemonic, "fst") ||
			   starts(mnemonic, "fist") || starts(mnemonic, "pop");
	bool is_target = is_last && (len > 1 || !only_reads) && !only_reads;

	*access = (struct asm_access){.operand = one->text, .len = length_of_address(one), .size = size,
				      .writes = is_target, .reads = !is_target || !only_writes};
}

/* How many bytes the access has that the hook stands for. */
static int hooked_by(const struct asm_unseen *state, const char *target)
{
	size_t len = strcspn(target, "@");

	if (starts(target, "__tsan_vptr_"))
		return 8;
	if (starts(target, "__tsan_read_range") || starts(target, "__tsan_write_range"))
		return state->range;
	if (starts(target, "__tsan_atomic")) /* clang leaves a load behind the call that makes it */
		return state->is_clangs && strstr(target, "_load") ? atoi(target + strlen("__tsan_atomic")) / 8 : 0;
	while (len && target[len - 1] >= '0' && target[len - 1] <= '9')
		len--;
	return atoi(target + len);
}

/* One more hook, which is called for the variable in rdi; any variable after a hook of a range, of which
 * instructions that repeat make use, or of an atomic load. */
static void add_hooked(struct asm_unseen *state, const char *target, int bytes)
{
	bool is_any = strstr(target, "_range") || starts(target, "__tsan_atomic");

	if (is_any || state->hooked_names_len >= ASM_HOOKED - 1)
		state->hooked_names_len = ASM_HOOKED;
	else
		state->hooked_names[state->hooked_names_len++] = state->named[RDI];
	state->hooked = bytes > INT_MAX - state->hooked ? bytes : state->hooked + bytes;
}

/* The hooks of a copy, for what is read and for what is written, are called one after the other. */
static void follow_call(struct asm_unseen *state, const char *target)
{
	int bytes;

	/* rbx, rbp, rsp and r12 to r15 are kept */
	state->private &= 1u << 1 | 1u << RBP | 1u << RSP | 0xf000;
	if (starts(target, "__tsan_func_") || starts(target, "__tls_get_addr"))
		return;
	bytes = starts(target, "__tsan_") ? hooked_by(state, target) : 0;
	state->is_next_hooked = bytes > 0;
	if (!bytes || state->is_used)
		state->hooked = state->hooked_names_len = 0;
	if (bytes)
		add_hooked(state, target, bytes);
	state->is_used = false;
	state->range = INT_MAX;
}

static bool is_hooked_variable(const struct asm_unseen *state, uint64_t variable)
{
	for (int i = 0; i < state->hooked_names_len; i++)
		if (state->hooked_names_len == ASM_HOOKED || state->hooked_names[i] == variable)
			return true;
	return false;
}

/* Do the hooks that were called last stand for this access, too? */
static bool take_hooked(struct asm_unseen *state, const struct operand *one, int size)
{
	if (state->hooked < size || !is_hooked_variable(state, accessed_variable(state, one)))
		return false;
	state->is_used = true;
	if (state->hooked < INT_MAX)
		state->hooked -= size;
	return true;
}

bool asm_unseen_step(struct asm_unseen *state, const char *mnemonic, const char *operands,
		     bool (*is_constant)(void *ctx, const char *name, int len), void *ctx,
		     struct asm_access *access)
{
	struct operand parts[OPERANDS_MAX];
	int len = split(operands, parts), size = asm_size(mnemonic, operands, (int)strcspn(operands, "#"));
	bool is_address = starts(mnemonic, "lea") || starts(mnemonic, "nop") ||
			  starts(mnemonic, "prefetch");
	bool found = false, source_is_private = false;
	const char *comment = strchr(operands, '#') ? strchr(operands, '#') : "";

	if (starts(mnemonic, "call"))
		follow_call(state, operands);
	if (starts(mnemonic, "call") || mnemonic[0] == 'j' || starts(mnemonic, "notrack"))
		return false;
	for (int i = 0; i < len; i++) {
		if (!is_memory(&parts[i]) || is_scattered(&parts[i]))
			continue;
		source_is_private = is_private(state, &parts[i], is_constant, ctx);
		if (is_address)
			continue;
		if (source_is_private ? !is_lent(state, mnemonic, &parts[i], comment) ||
						state->is_next_hooked
				      : take_hooked(state, &parts[i], size)) {
			state->is_next_hooked = false;
			continue;
		}
		describe(mnemonic, &parts[i], i == len - 1, len, size, access);
		found = true;
	}
	if (starts(mnemonic, "movl") && starts(operands, "$") && strstr(operands, ", %esi"))
		state->range = atoi(operands + 1);
	if (len)
		follow(state, mnemonic, parts, len, source_is_private);
	return found;
}
