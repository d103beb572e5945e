/* Included by the compiler wrapper in front of every source it instruments: leaves a
 * note in the object, by which the link step and the tool tell instrumented code from
 * code they cannot see into. The layout is that of any ELF note: name size, size of the
 * contents, type; name; contents (the version of the instrumentation).
 *
 * The section .fermata.link refers to a symbol that only the link step of the wrapper defines
 * (cc_link.c). Without the wrapper the linker stops and prints the symbol, whose name says how to
 * link. The section is not loaded, so the program does not contain the reference.
 *
 * Compilers turn small __builtin_memset and its kin into stores of their own after the hooks
 * have been put in. The names below make ordinary calls of them, which the runtime takes.
 */
#ifndef __ASSEMBLER__
__asm__(".pushsection .note.fermata,\"a\",%note\n\t"
	".balign 4\n\t"
	".long 8, 4, 1\n\t"
	".asciz \"Fermata\"\n\t"
	".long 1\n\t"
	".popsection\n\t"
	".pushsection .fermata.link,\"\",%progbits\n\t"
	".quad link_these_objects_with_fermata_cc_or_fermata_cxx\n\t"
	".popsection");
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#ifdef __cplusplus
#define FERMATA_CALL(type, name, parameters) \
	extern "C" type fermata_##name parameters throw() __asm__(#name);
#else
#define FERMATA_CALL(type, name, parameters) \
	extern type fermata_##name parameters __asm__(#name);
#endif
FERMATA_CALL(void *, memset, (void *, int, __SIZE_TYPE__))
FERMATA_CALL(void *, memcpy, (void *, const void *, __SIZE_TYPE__))
FERMATA_CALL(void *, memmove, (void *, const void *, __SIZE_TYPE__))
FERMATA_CALL(void *, mempcpy, (void *, const void *, __SIZE_TYPE__))
FERMATA_CALL(int, memcmp, (const void *, const void *, __SIZE_TYPE__))
FERMATA_CALL(void, bzero, (void *, __SIZE_TYPE__))
FERMATA_CALL(char *, strcpy, (char *, const char *))
FERMATA_CALL(char *, stpcpy, (char *, const char *))
FERMATA_CALL(char *, strncpy, (char *, const char *, __SIZE_TYPE__))
FERMATA_CALL(char *, strcat, (char *, const char *))
FERMATA_CALL(char *, strncat, (char *, const char *, __SIZE_TYPE__))
FERMATA_CALL(int, sprintf, (char *, const char *, ...))
FERMATA_CALL(int, snprintf, (char *, __SIZE_TYPE__, const char *, ...))
#undef FERMATA_CALL
#define __builtin_memset(...) fermata_memset(__VA_ARGS__)
#define __builtin_memcpy(...) fermata_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) fermata_memmove(__VA_ARGS__)
#define __builtin_mempcpy(...) fermata_mempcpy(__VA_ARGS__)
#define __builtin_memcmp(...) fermata_memcmp(__VA_ARGS__)
#define __builtin_bzero(...) fermata_bzero(__VA_ARGS__)
#define __builtin_strcpy(...) fermata_strcpy(__VA_ARGS__)
#define __builtin_stpcpy(...) fermata_stpcpy(__VA_ARGS__)
#define __builtin_strncpy(...) fermata_strncpy(__VA_ARGS__)
#define __builtin_strcat(...) fermata_strcat(__VA_ARGS__)
#define __builtin_strncat(...) fermata_strncat(__VA_ARGS__)
#define __builtin_sprintf(...) fermata_sprintf(__VA_ARGS__)
#define __builtin_snprintf(...) fermata_snprintf(__VA_ARGS__)
#endif
#endif
