#include "runtime/kernel.h"

#include <errno.h>
#include <signal.h>
#include <sys/uio.h>

#include "runtime/restore.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

enum {
	SET_SYSCALL_USER_DISPATCH = 59, /* prctl; newer than some headers */
	DISPATCH_OFF = 0, DISPATCH_ON = 1,
	WATCHED = 1, UNWATCHED = 0, /* what the kernel looks for in RT->kernel_watch */
	HANDED_OVER = 2, /* siginfo_t.si_code */
	RESTORER = 0x04000000,
	SMALL = 4096, /* more than what a call writes that does not say how much */
};

void rt_gate_return(void);
extern const char rt_gate_end[];

bool rt_kernel_start(void)
{
	RT->kernel_watch = UNWATCHED;
	return rt_syscall6(SYS_prctl, SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, (long)rt_syscall6,
			   rt_gate_end - (const char *)rt_syscall6, (long)&RT->kernel_watch,
			   0) == 0;
}

void rt_kernel_end(void)
{
	rt_syscall6(SYS_prctl, SET_SYSCALL_USER_DISPATCH, DISPATCH_OFF, 0, 0, 0, 0);
}

void rt_kernel_watch(bool watched)
{
	RT->kernel_watch = watched ? WATCHED : UNWATCHED;
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
	KIND_OTHER,
	KIND_BYTES,
	KIND_VECTOR,
	KIND_STATE,
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
#include "runtime/kernel.def"
#undef KERNEL_BYTES
#undef KERNEL_VECTOR
#undef KERNEL_STATE
	default:
		return (struct care){"", KIND_OTHER, 0, 0};
	}
}

static void prepare(const struct care *care, const long *args)
{
	const struct iovec *vector = (const void *)args[care->where];

	if (care->kind == KIND_STATE)
		rt_need_fork(care->name);
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
	prepare(&care, args);
	do
		regs[REG_RAX] = rt_syscall6(number, args[0], args[1], args[2], args[3], args[4],
					    args[5]);
	while (regs[REG_RAX] == -EFAULT && make_way(args));
	return true;
}
