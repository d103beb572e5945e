/* The note by which the tool knows that a program carries the runtime (native/elf.h). */
__asm__(".pushsection .note.fermata,\"a\",%note\n\t"
	".balign 4\n\t"
	".long 8, 4, 2\n\t"
	".asciz \"Fermata\"\n\t"
	".long 1\n\t"
	".popsection");
