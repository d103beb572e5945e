/* libc.c: the memory and string functions of libc, as accesses to the ranges they read
 * and write. libc is not instrumented, so without this a memcpy would be invisible.
 *
 * Each function finds out how far it will reach, reports that range, and then acts. The
 * report may become a step, and another thread may change the string before that step
 * is chosen.
 *
 * In the static flavour libc's own calls come here too; what it does to its own data
 * under its own locks is not reported.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "runtime/calls/format.h"
#include "runtime/intercept.h"
#include "runtime/origin.h"
#include "runtime/seen.h"

static inline bool is_of_program(uint64_t site)
{
#if RT_STATIC
	return rt_running_quietly() && rt_origin_of(site) == RT_OF_PROGRAM;
#else
	return rt_running_quietly();
#endif
}

static inline void reads(const void *from, size_t size, uint64_t site)
{
	rt_seen_plain(from, size, false, site);
}

static inline void writes(const void *to, size_t size, uint64_t site)
{
	rt_seen_plain(to, size, true, site);
}

static size_t length(const char *text)
{
	return REAL(strlen)(text);
}

static size_t length_within(const char *text, size_t max)
{
	const char *end = REAL(memchr)(text, 0, max);

	return end ? (size_t)(end - text) : max;
}

/* The bytes of a string that a call limited to max of them looks at. */
static size_t extent_within(const char *text, size_t max)
{
	size_t len = length_within(text, max);

	return len < max ? len + 1 : max;
}

/* ---- memory ---- */

INTERCEPT(void *, memcpy, (void *restrict to, const void *restrict from, size_t size))
{
	if (is_of_program(RT_SITE)) {
		reads(from, size, RT_SITE);
		writes(to, size, RT_SITE);
	}
	return REAL(memcpy)(to, from, size);
}

INTERCEPT(void *, mempcpy, (void *restrict to, const void *restrict from, size_t size))
{
	if (is_of_program(RT_SITE)) {
		reads(from, size, RT_SITE);
		writes(to, size, RT_SITE);
	}
	return REAL(mempcpy)(to, from, size);
}

INTERCEPT(void *, memmove, (void *to, const void *from, size_t size))
{
	if (is_of_program(RT_SITE)) {
		reads(from, size, RT_SITE);
		writes(to, size, RT_SITE);
	}
	return REAL(memmove)(to, from, size);
}

INTERCEPT(void *, memset, (void *to, int byte, size_t size))
{
	if (is_of_program(RT_SITE))
		writes(to, size, RT_SITE);
	return REAL(memset)(to, byte, size);
}

INTERCEPT(void, bzero, (void *to, size_t size))
{
	if (is_of_program(RT_SITE))
		writes(to, size, RT_SITE);
	REAL(memset)(to, 0, size);
}

/* Where the two differ is not where the reading ends: libc compares many bytes at once. */
INTERCEPT(int, memcmp, (const void *a, const void *b, size_t size))
{
	if (is_of_program(RT_SITE)) {
		reads(a, size, RT_SITE);
		reads(b, size, RT_SITE);
	}
	return REAL(memcmp)(a, b, size);
}

INTERCEPT(int, bcmp, (const void *a, const void *b, size_t size))
{
	if (is_of_program(RT_SITE)) {
		reads(a, size, RT_SITE);
		reads(b, size, RT_SITE);
	}
	return REAL(memcmp)(a, b, size);
}

INTERCEPT(void *, memchr, (const void *from, int byte, size_t size))
{
	if (is_of_program(RT_SITE)) {
		const char *end = REAL(memchr)(from, byte, size);

		reads(from, end ? (size_t)(end - (const char *)from) + 1 : size, RT_SITE);
	}
	return REAL(memchr)(from, byte, size);
}

/* ---- strings that are read ---- */

INTERCEPT(size_t, strlen, (const char *text))
{
	if (is_of_program(RT_SITE))
		reads(text, length(text) + 1, RT_SITE);
	return REAL(strlen)(text);
}

INTERCEPT(size_t, strnlen, (const char *text, size_t max))
{
	if (is_of_program(RT_SITE))
		reads(text, extent_within(text, max), RT_SITE);
	return REAL(strnlen)(text, max);
}

/* How far a comparison of at most max bytes looks. */
static size_t compared(const char *a, const char *b, size_t max, bool fold)
{
	size_t i = 0;

	for (; i < max; i++) {
		char x = a[i], y = b[i];

		if (fold && (x ^ y) == 0x20)
			y = x;
		if (x != y || !x)
			return i + 1;
	}
	return i;
}

#define COMPARISON(name, params, call, max, fold) \
	INTERCEPT(int, name, params) \
	{ \
		if (is_of_program(RT_SITE)) { \
			size_t extent = compared(a, b, max, fold); \
\
			reads(a, extent, RT_SITE); \
			reads(b, extent, RT_SITE); \
		} \
		return REAL(name) call; \
	}

COMPARISON(strcmp, (const char *a, const char *b), (a, b), SIZE_MAX, false)
COMPARISON(strncmp, (const char *a, const char *b, size_t max), (a, b, max), max, false)
COMPARISON(strcasecmp, (const char *a, const char *b), (a, b), SIZE_MAX, true)
COMPARISON(strncasecmp, (const char *a, const char *b, size_t max), (a, b, max), max, true)

/* Searches, taken to read all of what they search. */
#define SEARCH(ret, name, param, arg, what) \
	INTERCEPT(ret, name, (const char *text, param)) \
	{ \
		if (is_of_program(RT_SITE)) { \
			reads(text, length(text) + 1, RT_SITE); \
			what; \
		} \
		return REAL(name)(text, arg); \
	}

SEARCH(char *, strchr, int c, c, (void)0)
SEARCH(char *, strrchr, int c, c, (void)0)
SEARCH(char *, strchrnul, int c, c, (void)0)
SEARCH(char *, strstr, const char *part, part, reads(part, length(part) + 1, RT_SITE))
SEARCH(char *, strpbrk, const char *set, set, reads(set, length(set) + 1, RT_SITE))
SEARCH(size_t, strspn, const char *set, set, reads(set, length(set) + 1, RT_SITE))
SEARCH(size_t, strcspn, const char *set, set, reads(set, length(set) + 1, RT_SITE))

INTERCEPT(char *, strdup, (const char *text))
{
	size_t size = length(text) + 1;
	char *copy;

	if (!rt_active())
		return REAL(strdup)(text);
	if (is_of_program(RT_SITE))
		reads(text, size, RT_SITE);
	copy = rt_heap_alloc(size, 0, RT_SITE);
	return copy ? REAL(memcpy)(copy, text, size) : NULL;
}

INTERCEPT(char *, strndup, (const char *text, size_t max))
{
	size_t size = length_within(text, max);
	char *copy;

	if (!rt_active())
		return REAL(strndup)(text, max);
	if (is_of_program(RT_SITE))
		reads(text, extent_within(text, max), RT_SITE);
	copy = rt_heap_alloc(size + 1, 0, RT_SITE);
	if (!copy)
		return NULL;
	copy[size] = '\0';
	return REAL(memcpy)(copy, text, size);
}

/* ---- strings that are written ---- */

#define COPY(name) \
	INTERCEPT(char *, name, (char *restrict to, const char *restrict from)) \
	{ \
		if (is_of_program(RT_SITE)) { \
			size_t size = length(from) + 1; \
\
			reads(from, size, RT_SITE); \
			writes(to, size, RT_SITE); \
		} \
		return REAL(name)(to, from); \
	}

COPY(strcpy)
COPY(stpcpy)

INTERCEPT(char *, strncpy, (char *restrict to, const char *restrict from, size_t max))
{
	if (is_of_program(RT_SITE)) {
		reads(from, extent_within(from, max), RT_SITE);
		writes(to, max, RT_SITE);
	}
	return REAL(strncpy)(to, from, max);
}

static void note_append(const char *to, const char *from, size_t added, size_t looked,
			 uint64_t site)
{
	size_t had = length(to);

	reads(from, looked, site);
	reads(to, had, site);
	writes(to + had, added + 1, site);
}

INTERCEPT(char *, strcat, (char *restrict to, const char *restrict from))
{
	if (is_of_program(RT_SITE))
		note_append(to, from, length(from), length(from) + 1, RT_SITE);
	return REAL(strcat)(to, from);
}

INTERCEPT(char *, strncat, (char *restrict to, const char *restrict from, size_t max))
{
	if (is_of_program(RT_SITE))
		note_append(to, from, length_within(from, max), extent_within(from, max), RT_SITE);
	return REAL(strncat)(to, from, max);
}

/* ---- formatted text: the destination ---- */

static int print(char *to, size_t room, const char *format, va_list args, uint64_t site)
{
	if (is_of_program(site)) {
		va_list again;
		int len;

		rt_format_print(format, args, site);
		va_copy(again, args);
		len = REAL(vsnprintf)(NULL, 0, format, again);
		va_end(again);
		if (len >= 0 && room)
			writes(to, (size_t)len < room ? (size_t)len + 1 : room, site);
	}
	return REAL(vsnprintf)(to, room, format, args);
}

INTERCEPT(int, vsnprintf,
	  (char *restrict to, size_t room, const char *restrict format, va_list args))
{
	return print(to, room, format, args, RT_SITE);
}

INTERCEPT(int, vsprintf, (char *restrict to, const char *restrict format, va_list args))
{
	return print(to, INT32_MAX, format, args, RT_SITE);
}

INTERCEPT(int, snprintf, (char *restrict to, size_t room, const char *restrict format, ...))
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(to, room, format, args, RT_SITE);
	va_end(args);
	return len;
}

INTERCEPT(int, sprintf, (char *restrict to, const char *restrict format, ...))
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(to, INT32_MAX, format, args, RT_SITE);
	va_end(args);
	return len;
}
