/* arena.h: memory that is given back all at once.
 *
 * One arena per run (reset after each, so the hot path never frees) and one per
 * loaded program. Zero-initialised is empty. arena_reset keeps the largest block
 * for the next round; arena_release gives everything back.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;                /* of the newest block */
};

/* Aligned for any type; contents undefined. Never NULL. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zalloc(struct arena *arena, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void arena_reset(struct arena *arena);
void arena_release(struct arena *arena);

#endif
