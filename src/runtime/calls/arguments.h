/* arguments.h: memory that modelled calls read and write for their caller.
 *
 * A call of the C library reads the strings and structures that its arguments point to, and leaves
 * results where they say. The C library has no hooks, so the model records these accesses, as those
 * of the program at the place of the call: another thread that writes a path while open() reads
 * it races with it. Every pointer argument of a modelled call is recorded, or is the object that
 * the call is about; tests/litmus/call_arguments has many of them.
 */
#ifndef RUNTIME_CALLS_ARGUMENTS_H
#define RUNTIME_CALLS_ARGUMENTS_H

#include <stddef.h>
#include <sys/uio.h>

#include "runtime/rt.h"
#include "runtime/rt_sys.h"

/* A null pointer points to no memory. */
static inline void rt_reads(const void *memory, size_t size, uint64_t site)
{
	if (memory)
		rt_plain(memory, size, false, site);
}

static inline void rt_writes(const void *memory, size_t size, uint64_t site)
{
	if (memory)
		rt_plain(memory, size, true, site);
}

static inline void rt_reads_text(const char *text, uint64_t site)
{
	if (text && rt_running())
		rt_plain(text, rt_strlen(text) + 1, false, site);
}

/* Strings up to a null pointer: the arguments of a program, or its environment. */
static inline void rt_reads_texts(char *const *texts, uint64_t site)
{
	size_t len = 0;

	for (; texts && texts[len]; len++)
		rt_reads_text(texts[len], site);
	rt_reads(texts, (len + 1) * sizeof(*texts), site);
}

/* The parts that a vector lists, and the vector itself. */
static inline void rt_touches_parts(const struct iovec *parts, size_t count, bool is_write,
				    uint64_t site)
{
	rt_reads(parts, count * sizeof(*parts), site);
	for (size_t i = 0; parts && i < count; i++)
		rt_plain(parts[i].iov_base, parts[i].iov_len, is_write, site);
}

#endif
