/* erlang:system_info/1: items that are the same on every node of 64 bits on this processor, which
 * programs print or check before they rely on them. */
#include <stdio.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"

static const char *const atomic_operations[] = {
	"dec_mb", "inc_mb", "add_mb", "read", "add_return_mb", "set_mb", "set_relb", "set",
	"xchg_mb", "cmpxchg_mb"};

static term atomics_of(struct process *p, unsigned bits)
{
	char name[64];
	term list = NIL;

	for (size_t i = sizeof(atomic_operations) / sizeof(*atomic_operations); i-- > 0;) {
		snprintf(name, sizeof(name), "ethr_native_atomic%u_%s()", bits,
			 atomic_operations[i]);
		list = heap_cons(p, heap_string(p, name), list);
	}
	snprintf(name, sizeof(name), "%u-bit native atomics", bits);
	return heap_tuple3(p, heap_string(p, name), heap_string(p, "ethread"), list);
}

static term thread_pair(struct process *p, const char *name, const char *value)
{
	return heap_tuple2(p, heap_string(p, name), heap_string(p, value));
}

static term threads_info(struct process *p)
{
	term list = heap_cons(p, thread_pair(p, "sse2", "yes"), NIL), wide;

	list = heap_cons(p, thread_pair(p, "x86_64 OOO", "no"), list);
	list = heap_cons(p, thread_pair(p, "Native rw-spinlocks", "ethread"), list);
	list = heap_cons(p, thread_pair(p, "Native spinlocks", "ethread"), list);
	wide = heap_cons(p, heap_string(p, "ethr_native_dw_atomic_cmpxchg_mb()"), NIL);
	wide = heap_tuple3(p, heap_string(p, "Double word native atomics"),
			   heap_string(p, "ethread"), wide);
	list = heap_cons(p, wide, list);
	list = heap_cons(p, atomics_of(p, 64), list);
	return heap_cons(p, atomics_of(p, 32), list);
}

/* The sizes in words that a heap may have: Fibonacci numbers to begin with, then a fifth more. */
static term heap_sizes(struct process *p)
{
	enum { FIBONACCI = 23, SIZES = 137 };
	uint64_t sizes[SIZES] = {12, 38};
	term list = NIL;

	for (size_t i = 2; i < SIZES; i++)
		sizes[i] = i < FIBONACCI ? sizes[i - 1] + sizes[i - 2] + 1
					 : sizes[i - 1] + sizes[i - 1] / 5;
	for (size_t i = SIZES; i-- > 0;)
		list = heap_cons(p, heap_unsigned(p, sizes[i]), list);
	return list;
}

/* The files that are polled: none, because a program outside is served when its turn has come. */
static term polled_files(struct process *p)
{
	static const struct {
		const char *key, *word; /* word NULL: the number */
		int64_t number;
	} items[] = {{"name", "erts_poll", 0}, {"primary", "poll", 0}, {"kernel_poll", "false", 0},
		     {"memory_size", NULL, 0}, {"total_poll_set_size", NULL, 0},
		     {"lazy_updates", "false", 0}, {"pending_updates", NULL, 0},
		     {"batch_updates", "false", 0}, {"concurrent_updates", "false", 0},
		     {"fallback", "false", 0}, {"max_fds", NULL, 1024}, {"active_fds", NULL, 0},
		     {"poll_threads", NULL, 1}};
	term list = NIL;

	for (size_t i = sizeof(items) / sizeof(*items); i-- > 0;) {
		term value = items[i].word ? atom_from_string(items[i].word)
					   : small_make(items[i].number);

		list = heap_cons(p, heap_tuple2(p, atom_from_string(items[i].key), value), list);
	}
	return heap_cons(p, list, NIL);
}

term system_constant(struct process *p, const char *item)
{
	if (strcmp(item, "check_io") == 0)
		return polled_files(p);
	if (strcmp(item, "beam_jump_table") == 0)
		return A_true;
	if (strcmp(item, "io_thread") == 0)
		return A_false;
	if (strcmp(item, "delayed_node_table_gc") == 0)
		return small_make(60);
	if (strcmp(item, "ethread_info") == 0)
		return threads_info(p);
	if (strcmp(item, "heap_sizes") == 0)
		return heap_sizes(p);
	return TERM_NONE;
}
