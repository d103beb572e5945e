/* thrown.c: exceptions of C++ that are not caught.
 *
 * The library calls the function what() of such an exception, which is code of the program and may
 * do anything. So what() is called once before, and its actions are observed: a what() that calls
 * abort(), or that throws, comes here a second time. A text that cannot be read is not given to the
 * library, which would crash in it. */
#include "runtime/calls/thrown.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "runtime/intercept.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

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

/* The state of what() of the exception that ends the program. */
enum what_state { WHAT_UNKNOWN, WHAT_CALLED, WHAT_KNOWN };

enum { WHAT_MAX = 512 };

/* The object, if it is an std::exception; else NULL. */
static void *exception_of(const struct type_info *type)
{
	typedef bool do_catch(const struct type_info *catching, const struct type_info *thrown,
			      void **object, unsigned outer);
	const struct type_info *base = &_ZTISt9exception;
	void *object = NULL;

	if (!base || !_ZSt17current_exceptionv)
		return NULL;
	_ZSt17current_exceptionv(&object);
	if (!object || !((do_catch *)base->functions[TYPE_DO_CATCH])(base, type, &object, 1))
		return NULL;
	return object;
}

/* Copies a text that may lie anywhere, or nowhere: the kernel reads it. False if it cannot. */
static bool copy_text(char *to, size_t room, const char *from)
{
	size_t len = 0;

	for (; len + 1 < room; len++) {
		struct iovec here = {to + len, 1}, there = {(void *)(from + len), 1};

		if (rt_syscall6(SYS_process_vm_readv, rt_syscall(SYS_getpid, 0, 0, 0), (long)&here, 1,
				(long)&there, 1, 0) != 1)
			return false;
		if (!to[len])
			return true;
	}
	to[len] = '\0';
	return true;
}

/* Appends ": TEXT", or what is wrong with the text. False if the library must not see the text. */
static bool add_what(char *message, size_t room, const struct type_info *type)
{
	typedef const char *what(void *);
	size_t len = rt_strlen(message);
	struct rt_actor *self = rt_self();
	void *object = exception_of(type);
	char text[WHAT_MAX];
	const char *at;

	if (!object)
		return true;
	self->what = WHAT_CALLED;
	at = ((what *)(*(void ***)object)[EXCEPTION_WHAT])(object);
	self->what = WHAT_KNOWN;
	if (at && copy_text(text, sizeof(text), at)) {
		rt_print(message + len, room - len, ": %s", text);
		return true;
	}
	rt_print(message + len, room - len, at ? "; its what() returns a pointer that cannot be read"
					       : "; its what() returns NULL");
	return false;
}

/* False if the library must not go on. */
static bool describe(char *message, size_t room)
{
	const struct type_info *type =
		__cxa_current_exception_type ? __cxa_current_exception_type() : NULL;
	bool is_nested = rt_self()->what == WHAT_CALLED;
	const char *name;
	char *readable;

	if (!type) {
		rt_print(message, room,
			 rt_self()->called_pure
				 ? "a pure virtual function was called: the object has been "
				   "destroyed, or its constructor or destructor is running"
			 : rt_self()->is_terminated
				 ? "std::terminate() was called without an exception"
				 : "abort() was called");
		return true;
	}
	name = type->name;
	readable = __cxa_demangle ? __cxa_demangle(name + (*name == '*'), NULL, NULL, NULL) : NULL;
	rt_print(message, room, "uncaught exception of type %s%s", readable ? readable : name,
		 is_nested ? "; the what() of an exception ended the program" : "");
	return !is_nested && add_what(message, room, type);
}

/* The unwinder of C++, if the program has it: libraries keep no chain of frame pointers. */
struct unwinding;
int _Unwind_Backtrace(int (*visit)(struct unwinding *, void *), void *ctx) __attribute__((weak));
uint64_t _Unwind_GetIP(struct unwinding *) __attribute__((weak));
uint64_t _Unwind_GetRegionStart(struct unwinding *) __attribute__((weak));
void __cxa_throw(void *, void *, void (*)(void *)) __attribute__((weak));
void __cxa_rethrow(void) __attribute__((weak));
void _ZSt9terminatev(void) __attribute__((weak));
void __cxa_pure_virtual(void) __attribute__((weak)); /* calls std::terminate() */

/* Keeps the frames behind the last one that throws or ends the program: those of the program. */
static int visit_frame(struct unwinding *frame, void *ctx)
{
	struct rt_actor *actor = ctx;
	uint64_t function = _Unwind_GetRegionStart(frame);

	if (function && function == (uint64_t)&_ZSt9terminatev)
		actor->is_terminated = true;
	if (function && function == (uint64_t)&__cxa_pure_virtual)
		actor->called_pure = true;
	if (function &&
	    (function == (uint64_t)&__cxa_throw || function == (uint64_t)&__cxa_rethrow ||
	     function == (uint64_t)&_ZSt9terminatev || function == (uint64_t)&__cxa_pure_virtual))
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
	self->is_terminated = self->called_pure = false;
	if (_Unwind_Backtrace && _Unwind_GetIP && _Unwind_GetRegionStart && _ZSt9terminatev)
		_Unwind_Backtrace(visit_frame, self);
	for (uint32_t i = 0; i < self->thrown_len; i++)
		if (self->thrown[i] == site) /* the program called abort() itself */
			self->thrown_len = 0;
	return self->thrown_len ? self->thrown[0] : site;
}

_Noreturn void rt_thrown_end(uint64_t site)
{
	char message[sizeof(RT->channel->message)];
	uint64_t place = find_thrower(site);

	describe(message, sizeof(message));
	rt_end_run(EVENT_ABORT, SIGABRT, 0, place, message);
}

/* __gnu_cxx::__verbose_terminate_handler(), which prints the text of what() and calls abort(). */
void _ZN9__gnu_cxx27__verbose_terminate_handlerEv(void);

/* Not in static programs: the linker would not find the real function behind this one. That of a
 * libstdc++ which only is linked statically (-static-libstdc++) is not there either. */
INTERCEPT_OPTIONAL(void, _ZN9__gnu_cxx27__verbose_terminate_handlerEv, (void))
{
	static const char text[] = "terminate called\n";
	void (*real)(void) = REAL(_ZN9__gnu_cxx27__verbose_terminate_handlerEv);
	char message[sizeof(RT->channel->message)];
	uint64_t place;

	if (rt_active()) {
		place = find_thrower(RT_SITE);
		if (!describe(message, sizeof(message)))
			rt_end_run(EVENT_ABORT, SIGABRT, 0, place, message);
	}
	if (real)
		real();
	rt_syscall(SYS_write, 2, text, sizeof(text) - 1);
	abort();
}
