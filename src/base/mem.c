#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

static void (*oom_handler)(void);
static uint64_t fail_countdown;

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

static void *check(void *block)
{
	if (!block) {
		if (oom_handler)
			oom_handler();
		BUG_ON(1, "out of memory");
	}
	return block;
}

void *mem_alloc(size_t size)
{
	return check(must_fail() ? NULL : malloc(size ? size : 1));
}

void *mem_zalloc(size_t size)
{
	return check(must_fail() ? NULL : calloc(1, size ? size : 1));
}

void *mem_realloc(void *old, size_t size)
{
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
	free(block);
}
