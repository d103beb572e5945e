#include "runtime/fiber.h"

#include <asm/prctl.h>
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

/* rt_fiber_swap() saves the callee-saved registers and the floating point control words on the
 * stack of the fiber that leaves, and takes them from the stack of the other one. The
 * final jump is through a register: a `ret` would miss the return predictor. */
#define SAVE_REGISTERS \
	"	pushq %rbp\n" \
	"	pushq %rbx\n" \
	"	pushq %r12\n" \
	"	pushq %r13\n" \
	"	pushq %r14\n" \
	"	pushq %r15\n" \
	"	subq $8, %rsp\n" \
	"	stmxcsr (%rsp)\n" \
	"	fnstcw 4(%rsp)\n" \
	"	movq %rsp, (%rdi)\n"

#define LOAD_REGISTERS \
	"	addq $8, %rsp\n" \
	"	popq %r15\n" \
	"	popq %r14\n" \
	"	popq %r13\n" \
	"	popq %r12\n" \
	"	popq %rbx\n" \
	"	popq %rbp\n" \
	"	popq %rcx\n" \
	"	jmp *%rcx\n"

__asm__(".text\n"
	".type rt_fiber_swap, @function\n"
	"rt_fiber_swap:\n" /* rdi: where to save sp, rsi: sp to load */
	SAVE_REGISTERS
	"	movq %rsi, %rsp\n"
	"	ldmxcsr (%rsp)\n"
	"	fldcw 4(%rsp)\n"
	LOAD_REGISTERS
	".size rt_fiber_swap, . - rt_fiber_swap\n"
	".type rt_fiber_save, @function\n"
	"rt_fiber_save:\n" /* the fiber stays; rsi: function to call then, rdx: end of its stack */
	SAVE_REGISTERS
	"	movq %rsp, %rbp\n"
	"	movq %rdx, %rsp\n"
	"	call *%rsi\n"
	"	movq %rbp, %rsp\n"
	LOAD_REGISTERS
	".size rt_fiber_save, . - rt_fiber_save\n");

void rt_fiber_swap(void **save_sp, void *load_sp) __attribute__((visibility("hidden")));
void rt_fiber_save(void **save_sp, void (*then)(void), void *stack_end) __attribute__((visibility("hidden")));

enum {
	SAVED_WORDS = 8, /* control words, six registers, return address */
	PAGE = 4096,
	CACHE_WAYS = 8,  /* lines at the same place of their pages that a cache has room for */
	CACHE_STEP = 448,
};

uint64_t rt_fiber_fs_base(void)
{
	uint64_t base;

	__asm__("movq %%fs:0, %0" : "=r"(base)); /* the control block begins with its own address */
	return base;
}

static void set_fs_base(uint64_t base)
{
	if (RT->has_fsgsbase)
		__asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
	else
		rt_syscall(SYS_arch_prctl, ARCH_SET_FS, base, 0);
}

void rt_fiber_switch(struct rt_actor *from, struct rt_actor *to)
{
	set_fs_base(to->fs_base);
	rt_fiber_swap(&from->sp, to->sp);
}

void rt_fiber_jump(struct rt_actor *to)
{
	void *lost;

	set_fs_base(to->fs_base);
	rt_fiber_swap(&lost, to->sp);
	__builtin_unreachable();
}

void rt_fiber_keep(struct rt_actor *self, void (*then)(void), void *stack_end)
{
	rt_fiber_save(&self->sp, then, stack_end);
}

void rt_fiber_prepare(struct rt_actor *actor, const struct fiber_donor *donor, void (*entry)(void))
{
	/* On entry to a function rsp + 8 is a multiple of 16; a zero return address and a
	 * zero frame pointer end stack walks. */
	uint64_t *sp = (uint64_t *)((uintptr_t)donor->stack_top & ~(uintptr_t)15);

	*--sp = 0;
	*--sp = (uint64_t)entry;
	for (int i = 0; i < SAVED_WORDS - 2; i++)
		*--sp = 0;
	*--sp = RT->main_fpu_state;
	actor->sp = sp;
	actor->fs_base = donor->fs_base;
	actor->stack_low = donor->stack_low;
	actor->stack_high = donor->stack_high;
}

struct donor_start {
	struct fiber_donor *donor;
	uint32_t index;
	_Atomic int ready;
};

/* Where in its page the stack of a fiber begins. If all began at the same place, the stacks of
 * hundreds of fibers would share a few sets of the cache. */
static uint32_t below_page_end(uint32_t index)
{
	return index / CACHE_WAYS % CACHE_WAYS * CACHE_STEP;
}

/* Runs as a real thread: notes where its memory is and ends behind glibc's back, so
 * that the memory stays. Nothing may touch the stack after `ready` is set. */
static void *be_donor(void *arg)
{
	struct donor_start *start = arg;
	struct fiber_donor *donor = start->donor;
	pthread_attr_t attr;
	void *low;
	size_t size;

	donor->fs_base = rt_fiber_fs_base();
	donor->tid = (int)rt_syscall(SYS_gettid, 0, 0, 0);
	/* A page of its own: what lies above is seldom written, and each page that a run writes
	 * has to be put back behind it. */
	donor->stack_top = (char *)(((uintptr_t)__builtin_frame_address(0) - 512) &
				    ~(uintptr_t)(PAGE - 1)) - below_page_end(start->index);
	donor->stack_low = donor->stack_top - 65536;
	donor->stack_high = (char *)donor->fs_base + 4096;
	if (REAL(pthread_getattr_np)((pthread_t)donor->fs_base, &attr) == 0) {
		if (pthread_attr_getstack(&attr, &low, &size) == 0) {
			donor->stack_low = low;
			donor->stack_high = (char *)low + size;
		}
		pthread_attr_destroy(&attr);
	}
	__asm__ volatile("movl $1, (%0)\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "syscall"
			 :
			 : "r"(&start->ready), "a"(SYS_exit)
			 : "rcx", "r11", "rdi", "memory");
	__builtin_unreachable();
}

/* PROT_EXEC if the program runs code on its stacks: gcc puts some there for a nested function whose address is
 * taken. */
static int code_on_stacks(void)
{
	const Elf64_Phdr *headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
	unsigned long len = headers ? getauxval(AT_PHNUM) : 0;

	for (unsigned long i = 0; i < len; i++)
		if (headers[i].p_type == PT_GNU_STACK && headers[i].p_flags & PF_X)
			return PROT_EXEC;
	return 0;
}

/* Memory for the stack of an actor, always at the same place: the addresses of its variables and
 * its pthread_self() must not depend on the threads and timers that were made before it. Larger
 * stacks than there is room for, and a place that is taken, are left to libc. */
static bool place_stack(pthread_attr_t *attr, uint64_t index)
{
	uint32_t bits = stack_layout_bits(RT->channel->max_actors);
	uint64_t end = RT_STACK_BASE + ((index + 1) << bits);
	size_t size;
	long at;

	if (pthread_attr_init(attr) != 0)
		return false;
	if (pthread_attr_getstacksize(attr, &size) != 0 || size > 1ul << (bits - 1))
		return false;
	size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
	at = rt_syscall6(SYS_mmap, (long)(end - size), (long)size,
			 PROT_READ | PROT_WRITE | code_on_stacks(),
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK |
				 MAP_FIXED_NOREPLACE, -1, 0);
	return at == (long)(end - size) && pthread_attr_setstack(attr, (void *)at, size) == 0;
}

bool rt_fiber_make_donor(struct fiber_donor *donor, uint32_t index)
{
	struct donor_start start = {.donor = donor, .index = index};
	pthread_t thread;
	pthread_attr_t attr;
	int pid = (int)rt_syscall(SYS_getpid, 0, 0, 0);
	uint32_t phase = RT->phase;
	int error;

	/* Memory that libc allocates for it must not come from the program's heap. */
	RT->phase = RT_PASSIVE;
	error = REAL(pthread_create)(&thread, place_stack(&attr, index) ? &attr : NULL, be_donor,
				     &start);
	RT->phase = phase;
	if (error)
		return false;
	while (!atomic_load(&start.ready))
		rt_syscall(SYS_sched_yield, 0, 0, 0);
	/* Wait until the kernel has let go of it: it clears the thread id on the way out. */
	while (rt_syscall(SYS_tgkill, pid, donor->tid, 0) != -ESRCH)
		rt_syscall(SYS_sched_yield, 0, 0, 0);
	return true;
}
