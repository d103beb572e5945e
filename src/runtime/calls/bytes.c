/* bytes.c: functions of libc on memory whose extent depends on what they find there, and on
 * linked elements. As in libc.c each reports how far it reaches before it is called. */
#include <search.h>
#include <string.h>

#include "runtime/intercept.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"

static void reads(const void *from, size_t size, uint64_t site)
{
	rt_plain(from, size, false, site);
}

static void writes(const void *to, size_t size, uint64_t site)
{
	rt_plain(to, size, true, site);
}

INTERCEPT(void *, memccpy, (void *restrict to, const void *restrict from, int byte, size_t size))
{
	if (rt_is_called_by_program(RT_SITE)) {
		const char *end = REAL(memchr)(from, byte, size);
		size_t len = end ? (size_t)(end - (const char *)from) + 1 : size;

		reads(from, len, RT_SITE);
		writes(to, len, RT_SITE);
	}
	return REAL(memccpy)(to, from, byte, size);
}

INTERCEPT(void *, memrchr, (const void *from, int byte, size_t size))
{
	if (rt_is_called_by_program(RT_SITE)) {
		const char *start = from, *found = start + size;

		while (found > start && found[-1] != (char)byte)
			found--;
		found -= found > start;
		reads(found, (size_t)(start + size - found), RT_SITE);
	}
	return REAL(memrchr)(from, byte, size);
}

INTERCEPT(void *, rawmemchr, (const void *from, int byte))
{
	if (rt_is_called_by_program(RT_SITE)) {
		const char *end = from;

		while (*end != (char)byte)
			end++;
		reads(from, (size_t)(end - (const char *)from) + 1, RT_SITE);
	}
	return REAL(rawmemchr)(from, byte);
}

INTERCEPT(void, explicit_bzero, (void *to, size_t size))
{
	if (rt_is_called_by_program(RT_SITE))
		writes(to, size, RT_SITE);
	REAL(explicit_bzero)(to, size);
}

INTERCEPT(char *, stpncpy, (char *restrict to, const char *restrict from, size_t size))
{
	if (rt_is_called_by_program(RT_SITE)) {
		const char *end = REAL(memchr)(from, 0, size);

		reads(from, end ? (size_t)(end - from) + 1 : size, RT_SITE);
		writes(to, size, RT_SITE);
	}
	return REAL(stpncpy)(to, from, size);
}

#if __GLIBC_PREREQ(2, 38)
INTERCEPT(size_t, strlcpy, (char *restrict to, const char *restrict from, size_t size))
{
	if (rt_is_called_by_program(RT_SITE)) {
		size_t len = rt_strlen(from);

		reads(from, len + 1, RT_SITE);
		if (size)
			writes(to, len < size ? len + 1 : size, RT_SITE);
	}
	return REAL(strlcpy)(to, from, size);
}

/* Nothing is written if no end of the string is found within the size. */
INTERCEPT(size_t, strlcat, (char *restrict to, const char *restrict from, size_t size))
{
	if (rt_is_called_by_program(RT_SITE)) {
		size_t len = rt_strlen(from);
		const char *end = REAL(memchr)(to, 0, size);
		size_t had = end ? (size_t)(end - to) : size;

		reads(from, len + 1, RT_SITE);
		reads(to, had, RT_SITE);
		if (end)
			writes(to + had, len < size - had ? len + 1 : size - had, RT_SITE);
	}
	return REAL(strlcat)(to, from, size);
}
#endif

INTERCEPT(void, bcopy, (const void *from, void *to, size_t size))
{
	if (rt_is_called_by_program(RT_SITE)) {
		reads(from, size, RT_SITE);
		writes(to, size, RT_SITE);
	}
	REAL(memmove)(to, from, size);
}

/* The bytes up to the end of the token are read, and the one behind it is written. */
INTERCEPT(char *, strtok_r, (char *restrict text, const char *restrict set, char **restrict save))
{
	if (rt_is_called_by_program(RT_SITE)) {
		char *at = text ? text : *save;
		size_t skipped, len;

		reads(set, rt_strlen(set) + 1, RT_SITE);
		if (!text)
			reads(save, sizeof(*save), RT_SITE);
		writes(save, sizeof(*save), RT_SITE);
		if (at) {
			skipped = REAL(strspn)(at, set);
			len = REAL(strcspn)(at + skipped, set);
			reads(at, skipped + len + 1, RT_SITE);
			if (at[skipped + len])
				writes(at + skipped + len, 1, RT_SITE);
		}
	}
	return REAL(strtok_r)(text, set, save);
}

/* ---- linked elements ---- */

struct element {
	struct element *next, *before;
};

INTERCEPT(void, insque, (void *what, void *behind))
{
	struct element *element = what, *before = behind;

	if (rt_is_called_by_program(RT_SITE)) {
		writes(element, sizeof(*element), RT_SITE);
		if (before) {
			reads(&before->next, sizeof(before->next), RT_SITE);
			writes(&before->next, sizeof(before->next), RT_SITE);
			if (before->next)
				writes(&before->next->before, sizeof(before), RT_SITE);
		}
	}
	REAL(insque)(what, behind);
}

INTERCEPT(void, remque, (void *what))
{
	struct element *element = what;

	if (rt_is_called_by_program(RT_SITE)) {
		reads(element, sizeof(*element), RT_SITE);
		if (element->next)
			writes(&element->next->before, sizeof(element), RT_SITE);
		if (element->before)
			writes(&element->before->next, sizeof(element), RT_SITE);
	}
	REAL(remque)(what);
}
