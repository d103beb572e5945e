/* erlang: timers that send messages. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/process/signal.h"
#include "vm/process/timer.h"
#include "vm/terms/big.h"
#include "vm/terms/remote.h"
#include "vm/vm.h"

enum { NS_PER_MS = 1000000 };

/* The longest relative time: in nanoseconds it must fit into an int64. */
#define RELATIVE_MAX_MS ((uint64_t)INT64_MAX / NS_PER_MS)

struct timer_options {
	bool is_absolute;
	bool is_async;
	bool is_silent; /* {info, false} */
};

enum { OPTION_ABS = 1, OPTION_ASYNC = 2, OPTION_INFO = 4 };

static bool read_option(struct timer_options *options, term option, unsigned allowed)
{
	bool value;

	if (!term_is_tuple_of(option, 2))
		return false;
	value = tuple_element(option, 1) == A_true;
	if (!value && tuple_element(option, 1) != A_false)
		return false;
	switch (tuple_element(option, 0)) {
	case A_abs:
		options->is_absolute = value;
		return allowed & OPTION_ABS;
	case A_async:
		options->is_async = value;
		return allowed & OPTION_ASYNC;
	case A_info:
		options->is_silent = !value;
		return allowed & OPTION_INFO;
	default:
		return false;
	}
}

static bool read_options(struct timer_options *options, term list, unsigned allowed)
{
	for (; term_is_cons(list); list = cons_tail(list))
		if (!read_option(options, cons_head(list), allowed))
			return false;
	return list == NIL;
}

/* Absolute times are in milliseconds of erlang:monotonic_time; a time in the past is due now. */
static bool read_deadline(struct process *p, term time, bool is_absolute, uint64_t *deadline_ns)
{
	int64_t ms;

	if (!integer_get_int64(time, &ms) || (!is_absolute && ms < 0))
		return false;
	if (ms > 0 && (uint64_t)ms > RELATIVE_MAX_MS / 2)
		return false;
	*deadline_ns = ms <= 0 ? 0 : (uint64_t)ms * NS_PER_MS;
	if (!is_absolute)
		*deadline_ns += p->vm->now_ns;
	return true;
}

static term start(struct process *p, const term *args, enum timer_kind kind, term option_list)
{
	struct timer_options options = {0};
	uint64_t deadline_ns;

	if (!term_is_pid(args[1]) && !term_is_atom(args[1]))
		return bif_badarg(p);
	if (!read_options(&options, option_list, OPTION_ABS))
		return bif_badarg_cause(p, A_badopt);
	if (!read_deadline(p, args[0], options.is_absolute, &deadline_ns))
		return bif_badarg_cause(p, A_time);
	return timer_start(p, kind, deadline_ns, args[1], args[2]);
}

term bif_erlang_send_after_3(struct process *p, const term *args)
{
	return start(p, args, TIMER_SEND, NIL);
}

term bif_erlang_send_after_4(struct process *p, const term *args)
{
	return start(p, args, TIMER_SEND, args[3]);
}

term bif_erlang_start_timer_3(struct process *p, const term *args)
{
	return start(p, args, TIMER_START, NIL);
}

term bif_erlang_start_timer_4(struct process *p, const term *args)
{
	return start(p, args, TIMER_START, args[3]);
}

/* OTP's own modules only ask whether the timer has fired. */
static void note_time_left(struct process *p)
{
	struct code_place place;

	if (!p->ip || !code_find_place(p->ip, &place) || !code_is_of_library(p->vm, place.module))
		p->vm->relied_on |= RELIED_ON_TIME_LEFT;
}

/* Milliseconds left, rounded up; false when the timer has fired or was cancelled, or the process that
 * it is for has ended. */
static term time_left(struct process *p, const struct timer *timer)
{
	if (!timer || timer_is_void(p->vm, timer))
		return A_false;
	note_time_left(p);
	return heap_unsigned(p, (timer_left(p->vm, timer) + NS_PER_MS - 1) / NS_PER_MS);
}

static term cancel(struct process *p, term ref)
{
	struct timer *timer = timer_find(p->vm, ref);
	term left = time_left(p, timer);

	if (timer)
		timer_free(p->vm, timer);
	return left;
}

/* An asynchronous answer is a message {cancel_timer or read_timer, Ref, Result}. */
static term answer(struct process *p, const struct timer_options *options, term tag, term ref,
		   term result)
{
	if (options->is_async && !options->is_silent)
		signal_message(p, heap_tuple3(p, tag, ref, result), p->pid);
	return options->is_async || options->is_silent ? (term)A_ok : result;
}

term bif_erlang_cancel_timer_1(struct process *p, const term *args)
{
	if (term_is_remote(args[0]) && term_is_any_ref(args[0]))
		return A_false;
	return term_is_ref(args[0]) ? cancel(p, args[0]) : bif_badarg(p);
}

term bif_erlang_cancel_timer_2(struct process *p, const term *args)
{
	struct timer_options options = {0};

	if (!term_is_ref(args[0]) || !read_options(&options, args[1], OPTION_ASYNC | OPTION_INFO))
		return bif_badarg(p);
	return answer(p, &options, A_cancel_timer, args[0], cancel(p, args[0]));
}

term bif_erlang_read_timer_1(struct process *p, const term *args)
{
	if (term_is_remote(args[0]) && term_is_any_ref(args[0]))
		return A_false;
	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	return time_left(p, timer_find(p->vm, args[0]));
}

term bif_erlang_read_timer_2(struct process *p, const term *args)
{
	struct timer_options options = {0};

	if (!term_is_ref(args[0]) || !read_options(&options, args[1], OPTION_ASYNC))
		return bif_badarg(p);
	return answer(p, &options, A_read_timer, args[0],
		      time_left(p, timer_find(p->vm, args[0])));
}
