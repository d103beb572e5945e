/* The questions of programs about schedulers and their queues. One scheduler works for all of those
 * that system_info(schedulers) counts: its queue is shown as that of the first. */
#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"
#include "vm/vm.h"

/* Which of multi_blocks a value of the flag changes. */
enum { BLOCKS_ALL, BLOCKS_NORMAL };

static bool is_blocked(const struct vm *vm, unsigned kind)
{
	for (const struct process *of = vm->first_process; of; of = of->all_next)
		if (of->multi_blocks[kind])
			return true;
	return false;
}

static term multi_scheduling(const struct vm *vm)
{
	if (is_blocked(vm, BLOCKS_ALL))
		return A_blocked;
	return is_blocked(vm, BLOCKS_NORMAL) ? (term)A_blocked_normal : (term)A_enabled;
}

/* Each process that blocks the other schedulers ends that by as many calls, or by its own end. */
term schedulers_block(struct process *p, term value)
{
	unsigned kind = value == A_block_normal || value == A_unblock_normal;
	uint16_t *blocks = &p->multi_blocks[kind];

	if (value != A_block && value != A_unblock && value != A_block_normal &&
	    value != A_unblock_normal)
		return bif_badarg(p);
	if (p->vm->is_explored)
		return bif_unsupported(p, "erlang:system_flag(multi_scheduling, _) in a search");
	if (value == A_block || value == A_block_normal)
		*blocks += *blocks < UINT16_MAX;
	else
		*blocks -= *blocks > 0;
	return multi_scheduling(p->vm);
}

static term list_blockers(struct process *p, unsigned kind)
{
	term list = NIL;

	for (const struct process *of = p->vm->first_process; of; of = of->all_next)
		if (of->multi_blocks[kind])
			list = heap_cons(p, of->pid, list);
	return list;
}

term schedulers_info(struct process *p, term item)
{
	if (item == A_multi_scheduling)
		return multi_scheduling(p->vm);
	if (item == A_multi_scheduling_blockers)
		return list_blockers(p, BLOCKS_ALL);
	if (item == A_normal_multi_scheduling_blockers)
		return list_blockers(p, BLOCKS_NORMAL);
	return TERM_NONE;
}

/* The processes that wait for their turn; always 0 in a search, where they are not in a queue. */
static int64_t count_queued(const struct vm *vm)
{
	int64_t count = 0;

	for (const struct process *of = vm->first_process; of && !vm->is_explored; of = of->all_next)
		count += of->is_queued;
	return count;
}

/* The schedulers, and behind them one queue or two for all dirty ones. */
static term queue_list(struct process *p, int64_t first, unsigned dirty)
{
	term list = NIL;

	for (unsigned i = SYSTEM_SCHEDULERS + dirty; i-- > 1;)
		list = heap_cons(p, small_make(0), list);
	return heap_cons(p, small_make(first), list);
}

term schedulers_statistic(struct process *p, term item)
{
	static const struct {
		term item;
		bool counts_running; /* the caller, too */
		uint8_t dirty;       /* queues in the list; 0: only the sum is asked for */
	} items[] = {
		{A_run_queue, false, 0}, {A_total_run_queue_lengths, false, 0},
		{A_total_run_queue_lengths_all, false, 0}, {A_total_active_tasks, true, 0},
		{A_total_active_tasks_all, true, 0}, {A_run_queue_lengths, false, 1},
		{A_run_queue_lengths_all, false, 2}, {A_active_tasks, true, 1},
		{A_active_tasks_all, true, 2},
	};

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
		int64_t count = count_queued(p->vm);

		if (items[i].item != item)
			continue;
		count += items[i].counts_running && !p->vm->is_explored;
		return items[i].dirty ? queue_list(p, count, items[i].dirty) : small_make(count);
	}
	return TERM_NONE;
}
