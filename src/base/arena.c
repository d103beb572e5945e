#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(16) char bytes[];
};

enum { FIRST_BLOCK = 4096 };

static void add_block(struct arena *arena, size_t need)
{
	size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
	struct arena_block *block;

	if (size < need)
		size = need;
	block = mem_alloc(sizeof(*block) + size);
	block->next = arena->blocks;
	block->size = size;
	arena->blocks = block;
	arena->used = 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	void *result;

	size = (size + 15) & ~(size_t)15;
	if (!arena->blocks || arena->blocks->size - arena->used < size)
		add_block(arena, size);
	result = arena->blocks->bytes + arena->used;
	arena->used += size;
	return result;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	char *text;
	int len;

	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, args);
	text = arena_alloc(arena, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	va_end(args);
	return text;
}

void arena_reset(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	if (!block)
		return;
	while (block->next) { /* the newest block is the largest: keep that one */
		struct arena_block *older = block->next;
		block->next = older->next;
		mem_free(older);
	}
	arena->used = 0;
}

void arena_release(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *next = block->next;
		mem_free(block);
		block = next;
	}
	arena->blocks = NULL;
	arena->used = 0;
}
