/* rt_sys.h: raw system calls and the few byte functions the runtime needs.
 *
 * The runtime must not call libc functions that are intercepted, that allocate, or
 * that take locks; and it must not set errno behind the program's back. These
 * return the kernel's value (negative errno on failure).
 */
#ifndef RUNTIME_RT_SYS_H
#define RUNTIME_RT_SYS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* gate.c: at one place in the program, so that the kernel knows our calls. */
long rt_syscall6(long n, long a, long b, long c, long d, long e, long f);

#define rt_syscall(n, a, b, c) rt_syscall6((n), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define rt_syscall4(n, a, b, c, d) rt_syscall6((n), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static inline void rt_memcpy(void *to, const void *from, size_t len)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
}

/* The first bytes, at most 8, as a number. Most accesses have a size for which a load is faster; a load
 * of four bytes into eight of the stack would make the processor wait for them. */
static inline uint64_t rt_load_value(const void *address, size_t size)
{
	uint64_t value = 0;
	uint32_t half;

	switch (size) {
	case 1:
		return *(const uint8_t *)address;
	case 4:
		__builtin_memcpy(&half, address, 4);
		return half;
	case 8:
		__builtin_memcpy(&value, address, 8);
		return value;
	default:
		rt_memcpy(&value, address, size < sizeof(value) ? size : sizeof(value));
		return value;
	}
}

static inline void rt_memmove(void *to, const void *from, size_t len)
{
	if ((uintptr_t)to - (uintptr_t)from >= len) {
		rt_memcpy(to, from, len);
		return;
	}
	while (len--)
		((char *)to)[len] = ((const char *)from)[len];
}

static inline void rt_memset(void *to, int byte, size_t len)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(len) : "a"(byte) : "memory");
}

static inline size_t rt_strlen(const char *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	return len;
}

static inline int rt_strncmp(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (a[i] != b[i] || !a[i])
			return (unsigned char)a[i] - (unsigned char)b[i];
	return 0;
}

#endif
