#include "base/mem.h"

#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

static void (*oom_handler)(void);
static uint64_t fail_countdown;
static size_t in_use, in_use_before, limit; /* bytes */
static void (*limit_handler)(void);
static volatile sig_atomic_t is_busy;

void mem_set_oom_handler(void (*handler)(void))
{
	oom_handler = handler;
}

void mem_fail_at(uint64_t n)
{
	fail_countdown = n;
}

static bool must_fail(void)
{
	return fail_countdown && --fail_countdown == 0;
}

void mem_set_limit(size_t bytes, void (*handler)(void))
{
	limit = bytes ? in_use + bytes : 0;
	in_use_before = in_use;
	limit_handler = handler;
}

bool mem_is_busy(void)
{
	return is_busy;
}

/* May this many bytes be allocated, in place of `old`? */
size_t mem_used_of_limit(void)
{
	return limit && in_use > in_use_before ? in_use - in_use_before : 0;
}

static void check_limit(size_t size, size_t old)
{
	if (limit && size > old && size - old > (in_use < limit ? limit - in_use : 0))
		limit_handler();
}

static void *check(void *block)
{
	if (!block) {
		if (oom_handler)
			oom_handler();
		BUG_ON(1, "out of memory");
	}
	in_use += malloc_usable_size(block);
	is_busy = 0;
	return block;
}

void *mem_alloc(size_t size)
{
	check_limit(size, 0);
	is_busy = 1;
	return check(must_fail() ? NULL : malloc(size ? size : 1));
}

void *mem_zalloc(size_t size)
{
	check_limit(size, 0);
	is_busy = 1;
	return check(must_fail() ? NULL : calloc(1, size ? size : 1));
}

void *mem_realloc(void *old, size_t size)
{
	size_t old_size = malloc_usable_size(old);

	check_limit(size, old_size);
	is_busy = 1;
	in_use -= old_size < in_use ? old_size : in_use;
	return check(must_fail() ? NULL : realloc(old, size ? size : 1));
}

void *mem_dup(const void *bytes, size_t size)
{
	void *copy = mem_alloc(size);

	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

char *mem_strdup(const char *text)
{
	return mem_dup(text, strlen(text) + 1);
}

void mem_free(void *block)
{
	size_t size;

	if (!block)
		return;
	size = malloc_usable_size(block);
	is_busy = 1;
	in_use -= size < in_use ? size : in_use;
	free(block);
	is_busy = 0;
}
