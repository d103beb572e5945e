/* Spawning. */
#include "vm/bifs/bif.h"
#include "vm/bifs/monitor_options.h"
#include "vm/bifs/system_info.h"
#include "vm/code/code.h"
#include "vm/process/heap_limit.h"
#include "vm/process/signal.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

struct spawn_request {
	bool link;
	bool monitor;
	struct monitor_options monitor_options;
	uint8_t priority;
	struct heap_limit heap_limit;
	bool has_heap_limit;
	bool is_off_heap; /* message_queue_data */
	bool reply_wanted[2]; /* on error, on success */
	term reply_tag;
	uint64_t tuned[3]; /* values of tuned_flags, plus one; 0: not given */
};

static const term tuned_flags[3] = {A_min_bin_vheap_size, A_min_heap_size, A_fullsweep_after};

static bool read_spawn_option(term option, struct spawn_request *request)
{
	term name, value;

	if (option == A_link)
		return request->link = true;
	if (option == A_monitor)
		return request->monitor = true;
	if (!term_is_tuple_of(option, 2))
		return false;
	name = tuple_element(option, 0);
	value = tuple_element(option, 1);
	if (name == A_monitor) {
		request->monitor = true;
		return monitor_options_read(value, &request->monitor_options);
	}
	if (name == A_reply) {
		if (value != A_yes && value != A_no && value != A_error_only && value != A_success_only)
			return false;
		request->reply_wanted[0] = value == A_yes || value == A_error_only;
		request->reply_wanted[1] = value == A_yes || value == A_success_only;
		return true;
	}
	if (name == A_reply_tag) {
		request->reply_tag = value;
		return true;
	}
	if (name == A_max_heap_size) {
		request->has_heap_limit = true;
		return heap_limit_read(vm_get(), value, &request->heap_limit);
	}
	if (name == A_message_queue_data) {
		request->is_off_heap = value == A_off_heap;
		return value == A_off_heap || value == A_on_heap;
	}
	if (name == A_priority)
		return process_read_priority(value, &request->priority);
	if (name == A_fullsweep_after || name == A_min_heap_size || name == A_min_bin_vheap_size) {
		if (!term_is_small(value) || small_value(value) < 0)
			return false;
		request->tuned[name == A_min_heap_size ? 1 : name == A_fullsweep_after ? 2 : 0] =
			(uint64_t)small_value(value) + 1;
		return true;
	}
	if (name == A_scheduler)
		return term_is_small(value) && small_value(value) >= 0 &&
		       small_value(value) <= SYSTEM_SCHEDULERS;
	return name == A_async_dist && code_otp_release() >= 26 &&
	       (value == A_true || value == A_false);
}

/* After an option that is wrong the others count all the same: how a request that fails is answered
 * follows from them. */
enum options_verdict { OPTIONS_GOOD, OPTIONS_WRONG, OPTIONS_NO_LIST };

static enum options_verdict read_spawn_options(term options, struct spawn_request *request)
{
	enum options_verdict result = OPTIONS_GOOD;

	for (; term_is_cons(options); options = cons_tail(options))
		if (!read_spawn_option(cons_head(options), request))
			result = OPTIONS_WRONG;
	return options == NIL ? result : OPTIONS_NO_LIST;
}

static bool is_call(term module, term function, term args)
{
	int64_t n = list_length(args);

	return term_is_atom(module) && term_is_atom(function) && n >= 0 && n <= 255;
}

/* The reference of the monitor goes to *ref. NULL: there are too many processes. */
static struct process *start_process(struct process *p, term module, term function, term args,
				     const struct spawn_request *request, term *ref)
{
	struct process *child;

	if (p->vm->processes.len >= process_limit(code_otp_release()))
		return NULL;
	child = vm_spawn(p->vm, p, module, function, args);
	child->heap_limit = request->has_heap_limit ? request->heap_limit : p->vm->heap_limit;
	child->is_off_heap = request->is_off_heap;
	for (unsigned i = 0; i < 3; i++)
		if (request->tuned[i])
			process_tune(child, tuned_flags[i], request->tuned[i] - 1);
	child->priority = request->priority;
	if (request->link) {
		signal_link_child(p, child);
		trace_inherit_by_link(p, child);
		trace_tie(p, child->pid, A_link, A_getting_linked);
	}
	if (request->monitor)
		*ref = signal_monitor_child(p, child, request->monitor_options.tag,
					    request->monitor_options.alias);
	return child;
}

static term spawn(struct process *p, const term *args, const struct spawn_request *request)
{
	term ref = TERM_NONE;
	struct process *child;

	if (!is_call(args[0], args[1], args[2]))
		return bif_badarg(p);
	child = start_process(p, args[0], args[1], args[2], request, &ref);
	if (!child)
		return bif_system_limit(p);
	return request->monitor ? heap_tuple2(p, child->pid, ref) : child->pid;
}

term bif_erlang_spawn_3(struct process *p, const term *args)
{
	struct spawn_request request = {0};

	return spawn(p, args, &request);
}

term bif_erlang_spawn_link_3(struct process *p, const term *args)
{
	struct spawn_request request = {.link = true};

	return spawn(p, args, &request);
}

term bif_erlang_spawn_opt_4(struct process *p, const term *args)
{
	struct spawn_request request = {.monitor_options.tag = A_DOWN};

	if (read_spawn_options(args[3], &request) != OPTIONS_GOOD)
		return bif_badarg(p);
	return spawn(p, args, &request);
}

/* {Tag, Ref, ok | error, Pid | Reason} to the caller itself. */
static void send_spawn_reply(struct process *p, const struct spawn_request *request, term ref,
			     term result, term value)
{
	term *hp = heap_alloc(p, TUPLE_WORDS(4));

	signal_message(p, tuple_build4(&hp, request->reply_tag, ref, result, value), p->pid);
}

/* Module, Function, Args, Options: the form that erlang:spawn_request uses in the end. */
term bif_erts_internal_spawn_request_4(struct process *p, const term *args)
{
	struct spawn_request request = {.monitor_options.tag = A_DOWN, .reply_wanted = {true, true},
					.reply_tag = A_spawn_reply};
	enum options_verdict options = read_spawn_options(args[3], &request);
	term ref = TERM_NONE;
	struct process *child;

	if (!is_call(args[0], args[1], args[2]) || options == OPTIONS_NO_LIST)
		return A_badarg;
	if (options == OPTIONS_WRONG) {
		ref = process_make_ref(p, 0);
		if (request.reply_wanted[0])
			send_spawn_reply(p, &request, ref, A_error, A_badopt);
		return ref;
	}
	child = start_process(p, args[0], args[1], args[2], &request, &ref);
	if (!request.monitor || !child)
		ref = process_make_ref(p, 0);
	if (!child && request.reply_wanted[0])
		send_spawn_reply(p, &request, ref, A_error, A_system_limit);
	if (child && request.reply_wanted[1])
		send_spawn_reply(p, &request, ref, A_ok, child->pid);
	return ref;
}

/* The reply has always been sent already, so it is too late to abandon the request. */
term bif_erlang_spawn_request_abandon_1(struct process *p, const term *args)
{
	return term_is_ref(args[0]) ? (term)A_false : bif_badarg(p);
}
