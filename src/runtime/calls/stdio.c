/* stdio.c: the locks of FILEs, and the functions that take them for one call.
 *
 * A fiber is never left in the middle of a stdio function, so libc's own locks are
 * always free. Only a FILE locked by flockfile can be held across steps:
 * that is modelled as a recursive lock. Any other use of the FILE is one step that
 * needs the lock to be free: the order of lines printed by different threads is an
 * outcome. Several writes to stdout or stderr in a row, with no other step of the thread in
 * between, are one: no thread can read what is between them.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* of some of these libc's header has inline versions */
#endif
#include <stdarg.h>
#include <stdio.h>

#include "runtime/calls/effects.h"
#include "runtime/calls/format.h"
#include "runtime/calls/io.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/memory.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"

/* ---- the lock of a FILE ---- */

static uint32_t find_lock(const FILE *file)
{
	uint32_t i = 0;

	while (i < RT_MAX_FILES && RT->io.files[i].file != file)
		i++;
	return i;
}

static bool is_held_by_other(const FILE *file, uint32_t self)
{
	uint32_t i = find_lock(file);

	return i < RT_MAX_FILES && RT->io.files[i].owner && RT->io.files[i].owner != self + 1;
}

static bool can_take(struct rt_actor *actor, void *file)
{
	return !is_held_by_other(file, actor->index);
}

/* The entry of the FILE, made if need be. */
static uint32_t entry_of(FILE *file)
{
	uint32_t i = find_lock(file);

	if (i < RT_MAX_FILES)
		return i;
	for (i = 0; i < RT_MAX_FILES && RT->io.files[i].owner; i++)
		;
	if (i == RT_MAX_FILES)
		rt_lost("more than %d FILEs are locked by flockfile", RT_MAX_FILES);
	RT->io.files[i].file = file;
	return i;
}

static bool is_mine(FILE *file)
{
	return RT->io.files[entry_of(file)].owner == rt_self()->index + 1;
}

static void take(FILE *file, uint64_t site)
{
	uint32_t i = entry_of(file);

	RT->io.files[i].owner = rt_self()->index + 1;
	RT->io.files[i].count++;
	if (RT->io.files[i].count == 1)
		rt_held_add(rt_self(), file, ACCESS_ACQUIRE, site);
}

static bool is_standard(const FILE *file)
{
	return file == stdin || file == stdout || file == stderr;
}

/* fflush(NULL) needs the locks of all FILEs. Of the three standard ones that is a step each; which others there
 * are is not known. */
static void note_flush_of_others(uint64_t site)
{
	if (RT->io.flushed_all && RT->io.locked_other)
		rt_note_unknown("fflush(NULL)", site);
}

static void lock_file(FILE *file, uint64_t site)
{
	struct event event = rt_event(EVENT_LOCK, site);

	RT->io.locked_other |= !is_standard(file);
	note_flush_of_others(site);
	if (!is_mine(file)) {
		rt_access(&event, OBJECT_LOCK, file, ACCESS_ACQUIRE);
		rt_step(&event, can_take, file);
	}
	take(file, site);
}

static void unlock_file(FILE *file, uint64_t site)
{
	struct event event = rt_event(EVENT_UNLOCK, site);
	uint32_t i = entry_of(file);

	if (RT->io.files[i].count > 1) {
		RT->io.files[i].count--;
		return;
	}
	rt_access(&event, OBJECT_LOCK, file, ACCESS_RELEASE);
	rt_step(&event, NULL, NULL);
	RT->io.files[i].owner = RT->io.files[i].count = 0;
	rt_held_remove(rt_self(), file);
}

INTERCEPT(void, flockfile, (FILE *file))
{
	if (!rt_active()) {
		REAL(flockfile)(file);
		return;
	}
	lock_file(file, RT_SITE);
}

INTERCEPT(int, ftrylockfile, (FILE *file))
{
	struct event event = rt_event(EVENT_TRYLOCK, RT_SITE);
	struct event *did;

	if (!rt_active())
		return REAL(ftrylockfile)(file);
	if (!is_mine(file)) {
		rt_access(&event, OBJECT_LOCK, file, ACCESS_ACQUIRE);
		did = rt_step(&event, NULL, NULL);
		if (is_held_by_other(file, rt_self()->index)) {
			did->accesses[0].mode = ACCESS_TRY;
			did->flags |= EVENT_FAILED;
			return 1;
		}
	}
	take(file, RT_SITE);
	return 0;
}

INTERCEPT(void, funlockfile, (FILE *file))
{
	if (!rt_active()) {
		REAL(funlockfile)(file);
	} else if (is_mine(file)) {
		unlock_file(file, RT_SITE);
	} else {
		RT_MISUSE(RT_SITE, OBJECT(OBJECT_LOCK, rt_name(file)),
			  "funlockfile of a FILE that the thread has not locked");
	}
}

/* ---- one call that uses a FILE ---- */

/* A FILE that has a descriptor uses its number, and fclose frees it (numbers.h). */
static void note_number(struct event *event, FILE *file)
{
	int fd = is_standard(file) ? -1 : fileno_unlocked(file);

	if (fd < 0)
		return;
	if (event->kind == EVENT_IO_CLOSE) {
		rt_access_object(event, rt_numbers(), ACCESS_WRITE);
		return;
	}
	rt_number_looked(fd);
	if (RT->channel->number_is_event)
		rt_access_object(event, rt_numbers(), ACCESS_READ);
}

/* Others may use the file that the FILE leads to. */
static void note_contents(struct event *event, FILE *file)
{
	int fd = fileno_unlocked(file);

	if (fd >= 0)
		rt_file_way(fd, (uint64_t)file, true, event->kind != EVENT_IO_READ);
	if (fd >= 0 && RT->channel->files_are_event)
		rt_access_object(event, rt_file_contents(), ACCESS_WRITE);
}

/* Before a FILE is used for one call. */
void rt_file_use(void *file, enum event_kind kind, uint64_t site)
{
	bool is_printing = kind == EVENT_IO_WRITE && (file == stdout || file == stderr);
	struct rt_actor *self;
	struct event event;

	if (!rt_running())
		return;
	self = rt_self();
	self->turn.wrote = true;
	if (self->io_file == file && self->io_ordinal == self->ordinal && is_printing &&
	    rt_file_is_apart(file))
		return;
	if (is_mine(file) && kind != EVENT_IO_CLOSE) {
		rt_file_wait(file, kind == EVENT_IO_READ, site);
		return;
	}
	rt_mem_check(file, 1, false, site); /* fclose frees it */
	event = rt_event(kind, site);
	rt_access(&event, OBJECT_LOCK, file, ACCESS_ACQUIRE);
	note_number(&event, file);
	note_contents(&event, file);
	rt_step(&event, can_take, file);
	rt_file_wait(file, kind == EVENT_IO_READ, site);
	if (kind == EVENT_IO_CLOSE)
		rt_number_closes(fileno_unlocked(file));
	self->io_file = file;
	self->io_ordinal = self->ordinal;
	rt_mem_check(file, 1, false, site); /* fclose frees it */
}

FILE *rt_standard_file(FILE **variable, uint64_t site)
{
	if (rt_is_called_by_program(site))
		rt_plain(variable, sizeof(*variable), false, site);
	return *variable;
}

/* Reading and writing are cancellation points, because they may have to ask the kernel; looking at
 * the state of a FILE is not. */
static void use_out(FILE *file, uint64_t site)
{
	rt_cancel_point(site);
	rt_file_use(file, EVENT_IO_WRITE, site);
}

static void use_in(FILE *file, uint64_t site)
{
	rt_cancel_point(site);
	rt_file_use(file, EVENT_IO_READ, site);
}

static int print_to(FILE *file, const char *format, va_list args, uint64_t site)
{
	if (rt_running() && rt_origin_of(site) == RT_OF_PROGRAM)
		rt_format_print(format, args, site);
	use_out(file, site);
	return REAL(vfprintf)(file, format, args);
}

INTERCEPT(int, vfprintf, (FILE *restrict file, const char *restrict format, va_list args))
{
	return print_to(file, format, args, RT_SITE);
}

INTERCEPT(int, vprintf, (const char *restrict format, va_list args))
{
	return print_to(rt_standard_file(&stdout, RT_SITE), format, args, RT_SITE);
}

INTERCEPT(int, fprintf, (FILE *restrict file, const char *restrict format, ...))
{
	va_list args;
	int result;

	va_start(args, format);
	result = print_to(file, format, args, RT_SITE);
	va_end(args);
	return result;
}

INTERCEPT(int, printf, (const char *restrict format, ...))
{
	va_list args;
	int result;

	va_start(args, format);
	result = print_to(rt_standard_file(&stdout, RT_SITE), format, args, RT_SITE);
	va_end(args);
	return result;
}

/* The forms that fortified programs call instead. */
INTERCEPT(int, __fprintf_chk, (FILE *file, int level, const char *format, ...))
{
	va_list args;
	int result;

	va_start(args, format);
	result = print_to(file, format, args, RT_SITE);
	va_end(args);
	return result;
}

INTERCEPT(int, __printf_chk, (int level, const char *format, ...))
{
	va_list args;
	int result;

	va_start(args, format);
	result = print_to(rt_standard_file(&stdout, RT_SITE), format, args, RT_SITE);
	va_end(args);
	return result;
}

INTERCEPT(int, fputs, (const char *restrict text, FILE *restrict file))
{
	if (rt_running())
		rt_plain(text, rt_strlen(text) + 1, false, RT_SITE);
	use_out(file, RT_SITE);
	return REAL(fputs)(text, file);
}

INTERCEPT(int, puts, (const char *text))
{
	if (rt_running())
		rt_plain(text, rt_strlen(text) + 1, false, RT_SITE);
	use_out(rt_standard_file(&stdout, RT_SITE), RT_SITE);
	return REAL(puts)(text);
}

INTERCEPT(int, fputc, (int c, FILE *file))
{
	use_out(file, RT_SITE);
	return REAL(fputc)(c, file);
}

#undef putc
INTERCEPT(int, putc, (int c, FILE *file))
{
	use_out(file, RT_SITE);
	return REAL(fputc)(c, file);
}

INTERCEPT(int, putchar, (int c))
{
	use_out(rt_standard_file(&stdout, RT_SITE), RT_SITE);
	return REAL(fputc)(c, stdout);
}

INTERCEPT(size_t, fwrite,
	  (const void *restrict from, size_t size, size_t count, FILE *restrict file))
{
	if (rt_running())
		rt_plain(from, size * count, false, RT_SITE);
	use_out(file, RT_SITE);
	return REAL(fwrite)(from, size, count, file);
}

INTERCEPT(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict file))
{
	size_t result;

	if (rt_running())
		rt_plain(to, size * count, true, RT_SITE);
	use_in(file, RT_SITE);
	result = REAL(fread)(to, size, count, file);
	rt_file_was_read(file, RT_SITE);
	return result;
}

INTERCEPT(char *, fgets, (char *restrict to, int room, FILE *restrict file))
{
	char *result;

	if (rt_running() && room > 0)
		rt_plain(to, (size_t)room, true, RT_SITE);
	use_in(file, RT_SITE);
	result = REAL(fgets)(to, room, file);
	rt_file_was_read(file, RT_SITE);
	return result;
}

static int get_byte(FILE *file, uint64_t site)
{
	int result;

	use_in(file, site);
	result = REAL(fgetc)(file);
	rt_file_was_read(file, site);
	return result;
}

INTERCEPT(int, fgetc, (FILE *file))
{
	return get_byte(file, RT_SITE);
}

#undef getc
INTERCEPT(int, getc, (FILE *file))
{
	return get_byte(file, RT_SITE);
}

INTERCEPT(int, getchar, (void))
{
	return get_byte(rt_standard_file(&stdin, RT_SITE), RT_SITE);
}

static void use_all(uint64_t site)
{
	rt_cancel_point(site);
	if (!rt_running() || rt_origin_of(site) != RT_OF_PROGRAM)
		return;
	RT->io.flushed_all = true;
	note_flush_of_others(site);
	rt_file_use(rt_standard_file(&stderr, site), EVENT_IO_WRITE, site);
	rt_file_use(rt_standard_file(&stdout, site), EVENT_IO_WRITE, site);
	rt_file_use(rt_standard_file(&stdin, site), EVENT_IO_WRITE, site);
}

INTERCEPT(int, fflush, (FILE *file))
{
	if (!file) {
		use_all(RT_SITE);
		return REAL(fflush)(NULL);
	}
	use_out(file, RT_SITE);
	return REAL(fflush)(file);
}

INTERCEPT(int, fclose, (FILE *file))
{
	rt_cancel_point(RT_SITE);
	if (file)
		rt_file_use(file, EVENT_IO_CLOSE, RT_SITE);
	return REAL(fclose)(file);
}
