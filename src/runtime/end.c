/* end.c: how runs end: the trace is completed, notices and warnings are kept, crashes and steps
 * that do not come back are caught. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <ucontext.h>

#include "core/finding.h"
#include "runtime/await.h"
#include "runtime/heap.h"
#include "runtime/intercept.h"
#include "runtime/kernel.h"
#include "runtime/memory.h"
#include "runtime/mend.h"
#include "runtime/record.h"
#include "runtime/restore.h"
#include "runtime/rt_sys.h"
#include "runtime/sched.h"
#include "runtime/server.h"

void rt_print(char *out, size_t room, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	REAL(vsnprintf)(out, room, format, args);
	va_end(args);
}

static void record_pending(enum trace_end end)
{
	struct channel *channel = RT->channel;
	struct event *pending = channel_at(channel, channel->pending);

	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];
		struct event *event;

		/* The step that ended the run was announced, too, and has been taken. */
		if (actor->state != RT_ANNOUNCED || actor->announced.ordinal != actor->ordinal)
			continue;
		event = &pending[channel->pending_len++];
		*event = actor->announced;
		event_fix_announced(event);
		if (!bitset_has(RT->enabled, i))
			event->flags |= EVENT_BLOCKED;
		if (actor->waiting_on && !rt_wait_has_token(actor))
			event->flags |= EVENT_UNFED;
		else if (actor->waiting_on)
			rt_wait_name_feeder(actor, event);
		if (actor->spinning || (actor->awaiting && end == END_SPIN))
			event->flags |= EVENT_VOID;
		if (actor->awaiting)
			rt_await_name_race(actor, event);
		if (channel->record_stacks && !actor->act)
			rt_stack_keep_announced(actor, (uint32_t)RT_STACK_PENDING | i);
	}
}

/* The locks that threads hold when no actor can go on, for the deadlock's explanation. */
static void record_held(void)
{
	struct channel *channel = RT->channel;
	struct held *held = channel->held;

	channel->held_len = 0;
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		for (uint32_t h = 0; h < actor->held_len && channel->held_len < CHANNEL_HELD; h++)
			held[channel->held_len++] = (struct held){
				.actor = i,
				.mode = actor->held[h].mode,
				.object = actor->held[h].object,
				.site = actor->held[h].site,
			};
	}
}

/* The enabled set after the last event: the actors that could have gone on. */
static void record_enabled(void)
{
	const struct channel *channel = RT->channel;
	uint64_t *set = RT->enabled_sets + (size_t)channel->events_len * channel->enabled_words;

	for (uint32_t w = 0; w < channel->enabled_words; w++)
		set[w] = RT->enabled[w];
}

/* A probe of spinners is not part of the trace: if one of them got anywhere, the same class
 * is run in which it never looked too early. Before the probe every actor had announced the
 * step that is now the first of its steps to be cut off, and no actor was enabled. */
static enum trace_end end_probe(enum trace_end end)
{
	struct channel *channel = RT->channel;
	const struct withdrawn *withdrawn = channel_at(channel, channel->withdrawn);

	for (uint32_t i = channel->events_len; i-- > RT->probe_from;) {
		struct rt_actor *actor = &RT->actors[RT->events[i].actor];

		actor->announced = event_as_announced(&RT->events[i]);
		actor->ordinal = actor->announced.ordinal;
		actor->state = RT_ANNOUNCED;
	}
	for (uint32_t w = 0; w < channel->enabled_words; w++)
		RT->enabled[w] = 0;
	channel->events_len = RT->probe_from;
	while (channel->withdrawn_len &&
	       trace_withdrawal(&withdrawn[channel->withdrawn_len - 1]) >= RT->probe_from)
		channel->withdrawn_len--;
	RT->probing = false;
	return end == END_SPIN || end == END_RELEARN || end == END_LOST ? end : END_PARKED;
}

/* All FILEs of the C library. (Another C library has no such list.) */
extern FILE *_IO_list_all __attribute__((weak));

/* Does a FILE hold text that it would write? Its buffer is in use, or cannot be looked at from here. */
static bool is_any_file_full(void)
{
	if (!&_IO_list_all)
		return true;
	for (const FILE *file = _IO_list_all; file; file = file->_chain)
		if (file->_mode > 0 || file->_IO_write_ptr != file->_IO_write_base ||
		    file->_IO_read_ptr != file->_IO_read_end)
			return true;
	return false;
}

/* How much has the run printed? Most runs print nothing. Then the C library is not called, because it would
 * write to two of its pages, which every run would have to put back; and the kernel is not asked: all system calls
 * of a quiet run (stem.h) are ours. */
static void measure_output(enum trace_end end)
{
	struct channel *channel = RT->channel;
	bool flushes = end != END_CRASH && end != END_RELEARN && is_any_file_full();
	long offset = (long)RT->early_output;

	if (flushes)
		REAL(fflush)(NULL);
	if (flushes || RT->stem.is_loud || RT->use_fork)
		offset = rt_syscall(SYS_lseek, RT->capture_fd, 0, 1 /* SEEK_CUR */);
	channel->output_len = offset > 0 ? (uint64_t)offset : 0;
	channel->output_empty = channel->output_len == RT->early_output;
	if (channel->output_len >= channel->max_output)
		channel->bounded |= BOUND_OUTPUT;
}

void rt_end_now(enum trace_end end, uint32_t actor)
{
	struct channel *channel = RT->channel;

	rt_kernel_intercept(false);
	if (RT->trying && end != END_RELEARN)
		rt_await_got_on();
	if (RT->probing)
		end = end_probe(end);

	channel->end = end;
	channel->end_actor = actor;
	if (channel->stop_at_end && end != END_RELEARN)
		rt_syscall(SYS_kill, rt_syscall(SYS_getpid, 0, 0, 0), SIGSTOP, 0);
	channel->dropped = RT->follower.dropped;
	record_enabled();
	record_pending(end);
	record_held();
	rt_record_end();
	if (end == END_DONE)
		rt_heap_record_lives();
	if (RT->capture_fd >= 0)
		measure_output(end);
	rt_server_finish_run();
}

void rt_relearn(void)
{
	rt_end_now(END_RELEARN, RT->current);
}

void rt_end_run(enum event_kind kind, int code, uint64_t address, uint64_t site,
		const char *message)
{
	struct event event = rt_event(kind, site);
	enum trace_end end = END_EXIT;

	rt_begin();
	event.accesses[event.access_len++] = (struct access){.mode = ACCESS_WORLD};
	event.value = (uint64_t)(int64_t)code;
	rt_step(&event, NULL, NULL);
	if (kind == EVENT_EXIT && code == 0)
		rt_threads_left_behind();
	RT->channel->message[0] = '\0';
	if (message) /* it lies in the caller's frame, which is still there */
		rt_print(RT->channel->message, sizeof(RT->channel->message), "%s", message);
	RT->channel->code = code;
	RT->channel->address = address;
	if (kind == EVENT_CRASH)
		end = END_CRASH;
	else if (kind == EVENT_ABORT)
		end = END_ABORT;
	else if (code == 0)
		end = END_DONE;
	rt_end_now(end, RT->current);
}

void rt_lost(const char *format, ...)
{
	char text[sizeof(RT->channel->message)];
	va_list args;

	va_start(args, format);
	REAL(vsnprintf)(text, sizeof(text), format, args);
	va_end(args);
	rt_begin(); /* lost before the first thread: then every run says so */
	rt_memcpy(RT->channel->message, text, sizeof(text));
	rt_end_now(END_LOST, RT->current);
}

void rt_notice(uint32_t kind, uint64_t site, uint64_t object, uint64_t other_site,
	       const char *format, ...)
{
	struct channel *channel = RT->channel;
	struct notice *notice;
	va_list args;

	site = rt_site(site);
	if (channel->notices_len == channel->max_notices)
		return;
	notice = &RT->notices[channel->notices_len++];
	*notice = (struct notice){
		.kind = kind,
		.actor = RT->current,
		.step = channel->events_len,
		.site = site,
		.object = object,
		.other_site = other_site,
	};
	va_start(args, format);
	REAL(vsnprintf)(notice->message, sizeof(notice->message), format, args);
	va_end(args);
	rt_stack_keep((uint32_t)RT_STACK_NOTICE | (channel->notices_len - 1), site);
}

void rt_warn(const char *format, ...)
{
	char *warnings = RT->channel->warnings;
	size_t used = rt_strlen(warnings), len;
	char text[128];
	va_list args;

	va_start(args, format);
	REAL(vsnprintf)(text, sizeof(text), format, args);
	va_end(args);
	len = rt_strlen(text);
	for (const char *line = warnings; *line;) {
		if (rt_strncmp(line, text, len) == 0 && line[len] == '\n')
			return;
		while (*line++ != '\n')
			;
	}
	if (used + len + 2 < sizeof(RT->channel->warnings)) {
		rt_memcpy(warnings + used, text, len);
		rt_memcpy(warnings + used + len, "\n", 2);
	}
}

void rt_warn_uncontrolled_at(const char *call, uint64_t site)
{
	struct channel *channel = RT->channel;

	if (site && rt_running())
		rt_turn_wrote();
	if (!channel->uncontrolled[0]) {
		rt_print(channel->uncontrolled, sizeof(channel->uncontrolled), "%s", call);
		channel->uncontrolled_site = rt_site(site);
	}
	rt_warn("not controlled: %s", call);
}

void rt_warn_uncontrolled(const char *call)
{
	rt_warn_uncontrolled_at(call, 0);
}

/* ---- crashes ---- */

/* Runs on the stack of the thread that crashed, as if it had called this. */
static bool is_handled(int signal)
{
	struct sigaction action = rt_action_of(signal);

	return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

static _Noreturn void announce_crash(int signal, uint64_t address, uint64_t pc)
{
	char message[64];

	rt_print(message, sizeof(message), "signal %d%s", signal,
		 is_handled(signal) ? ", before the program's own handler for it runs" : "");
	rt_end_run(EVENT_CRASH, signal, address, pc + 1, message);
}

static _Noreturn void announce_mended(int signal)
{
	rt_lost("the program's own handler goes on after signal %d, which is not modelled", signal);
}

static bool has_room(const struct rt_actor *actor, uint64_t sp)
{
	return sp > (uint64_t)actor->stack_low + 16384 && sp <= (uint64_t)actor->stack_high;
}

void rt_interrupt(ucontext_t *context, void (*function)(void))
{
	greg_t *regs = context->uc_mcontext.gregs;
	uint64_t sp = ((uint64_t)regs[REG_RSP] - 256) & ~(uint64_t)15; /* past the red zone */

	sp -= 8;
	*(uint64_t *)sp = (uint64_t)regs[REG_RIP];
	regs[REG_RSP] = (greg_t)sp;
	regs[REG_RIP] = (greg_t)function;
}

static bool is_program_code(uint64_t address)
{
	const struct channel_module *program = &RT->channel->modules[0];

	return address >= program->start && address < program->end;
}

/* Is there a call just before this address? Then *target is where it goes, or 0. */
static bool is_behind_call(uint64_t address, uint64_t *target)
{
	const unsigned char *at = (const unsigned char *)address;
	int32_t distance;

	*target = 0;
	if (at[-5] == 0xe8) {
		rt_memcpy(&distance, at - 4, sizeof(distance));
		*target = address + (uint64_t)(int64_t)distance;
		return true;
	}
	/* ff /2 with a register, an address in a register, or one with a displacement */
	return (at[-2] == 0xff && (at[-1] & 0x38) == 0x10) ||
	       (at[-3] == 0xff && (at[-2] & 0x38) == 0x10) ||
	       (at[-4] == 0xff && (at[-3] & 0x38) == 0x10) ||
	       (at[-6] == 0xff && (at[-5] & 0x38) == 0x10) ||
	       (at[-7] == 0xff && (at[-6] & 0x38) == 0x10);
}

static bool is_call_of_program(uint64_t address, uint64_t *target)
{
	return is_program_code(address - 7) && is_program_code(address) &&
	       is_behind_call(address, target);
}

/* The place of the thread, and the words on its stack that could be return addresses into the
 * program, outermost first. The tool knows functions, and finds out which words are real. */
static void note_places(const struct rt_actor *actor, const greg_t *regs)
{
	struct channel *channel = RT->channel;
	uint64_t sp = (uint64_t)regs[REG_RSP];
	const uint64_t *word = (const uint64_t *)((uint64_t)rt_stack_base(actor) & ~7ul);
	uint64_t target;

	if (sp - (uint64_t)RT->alt_stack < sizeof(RT->alt_stack))
		sp = RT->forwarded_sp; /* in a system call that we make for it */
	channel->places_len = 0;
	channel->address = (uint64_t)regs[REG_RIP] + 1;
	if (sp < (uint64_t)actor->stack_low)
		sp = (uint64_t)actor->stack_low; /* it overflowed */
	while ((uint64_t)--word >= sp && channel->places_len < CHANNEL_PLACES)
		if (is_call_of_program(*word, &target))
			channel->places[channel->places_len++] =
				(struct channel_place){*word, target};
}

/* The call stack of a thread that crashed begins at the crash, as if that had called announce_crash. A
 * library keeps no frame pointers: below the frame of the program's function, which they lead to, its
 * call of the library gets a frame of its own. */
static void begin_stack(ucontext_t *context, bool is_in_library)
{
	const struct channel *channel = RT->channel;
	greg_t *regs = context->uc_mcontext.gregs;
	uint64_t *frame = (uint64_t *)(((uint64_t)regs[REG_RSP] - 256) & ~(uint64_t)15) - 2;

	if (is_in_library && channel->places_len && channel->places_len < CHANNEL_PLACES) {
		frame[0] = (uint64_t)regs[REG_RBP];
		frame[1] = channel->places[channel->places_len - 1].at;
		regs[REG_RBP] = (greg_t)frame;
		regs[REG_RSP] = (greg_t)frame;
	}
}

/* The handler itself is on the alternate stack and cannot be left for another fiber:
 * it makes the thread continue in announce_crash instead. Without room on its own
 * stack (it overflowed) the run ends at once. */
static void on_crash(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	uint64_t sp = (uint64_t)regs[REG_RSP];

	if (signal == SIGSEGV && rt_restore_fault(info->si_addr))
		return;
	if (signal == SIGSYS && rt_kernel_forward(info, context))
		return;
	if (!has_room(rt_self(), sp) && RT->phase != RT_RUNNING)
		rt_syscall(SYS_exit_group, 128 + signal, 0, 0);
	note_places(rt_self(), regs);
	if (!has_room(rt_self(), sp)) {
		RT->channel->code = signal;
		rt_print(RT->channel->message, sizeof(RT->channel->message),
			 "signal %d, the stack of the thread overflowed", signal);
		rt_end_now(END_CRASH, RT->current);
	}
	if (rt_mends_fault(signal, info, context)) {
		regs[REG_RDI] = signal;
		rt_interrupt(context, (void (*)(void))announce_mended);
		return;
	}
	regs[REG_RDI] = signal;
	regs[REG_RSI] = (greg_t)info->si_addr;
	regs[REG_RDX] = regs[REG_RIP];
	begin_stack(context, !is_program_code((uint64_t)regs[REG_RIP]));
	rt_interrupt(context, (void (*)(void))announce_crash);
	++*(uint64_t *)regs[REG_RSP]; /* a return address is behind the call, and so is our site */
}

/* ---- steps that do not come back ---- */

/* Is the thread in a system call, its own or one that we make for it? Then every run finds it
 * there; a loop may be anywhere. */
static bool is_in_call(const greg_t *regs)
{
	const unsigned char *at = (const unsigned char *)regs[REG_RIP];

	return (uint64_t)regs[REG_RSP] - (uint64_t)RT->alt_stack < sizeof(RT->alt_stack) ||
	       (at[-2] == 0x0f && at[-1] == 0x05);
}

static bool can_another_go(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (i == RT->current || actor->spinning)
			continue;
		if (actor->state == RT_NEW ||
		    (actor->state == RT_ANNOUNCED &&
		     (!actor->can || actor->can(actor, actor->thing))))
			return true;
	}
	return false;
}

static _Noreturn void end_silent(void)
{
	bool others = can_another_go();

	RT->channel->message[0] = '\0'; /* the tool has words for it, and knows the place */
	rt_end_now(others ? END_LOST : END_SILENT, RT->current);
}

/* Goes on in place of the program, which has not come to its first thread. */
static _Noreturn void announce_slow_start(uint64_t place, int32_t is_in_call)
{
	rt_begin();
	RT->channel->address = place; /* which the start of the run has cleared, as the code */
	RT->channel->code = is_in_call;
	rt_print(RT->channel->message, sizeof(RT->channel->message),
		 "the program did not come to its first thread, nor to its end");
	rt_end_now(END_SILENT, RT->current);
}

/* Sent by the tool to a process that takes no step for too long. */
static void on_silence(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	const struct rt_actor *self = rt_self();
	uint64_t sp = (uint64_t)regs[REG_RSP];

	if (RT->phase == RT_PASSIVE)
		return;
	note_places(self, regs);
	RT->channel->code = is_in_call(regs);
	if (RT->phase == RT_RUNNING)
		end_silent();
	if (RT->phase != RT_ALONE || RT->channel->phase != CHANNEL_STARTING ||
	    !has_room(self, sp))
		return;
	regs[REG_RDI] = (greg_t)RT->channel->address;
	regs[REG_RSI] = RT->channel->code;
	rt_interrupt(context, (void (*)(void))announce_slow_start);
}

void rt_catch_crashes(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	stack_t stack = {.ss_sp = RT->alt_stack, .ss_size = sizeof(RT->alt_stack)};

	REAL(sigaltstack)(&stack, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		rt_kernel_catch(signals[i], on_crash);
	rt_kernel_catch(CHANNEL_SILENCE_SIGNAL, on_silence);
}
