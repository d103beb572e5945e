/* erlang: settings of the system, statistics, and virtual time. */
#include <stdio.h>
#include <time.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/census.h"
#include "vm/bifs/system_info.h"
#include "vm/code/code.h"
#include "vm/exec/interp.h"
#include "vm/process/crash_report.h"
#include "vm/process/heap_limit.h"
#include "vm/process/signal.h"
#include "vm/process/suspend.h"
#include "vm/terms/big.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

#define NANO INT64_C(1000000000)
enum { CLOCK_READ_NS = 1000 };

/* Whether it is one of these names, which OTP knows and this machine does not. */
static bool is_one_of(term t, const char *const *names, size_t len)
{
	for (size_t i = 0; i < len && term_is_atom(t); i++)
		if (strcmp(atom_text(t), names[i]) == 0)
			return true;
	return false;
}

static bool is_other_flag(term flag)
{
	static const char *const flags[] = {
		"async_dist", "cpu_topology", "dirty_cpu_schedulers_online", "erts_alloc",
		"fullsweep_after", "max_heap_size", "microstate_accounting", "min_bin_vheap_size",
		"min_heap_size", "outstanding_system_requests_limit",
		"scheduler_bind_type", "scheduler_wall_time",
		"reset_seq_trace", "scheduling_statistics", "sequential_tracer", "time_offset",
		"trace_control_word"};

	return is_one_of(flag, flags, sizeof(flags) / sizeof(*flags));
}

static bool is_other_statistic(term item)
{
	static const char *const items[] = {
		"microstate_accounting", "run_queues", "scheduler_wall_time_all"};

	return is_one_of(item, items, sizeof(items) / sizeof(*items));
}

/* Whether it sets a flag to the value that the flag has anyway. */
static bool keeps_default(term flag, term value)
{
	return (flag == A_min_heap_size && value == small_make(233)) ||
	       (flag == A_min_bin_vheap_size && value == small_make(46422)) ||
	       (flag == A_fullsweep_after && value == small_make(65535));
}

static bool is_requests_limit(term flag)
{
	return term_is_atom(flag) &&
	       strcmp(atom_text(flag), "outstanding_system_requests_limit") == 0;
}

static term set_requests_limit(struct process *p, term value)
{
	term old = small_make(p->vm->requests_limit);

	if (!term_is_small(value) || small_value(value) < 1 || small_value(value) >= 1 << 27)
		return bif_badarg(p);
	p->vm->requests_limit = (uint32_t)small_value(value);
	return old;
}

/* Of processes that are made from now on. */
static term set_heap_limit(struct process *p, term value)
{
	term old = heap_limit_term(p, &p->vm->heap_limit);
	struct heap_limit limit;

	if (!heap_limit_read(p->vm, value, &limit))
		return bif_badarg(p);
	p->vm->heap_limit = limit;
	return old;
}

static term set_control_word(struct process *p, term value)
{
	struct trace_state *t = trace_get(p->vm);
	term old = heap_unsigned(p, t->control_word);

	if (!term_is_small(value) || small_value(value) < 0 || small_value(value) > UINT32_MAX)
		return bif_badarg(p);
	t->control_word = (uint32_t)small_value(value);
	return old;
}

/* The reports of the machine itself go to that process, or to `logger` when it has ended. */
static term set_system_logger(struct process *p, term value)
{
	term old = system_logger(p->vm);

	if (!term_is_pid(value) && value != A_logger && value != A_undefined)
		return bif_badarg(p);
	if (!p->is_system && p->registered_name != A_logger_proxy && p->vm->is_explored)
		return bif_unsupported(p, "erlang:system_flag(system_logger, _) in a search");
	p->vm->system_logger = value;
	return old;
}

term bif_erlang_system_flag_2(struct process *p, const term *args)
{
	if (args[0] == A_backtrace_depth && term_is_small(args[1]) && small_value(args[1]) >= 0) {
		term old = small_make(p->vm->backtrace_depth);

		if (args[1] != old)
			p->vm->relied_on |= RELIED_ON_DEPTH;
		p->vm->backtrace_depth = (uint32_t)small_value(args[1]);
		return old;
	}
	if (is_requests_limit(args[0]) && !p->vm->is_explored)
		return set_requests_limit(p, args[1]);
	if (args[0] == A_schedulers_online && term_is_small(args[1]) && small_value(args[1]) > 0 &&
	    small_value(args[1]) <= SYSTEM_SCHEDULERS)
		return small_make(SYSTEM_SCHEDULERS);
	if (keeps_default(args[0], args[1]))
		return args[1];
	if (args[0] == A_max_heap_size)
		return set_heap_limit(p, args[1]);
	if (args[0] == A_trace_control_word && !p->vm->is_explored)
		return set_control_word(p, args[1]);
	if (args[0] == A_multi_scheduling)
		return schedulers_block(p, args[1]);
	if (args[0] == A_system_logger)
		return set_system_logger(p, args[1]);
	if (is_other_flag(args[0]))
		return bif_unsupported(p, "erlang:system_flag(%s, _)", atom_text(args[0]));
	return bif_badarg(p);
}

/* Milliseconds since the last call, by whichever process. A search would have to know of it. */
static term since_last(struct process *p, bool is_runtime)
{
	uint64_t ms = p->vm->now_ns / 1000000, before = p->vm->statistics_ms[is_runtime];

	if (p->vm->is_explored)
		return small_make(0);
	p->vm->statistics_ms[is_runtime] = ms;
	return small_make((int64_t)(ms - before));
}

/* {Total, SinceLast}, of the processes that are alive. */
static term statistics_reductions(struct process *p)
{
	uint64_t total = (uint64_t)(TURN_CALLS - p->fuel), before = p->vm->statistics_calls;

	for (const struct process *of = p->vm->first_process; of; of = of->all_next)
		total += of->calls;
	if (total < before) /* the calls of processes that have ended */
		total = before;
	p->vm->statistics_calls = total;
	return heap_tuple2(p, heap_unsigned(p, total), heap_unsigned(p, total - before));
}

/* The figures for time, work and memory that a program gets here are not those of the real VM. */
static void note_figures(struct process *p)
{
	p->vm->relied_on |= p->is_system ? 0 : RELIED_ON_FIGURES;
}

/* Other statistics are constants. */
term bif_erlang_statistics_1(struct process *p, const term *args)
{
	term item = args[0], ms = heap_integer(p, (int64_t)(p->vm->now_ns / 1000000));

	note_figures(p);
	if (item == A_wall_clock || item == A_runtime)
		return heap_tuple2(p, ms, since_last(p, item == A_runtime));
	if ((item == A_reductions || item == A_exact_reductions) && !p->vm->is_explored)
		return statistics_reductions(p);
	if (item == A_reductions || item == A_exact_reductions || item == A_context_switches)
		return heap_tuple2(p, small_make(0), small_make(0));
	if (item == A_garbage_collection)
		return heap_tuple3(p, small_make(0), small_make(0), small_make(0));
	if (item == A_io)
		return heap_tuple2(p, heap_tuple2(p, atom_from_string("input"), small_make(0)),
				   heap_tuple2(p, atom_from_string("output"), small_make(0)));
	if (item == A_scheduler_wall_time)
		return A_undefined;
	if (schedulers_statistic(p, item) != TERM_NONE)
		return schedulers_statistic(p, item);
	if (is_other_statistic(item))
		return bif_unsupported(p, "erlang:statistics(%s)", atom_text(item));
	return bif_badarg(p);
}

/* Bytes, as constants: the total is that of the processes and the system. */
static const struct {
	term name;
	int64_t bytes;
} memory_items[] = {
	{A_total, 24 << 20}, {A_processes, 4 << 20}, {A_processes_used, 4 << 20},
	{A_system, 20 << 20}, {A_atom, 1 << 20}, {A_atom_used, 1 << 20}, {A_binary, 1 << 20},
	{A_code, 8 << 20}, {A_ets, 1 << 20},
};

static int64_t memory_of(term name)
{
	for (size_t i = 0; i < sizeof(memory_items) / sizeof(*memory_items); i++)
		if (memory_items[i].name == name)
			return memory_items[i].bytes;
	return 0;
}

term bif_erlang_memory_0(struct process *p, const term *args)
{
	term list = NIL;

	note_figures(p);
	for (size_t i = sizeof(memory_items) / sizeof(*memory_items); i-- > 0;)
		list = heap_cons(p, heap_tuple2(p, memory_items[i].name,
						small_make(memory_items[i].bytes)), list);
	return list;
}

term bif_erlang_memory_1(struct process *p, const term *args)
{
	term list = args[0], result = NIL, *last = &result;

	note_figures(p);
	if (term_is_atom(list))
		return memory_of(list) ? small_make(memory_of(list)) : bif_badarg(p);
	for (; term_is_cons(list) && memory_of(cons_head(list)); list = cons_tail(list)) {
		term bytes = small_make(memory_of(cons_head(list)));

		*last = heap_cons(p, heap_tuple2(p, cons_head(list), bytes), NIL);
		last = cons_ptr(*last) + 1;
	}
	return list == NIL ? result : bif_badarg(p);
}

/* ---- time ---- */

/* Parts per second of a unit, or 0. */
static int64_t unit_parts(term unit)
{
	if (unit == A_second || unit == A_seconds)
		return 1;
	if (unit == A_millisecond || unit == A_milli_seconds)
		return 1000;
	if (unit == A_microsecond || unit == A_micro_seconds)
		return 1000000;
	if (unit == A_nanosecond || unit == A_nano_seconds || unit == A_native ||
	    unit == A_perf_counter)
		return NANO;
	return term_is_small(unit) && small_value(unit) > 0 ? small_value(unit) : 0;
}

static term convert_time(struct process *p, int64_t ns, term unit)
{
	int64_t parts = unit_parts(unit);
	__int128 scaled = (__int128)ns * parts;

	if (!parts)
		return bif_badarg(p);
	if (scaled / NANO == (int64_t)(scaled / NANO))
		return heap_integer(p, (int64_t)(scaled / NANO));
	return integer_div(p, integer_mul(p, heap_integer(p, ns), unit), small_make(NANO));
}

/* Reading the clock takes time, so that a loop that waits for a time ends, and so that two times
 * differ when there was work in between. A search does not see it: there the clock moves only when
 * a timer ends. */
static int64_t read_clock(struct process *p)
{
	if (!p->vm->is_explored)
		p->vm->now_ns += CLOCK_READ_NS;
	return (int64_t)p->vm->now_ns;
}

static int64_t system_ns(struct process *p)
{
	return VM_EPOCH_SECONDS * NANO + read_clock(p);
}

term bif_erlang_monotonic_time_0(struct process *p, const term *args)
{
	return heap_integer(p, read_clock(p));
}

term bif_erlang_monotonic_time_1(struct process *p, const term *args)
{
	return convert_time(p, read_clock(p), args[0]);
}

term bif_erlang_system_time_0(struct process *p, const term *args)
{
	return heap_integer(p, system_ns(p));
}

term bif_erlang_system_time_1(struct process *p, const term *args)
{
	return convert_time(p, system_ns(p), args[0]);
}

term bif_erlang_time_offset_0(struct process *p, const term *args)
{
	return heap_integer(p, VM_EPOCH_SECONDS * NANO);
}

term bif_erlang_time_offset_1(struct process *p, const term *args)
{
	return convert_time(p, VM_EPOCH_SECONDS * NANO, args[0]);
}

static term split_time(struct process *p, int64_t us)
{
	return heap_tuple3(p, small_make(us / 1000000000000), small_make(us / 1000000 % 1000000),
			   small_make(us % 1000000));
}

term bif_erlang_timestamp_0(struct process *p, const term *args)
{
	return split_time(p, system_ns(p) / 1000);
}

/* Always larger than the number returned before. */
term bif_erlang_now_0(struct process *p, const term *args)
{
	return split_time(p, system_ns(p) / 1000 + (int64_t)++p->vm->monotonic_count);
}

term bif_erts_internal_time_unit_0(struct process *p, const term *args)
{
	return heap_integer(p, NANO);
}

term bif_erts_internal_perf_counter_unit_0(struct process *p, const term *args)
{
	return heap_integer(p, NANO);
}

/* ---- calendar: UTC is the local time ---- */

static term date_of(struct process *p, const struct tm *tm)
{
	return heap_tuple3(p, small_make(tm->tm_year + 1900), small_make(tm->tm_mon + 1),
			   small_make(tm->tm_mday));
}

static term time_of(struct process *p, const struct tm *tm)
{
	return heap_tuple3(p, small_make(tm->tm_hour), small_make(tm->tm_min),
			   small_make(tm->tm_sec));
}

static struct tm now_tm(struct process *p)
{
	time_t seconds = system_ns(p) / NANO;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	return tm;
}

term bif_erlang_date_0(struct process *p, const term *args)
{
	struct tm tm = now_tm(p);

	return date_of(p, &tm);
}

term bif_erlang_time_0(struct process *p, const term *args)
{
	struct tm tm = now_tm(p);

	return time_of(p, &tm);
}

term bif_erlang_universaltime_0(struct process *p, const term *args)
{
	struct tm tm = now_tm(p);
	term date = date_of(p, &tm);

	return heap_tuple2(p, date, time_of(p, &tm));
}

term bif_erlang_localtime_0(struct process *p, const term *args)
{
	return bif_erlang_universaltime_0(p, args);
}

static bool is_triple(term t)
{
	return term_is_tuple_of(t, 3) && term_is_small(tuple_element(t, 0)) &&
	       term_is_small(tuple_element(t, 1)) && term_is_small(tuple_element(t, 2));
}

static int64_t part(term triple, size_t i)
{
	return small_value(tuple_element(triple, i));
}

static int64_t days_in_month(int64_t year, int64_t month)
{
	static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

static bool is_datetime(term t)
{
	term date, time;

	if (!term_is_tuple_of(t, 2) || !is_triple(tuple_element(t, 0)) ||
	    !is_triple(tuple_element(t, 1)))
		return false;
	date = tuple_element(t, 0);
	time = tuple_element(t, 1);
	return part(date, 1) >= 1 && part(date, 1) <= 12 && part(date, 2) >= 1 &&
	       part(date, 2) <= days_in_month(part(date, 0), part(date, 1)) && part(time, 0) >= 0 &&
	       part(time, 0) <= 23 && part(time, 1) >= 0 && part(time, 1) <= 59 &&
	       part(time, 2) >= 0 && part(time, 2) <= 59;
}

/* The real VM does not convert the time of earlier years. */
static bool is_local_datetime(term t)
{
	return is_datetime(t) && part(tuple_element(t, 0), 0) >= 1902;
}

term bif_erlang_universaltime_to_localtime_1(struct process *p, const term *args)
{
	return is_local_datetime(args[0]) ? args[0] : bif_badarg(p);
}

term bif_erlang_localtime_to_universaltime_2(struct process *p, const term *args)
{
	return is_local_datetime(args[0]) ? args[0] : bif_badarg(p);
}

term bif_erlang_posixtime_to_universaltime_1(struct process *p, const term *args)
{
	int64_t seconds;
	time_t t;
	struct tm tm;
	term date;

	if (!term_is_integer(args[0]) || !integer_get_int64(args[0], &seconds))
		return bif_badarg(p);
	t = seconds;
	if (!gmtime_r(&t, &tm))
		return bif_badarg(p);
	date = date_of(p, &tm);
	return heap_tuple2(p, date, time_of(p, &tm));
}

term bif_erlang_universaltime_to_posixtime_1(struct process *p, const term *args)
{
	struct tm tm = {0};
	term date, time;

	if (!is_datetime(args[0]))
		return bif_badarg(p);
	date = tuple_element(args[0], 0);
	time = tuple_element(args[0], 1);
	tm.tm_year = (int)small_value(tuple_element(date, 0)) - 1900;
	tm.tm_mon = (int)small_value(tuple_element(date, 1)) - 1;
	tm.tm_mday = (int)small_value(tuple_element(date, 2));
	tm.tm_hour = (int)small_value(tuple_element(time, 0));
	tm.tm_min = (int)small_value(tuple_element(time, 1));
	tm.tm_sec = (int)small_value(tuple_element(time, 2));
	return heap_integer(p, timegm(&tm));
}

/* ---- one node, no tracing ---- */

term bif_erlang_nodes_0(struct process *p, const term *args) { return NIL; }

term bif_erlang_get_cookie_0(struct process *p, const term *args)
{
	return atom_from_string("nocookie");
}

term bif_erlang_monitor_node_2(struct process *p, const term *args) { return A_true; }
term bif_erlang_dt_spread_tag_1(struct process *p, const term *args) { return A_true; }
term bif_erlang_dt_restore_tag_1(struct process *p, const term *args) { return A_true; }
term bif_erlang_dt_get_tag_0(struct process *p, const term *args) { return A_undefined; }
term bif_erlang_dt_get_tag_data_0(struct process *p, const term *args) { return A_undefined; }
term bif_erlang_dt_prepend_vm_tag_data_1(struct process *p, const term *args) { return args[0]; }
term bif_erlang_dt_append_vm_tag_data_1(struct process *p, const term *args) { return args[0]; }
term bif_erlang_dt_put_tag_1(struct process *p, const term *args) { return A_undefined; }
term bif_erlang_seq_trace_2(struct process *p, const term *args)
{
	if (args[1] == NIL || args[1] == A_false || args[0] == A_sequential_trace_token)
		return args[0] == A_sequential_trace_token ? NIL : (term)A_false;
	return bif_unsupported(p, "seq_trace:set_token/2");
}

term bif_erlang_seq_trace_print_1(struct process *p, const term *args) { return A_false; }
term bif_erlang_seq_trace_print_2(struct process *p, const term *args) { return A_false; }

term bif_erlang_nodes_1(struct process *p, const term *args)
{
	if (args[0] == A_known && !p->vm->is_explored)
		return census_list_nodes(p, args);
	if (args[0] == A_this || args[0] == A_known)
		return heap_cons(p, A_nohost, NIL);
	return NIL;
}

term bif_erlang_seq_trace_info_1(struct process *p, const term *args)
{
	return term_is_atom(args[0]) ? heap_tuple2(p, args[0], A_false) : bif_badarg(p);
}

term bif_erts_internal_is_system_process_1(struct process *p, const term *args)
{
	struct process *of = process_find(p->vm, args[0]);

	if (!term_is_pid(args[0]))
		return bif_badarg(p);
	return atom_from_bool(of && of->is_system);
}

/* A suspended process does not take steps: vm_run skips it. */
term bif_erlang_suspend_process_1(struct process *p, const term *args)
{
	struct process *of = signal_find(p->vm, args[0]);

	return of && of != p && process_suspend(p, of) ? (term)A_true : bif_badarg(p);
}

term bif_erlang_resume_process_1(struct process *p, const term *args)
{
	bool can = term_is_pid(args[0]) && signal_find(p->vm, args[0]);

	return can && process_resume(p, args[0]) ? (term)A_true : bif_badarg(p);
}

term bif_net_kernel_monitor_nodes_1(struct process *p, const term *args) { return A_ok; }
term bif_net_kernel_monitor_nodes_2(struct process *p, const term *args) { return A_ok; }

term bif_net_kernel_dflag_unicode_io_1(struct process *p, const term *args)
{
	return A_true;
}

term bif_erlang_nodes_2(struct process *p, const term *args)
{
	return NIL;
}
