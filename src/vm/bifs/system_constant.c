/* erlang:system_info/1: items that are the same on every node of 64 bits on this processor, which
 * programs print or check before they rely on them. */
#include <stdio.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"
#include "vm/code/code.h"
#include "vm/vm.h"

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

/* Bytes, as in a node that has just started. Where there are three parts, the last is what is in use. */
static term areas(struct process *p)
{
	static const struct {
		const char *name;
		int64_t bytes, used;
	} list[] = {{"sys_misc", 58000, 0},
		    {"static", 527312, 0},
		    {"atom_space", 131104, 102141},
		    {"atom_table", 139401, 0},
		    {"module_table", 64560, 0},
		    {"export_table", 188836, 0},
		    {"export_list", 620400, 0},
		    {"register_table", 244, 0},
		    {"fun_table", 4210, 0},
		    {"module_refs", 4704, 0},
		    {"loaded_code", 8 << 20, 0},
		    {"dist_table", 635, 0},
		    {"node_table", 291, 0},
		    {"bits_bufs_size", 0, 0},
		    {"bif_timer", 0, 0},
		    {"process_table", 3145728, 0},
		    {"port_table", 786432, 0},
		    {"ets_misc", 131072, 0},
		    {"external_alloc", 4306496, 0}};
	term result = NIL;

	p->vm->relied_on |= RELIED_ON_FIGURES;
	for (size_t i = sizeof(list) / sizeof(*list); i-- > 0;) {
		term items[3] = {atom_from_string(list[i].name), small_make(list[i].bytes),
				 small_make(list[i].used)};

		result = heap_cons(p, heap_tuple(p, list[i].used ? 3 : 2, items), result);
	}
	return result;
}

term system_constant(struct process *p, const char *item)
{
	/* The lists of later releases have not been measured. */
	if (strcmp(item, "allocated_areas") == 0 && code_otp_release() < 26)
		return areas(p);
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
