/* erts_debug:set_internal_state/2: the settings that OTP's own tests use. Most of them change only
 * the inside of the real VM, and so nothing here. */
#include <stdio.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/erts_state.h"
#include "vm/process/timer.h"
#include "vm/process/trace.h"
#include "vm/terms/compare.h"
#include "vm/vm.h"

enum { NS_PER_MS = 1000000, MS_MAX = 1 << 30 };

/* After so many steps a native function lets other processes run on the real VM. Here it never
 * does, so the limit is only kept. Returns the one before. */
static term set_loop_limit(struct process *p, uint32_t *limit, uint32_t usual, term value)
{
	term old = small_make(*limit);

	if (value == A_default)
		*limit = usual;
	else if (term_is_small(value) && small_value(value) > 0 && small_value(value) < 1 << 27)
		*limit = (uint32_t)small_value(value);
	else
		return bif_badarg(p);
	return old;
}

/* Calls left of the turn. A turn that is shorter is only another schedule. */
static term set_reductions(struct process *p, term value)
{
	if (!term_is_small(value) || small_value(value) < 0 || small_value(value) >= 1 << 20)
		return bif_badarg(p);
	if (!p->vm->is_explored && !trace_watches(p))
		p->fuel = small_value(value) ? (int32_t)small_value(value) : 1;
	return A_true;
}

/* {Name, N}: N names of tables that are found in the same place as Name in a table of 256 names. */
static term list_colliding(struct process *p, term pair)
{
	term list = NIL;
	int64_t wanted;
	char text[400];

	if (!term_is_tuple_of(pair, 2) || !term_is_atom(tuple_element(pair, 0)) ||
	    !term_is_small(tuple_element(pair, 1)) ||
	    strlen(atom_text(tuple_element(pair, 0))) > 380)
		return bif_badarg(p);
	wanted = small_value(tuple_element(pair, 1));
	if (wanted < 0 || wanted > 1000)
		return bif_badarg(p);
	for (unsigned i = 0; wanted > 0; i++) {
		term name;

		snprintf(text, sizeof(text), "%s%u", atom_text(tuple_element(pair, 0)), i);
		name = atom_from_string(text);
		if ((term_hash(name) ^ term_hash(tuple_element(pair, 0))) & 255)
			continue;
		list = heap_cons(p, name, list);
		wanted--;
	}
	return list;
}

static bool read_ms(term value, int64_t *ms)
{
	*ms = term_is_small(value) ? small_value(value) : -1;
	return term_is_small(value) && *ms < MS_MAX;
}

/* The whole scheduler sleeps on the real VM. A negative time counts as zero. */
static term sleep_all(struct process *p, term value)
{
	int64_t ms;

	if (!read_ms(value, &ms))
		return bif_badarg(p);
	if (ms > 0)
		p->vm->now_ns += (uint64_t)ms * NS_PER_MS;
	return A_true;
}

/* Many timers inside the real VM; the last one sends the message. */
static term start_timers(struct process *p, term value)
{
	int64_t ms;

	if (!read_ms(value, &ms) || ms < 0)
		return bif_badarg(p);
	timer_start(p, TIMER_SEND, p->vm->now_ns + (uint64_t)ms * NS_PER_MS, p->pid,
		    atom_from_string("multizero_timeout_in_timeout_done"));
	return A_ok;
}

/* Each collection that a program asks for takes so long. */
static term set_collection_time(struct process *p, term value)
{
	int64_t ms;

	if (!read_ms(value, &ms) || ms < 0)
		return bif_badarg(p);
	p->vm->collection_ms = (uint32_t)ms;
	return A_true;
}

/* With effects that a search would have to know. */
static bool change_live(struct process *p, const char *item, term value, term *result)
{
	if (p->vm->is_explored)
		return false;
	if (!strcmp(item, "colliding_names"))
		*result = list_colliding(p, value);
	else if (!strcmp(item, "test_long_gc_sleep"))
		*result = set_collection_time(p, value);
	else if (!strcmp(item, "sleep"))
		*result = sleep_all(p, value);
	else if (!strcmp(item, "multizero_timeout_in_timeout"))
		*result = start_timers(p, value);
	else
		return false;
	return true;
}

bool state_change(struct process *p, const char *item, term value, term *result)
{
	*result = A_ok;
	if (!strcmp(item, "wait")) /* nothing is put off here that one could wait for */
		return term_is_atom(value);
	if (!strcmp(item, "node_tab_delayed_delete")) /* forgotten at once */
		return term_is_small(value);
	/* Only how terms or a table lie in memory would change. */
	if (!strcmp(item, "fill_heap") || !strcmp(item, "ets_force_split") ||
	    !strcmp(item, "ets_debug_random_split_join"))
		return true;
	if (!strcmp(item, "reds_left"))
		*result = set_reductions(p, value);
	else if (!strcmp(item, "binary_loop_limit"))
		*result = set_loop_limit(p, &p->vm->loop_limits[0], 0, value);
	else if (!strcmp(item, "unicode_loop_limit"))
		*result = set_loop_limit(p, &p->vm->loop_limits[1], LOOP_LIMIT, value);
	else if (!strcmp(item, "re_loop_limit"))
		*result = set_loop_limit(p, &p->vm->loop_limits[2], LOOP_LIMIT, value);
	else if (!strcmp(item, "mbuf")) /* a copy outside the heap */
		*result = value;
	else if (!strcmp(item, "proc_sig_buffers")) /* locks of the queue of messages */
		*result = value == A_true ? (term)A_true : atom_from_string("notsup");
	else if (!strcmp(item, "ets_force_trap")) /* of debug builds of the real VM only */
		*result = atom_from_string("notsup");
	else
		return change_live(p, item, value, result);
	return true;
}
