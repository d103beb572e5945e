/* raw.c: system calls that the program makes by number, with syscall().
 *
 * A call that raw.def knows is made by calling the intercepted function of the same meaning, so
 * that both ways to ask for something give the same answer. That function takes its return
 * address for the place in the program. Here the address would be a place in this file. So the
 * function is called by rt_raw_call, and rt_site() (rt.h) replaces the address behind that one
 * call by the program's place. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/calls/identity.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

/* long rt_raw_call(void *function, const long args[6]): calls the function with all six. */
__asm__(".text\n"
	".globl rt_raw_call\n"
	".hidden rt_raw_call\n"
	".type rt_raw_call, @function\n"
	"rt_raw_call:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	movq %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	movq %rdi, %r11\n"
	"	movq %rsi, %r10\n"
	"	movq 0(%r10), %rdi\n"
	"	movq 8(%r10), %rsi\n"
	"	movq 16(%r10), %rdx\n"
	"	movq 24(%r10), %rcx\n"
	"	movq 32(%r10), %r8\n"
	"	movq 40(%r10), %r9\n"
	"	xorl %eax, %eax\n" /* a function like open() asks how many vector registers count */
	"	call *%r11\n"
	".globl rt_raw_returned\n"
	".hidden rt_raw_returned\n"
	"rt_raw_returned:\n"
	"	popq %rbp\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size rt_raw_call, . - rt_raw_call\n");

long rt_raw_call(void *function, const long *args) __attribute__((visibility("hidden")));

enum kind { KIND_UNKNOWN, KIND_FINE, KIND_INT, KIND_LONG, KIND_ERROR };

struct model {
	enum kind kind;
	void *function;
};

/* The intercepted function. In a static program its own name is that of the real one. */
#if RT_STATIC
#define OWN(function) \
	(__extension__({ extern __typeof__(function) __wrap_##function; (void *)&__wrap_##function; }))
#else
#define OWN(function) ((void *)&function)
#endif

static struct model find_model(long number)
{
	switch (number) {
#define RAW(call, name) \
	case SYS_##call: \
		return (struct model){KIND_INT, OWN(name)};
#define RAW_LONG(call, name) \
	case SYS_##call: \
		return (struct model){KIND_LONG, OWN(name)};
#define RAW_ERROR(call, name) \
	case SYS_##call: \
		return (struct model){KIND_ERROR, OWN(name)};
#define RAW_FINE(call) \
	case SYS_##call: \
		return (struct model){KIND_FINE, NULL};
#include "runtime/calls/raw.def"
#undef RAW
#undef RAW_LONG
#undef RAW_ERROR
#undef RAW_FINE
	default:
		return (struct model){KIND_UNKNOWN, NULL};
	}
}

static long call_model(const struct model *model, const long *args, uint64_t site)
{
	struct rt_actor *self = rt_self();
	uint64_t outer = self->raw_site;
	long result;

	self->raw_site = site;
	result = rt_raw_call(model->function, args);
	self->raw_site = outer;
	if (model->kind == KIND_INT)
		return (int)result;
	if (model->kind == KIND_ERROR && (int)result)
		return rt_fail((int)result);
	return result;
}

static void name_call(long number, uint64_t site)
{
	char name[64];

	rt_print(name, sizeof(name), "system call %ld by number", number);
	rt_warn_uncontrolled_at(name, site);
}

static long make_call(long number, const long *args, uint64_t site)
{
	struct model model = find_model(number);

	if (model.kind == KIND_UNKNOWN)
		name_call(number, site);
	if (!model.function)
		return REAL(syscall)(number, args[0], args[1], args[2], args[3], args[4], args[5]);
	return call_model(&model, args, site);
}

static long modelled(long number, const long *args, uint64_t site)
{
	long group[6] = {RT_PID, args[0], args[1]};

	switch (number) {
	case SYS_futex:
		return rt_futex(args, site);
	case SYS_tkill:
		return make_call(SYS_tgkill, group, site);
	case SYS_io_uring_setup: /* the kernel would act beside the threads: not offered */
		return rt_fail(ENOSYS);
	case SYS_exit_group:
		rt_end_run(EVENT_EXIT, (int)args[0], 0, site, NULL);
	case SYS_exit:
	case SYS_clone:
	case SYS_clone3:
	case SYS_fork:
	case SYS_vfork:
		rt_lost("system call %ld is not supported", number);
	default:
		return make_call(number, args, site);
	}
}

INTERCEPT(long, syscall, (long number, ...))
{
	long args[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	if (!rt_active())
		return REAL(syscall)(number, args[0], args[1], args[2], args[3], args[4], args[5]);
	return modelled(number, args, RT_SITE);
}
