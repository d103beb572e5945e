/* Included by the compiler wrapper in front of every source it instruments: leaves a
 * note in the object, by which the link step and the tool tell instrumented code from
 * code they cannot see into. The layout is that of any ELF note: name size, size of the
 * contents, type; name; contents (the version of the instrumentation). */
#ifndef __ASSEMBLER__
__asm__(".pushsection .note.fermata,\"a\",%note\n\t"
	".balign 4\n\t"
	".long 8, 4, 1\n\t"
	".asciz \"Fermata\"\n\t"
	".long 1\n\t"
	".popsection");
#endif
