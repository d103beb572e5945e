/* exception.c: exceptions of C++ that several threads hold.
 *
 * The library counts the uses of an exception, in code without hooks: one for each std::exception_ptr and one for
 * each handler that runs. The thread that gives back the last use runs the destructor of the
 * exception, and comes behind all the others. So giving back a use is a step here, and the
 * library's function is called behind the step. Taking one more use is not a step: the thread that
 * takes it has a use already, so no other thread's use is the last one meanwhile.
 *
 * A handler's use is a step only if other threads have, or had, a use; exceptions that never leave
 * their thread cost nothing. */
#include "runtime/calls/sync.h"

#include "runtime/intercept.h"
#include "runtime/memory.h"

/* __cxa_exception of libstdc++, and __cxa_dependent_exception, which stands for another one that is thrown again. */
struct thrown {
	void *primary; /* of a dependent one: the object that was thrown first */
	void *unused[4];
	int handlers;  /* that run; negative: thrown again by the handler */
	int more_unused;
	void *rest[4];
	_Alignas(16) uint64_t class; /* "GNUCC++" and 0, or 1 for a dependent one */
	uint64_t rest_of_header[3];
};

enum { BEHIND_COUNT = 16, COUNT_BEFORE_OBJECT = BEHIND_COUNT + sizeof(struct thrown) };

_Static_assert(COUNT_BEFORE_OBJECT == 128, "the layout of libstdc++ on this machine");

static const uint64_t class_dependent = 0x474e5543432b2b01;

#define RELEASE _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv

void RELEASE(void **pointer);
void __cxa_end_catch(void);
struct thrown **__cxa_get_globals(void) __attribute__((weak));

/* These expand the short name above before INTERCEPT_OPTIONAL and REAL make others of it. */
#define INTERCEPT_BY(ret, name, params) INTERCEPT_OPTIONAL(ret, name, params)
#define REAL_BY(name) REAL(name)

static int *count_of(void *object)
{
	return (int *)((char *)object - COUNT_BEFORE_OBJECT);
}

static bool was_given_back(const int *count)
{
	for (uint32_t i = 0; i < RT->exceptions.len; i++)
		if (RT->exceptions.counts[i] == count)
			return true;
	return false;
}

static void note_given_back(const int *count)
{
	if (was_given_back(count))
		return;
	if (RT->exceptions.len == RT_MAX_EXCEPTIONS)
		rt_warn_uncontrolled("more exceptions in std::exception_ptr than can be followed");
	else
		RT->exceptions.counts[RT->exceptions.len++] = count;
}

static void give_back(int *count, uint64_t site)
{
	struct event event = rt_event(EVENT_RMW, site);

	event.memory_order = MEMORY_ORDER_ACQ_REL;
	rt_mem_access(&event, (const char *)count, sizeof(*count), ACCESS_WRITE);
	rt_step(&event, NULL, NULL);
	note_given_back(count);
}

INTERCEPT_BY(void, RELEASE, (void **pointer))
{
	if (rt_active_quietly())
		rt_self()->frees_at = 0; /* the call that threw did not come to its end */
	if (rt_running() && *pointer)
		give_back(count_of(*pointer), RT_SITE);
	REAL_BY(RELEASE)(pointer);
}

/* The uses of the exception whose last handler is about to end, if others may have some; else NULL. */
static int *count_of_caught(void)
{
	struct thrown *caught = __cxa_get_globals ? *__cxa_get_globals() : NULL;
	int *count;

	if (!caught || (caught->class | 1) != class_dependent || caught->handlers != 1)
		return NULL;
	if (caught->class == class_dependent)
		return count_of(caught->primary);
	count = (int *)((char *)caught - BEHIND_COUNT);
	return *count > 1 || was_given_back(count) ? count : NULL;
}

INTERCEPT_OPTIONAL(void, __cxa_end_catch, (void))
{
	int *count = rt_running() ? count_of_caught() : NULL;

	if (rt_active_quietly())
		rt_self()->frees_at = 0;
	if (count)
		give_back(count, RT_SITE);
	REAL(__cxa_end_catch)();
}
