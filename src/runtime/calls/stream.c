#include "runtime/calls/stream.h"

#include <stddef.h>

#include "runtime/calls/effects.h"
#include "runtime/origin.h"
#include "runtime/rt.h"

/* Streams that the standard lets threads share. */
#define SHARED_STREAMS(X) \
	X(_ZSt3cin) X(_ZSt4cout) X(_ZSt4cerr) X(_ZSt4clog) \
	X(_ZSt4wcin) X(_ZSt5wcout) X(_ZSt5wcerr) X(_ZSt5wclog)
#define DECLARE(name) extern char name[] __attribute__((weak));
SHARED_STREAMS(DECLARE)
#undef DECLARE

static bool is_shared_stream(const void *stream)
{
#define IS(name) \
	if (stream == (const void *)name) \
		return true;
	SHARED_STREAMS(IS)
#undef IS
	return false;
}

/* The layout of std::ios and std::streambuf is part of the library's interface. A stream reads
 * its flags, sets its width back to zero, and may change its state; a buffer has pointers to the
 * beginning, the place and the end of input and of output. */
enum {
	STREAM_FORMAT = 32,
	STREAM_WIDTH = 16,
	STREAM_FLAGS = 24,
	STREAM_STATE = 32,
	STREAM_TIED = 216,
	STREAM_BUFFER = 232,
	BUFFER_ENDS = 8,
	BUFFER_ENDS_SIZE = 48,
	BUFFER_OUT = 32, /* its beginning, and behind it the place */
	TABLE_START = 16,
	TABLE_OVERFLOW = 13,
};

/* The buffers that hand everything on to a FILE, which has a lock. */
extern const char _ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE[] __attribute__((weak));
extern const char _ZTVN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEEE[] __attribute__((weak));

static bool is_guarded(const char *buffer)
{
	const char *table = *(const char *const *)buffer - TABLE_START;

	return table == _ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE ||
	       table == _ZTVN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEEE;
}

/* Is it the library's own? The accesses of the program's own buffers have hooks. */
static bool is_library_buffer(const char *buffer)
{
	return rt_origin_of((*(const uint64_t *const *)buffer)[TABLE_OVERFLOW]) != RT_OF_PROGRAM;
}

/* After sync_with_stdio(false) or rdbuf(…) the streams that the standard lets threads share have a buffer that
 * nothing guards. */
static void touch_shared_buffer(const char *base, uint64_t site)
{
	const char *buffer = *(const char *const *)(base + STREAM_BUFFER);

	if (buffer && !is_guarded(buffer) && is_library_buffer(buffer))
		rt_plain(buffer + BUFFER_ENDS, BUFFER_ENDS_SIZE, true, site);
}

/* Before a stream is used, the one it is tied to is flushed, as far as there is something to write. */
static void flush_tied(const char *base, uint64_t site)
{
	const char *tied = *(const char *const *)(base + STREAM_TIED);
	const char *const *buffer;

	if (!tied || !is_shared_stream(tied))
		return;
	buffer = *(const char *const *const *)(tied + (*(const ptrdiff_t *const *)tied)[-3] + STREAM_BUFFER);
	if (!buffer || is_guarded((const char *)buffer) || !is_library_buffer((const char *)buffer))
		return;
	rt_plain(&buffer[BUFFER_OUT / 8], 16, buffer[BUFFER_OUT / 8] < buffer[BUFFER_OUT / 8 + 1], site);
}

/* A C++ stream: input and output sides have a virtual base in common, whose place is written
 * before the table of virtual functions. */
void rt_stream_use(const char *stream, uint64_t site)
{
	const ptrdiff_t *table = stream ? *(const ptrdiff_t *const *)stream : NULL;
	const char *base, *buffer;

	if (!table)
		return;
	base = stream + table[-3];
	flush_tied(base, site);
	if (is_shared_stream(stream)) { /* but not the way in which it formats */
		rt_plain(base, STREAM_FORMAT, false, site);
		rt_plain(static_data_of_standard_streams, 1, false, site);
		touch_shared_buffer(base, site);
		return;
	}
	rt_plain(base + STREAM_FLAGS, 4, false, site);
	rt_plain(base + STREAM_WIDTH, 8, true, site);
	rt_plain(base + STREAM_STATE, 4, true, site);
	buffer = *(const char *const *)(base + STREAM_BUFFER);
	if (buffer)
		rt_plain(buffer + BUFFER_ENDS, BUFFER_ENDS_SIZE, true, site);
}

