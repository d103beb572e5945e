/* fortify.c: the functions that programs compiled with -D_FORTIFY_SOURCE call in place of
 * those in libc.c. The check stays in libc; the ranges are reported all the same. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/calls/format.h"
#include "runtime/intercept.h"
#include "runtime/origin.h"

#define COPY(name) \
	void *name(void *to, const void *from, size_t size, size_t room); \
	INTERCEPT(void *, name, (void *to, const void *from, size_t size, size_t room)) \
	{ \
		if (rt_is_called_by_program(RT_SITE)) { \
			rt_plain(from, size, false, RT_SITE); \
			rt_plain(to, size, true, RT_SITE); \
		} \
		return REAL(name)(to, from, size, room); \
	}

COPY(__memcpy_chk)
COPY(__memmove_chk)
COPY(__mempcpy_chk)

void *__memset_chk(void *to, int byte, size_t size, size_t room);
INTERCEPT(void *, __memset_chk, (void *to, int byte, size_t size, size_t room))
{
	if (rt_is_called_by_program(RT_SITE))
		rt_plain(to, size, true, RT_SITE);
	return REAL(__memset_chk)(to, byte, size, room);
}

char *__strcpy_chk(char *to, const char *from, size_t room);
INTERCEPT(char *, __strcpy_chk, (char *to, const char *from, size_t room))
{
	if (rt_is_called_by_program(RT_SITE)) {
		size_t size = REAL(strlen)(from) + 1;

		rt_plain(from, size, false, RT_SITE);
		rt_plain(to, size, true, RT_SITE);
	}
	return REAL(__strcpy_chk)(to, from, room);
}

char *__strcat_chk(char *to, const char *from, size_t room);
INTERCEPT(char *, __strcat_chk, (char *to, const char *from, size_t room))
{
	if (rt_is_called_by_program(RT_SITE)) {
		size_t size = REAL(strlen)(from) + 1, had = REAL(strlen)(to);

		rt_plain(from, size, false, RT_SITE);
		rt_plain(to, had, false, RT_SITE);
		rt_plain(to + had, size, true, RT_SITE);
	}
	return REAL(__strcat_chk)(to, from, room);
}

char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
INTERCEPT(char *, __strncpy_chk, (char *to, const char *from, size_t size, size_t room))
{
	if (rt_is_called_by_program(RT_SITE)) {
		const char *end = REAL(memchr)(from, 0, size);

		rt_plain(from, end ? (size_t)(end - from) + 1 : size, false, RT_SITE);
		rt_plain(to, size, true, RT_SITE);
	}
	return REAL(__strncpy_chk)(to, from, size, room);
}

/* ---- formatted text: the destination ---- */

int __vsnprintf_chk(char *to, size_t size, int level, size_t room, const char *format,
		    va_list args);

static int print(char *to, size_t size, int level, size_t room, const char *format, va_list args,
		 uint64_t site)
{
	if (rt_is_called_by_program(site)) {
		va_list again;
		int len;

		rt_format_print(format, args, site);
		va_copy(again, args);
		len = REAL(vsnprintf)(NULL, 0, format, again);
		va_end(again);
		if (len >= 0 && size)
			rt_plain(to, (size_t)len < size ? (size_t)len + 1 : size, true, site);
	}
	return REAL(__vsnprintf_chk)(to, size, level, room, format, args);
}

INTERCEPT(int, __vsnprintf_chk,
	  (char *to, size_t size, int level, size_t room, const char *format, va_list args))
{
	return print(to, size, level, room, format, args, RT_SITE);
}

int __snprintf_chk(char *to, size_t size, int level, size_t room, const char *format, ...);
INTERCEPT(int, __snprintf_chk,
	  (char *to, size_t size, int level, size_t room, const char *format, ...))
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(to, size, level, room, format, args, RT_SITE);
	va_end(args);
	return len;
}

int __sprintf_chk(char *to, int level, size_t room, const char *format, ...);
INTERCEPT(int, __sprintf_chk, (char *to, int level, size_t room, const char *format, ...))
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(to, room, level, room, format, args, RT_SITE);
	va_end(args);
	return len;
}
