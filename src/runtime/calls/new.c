/* new.c: operator new and delete of C++. Without these they would come through malloc and
 * free, but then every block would seem to be allocated and freed in libstdc++.
 *
 * The names are those of the C++ ABI: nw new, na new[], dl delete, da delete[]; m takes a
 * size, Pv a pointer, St11align_val_t an alignment, RKSt9nothrow_t does not throw. */
#include <stdlib.h>

#include "runtime/heap.h"
#include "runtime/intercept.h"

/* A static link has the real ones only if something else needs them; without, outside
 * fermata, their work is done here. */
static void *allocate_ourselves(size_t size, size_t align)
{
	void *block = NULL;

	if (!align)
		block = malloc(size ? size : 1);
	else if (posix_memalign(&block, align < sizeof(void *) ? sizeof(void *) : align, size))
		block = NULL;
	if (!block)
		abort();
	return block;
}

/* The real operator is called outside fermata, and when memory has run out: it throws. */
#define NEW(name) \
	void *name(size_t size); \
	INTERCEPT_OPTIONAL(void *, name, (size_t size)) \
	{ \
		void *block = rt_active() ? rt_heap_alloc(size, 0, RT_SITE) : NULL; \
\
		if (block) \
			return block; \
		return REAL(name) ? REAL(name)(size) : allocate_ourselves(size, 0); \
	} \
	void *name##RKSt9nothrow_t(size_t size, const void *nothrow); \
	INTERCEPT_OPTIONAL(void *, name##RKSt9nothrow_t, (size_t size, const void *nothrow)) \
	{ \
		void *block = rt_active() ? rt_heap_alloc(size, 0, RT_SITE) : NULL; \
\
		if (block) \
			return block; \
		return REAL(name##RKSt9nothrow_t) ? REAL(name##RKSt9nothrow_t)(size, nothrow) \
						  : malloc(size ? size : 1); \
	} \
	void *name##St11align_val_t(size_t size, size_t align); \
	INTERCEPT_OPTIONAL(void *, name##St11align_val_t, (size_t size, size_t align)) \
	{ \
		void *block = rt_active() ? rt_heap_alloc(size, align, RT_SITE) : NULL; \
\
		if (block) \
			return block; \
		return REAL(name##St11align_val_t) ? REAL(name##St11align_val_t)(size, align) \
						   : allocate_ourselves(size, align); \
	}

NEW(_Znwm)
NEW(_Znam)

/* The size and the alignment say nothing that the block does not say itself. */
#define DELETE(name, params, args) \
	void name params; \
	INTERCEPT_OPTIONAL(void, name, params) \
	{ \
		if (rt_active() && rt_heap_has(block)) \
			rt_heap_free(block, RT_SITE); \
		else if (REAL(name)) \
			REAL(name) args; \
		else \
			free(block); \
	}

DELETE(_ZdlPv, (void *block), (block))
DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t size), (block, size))
DELETE(_ZdaPvm, (void *block, size_t size), (block, size))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t align), (block, align))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t align), (block, align))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t align), (block, size, align))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t align), (block, size, align))
