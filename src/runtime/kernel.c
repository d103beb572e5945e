#include "runtime/kernel.h"

#include <errno.h>
#include <signal.h>
#include <sys/uio.h>

#include "runtime/restore.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"
#include "runtime/undo.h"

enum {
	SET_SYSCALL_USER_DISPATCH = 59, /* prctl; newer than some headers */
	DISPATCH_OFF = 0, DISPATCH_ON = 1,
	INTERCEPTED = 1, PASSED_ON = 0, /* what the kernel looks for in RT->kernel_intercepts */
	HANDED_OVER = 2, /* siginfo_t.si_code */
	RESTORER = 0x04000000,
	SMALL = 4096, /* more than what a call writes that does not say how much */
};

void rt_gate_return(void);
extern const char rt_gate_end[];

bool rt_kernel_start(void)
{
	RT->kernel_intercepts = PASSED_ON;
	return rt_syscall6(SYS_prctl, SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, (long)rt_syscall6,
			   rt_gate_end - (const char *)rt_syscall6, (long)&RT->kernel_intercepts,
			   0) == 0;
}

void rt_kernel_end(void)
{
	rt_syscall6(SYS_prctl, SET_SYSCALL_USER_DISPATCH, DISPATCH_OFF, 0, 0, 0, 0);
}

void rt_kernel_intercept(bool on)
{
	RT->kernel_intercepts = on ? INTERCEPTED : PASSED_ON;
}

void rt_kernel_catch(int signal, void (*handler)(int, siginfo_t *, void *))
{
	struct {
		void (*handler)(int, siginfo_t *, void *);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | RESTORER, rt_gate_return, 0};

	rt_syscall4(SYS_rt_sigaction, signal, &action, NULL, sizeof(action.mask));
}

/* ---- what a call does ---- */

enum kind {
	KIND_UNKNOWN,
	KIND_FINE,
	KIND_BYTES,
	KIND_VECTOR,
	KIND_STATE,
	KIND_SHARED,
	KIND_LOST,
};

struct care {
	const char *name;
	uint8_t kind; /* enum kind */
	uint8_t where, length; /* arguments, from 0 */
};

static struct care care_of(long number)
{
	switch (number) {
#define KERNEL_BYTES(call, where, length) \
	case SYS_##call: \
		return (struct care){#call, KIND_BYTES, where, length};
#define KERNEL_VECTOR(call, where, length) \
	case SYS_##call: \
		return (struct care){#call, KIND_VECTOR, where, length};
#define KERNEL_STATE(call) \
	case SYS_##call: \
		return (struct care){#call, KIND_STATE, 0, 0};
#define KERNEL_SHARED(call) \
	case SYS_##call: \
		return (struct care){#call, KIND_SHARED, 0, 0};
#define KERNEL_LOST(call) \
	case SYS_##call: \
		return (struct care){#call, KIND_LOST, 0, 0};
#define KERNEL_FINE(call) \
	case SYS_##call: \
		return (struct care){#call, KIND_FINE, 0, 0};
#include "runtime/kernel.def"
#undef KERNEL_BYTES
#undef KERNEL_VECTOR
#undef KERNEL_STATE
#undef KERNEL_SHARED
#undef KERNEL_LOST
#undef KERNEL_FINE
	default:
		return (struct care){"", KIND_UNKNOWN, 0, 0};
	}
}

/* The call leaves the model: named, and made in a process of its own. */
static void name_call(const struct care *care, long number)
{
	char name[32];

	if (care->kind == KIND_UNKNOWN)
		rt_print(name, sizeof(name), "system call %ld", number);
	else
		rt_print(name, sizeof(name), "%s", care->name);
	rt_warn_uncontrolled(name);
	rt_need_fork(name);
}

/* A file from before the first thread would be closed for all later runs. */
static bool closes_early(long number, long fd)
{
	return number == SYS_close && fd >= 0 && fd < RT_MAX_FDS && RT->io.offsets[fd];
}

static void prepare(const struct care *care, long number, const long *args)
{
	const struct iovec *vector = (const void *)args[care->where];

	if (care->kind == KIND_LOST)
		rt_lost("the system call %s starts what is not controlled", care->name);
	if (care->kind == KIND_SHARED || care->kind == KIND_UNKNOWN)
		name_call(care, number);
	if (care->kind == KIND_STATE || closes_early(number, args[0]))
		rt_need_fork(care->name);
	if (care->kind == KIND_STATE)
		rt_undo_note(number, args);
	if (care->kind == KIND_BYTES)
		rt_restore_touch((void *)args[care->where], (size_t)args[care->length]);
	for (long i = 0; care->kind == KIND_VECTOR && i < args[care->length]; i++)
		rt_restore_touch(vector[i].iov_base, vector[i].iov_len);
}

/* It found something protected where an argument points, or just behind: true if that is
 * writable now. */
static bool make_way(const long *args)
{
	uint32_t before = rt_restore_sticky();

	for (int i = 0; i < 6; i++)
		rt_restore_touch((void *)args[i], SMALL);
	return rt_restore_sticky() > before;
}

/* The end of the program past all interceptions; on the stack of the thread that ends it. The
 * status is still the first argument. */
static _Noreturn void announce_exit(int status)
{
	rt_end_run(EVENT_EXIT, status, 0, RT_SITE, NULL);
}

bool rt_kernel_forward(const siginfo_t *info, ucontext_t *context)
{
	greg_t *regs = context->uc_mcontext.gregs;
	long number = regs[REG_RAX];
	const long args[] = {regs[REG_RDI], regs[REG_RSI], regs[REG_RDX],
			     regs[REG_R10], regs[REG_R8], regs[REG_R9]};
	struct care care = care_of(number);

	if (info->si_code != HANDED_OVER)
		return false;
	if (number == SYS_rt_sigreturn) { /* from a handler of the program's */
		regs[REG_RIP] = (greg_t)rt_gate_return;
		return true;
	}
	if (number == SYS_exit_group) {
		rt_interrupt(context, (void (*)(void))announce_exit);
		return true;
	}
	RT->forwarded_sp = (uint64_t)regs[REG_RSP];
	RT->stem.is_loud = true;
	prepare(&care, number, args);
	do
		regs[REG_RAX] = rt_syscall6(number, args[0], args[1], args[2], args[3], args[4],
					    args[5]);
	while (regs[REG_RAX] == -EFAULT && make_way(args));
	return true;
}
