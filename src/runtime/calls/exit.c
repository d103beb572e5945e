/* exit.c: the end of the program.
 *
 * Exit handlers are the program's code and run while its other threads still do. So exit() is
 * two steps: ONCE, with which a thread begins to leave (the first to do so gives the status,
 * later ones wait for the end like everybody else), and EXIT after the handlers. libc runs the
 * handlers: a function that it calls after all of them, a destructor of the lowest priority,
 * takes the EXIT step and never returns. A return from main goes the same way, for which the
 * program's main is called by ours: since glibc 2.41 the first thread to leave holds a lock of
 * libc's, which a second thread must not come to. The status comes from on_exit; that handler
 * is the first registered and so the last to run before the destructors, and where there are only
 * ours the step is taken there: the loader's way to them writes six pages that each restore would
 * have to put back. The state kept here is the program's: it goes back with it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/calls/sync.h"
#include "runtime/history.h"
#include "runtime/intercept.h"
#include "runtime/origin.h"

typedef int main_function(int argc, char **argv, char **environment);

static struct {
	main_function *main;
	int status;
	uint64_t site;
	bool begun;
} leaving; /* reports show this name */

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
	if (rt_active() && has_no_destructors())
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
	did = rt_step(&event, rt_history_tries(&event) ? NULL : can_leave, NULL);
	rt_history_found(did, leaving.begun ? RT_ONCE_RUNNING : RT_ONCE_FRESH);
	if (leaving.begun)
		rt_history_stay(&event, did);
	leaving.begun = true;
	leaving.status = status;
	leaving.site = site;
}

#ifdef RT_STATIC

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

static void leave_main(int status)
{
	if (rt_running() && has_other_threads())
		begin_to_leave(status, 0);
	leaving.begun = true;
}

#endif

static int run_main(int argc, char **argv, char **environment)
{
	int status = leaving.main(argc, argv, environment);

	leave_main(status);
	return status;
}

/* ---- assertions and aborts ---- */

/* Of the C++ runtime library, if the program has it. */
struct type_info {
	void *const *functions;
	const char *name;
};
const struct type_info *__cxa_current_exception_type(void) __attribute__((weak));
void _ZSt17current_exceptionv(void **result) __attribute__((weak)); /* std::current_exception */
char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));
extern const struct type_info _ZTISt9exception __attribute__((weak));

/* Where the C++ ABI has the virtual functions we call. */
enum { TYPE_DO_CATCH = 4, EXCEPTION_WHAT = 2 };

/* The text of what(), if it is an std::exception; else NULL. */
static const char *what_of(const struct type_info *type)
{
	typedef bool do_catch(const struct type_info *catching, const struct type_info *thrown,
			      void **object, unsigned outer);
	typedef const char *what(void *);
	const struct type_info *base = &_ZTISt9exception;
	void *object = NULL;

	if (!base || !_ZSt17current_exceptionv)
		return NULL;
	_ZSt17current_exceptionv(&object);
	if (!object || !((do_catch *)base->functions[TYPE_DO_CATCH])(base, type, &object, 1))
		return NULL;
	return ((what *)(*(void ***)object)[EXCEPTION_WHAT])(object);
}

static void describe_abort(char *message, size_t room)
{
	const struct type_info *type =
		__cxa_current_exception_type ? __cxa_current_exception_type() : NULL;
	const char *name, *what;
	char *readable;

	if (!type) {
		rt_print(message, room, "abort() was called");
		return;
	}
	name = type->name;
	readable = __cxa_demangle ? __cxa_demangle(name + (*name == '*'), NULL, NULL, NULL) : NULL;
	what = what_of(type);
	rt_print(message, room, "uncaught exception of type %s%s%s", readable ? readable : name,
		 what ? ": " : "", what ? what : "");
}

/* The unwinder of C++, if the program has it: libraries keep no chain of frame pointers. */
struct unwinding;
int _Unwind_Backtrace(int (*visit)(struct unwinding *, void *), void *ctx) __attribute__((weak));
uint64_t _Unwind_GetIP(struct unwinding *) __attribute__((weak));
uint64_t _Unwind_GetRegionStart(struct unwinding *) __attribute__((weak));
void __cxa_throw(void *, void *, void (*)(void *)) __attribute__((weak));
void __cxa_rethrow(void) __attribute__((weak));
void _ZSt9terminatev(void) __attribute__((weak));

/* Keeps the frames behind the last one that throws or ends the program: those of the program. */
static int visit_frame(struct unwinding *frame, void *ctx)
{
	struct rt_actor *actor = ctx;
	uint64_t function = _Unwind_GetRegionStart(frame);

	if (function && (function == (uint64_t)&__cxa_throw || function == (uint64_t)&__cxa_rethrow ||
			 function == (uint64_t)&_ZSt9terminatev))
		actor->thrown_len = 0;
	else if (actor->thrown_len < CHANNEL_FRAMES)
		actor->thrown[actor->thrown_len++] = _Unwind_GetIP(frame);
	return 0;
}

/* The place in the program that led to abort(), which the library called at `site`. */
static uint64_t find_thrower(uint64_t site)
{
	struct rt_actor *self = rt_self();

	self->thrown_len = 0;
	if (_Unwind_Backtrace && _Unwind_GetIP && _Unwind_GetRegionStart && _ZSt9terminatev)
		_Unwind_Backtrace(visit_frame, self);
	for (uint32_t i = 0; i < self->thrown_len; i++)
		if (self->thrown[i] == site) /* the program called abort() itself */
			self->thrown_len = 0;
	return self->thrown_len ? self->thrown[0] : site;
}

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
	char message[sizeof(RT->channel->message)];

	if (!rt_active())
		REAL(abort)();
	describe_abort(message, sizeof(message));
	rt_end_run(EVENT_ABORT, SIGABRT, 0, find_thrower(RT_SITE), message);
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
