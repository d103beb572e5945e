/* scan.c: the scanf family, asprintf, and lines of any length. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include <stdarg.h>
#include <stdio.h>

#include "runtime/calls/effects.h"
#include "runtime/calls/format.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"

/* The headers give these names to the functions in new programs. Those of C99 are the old ones
 * but for %a, which the old ones take for an allocated string; those of C23 also know %b, and
 * 0b in %i. */
#define FAMILY(std) \
	int std##_vsscanf(const char *text, const char *format, va_list args); \
	int std##_vfscanf(FILE *file, const char *format, va_list args); \
	int std##_sscanf(const char *text, const char *format, ...); \
	int std##_fscanf(FILE *file, const char *format, ...); \
	int std##_scanf(const char *format, ...);
FAMILY(__isoc99)
FAMILY(__isoc23)
#undef FAMILY

typedef int scan_text_fn(const char *text, const char *format, va_list args);
typedef int scan_file_fn(FILE *file, const char *format, va_list args);

/* The strings that a scan has written; only those that were reached are known to end. */
static void note_strings(const char *format, va_list args, int found, uint64_t site)
{
	int wanted = 0;

	for (const char *at = format; *at; at++)
		if (at[0] == '%' && at[1] == '%')
			at++;
		else if (at[0] == '%' && at[1] != '*')
			wanted++;
	if (found == wanted)
		rt_format_scan(format, args, true, site);
}

static int scan_text(scan_text_fn *real, const char *text, const char *format, va_list args,
		     uint64_t site)
{
	bool is_noted = rt_is_called_by_program(site);
	va_list again;
	int found;

	if (is_noted) {
		rt_plain(text, rt_strlen(text) + 1, false, site);
		rt_format_scan(format, args, false, site);
	}
	va_copy(again, args);
	found = real(text, format, args);
	if (is_noted)
		note_strings(format, again, found, site);
	va_end(again);
	return found;
}

static int scan_file(scan_file_fn *real, FILE *file, const char *format, va_list args,
		     uint64_t site)
{
	bool is_noted = rt_is_called_by_program(site);
	va_list again;
	int found;

	if (is_noted) {
		rt_cancel_point(site);
		rt_format_scan(format, args, false, site);
		rt_file_use(file, EVENT_IO_READ, site);
	}
	va_copy(again, args);
	found = real(file, format, args);
	rt_file_was_read(file, site);
	if (is_noted)
		note_strings(format, again, found, site);
	va_end(again);
	return found;
}

#define FAMILY(std) \
	INTERCEPT(int, std##_vsscanf, (const char *text, const char *format, va_list args)) \
	{ \
		return scan_text(REAL(std##_vsscanf), text, format, args, RT_SITE); \
	} \
	INTERCEPT(int, std##_vfscanf, (FILE *file, const char *format, va_list args)) \
	{ \
		return scan_file(REAL(std##_vfscanf), file, format, args, RT_SITE); \
	} \
	INTERCEPT(int, std##_sscanf, (const char *text, const char *format, ...)) \
	{ \
		va_list args; \
		int found; \
\
		va_start(args, format); \
		found = scan_text(REAL(std##_vsscanf), text, format, args, RT_SITE); \
		va_end(args); \
		return found; \
	} \
	INTERCEPT(int, std##_fscanf, (FILE *file, const char *format, ...)) \
	{ \
		va_list args; \
		int found; \
\
		va_start(args, format); \
		found = scan_file(REAL(std##_vfscanf), file, format, args, RT_SITE); \
		va_end(args); \
		return found; \
	} \
	INTERCEPT(int, std##_scanf, (const char *format, ...)) \
	{ \
		va_list args; \
		int found; \
\
		va_start(args, format); \
		found = scan_file(REAL(std##_vfscanf), rt_standard_file(&stdin, RT_SITE), format, \
				  args, RT_SITE); \
		va_end(args); \
		return found; \
	}

FAMILY(__isoc99)
#if __GLIBC_PREREQ(2, 38)
FAMILY(__isoc23)
#endif

/* ---- asprintf ---- */

static int print_new(char **to, const char *format, va_list args, uint64_t site)
{
	if (rt_is_called_by_program(site)) {
		rt_format_print(format, args, site);
		rt_plain(to, sizeof(*to), true, site);
	}
	return REAL(vasprintf)(to, format, args);
}

INTERCEPT(int, vasprintf, (char **restrict to, const char *restrict format, va_list args))
{
	return print_new(to, format, args, RT_SITE);
}

INTERCEPT(int, asprintf, (char **restrict to, const char *restrict format, ...))
{
	va_list args;
	int len;

	va_start(args, format);
	len = print_new(to, format, args, RT_SITE);
	va_end(args);
	return len;
}

/* ---- lines ---- */

static ssize_t read_line(char **line, size_t *room, int end, FILE *file, uint64_t site)
{
	bool is_noted = rt_is_called_by_program(site);
	ssize_t len;

	if (is_noted) {
		rt_cancel_point(site);
		rt_plain(line, sizeof(*line), true, site);
		rt_plain(room, sizeof(*room), true, site);
		if (*line && *room)
			rt_plain(*line, 1, true, site);
		rt_file_use(file, EVENT_IO_READ, site);
	}
	len = REAL(getdelim)(line, room, end, file);
	rt_file_was_read(file, site);
	if (is_noted && len >= 0)
		rt_plain(*line, (size_t)len + 1, true, site);
	return len;
}

INTERCEPT(ssize_t, getdelim,
	  (char **restrict line, size_t *restrict room, int end, FILE *restrict file))
{
	return read_line(line, room, end, file, RT_SITE);
}

INTERCEPT(ssize_t, getline, (char **restrict line, size_t *restrict room, FILE *restrict file))
{
	return read_line(line, room, '\n', file, RT_SITE);
}

INTERCEPT(ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *file))
{
	return read_line(line, room, end, file, RT_SITE);
}
