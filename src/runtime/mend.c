#include "runtime/mend.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/actions.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

enum { PATIENCE_MS = 2000, PAGE = 4096, MASK_BYTES = 8, FAULT_WRITES = 2 };

static _Noreturn void end_trial(bool is_mended)
{
	*RT->actions.trial = is_mended;
	for (;;)
		rt_syscall(SYS_exit_group, 0, 0, 0);
}

void rt_mend_jump(void)
{
	if (rt_present && RT->actions.trial)
		end_trial(true);
}

/* Is the memory there now? A call that reads or writes the eight bytes says it without a fault. */
static bool is_accessible(uint64_t address, bool is_write)
{
	address &= ~(uint64_t)(MASK_BYTES - 1);
	return address >= PAGE && rt_syscall4(SYS_rt_sigprocmask, SIG_BLOCK, is_write ? 0 : address,
					      is_write ? address : 0, MASK_BYTES) == 0;
}

/* In the child: the handler runs as if the program were not controlled. */
static _Noreturn void try_handler(int number, siginfo_t *info, ucontext_t *context)
{
	struct sigaction action = rt_action_of(number);
	const mcontext_t before = context->uc_mcontext;
	long null = rt_syscall(SYS_open, "/dev/null", 1 /* O_WRONLY */, 0);
	uint64_t none = 0;
	bool is_changed = false;

	RT->phase = RT_PASSIVE;
	rt_syscall(SYS_dup2, null, 1, 0);
	rt_syscall(SYS_dup2, null, 2, 0);
	/* The handler may write to pages that are protected to see who writes them. */
	rt_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, MASK_BYTES);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
	for (int i = 0; i < NGREG; i++)
		is_changed |= before.gregs[i] != context->uc_mcontext.gregs[i];
	if (number == SIGSEGV || number == SIGBUS)
		is_changed |= is_accessible((uint64_t)info->si_addr,
					    before.gregs[REG_ERR] & FAULT_WRITES);
	end_trial(is_changed || number == SIGTRAP);
}

static void wait_for(long child)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (int i = 0; i < PATIENCE_MS; i++) {
		if (rt_syscall4(SYS_wait4, child, 0, WNOHANG, 0))
			return;
		rt_syscall(SYS_nanosleep, &pause, 0, 0);
	}
	rt_syscall(SYS_kill, child, SIGKILL, 0);
	rt_syscall4(SYS_wait4, child, 0, 0, 0);
}

bool rt_mends_fault(int number, siginfo_t *info, ucontext_t *context)
{
	struct sigaction action = rt_action_of(number);
	bool is_mended;
	long child;

	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
		return false;
	if (RT->actions.trial) /* the handler of the child crashes itself */
		end_trial(false);
	RT->actions.trial = (void *)rt_syscall6(SYS_mmap, 0, PAGE, PROT_READ | PROT_WRITE,
						MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child = (uint64_t)RT->actions.trial > (uint64_t)-PAGE ? -1 : rt_syscall(SYS_fork, 0, 0, 0);
	if (child == 0)
		try_handler(number, info, context);
	if (child > 0)
		wait_for(child);
	is_mended = child > 0 && *RT->actions.trial;
	rt_syscall(SYS_munmap, RT->actions.trial, PAGE, 0);
	RT->actions.trial = NULL;
	return is_mended;
}
