/* Included by the compiler wrapper in front of every source it instruments: leaves a
 * note in the object, by which the link step and the tool tell instrumented code from
 * code they cannot see into. The layout is that of any ELF note: name size, size of the
 * contents, type; name; contents (the version of the instrumentation).
 *
 * Inline assembler has no hooks. Compilers turn all atomics into calls of ours, so a locked
 * instruction, an exchange or a system call can only be the program's own: macros that take
 * their names leave the section .fermata.asm in the object (native/linkmap.h).
 */
#ifndef __ASSEMBLER__
__asm__(".pushsection .note.fermata,\"a\",%note\n\t"
	".balign 4\n\t"
	".long 8, 4, 1\n\t"
	".asciz \"Fermata\"\n\t"
	".long 1\n\t"
	".popsection");
#if defined(__x86_64__)
__asm__(".macro fermata_opaque\n\t"
	".ifndef fermata_is_opaque\n\t"
	".set fermata_is_opaque, 1\n\t"
	".pushsection .fermata.asm,\"a\"\n\t"
	".byte 1\n\t"
	".popsection\n\t"
	".endif\n\t"
	".endm\n\t"
	".macro lock step:vararg\n\t"
	"fermata_opaque\n\t"
	".byte 0xf0\n\t"
	"\\step\n\t"
	".endm\n\t"
	".macro syscall\n\t"
	"fermata_opaque\n\t"
	".byte 0x0f, 0x05\n\t"
	".endm\n\t"
	/* The instruction has the name of its macro: it goes and comes back. */
	".macro fermata_see name\n\t"
	".macro \\name step:vararg\n\t"
	".purgem \\name\n\t"
	"fermata_opaque\n\t"
	"\\name \\step\n\t"
	"fermata_see \\name\n\t"
	".endm\n\t"
	".endm\n\t"
	"fermata_see xchg\n\t"
	"fermata_see xchgb\n\t"
	"fermata_see xchgw\n\t"
	"fermata_see xchgl\n\t"
	"fermata_see xchgq");
#endif
#endif
