#include "vm/process/heap_limit.h"

#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/process/crash_report.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

enum { MIN_HEAP_WORDS = 233 };

/* A key that is absent leaves the flag as it is. */
static bool read_flag(term map, term key, bool is_negated, bool *flag)
{
	term value = tmap_get(map, key);

	if (value == A_true || value == A_false)
		*flag = (value == A_true) != is_negated;
	return value == TERM_NONE || value == A_true || value == A_false;
}

bool heap_limit_read(struct vm *vm, term t, struct heap_limit *limit)
{
	term size = term_is_map(t) ? tmap_get(t, A_size) : t;

	*limit = vm->heap_limit;
	if (!term_is_small(size) || small_value(size) < 0 ||
	    (small_value(size) && small_value(size) < MIN_HEAP_WORDS))
		return false;
	limit->words = (uint64_t)small_value(size);
	return !term_is_map(t) ||
	       (read_flag(t, A_kill, true, &limit->is_harmless) &&
		read_flag(t, A_error_logger, true, &limit->is_silent) &&
		read_flag(t, A_include_shared_binaries, false, &limit->counts_shared));
}

term heap_limit_term(struct process *p, const struct heap_limit *limit)
{
	term pairs[8] = {A_error_logger, atom_from_bool(!limit->is_silent),
			 A_kill, atom_from_bool(!limit->is_harmless),
			 A_size, small_make((int64_t)limit->words),
			 A_include_shared_binaries, atom_from_bool(limit->counts_shared)};

	return tmap_from_pairs(p, pairs, code_otp_release() >= 27 ? 4 : 3);
}

size_t heap_limit_queue_words(const struct process *p)
{
	size_t words = 0;

	for (const struct message *m = p->is_off_heap ? NULL : p->mailbox.first; m; m = m->next)
		words += m->words_len ? m->words_len : term_send_words(m->content);
	return words;
}

static void report(struct process *p)
{
	term args[] = {p->pid,
		       small_make((int64_t)p->heap_limit.words),
		       small_make((int64_t)p->live_words),
		       atom_from_bool(!p->heap_limit.is_harmless),
		       atom_from_bool(!p->heap_limit.is_silent),
		       small_make((int64_t)p->mailbox.len), NIL};

	crash_report_log(p,
			 "     Process:          ~p ~n"
			 "     Context:          maximum heap size reached~n"
			 "     Max Heap Size:    ~p~n"
			 "     Total Heap Size:  ~p~n"
			 "     Kill:             ~p~n"
			 "     Error Logger:     ~p~n"
			 "     Message Queue Len:~p~n"
			 "     GC Info:          ~p~n",
			 heap_list(p, args, sizeof(args) / sizeof(*args), NIL));
}

void heap_limit_act(struct process *p)
{
	bool is_too_large = p->is_too_large;

	p->is_too_large = false;
	if (p->is_large)
		system_monitor_tell(p);
	p->is_large = false;
	if (!is_too_large)
		return;
	if (!p->heap_limit.is_silent)
		report(p);
	if (!p->heap_limit.is_harmless)
		process_exit(p, A_killed);
}

void heap_limit_check(struct process *p)
{
	if (p->heap_limit.words && !p->heap_limit.is_harmless &&
	    p->live_words + heap_limit_queue_words(p) > p->heap_limit.words)
		signal_exit(p->vm, p->pid, p->pid, A_kill, false);
}
