/* mem.h: the one place that calls malloc.
 *
 * mem_alloc and friends never return NULL: running out of memory for our own
 * bookkeeping ends the tool with one line and exit status 4 through the handler
 * that cli/ installs. A VM's region and a trace are limited on purpose,
 * each by its owner, long before.
 *
 * Tests make the n-th allocation fail with mem_fail_at(); the handler then runs.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t size);                       /* contents undefined */
void *mem_zalloc(size_t size);                      /* contents zero */
void *mem_realloc(void *old, size_t size);
void *mem_dup(const void *bytes, size_t size);
char *mem_strdup(const char *text);
void mem_free(void *block);                         /* NULL is fine */

/* From now on an allocation calls the handler, which must not return, if it would bring the bytes
 * in use to more than `bytes` above their present number. The Erlang machine limits its native
 * functions by this. 0: no limit. */
void mem_set_limit(size_t bytes, void (*handler)(void));
/* The bytes that were allocated since there is a limit, and not freed; 0 without a limit. */
size_t mem_used_of_limit(void);

/* For signal handlers that leave by longjmp: is malloc at work, so that they must not? */
bool mem_is_busy(void);

/* Called when the system has no more memory; must not return. */
void mem_set_oom_handler(void (*handler)(void));

/* The n-th allocation from now (1 = the next) fails; 0 switches that off. */
void mem_fail_at(uint64_t n);

#endif
