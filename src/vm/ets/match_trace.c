/* Actions in match specs of traced functions that change what is traced. */
#include "vm/bifs/bif.h"
#include "vm/bifs/stack_text.h"
#include "vm/bifs/trace_parts.h"
#include "vm/ets/match_spec.h"
#include "vm/process/registry.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

/* A pid or a name of a process that is alive; NULL. */
static struct process *find_process(struct process *p, term t)
{
	if (term_is_atom(t))
		t = registry_find(p->vm, t);
	return t != TERM_NONE && term_is_pid(t) ? process_find(p->vm, t) : NULL;
}

/* The bits of a list of flags; false when it has something else. *tracer: that of {tracer, Pid}. */
static bool read_flags(term list, uint32_t *flags, term *tracer)
{
	for (; term_is_cons(list); list = cons_tail(list)) {
		term flag = cons_head(list);

		if (term_is_tuple_of(flag, 2) && term_is_pid(tuple_element(flag, 1)) &&
		    tuple_element(flag, 0) == atom_from_string("tracer"))
			*tracer = tuple_element(flag, 1);
		else if (flag == A_all)
			*flags |= UINT32_MAX;
		else if (trace_flag_bit(flag))
			*flags |= trace_flag_bit(flag);
		else
			return false;
	}
	return list == NIL;
}

/* The tracer of the process that runs the spec, or one that the spec names, becomes the tracer. */
static void change(struct process *of, uint32_t off, uint32_t on, term tracer)
{
	of->tracer = tracer;
	of->trace_flags = tracer == TERM_NONE ? 0 : (of->trace_flags & ~off) | on;
	trace_changed(of);
}

static term change_flag(struct process *p, term pid, term flag, bool is_on)
{
	struct process *of = pid == TERM_NONE ? p : find_process(p, pid);
	uint32_t bit = trace_flag_bit(flag);

	if (!of || !bit)
		return A_false;
	change(of, is_on ? 0 : bit, is_on ? bit : 0, p->tracer);
	return A_true;
}

static term change_flags(struct process *p, term pid, const term *lists)
{
	struct process *of = pid == TERM_NONE ? p : find_process(p, pid);
	uint32_t off = 0, on = 0;
	term tracer = p->tracer, ignored = TERM_NONE;

	if (!of || !read_flags(lists[0], &off, &ignored) || !read_flags(lists[1], &on, &tracer))
		return A_false;
	change(of, off, on, tracer);
	return A_true;
}

static term set_silent(struct process *p, term value)
{
	if (value == A_true)
		p->trace_flags |= TRACE_SILENT;
	else if (value == A_false)
		p->trace_flags &= ~(uint32_t)TRACE_SILENT;
	return A_true;
}

static term set_control_word(struct process *p, term value)
{
	struct trace_state *t = trace_get(p->vm);
	term old = heap_unsigned(p, t->control_word);

	if (!term_is_small(value) || small_value(value) < 0 || small_value(value) > UINT32_MAX)
		return TERM_NONE;
	t->control_word = (uint32_t)small_value(value);
	return old;
}

term match_act_on_trace(struct process *p, enum match_action action, const term *args)
{
	switch (action) {
	case MATCH_ACTION_SILENT:
		return set_silent(p, args[0]);
	case MATCH_ACTION_ENABLE:
		return change_flag(p, TERM_NONE, args[0], true);
	case MATCH_ACTION_ENABLE_OF:
		return change_flag(p, args[0], args[1], true);
	case MATCH_ACTION_DISABLE:
		return change_flag(p, TERM_NONE, args[0], false);
	case MATCH_ACTION_DISABLE_OF:
		return change_flag(p, args[0], args[1], false);
	case MATCH_ACTION_TRACE:
		return change_flags(p, TERM_NONE, args);
	case MATCH_ACTION_TRACE_OF:
		return change_flags(p, args[0], args + 1);
	case MATCH_ACTION_GET_TCW:
		return heap_unsigned(p, trace_get(p->vm)->control_word);
	case MATCH_ACTION_SET_TCW:
		return set_control_word(p, args[0]);
	case MATCH_ACTION_PROCESS_DUMP:
		return process_dump(p, p);
	case MATCH_ACTION_GET_TOKEN:
		return NIL;
	default:
		return A_false;
	}
}

/* match_spec_test changes nothing. */
term match_try_on_trace(struct process *p, enum match_action action)
{
	switch (action) {
	case MATCH_ACTION_SET_TCW:
		return match_act_on_trace(p, MATCH_ACTION_GET_TCW, NULL);
	case MATCH_ACTION_SET_TOKEN:
		return NIL;
	case MATCH_ACTION_GET_TCW:
	case MATCH_ACTION_GET_TOKEN:
	case MATCH_ACTION_PROCESS_DUMP:
		return match_act_on_trace(p, action, NULL);
	default:
		return A_true;
	}
}
