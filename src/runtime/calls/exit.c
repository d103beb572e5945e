/* exit.c: the end of the program.
 *
 * Exit handlers are the program's code and run while its other threads still do. So exit() is two
 * steps: ONCE, with which a thread begins to leave, and EXIT after the handlers. The first thread
 * that begins to leave gives the status; later ones wait for the end like all other threads. The
 * handlers are run by libc: a function that it calls after all of them, a destructor of the
 * lowest priority, takes the EXIT step and never returns. A return from main goes the same way,
 * for which the program's main is called by ours: since glibc 2.41 the first thread to leave
 * holds a lock of libc's, which a second thread must not come to. The status comes from on_exit.
 * That handler is registered first, so it is the last to run before the destructors. Where the
 * only destructors are ours, the step is taken in that handler, because the loader's way to the
 * destructors writes six pages that each restore would have to put back. The state kept here is
 * the program's: it goes back with it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/calls/sync.h"
#include "runtime/calls/thrown.h"
#include "runtime/history.h"
#include "runtime/intercept.h"
#include "runtime/memory.h"
#include "runtime/origin.h"

typedef int main_function(int argc, char **argv, char **environment);

static struct {
	main_function *main;
	int status;
	uint64_t site;
	bool begun;
} leaving;

static _Noreturn void take_exit_step(void)
{
	rt_end_run(EVENT_EXIT, leaving.status, 0, leaving.site, NULL);
}

static void end_quickly(void)
{
	if (rt_active())
		take_exit_step();
}

__attribute__((destructor(101))) static void end_program(void)
{
	if (rt_active())
		take_exit_step();
}

/* The program's destructors; absent where we are not part of its file. */
typedef void destructor(void);
extern destructor *const __fini_array_start[] __attribute__((weak, visibility("hidden")));
extern destructor *const __fini_array_end[] __attribute__((weak, visibility("hidden")));

/* Is there none but ours and the compiler's own, which has nothing to do at the end? */
static bool has_no_destructors(void)
{
	uintptr_t bytes = (uintptr_t)__fini_array_end - (uintptr_t)__fini_array_start;

	return !RT->libraries_end && bytes == 2 * sizeof(destructor *) &&
	       __fini_array_start[0] == end_program;
}

static void note_status(int status, void *nothing)
{
	leaving.status = status;
	if (rt_active_quietly() && has_no_destructors())
		take_exit_step();
}

/* Called by instrumented code before any constructor of the program's. */
void rt_hook_exit(void)
{
	static bool hooked;

	if (!hooked)
		on_exit(note_status, NULL);
	hooked = true;
}

__attribute__((constructor(102))) static void hook_exits(void)
{
	if (!rt_active())
		return;
	rt_hook_exit();
	at_quick_exit(end_quickly);
}

static bool can_leave(struct rt_actor *actor, void *thing)
{
	return !leaving.begun;
}

static void begin_to_leave(int status, uint64_t site)
{
	struct event event = rt_event(EVENT_ONCE, site);
	struct event *did;

	rt_access(&event, OBJECT_ONCE, &leaving, ACCESS_ACQUIRE);
	RT->channel->exits = event.accesses[0].object;
	did = rt_step(&event, rt_history_tries(&event) ? NULL : can_leave, NULL);
	rt_history_found(did, leaving.begun ? RT_ONCE_RUNNING : RT_ONCE_FRESH);
	if (leaving.begun)
		rt_history_stay(&event, did);
	leaving.begun = true;
	leaving.status = status;
	leaving.site = site;
}

#if RT_STATIC

static void leave_main(int status)
{
	/* The exit() that a static libc calls after main is ours. */
}

#else

/* Threads that may call exit() as well. One that was not joined counts even if it has ended: main
 * cannot see that without a step that depends on it. */
static bool has_other_threads(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (i != RT->current && !actor->act && actor->state != RT_FREE && !actor->joined)
			return true;
	}
	return false;
}

/* Quietly: no state is kept behind the step that begins to leave (stem.c). */
static void leave_main(int status)
{
	if (rt_running_quietly() && has_other_threads())
		begin_to_leave(status, 0);
	leaving.begun = true;
}

#endif

static int run_main(int argc, char **argv, char **environment)
{
	int status = leaving.main(argc, argv, environment);

	if (rt_running_quietly())
		rt_mem_end_frames_below(rt_self(), __builtin_frame_address(0), rt_self()->announced.site);
	leave_main(status);
	return status;
}

/* ---- assertions and aborts ---- */

static _Noreturn void fail_assertion(const char *assertion, const char *file, unsigned line,
				     const char *function, uint64_t site)
{
	char message[sizeof(RT->channel->message)];

	rt_print(message, sizeof(message), "%s:%u: %s%sAssertion `%s' failed", file, line,
		 function ? function : "", function ? ": " : "", assertion);
	rt_end_run(EVENT_ABORT, SIGABRT, 0, site, message);
}

/* ---- the intercepted functions ---- */

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*loader_fini)(void), void *stack_end);

INTERCEPT(int, __libc_start_main,
	  (main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
	   void (*loader_fini)(void), void *stack_end))
{
	leaving.main = main;
	return REAL(__libc_start_main)(run_main, argc, argv, init, fini, loader_fini, stack_end);
}

INTERCEPT(_Noreturn void, exit, (int status))
{
	bool is_program = rt_active() && rt_origin_of(RT_SITE) == RT_OF_PROGRAM;

	if (rt_active()) /* a static libc calls it after main: that is not a place in the program */
		begin_to_leave(status, is_program ? RT_SITE : 0);
	REAL(exit)(status);
	__builtin_unreachable();
}

INTERCEPT(_Noreturn void, quick_exit, (int status))
{
	if (rt_active())
		begin_to_leave(status, RT_SITE);
	REAL(quick_exit)(status);
	__builtin_unreachable();
}

INTERCEPT(_Noreturn void, _exit, (int status))
{
	if (rt_active())
		rt_end_run(EVENT_EXIT, status, 0, RT_SITE, NULL);
	REAL(_exit)(status);
	__builtin_unreachable();
}

INTERCEPT(_Noreturn void, _Exit, (int status))
{
	if (rt_active())
		rt_end_run(EVENT_EXIT, status, 0, RT_SITE, NULL);
	REAL(_Exit)(status);
	__builtin_unreachable();
}

INTERCEPT(_Noreturn void, abort, (void))
{
	if (!rt_active())
		REAL(abort)();
	rt_thrown_end(RT_SITE);
}

void __assert_fail(const char *, const char *, unsigned, const char *);
void __assert(const char *, const char *, int);
void __assert_perror_fail(int, const char *, unsigned, const char *);

INTERCEPT(_Noreturn void, __assert_fail,
	  (const char *assertion, const char *file, unsigned line, const char *function))
{
	if (!rt_active()) {
		REAL(__assert_fail)(assertion, file, line, function);
		__builtin_unreachable();
	}
	fail_assertion(assertion, file, line, function, RT_SITE);
}

INTERCEPT(_Noreturn void, __assert, (const char *assertion, const char *file, int line))
{
	if (!rt_active()) {
		REAL(__assert)(assertion, file, line);
		__builtin_unreachable();
	}
	fail_assertion(assertion, file, (unsigned)line, NULL, RT_SITE);
}

INTERCEPT(_Noreturn void, __assert_perror_fail,
	  (int error, const char *file, unsigned line, const char *function))
{
	if (!rt_active()) {
		REAL(__assert_perror_fail)(error, file, line, function);
		__builtin_unreachable();
	}
	fail_assertion("error code is 0", file, line, function, RT_SITE);
}
