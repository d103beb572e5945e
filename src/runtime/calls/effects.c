#include "runtime/calls/effects.h"

#include <stddef.h>
#include <stdio.h>

#include "runtime/calls/arguments.h"
#include "runtime/calls/identity.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/signal.h"
#include "runtime/calls/stream.h"
#include "runtime/calls/sync.h"
#include "runtime/calls/zone.h"
#include "runtime/heap.h"
#include "runtime/mend.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"

/* The registers of a call: [0] is the result, once there is one. */
enum { ARGUMENTS = 7 };

struct call {
	const char *name;
	uint64_t *args;
	uint64_t site;
	bool is_over; /* the function has been called, its result is known */
};

/* ---- facts for the verdict ---- */

void rt_note_unknown(const char *name, uint64_t site)
{
	struct channel *channel = RT->channel;
	size_t len = rt_strlen(name);

	if (rt_running())
		rt_turn_wrote();
	for (uint32_t i = 0; i < channel->unknown_len; i++)
		if (rt_strncmp(channel->unknown[i].name, name, sizeof(channel->unknown[i].name) - 1) == 0)
			return;
	if (channel->unknown_len == CHANNEL_UNKNOWN) {
		rt_warn_uncontrolled("many functions that are not modelled");
		return;
	}
	if (len >= sizeof(channel->unknown[0].name))
		len = sizeof(channel->unknown[0].name) - 1;
	rt_memcpy(channel->unknown[channel->unknown_len].name, name, len);
	channel->unknown[channel->unknown_len].name[len] = '\0';
	channel->unknown[channel->unknown_len].site = site;
	channel->unknown_len++;
}

void rt_assume(uint64_t bits)
{
	if (!rt_active())
		return;
	RT->channel->assumed |= bits;
	if (!rt_running())
		RT->channel->assumed_early |= bits;
}

/* ---- sizes ---- */

static size_t wide_size(const int32_t *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	return (len + 1) * sizeof(*text);
}

static bool is_of_number(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '+' || c == '-' || c == '.';
}

/* A number at the beginning of a text, with the byte that ends it. */
static size_t number_size(const char *text)
{
	size_t len = 0;

	while (text[len] == ' ' || (text[len] >= '\t' && text[len] <= '\r'))
		len++;
	while (is_of_number(text[len]))
		len++;
	return len + 1;
}

static const char *read_decimal(const char *at, uint64_t *value)
{
	for (*value = 0; *at >= '0' && *at <= '9'; at++)
		*value = *value * 10 + (uint64_t)(*at - '0');
	return at;
}

/* "s" and "w", of the memory itself or of the string at another argument. */
static const char *text_size(const struct call *call, const char *at, const void *memory,
			     uint64_t *size)
{
	char kind = *at++;

	if (*at >= '1' && *at < '1' + ARGUMENTS - 1)
		memory = (const void *)call->args[*at++ - '0'];
	*size = !memory ? 0 : kind == 's' ? rt_strlen(memory) + 1 :
		kind == 'd' ? number_size(memory) : wide_size(memory);
	return at;
}

/* Is it a function of std::wstring, by its mangled name? */
static bool is_wide(const char *name)
{
	static const char wide[] = "IwSt11char_traits";

	while (*name && rt_strncmp(name, wide, sizeof(wide) - 1) != 0)
		name++;
	return *name;
}

/* "t" and "e": the characters of the C++ string at `object`, from a place on, and at most so many; or the
 * one behind them, which every longer or shorter text overwrites. */
static const char *string_size(const struct call *call, const char *at, const void **object, uint64_t *size)
{
	const uint64_t *string = *object;
	uint64_t width = is_wide(call->name) ? sizeof(int32_t) : 1, len = string ? string[1] : 0, from = 0;
	bool is_end = *at++ == 'e';

	*size = len + 1;
	if (*at >= '1' && *at <= '6') {
		from = call->args[*at++ - '0'];
		*size = from < len ? len - from : 0;
	}
	if (*at >= '1' && *at <= '6') {
		if (call->args[*at - '0'] < *size)
			*size = call->args[*at - '0'];
		at++;
	}
	if (is_end)
		from = len;
	*object = string ? (const void *)(string[0] + from * width) : NULL;
	*size = (is_end ? 1 : *size) * width;
	return at;
}

/* Reads a size (functions.def) and returns where the item ends. */
static const char *read_size(const struct call *call, const char *at, const void *memory,
			     uint64_t *size)
{
	uint64_t factor;

	if (*at == 's' || *at == 'w' || *at == 'd')
		return text_size(call, at, memory, size);
	if (*at == '#')
		return read_decimal(at + 1, size);
	if (*at == '-') {
		*size = call->args[at[1] - '0'] - (uint64_t)memory;
		return at + 2;
	}
	*size = 0;
	if (*at != '@')
		return at;
	*size = call->args[at[1] - '0'];
	at += 2;
	if (*at == '*') {
		at = read_decimal(at + 1, &factor);
		*size *= factor;
	} else if (*at == '@') {
		*size *= call->args[at[1] - '0'];
		at += 2;
	}
	return at;
}

/* ---- items ---- */

/* "r2s": memory, named by an argument (or by what it points to, for R and W). Before the call, or after it. */
static const char *touch(const struct call *call, const char *at, bool is_after)
{
	char what = at[0];
	const void *memory = (const void *)call->args[at[1] - '0'];
	bool is_indirect = what == 'R' || what == 'W';
	bool is_now = call->is_over == (is_after || at[1] == '0');
	uint64_t size;

	if (!is_now)
		memory = NULL;
	if (memory && is_indirect)
		memory = *(const void *const *)memory;
	if (at[2] == 'v') {
		rt_touches_parts(memory, call->args[at[3] - '0'], what == 'w', call->site);
		return at + 4;
	}
	if (at[2] == 't' || at[2] == 'e')
		at = string_size(call, at + 2, &memory, &size);
	else
		at = read_size(call, at + 2, memory, &size);
	if (!memory || !size || size > INT32_MAX)
		return at;
	if (what != 'w')
		rt_plain(memory, size, false, call->site);
	if (what == 'w' || what == 'b' || what == 'W')
		rt_plain(memory, size, true, call->site);
	return at;
}

/* Only their addresses count: nobody reads or writes them. */
#define HIDDEN(name) \
	extern const char static_data_of_##name[8] __attribute__((visibility("hidden"))); \
	const char static_data_of_##name[8];
#include "runtime/calls/hidden.def"
#undef HIDDEN

static const char *skip_name(const char *at)
{
	while ((*at >= 'a' && *at <= 'z') || *at == '_' || (*at >= '0' && *at <= '9'))
		at++;
	return at;
}

static const char *find_hidden(const char *name, size_t len)
{
#define HIDDEN(text) \
	if (len == sizeof(#text) - 1 && rt_strncmp(name, #text, len) == 0) \
		return static_data_of_##text;
#include "runtime/calls/hidden.def"
#undef HIDDEN
	return NULL;
}

#define PUBLIC(hidden, variable, size) \
	extern char public_##variable[size] __asm__(#variable) __attribute__((weak));
#include "runtime/calls/public.def"
#undef PUBLIC

/* The program may look at some of them itself. */
static void touch_public(const char *hidden, bool is_write, uint64_t site)
{
#define PUBLIC(name, variable, size) \
	if (hidden == static_data_of_##name && public_##variable) \
		rt_plain(public_##variable, size, is_write, site);
#include "runtime/calls/public.def"
#undef PUBLIC
}

/* A change of a variable that the library guards itself: its order with other changes is an outcome,
 * and it is not a race. */
static void step_on_hidden(const char *variable, uint64_t site)
{
	struct event event = rt_event(EVENT_RMW, site);

	event.memory_order = MEMORY_ORDER_RELAXED;
	rt_mem_access(&event, variable, 1, ACCESS_WRITE);
	rt_step(&event, NULL, NULL);
}

/* "Hstrtok": a static variable of the library. */
static const char *touch_hidden(const struct call *call, const char *at)
{
	const char *end = skip_name(at + 1);
	const char *variable = find_hidden(at + 1, (size_t)(end - at - 1));

	if (!variable)
		rt_note_unknown(call->name, call->site);
	else if (!call->is_over && *at == 'S')
		step_on_hidden(variable, call->site);
	else if (!call->is_over) {
		rt_plain(variable, 1, *at == 'H', call->site);
		touch_public(variable, *at == 'H', call->site);
	}
	return end;
}

static void use_file(const struct call *call, char what, FILE *file)
{
	if (file && call->is_over && what == 'i')
		rt_file_was_read(file, call->site);
	if (file && !call->is_over)
		rt_file_use(file,
			    what == 'i'   ? EVENT_IO_READ
			    : what == 'f' ? EVENT_IO_CLOSE
					  : EVENT_IO_WRITE,
			    call->site);
}

/* A function found by name has no stand-in. The tool knows whether it needs one, or whether
 * the program itself defines it (native/unseen.c). */
static void look_at_found(const struct call *call, const char *name)
{
	if (call->is_over && call->args[0])
		rt_note_unknown(name, call->site);
}

/* The thread will free it at its end. */
static void keep_text(const struct call *call)
{
	if (call->is_over && rt_heap_has((const void *)call->args[0]))
		rt_self()->text = (void *)call->args[0];
}

/* Until the call is over. */
static void count_frees(const struct call *call)
{
	rt_self()->frees_at = call->is_over ? 0 : call->site;
}

static uint64_t assumption_of(char item)
{
	if (item == 'I')
		return RT->identity == RT_IDENTITY_GIVEN ? ASSUMED_IDENTITY : 0;
	return item == 't' ? ASSUMED_CLOCK : item == 'm' ? ASSUMED_MOVING : ASSUMED_FRAMEWORK;
}

static const char *do_item(const struct call *call, const char *at)
{
	switch (*at) {
	case 'r': case 'w': case 'b': case 'R': case 'W':
		return touch(call, at, false);
	case '>':
		return touch(call, at + 1, true);
	case 'h': case 'H': case 'S':
		return touch_hidden(call, at);
	case 'i': case 'o': case 'f':
		use_file(call, *at, (FILE *)call->args[at[1] - '0']);
		return at + 2;
	case 'O': case 'E':
		use_file(call, 'o', rt_standard_file(*at == 'O' ? &stdout : &stderr, call->site));
		return at + 1;
	case 'x':
		if (!call->is_over)
			rt_stream_use((const char *)call->args[at[1] - '0'], call->site);
		return at + 2;
	case 'l':
		look_at_found(call, (const char *)call->args[at[1] - '0']);
		return at + 2;
	case 'n': case '?':
		if (!call->is_over && (*at == '?' || call->args[at[1] - '0']))
			rt_note_unknown(call->name, call->site);
		return at + (*at == 'n' || at[1] == 'e' ? 2 : 1);
	case 'c': case 'k': case 'K':
		if (!call->is_over)
			rt_files_step(*at == 'K', call->site);
		return at + 1;
	case 'N':
		if (!call->is_over)
			rt_numbers_step(call->site);
		return at + 1;
	case 'u':
		if (!call->is_over)
			rt_number_look((int)call->args[at[1] - '0'], call->site);
		return at + 2;
	case 't': case 'm': case 'T': case 'I':
		rt_assume(assumption_of(*at));
		return at + 1;
	case 'q': case 'J': case 'F':
		*at == 'q' ? keep_text(call) : *at == 'J' ? rt_signal_jump(call->site) : count_frees(call);
		return at + 1;
	case 'P':
		if (!call->is_over)
			rt_cancel_point(call->site);
		return at + 1;
	case 'p':
		if (!call->is_over)
			call->args[at[1] - '0'] =
				(uint64_t)rt_kernel_number((int32_t)call->args[at[1] - '0']);
		return at + 2;
	case '!':
		rt_turn_wrote();
		return at + 1;
	case 'z':
		if (!call->is_over)
			rt_zone_use(at[1], call->site);
		return at + 2;
	default:
		return at + 1;
	}
}

/* Before the first thread only the functions matter that are never harmless, and those that look at
 * files, on which the verdict then rests. */
static bool matters_alone(const char *item)
{
	return item[0] == 'k' || item[0] == 'K' || item[0] == 'l' || item[0] == 't' || item[0] == 'n' || item[0] == 'm' ||
	       item[0] == 'p' || item[0] == 'z' || (item[0] == '?' && item[1] != 'e');
}

/* Does the item touch nothing but memory? */
static bool is_quiet(char item)
{
	return item == 'r' || item == 'w' || item == 'b' || item == 'R' || item == 'W' || item == '>' ||
	       item == 'F';
}

static void do_items(const struct call *call, const char *at)
{
	bool running = rt_running_quietly();

	while (*at) {
		if (*at == ' ')
			at++;
		else if (running ? is_quiet(*at) || rt_running() : matters_alone(at))
			at = do_item(call, at);
		else
			while (*at && *at != ' ')
				at++;
	}
}

/* Has the entry items that speak of the result? */
static bool has_after(const char *at)
{
	while (*at) {
		if (at[0] == 'l' || at[0] == 'q' || at[0] == '>' || at[0] == 'F' || ((at[0] == 'r' || at[0] == 'w') && at[1] == '0'))
			return true;
		while (*at && *at != ' ')
			at++;
		at += *at == ' ';
	}
	return false;
}

/* The two halves of rt_effect_enter below. The entry is the name and, behind its NUL, the
 * effects. */
uint64_t rt_effect_before(const char *entry, uint64_t *args, uint64_t site);
void rt_effect_after(const char *entry, uint64_t *args, uint64_t site);

uint64_t rt_effect_before(const char *entry, uint64_t *args, uint64_t site)
{
	const char *effects = entry + rt_strlen(entry) + 1;
	struct call call = {entry, args, site, false};

	if (effects[0] == 'J')
		rt_mend_jump();
	if (!rt_active_quietly() || rt_origin_of(site) != RT_OF_PROGRAM)
		return 0;
	do_items(&call, effects);
	return has_after(effects);
}

void rt_effect_after(const char *entry, uint64_t *args, uint64_t site)
{
	struct call call = {entry, args, site, true};

	if (rt_active_quietly())
		do_items(&call, entry + rt_strlen(entry) + 1);
}

#if defined(__x86_64__)
/* A stand-in jumps here with its entry in r11 and the real function in r10, everything else as
 * its caller left it. Without items about the result the real function is jumped to, so that
 * it may have any number of arguments. */
__asm__(".text\n"
	".globl rt_effect_enter\n"
	".type rt_effect_enter, @function\n"
	"rt_effect_enter:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	movq %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	subq $208, %rsp\n"
	"	movups %xmm0, 0(%rsp)\n"
	"	movups %xmm1, 16(%rsp)\n"
	"	movups %xmm2, 32(%rsp)\n"
	"	movups %xmm3, 48(%rsp)\n"
	"	movups %xmm4, 64(%rsp)\n"
	"	movups %xmm5, 80(%rsp)\n"
	"	movups %xmm6, 96(%rsp)\n"
	"	movups %xmm7, 112(%rsp)\n"
	"	movq %rax, 128(%rsp)\n"
	"	movq %rdi, 136(%rsp)\n"
	"	movq %rsi, 144(%rsp)\n"
	"	movq %rdx, 152(%rsp)\n"
	"	movq %rcx, 160(%rsp)\n"
	"	movq %r8, 168(%rsp)\n"
	"	movq %r9, 176(%rsp)\n"
	"	movq %r10, 184(%rsp)\n"
	"	movq %r11, 192(%rsp)\n"
	"	movq %r11, %rdi\n"
	"	leaq 128(%rsp), %rsi\n"
	"	movq 8(%rbp), %rdx\n"
	"	call rt_effect_before\n"
	"	movq %rax, %r11\n"
	"	movups 0(%rsp), %xmm0\n"
	"	movups 16(%rsp), %xmm1\n"
	"	movups 32(%rsp), %xmm2\n"
	"	movups 48(%rsp), %xmm3\n"
	"	movups 64(%rsp), %xmm4\n"
	"	movups 80(%rsp), %xmm5\n"
	"	movups 96(%rsp), %xmm6\n"
	"	movups 112(%rsp), %xmm7\n"
	"	movq 128(%rsp), %rax\n"
	"	movq 136(%rsp), %rdi\n"
	"	movq 144(%rsp), %rsi\n"
	"	movq 152(%rsp), %rdx\n"
	"	movq 160(%rsp), %rcx\n"
	"	movq 168(%rsp), %r8\n"
	"	movq 176(%rsp), %r9\n"
	"	movq 184(%rsp), %r10\n"
	"	testq %r11, %r11\n"
	"	jnz 1f\n"
	"	leave\n"
	"	.cfi_remember_state\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	jmp *%r10\n"
	"1:	.cfi_restore_state\n"
	"	call *%r10\n"
	"	movq %rax, 128(%rsp)\n"
	"	movq %rdx, 184(%rsp)\n"
	"	movups %xmm0, 0(%rsp)\n"
	"	movq 192(%rsp), %rdi\n"
	"	leaq 128(%rsp), %rsi\n"
	"	movq 8(%rbp), %rdx\n"
	"	call rt_effect_after\n"
	"	movups 0(%rsp), %xmm0\n"
	"	movq 184(%rsp), %rdx\n"
	"	movq 128(%rsp), %rax\n"
	"	leave\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size rt_effect_enter, .-rt_effect_enter\n");
#endif
