/* unwind.c: a thread ends before its function returns.
 *
 * As in glibc the stack is unwound by force. On the way the unwinder runs C++
 * destructors and handlers compiled as such. Before each frame it calls the stop
 * function, which jumps into handlers of pthread_cleanup_push in plain C; these come
 * back through __pthread_unwind_next. At the end of the stack the thread is over.
 *
 * A plain C handler is a buffer on the stack, linked through actor->cleanup; its
 * frame is the one whose stack pointer was noted when it was registered. */
#include "runtime/calls/sync.h"

#include <setjmp.h>
#include <stdlib.h>
#include <unwind.h>

#include "runtime/intercept.h"

/* pthread.h hides these where exceptions are on. */
void __pthread_register_cancel(__pthread_unwind_buf_t *buf);
void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf);
void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf);
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf);
_Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buf);

/* How we use the four spare words of a __pthread_unwind_buf_t. */
enum { PAD_PREVIOUS, PAD_STACK, PAD_TYPE };

_Static_assert(sizeof(struct _Unwind_Exception) <= sizeof(((struct rt_actor *)0)->unwinding),
	       "fits");

/* The buffer begins like a jmp_buf, but has no room for the mask that is not saved. */
static _Noreturn void jump_to_handler(__pthread_unwind_buf_t *buf)
{
	void *env = buf;

	__asm__("" : "+r"(env));
	longjmp(env, 1);
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions,
				_Unwind_Exception_Class class,
				struct _Unwind_Exception *exception,
				struct _Unwind_Context *context, void *nothing)
{
	struct rt_actor *self = rt_self();
	__pthread_unwind_buf_t *buf = self->cleanup;
	bool at_end = actions & _UA_END_OF_STACK;

	if (buf && (at_end || _Unwind_GetCFA(context) >= (uint64_t)buf->__pad[PAD_STACK])) {
		self->cleanup = buf->__pad[PAD_PREVIOUS];
		jump_to_handler(buf);
	}
	if (at_end)
		rt_thread_exit(self->result);
	return _URC_NO_REASON;
}

static void refuse_catch(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception)
{
	rt_end_run(EVENT_ABORT, 0, 0, rt_self()->announced.site,
		   "the end of a thread was caught by catch (...) and not rethrown");
}

static _Unwind_Reason_Code look_no_further(struct _Unwind_Context *context, void *nothing)
{
	return _URC_END_OF_STACK;
}

/* The unwinder initialises itself at its first use, through pthread_once: that is not to
 * be a step of the program. In static programs it works only once the constructor of
 * crtbegin, which has no priority, has run; so this one has none either. */
__attribute__((constructor)) static void warm_up(void)
{
	if (rt_active())
		_Unwind_Backtrace(look_no_further, NULL);
}

static _Noreturn void unwind(struct rt_actor *self)
{
	struct _Unwind_Exception *exception = (void *)self->unwinding;

	exception->exception_class = 0;
	exception->exception_cleanup = refuse_catch;
	_Unwind_ForcedUnwind(exception, stop, NULL);
	rt_thread_exit(self->result); /* the stack cannot be unwound: end it all the same */
}

void rt_unwind(void *result)
{
	struct rt_actor *self = rt_self();

	self->result = result;
	self->exiting = true;
	unwind(self);
}

static void push(__pthread_unwind_buf_t *buf, char *stack)
{
	struct rt_actor *self = rt_self();

	buf->__pad[PAD_PREVIOUS] = self->cleanup;
	buf->__pad[PAD_STACK] = stack;
	self->cleanup = buf;
}

static void pop(__pthread_unwind_buf_t *buf)
{
	rt_self()->cleanup = buf->__pad[PAD_PREVIOUS];
}

/* The stack pointer of the caller: above our saved frame pointer and return address. */
#define CALLERS_STACK ((char *)__builtin_frame_address(0) + 16)

INTERCEPT(void, __pthread_register_cancel, (__pthread_unwind_buf_t *buf))
{
	if (!rt_active()) {
		REAL(__pthread_register_cancel)(buf);
		return;
	}
	push(buf, CALLERS_STACK);
}

INTERCEPT(void, __pthread_unregister_cancel, (__pthread_unwind_buf_t *buf))
{
	if (!rt_active()) {
		REAL(__pthread_unregister_cancel)(buf);
		return;
	}
	pop(buf);
}

INTERCEPT(void, __pthread_register_cancel_defer, (__pthread_unwind_buf_t *buf))
{
	if (!rt_active()) {
		REAL(__pthread_register_cancel_defer)(buf);
		return;
	}
	push(buf, CALLERS_STACK);
	buf->__pad[PAD_TYPE] = rt_self()->cancel_async ? buf : NULL;
	rt_self()->cancel_async = false;
}

INTERCEPT(void, __pthread_unregister_cancel_restore, (__pthread_unwind_buf_t *buf))
{
	if (!rt_active()) {
		REAL(__pthread_unregister_cancel_restore)(buf);
		return;
	}
	pop(buf);
	rt_self()->cancel_async = buf->__pad[PAD_TYPE] != NULL;
}

INTERCEPT(_Noreturn void, __pthread_unwind_next, (__pthread_unwind_buf_t *buf))
{
	if (!rt_active())
		REAL(__pthread_unwind_next)(buf);
	unwind(rt_self());
}

INTERCEPT(_Noreturn void, pthread_exit, (void *result))
{
	if (!rt_active())
		REAL(pthread_exit)(result);
	rt_begin();
	rt_unwind(result);
}
