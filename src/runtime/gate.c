/* gate.c: the one place where the runtime calls the kernel (rt_sys.h, kernel.h).
 *
 * Calls made between rt_syscall6 and rt_gate_end are not handed over to us; the address that
 * counts is the one behind the instruction. rt_gate_return ends signal handlers, in the words
 * by which debuggers know such a place. */
__asm__(".pushsection .text\n"
	"	.balign 64\n"
	"	.globl rt_syscall6\n"
	"	.hidden rt_syscall6\n"
	"	.type rt_syscall6, @function\n"
	"rt_syscall6:\n"
	"	.cfi_startproc\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	mov %rcx, %rdx\n"
	"	mov %r8, %r10\n"
	"	mov %r9, %r8\n"
	"	mov 8(%rsp), %r9\n"
	"	syscall\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size rt_syscall6, . - rt_syscall6\n"
	"	nop\n" /* unwinders look up the address before that of a return */
	"	.globl rt_gate_return\n"
	"	.hidden rt_gate_return\n"
	"	.type rt_gate_return, @function\n"
	"rt_gate_return:\n"
	"	mov $15, %rax\n"
	"	syscall\n"
	"	ud2\n"
	"	.size rt_gate_return, . - rt_gate_return\n"
	"	.globl rt_gate_end\n"
	"	.hidden rt_gate_end\n"
	"rt_gate_end:\n"
	".popsection");
