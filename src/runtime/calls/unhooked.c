/* unhooked.c: the hook that the wrapper puts before accesses for which the compiler made none
 * (native/asm_unseen.h). It stands in the middle of compiled code, so it keeps every register and
 * the flags. On the stack it finds the address, and below that a number: four times the size,
 * plus 2 for a write, plus 1 for a read. */
#include "runtime/rt.h"

void rt_unhooked_access(const void *address, uint64_t how, uint64_t site);

void rt_unhooked_access(const void *address, uint64_t how, uint64_t site)
{
	if (how & 1)
		rt_plain(address, how >> 2, false, site);
	if (how & 2)
		rt_plain(address, how >> 2, true, site);
}

#if defined(__x86_64__)
/* The registers that a function may change, on the stack. */
#define ENTER \
	"	.cfi_startproc\n" \
	"	pushq %rbp\n" \
	"	.cfi_def_cfa_offset 16\n" \
	"	.cfi_offset %rbp, -16\n" \
	"	movq %rsp, %rbp\n" \
	"	.cfi_def_cfa_register %rbp\n" \
	"	pushfq\n" \
	"	cld\n" \
	"	pushq %rcx\n" \
	"	pushq %rdx\n" \
	"	pushq %rsi\n" \
	"	pushq %rdi\n" \
	"	pushq %r8\n" \
	"	pushq %r9\n" \
	"	pushq %r10\n" \
	"	pushq %r11\n"
#define LEAVE \
	"	leaq -72(%rbp), %rsp\n" \
	"	popq %r11\n" \
	"	popq %r10\n" \
	"	popq %r9\n" \
	"	popq %r8\n" \
	"	popq %rdi\n" \
	"	popq %rsi\n" \
	"	popq %rdx\n" \
	"	popq %rcx\n" \
	"	popfq\n" \
	"	popq %rbp\n" \
	"	.cfi_def_cfa %rsp, 8\n" \
	"	ret\n" \
	"	.cfi_endproc\n"

__asm__(".text\n"
	".globl rt_unhooked\n"
	".type rt_unhooked, @function\n"
	"rt_unhooked:\n"
	ENTER
	"	subq $256, %rsp\n"
	"	andq $-16, %rsp\n"
	"	movups %xmm0, 0(%rsp)\n"
	"	movups %xmm1, 16(%rsp)\n"
	"	movups %xmm2, 32(%rsp)\n"
	"	movups %xmm3, 48(%rsp)\n"
	"	movups %xmm4, 64(%rsp)\n"
	"	movups %xmm5, 80(%rsp)\n"
	"	movups %xmm6, 96(%rsp)\n"
	"	movups %xmm7, 112(%rsp)\n"
	"	movups %xmm8, 128(%rsp)\n"
	"	movups %xmm9, 144(%rsp)\n"
	"	movups %xmm10, 160(%rsp)\n"
	"	movups %xmm11, 176(%rsp)\n"
	"	movups %xmm12, 192(%rsp)\n"
	"	movups %xmm13, 208(%rsp)\n"
	"	movups %xmm14, 224(%rsp)\n"
	"	movups %xmm15, 240(%rsp)\n"
	"	movq 24(%rbp), %rdi\n"
	"	movq 16(%rbp), %rsi\n"
	"	movq 8(%rbp), %rdx\n"
	"	call rt_unhooked_access\n"
	"	movups 0(%rsp), %xmm0\n"
	"	movups 16(%rsp), %xmm1\n"
	"	movups 32(%rsp), %xmm2\n"
	"	movups 48(%rsp), %xmm3\n"
	"	movups 64(%rsp), %xmm4\n"
	"	movups 80(%rsp), %xmm5\n"
	"	movups 96(%rsp), %xmm6\n"
	"	movups 112(%rsp), %xmm7\n"
	"	movups 128(%rsp), %xmm8\n"
	"	movups 144(%rsp), %xmm9\n"
	"	movups 160(%rsp), %xmm10\n"
	"	movups 176(%rsp), %xmm11\n"
	"	movups 192(%rsp), %xmm12\n"
	"	movups 208(%rsp), %xmm13\n"
	"	movups 224(%rsp), %xmm14\n"
	"	movups 240(%rsp), %xmm15\n"
	LEAVE
	".size rt_unhooked, .-rt_unhooked\n");

/* The same in code that may have values in the upper halves of vector registers, in mask registers or on the
 * stack of the floating-point unit: another thread may run before the access. 0xe7 names these parts of the
 * state; 2688 bytes are enough for them. The emms leaves that stack empty, as calls of functions expect it. */
__asm__(".text\n"
	".globl rt_unhooked_wide\n"
	".type rt_unhooked_wide, @function\n"
	"rt_unhooked_wide:\n"
	ENTER
	"	subq $2688, %rsp\n"
	"	andq $-64, %rsp\n"
	"	movq %rsp, %rdi\n"
	"	xorl %eax, %eax\n"
	"	movl $336, %ecx\n"
	"	rep stosq\n"
	"	movl $0xe7, %eax\n"
	"	xorl %edx, %edx\n"
	"	xsave64 (%rsp)\n"
	"	emms\n"
	"	movq 24(%rbp), %rdi\n"
	"	movq 16(%rbp), %rsi\n"
	"	movq 8(%rbp), %rdx\n"
	"	call rt_unhooked_access\n"
	"	movl $0xe7, %eax\n"
	"	xorl %edx, %edx\n"
	"	xrstor64 (%rsp)\n"
	LEAVE
	".size rt_unhooked_wide, .-rt_unhooked_wide\n");
#endif
