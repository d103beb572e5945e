/* intercept.h: taking the place of functions of libc, and still reaching them.
 *
 *     INTERCEPT(int, pthread_mutex_lock, (pthread_mutex_t *mutex))
 *     {
 *             if (!rt_active())
 *                     return REAL(pthread_mutex_lock)(mutex);
 *             … the model …
 *     }
 *
 * Two flavours of the same source. Dynamic (also the one that is preloaded): the
 * function is defined under its own name, which the dynamic linker finds before
 * libc's; the real one is looked up behind us and kept in a table. Static
 * (-DRT_STATIC=1): the function is called __wrap_NAME, the linker gets --wrap=NAME
 * and calls the real one __real_NAME.
 *
 * To add a call: one line in intercept.def and one INTERCEPT in the file of its
 * family. The list of --wrap options and of exported names is made from the table.
 * A name that this libc does not have resolves to NULL in the dynamic flavour; use
 * INTERCEPT_OPTIONAL for names that an older static libc may lack.
 *
 * Libraries' constructors run before ours and may call anything: REAL() fills the
 * table when it is used too early. The lookup itself may allocate; heap.c copes.
 */
#ifndef RUNTIME_INTERCEPT_H
#define RUNTIME_INTERCEPT_H

#include <errno.h>
#include <features.h>
#include <stdbool.h>

/* Fills the table of real functions; harmless when called again. */
void rt_intercept_init(void);

#ifndef RT_STATIC
#error "this file is not the same in all flavours: runtime_apart in meson.build"
#endif

/* For large variables that runs hardly ever write. They lie behind the others, which then share a page: each page
 * that a run writes is put back before the next one. */
#define RT_RARELY __attribute__((section(".bss.rt_rarely")))

#if RT_STATIC

#define INTERCEPT(ret, name, params) \
	ret __wrap_##name params; \
	ret __wrap_##name params
#define INTERCEPT_OPTIONAL(ret, name, params) \
	ret __real_##name params __attribute__((weak)); \
	INTERCEPT(ret, name, params)
#define REAL(name) (__extension__({ extern __typeof__(name) __real_##name; &__real_##name; }))

#else

/* Weak, so that a program may define a function of that name itself. In parentheses, because
 * since C23 libc has macros with parameters of some names (memchr, strchr). */
#define INTERCEPT(ret, name, params) \
	__attribute__((visibility("default"), weak)) ret(name) params; \
	ret(name) params
#define INTERCEPT_OPTIONAL(ret, name, params) INTERCEPT(ret, name, params)
#define REAL(name) ((__typeof__(&name))rt_real_of(&rt_real.name))

struct rt_real {
	bool ready, filling;
	void *call_tls_dtors; /* private to glibc: runs destructors of thread_local variables */
#define INTERCEPTED(name, family) void *name;
#include "runtime/intercept.def"
#undef INTERCEPTED
};

/* Written once, before the program can have two threads. */
extern struct rt_real rt_real;

static inline void *rt_real_of(void *const *slot)
{
	if (__builtin_expect(!rt_real.ready, 0))
		rt_intercept_init();
	return *slot;
}

#endif

/* For a function that reports an error by errno. */
static inline int rt_fail(int error)
{
	errno = error;
	return -1;
}

#endif
