/* ets: making, naming, owning and describing tables. */
#include <stdlib.h>

#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/ets_object.h"
#include "vm/ets/ets.h"
#include "vm/ets/ets_store.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/terms/big.h"
#include "vm/vm.h"

/* ---- new ---- */

static bool read_plain_option(struct ets_options *options, term option)
{
	switch (option) {
	case A_set:
		options->type = ETS_SET;
		return true;
	case A_ordered_set:
		options->type = ETS_ORDERED_SET;
		return true;
	case A_bag:
		options->type = ETS_BAG;
		return true;
	case A_duplicate_bag:
		options->type = ETS_DUPLICATE_BAG;
		return true;
	case A_private:
		options->protection = ETS_PRIVATE;
		return true;
	case A_protected:
		options->protection = ETS_PROTECTED;
		return true;
	case A_public:
		options->protection = ETS_PUBLIC;
		return true;
	case A_named_table:
		options->is_named = true;
		return true;
	case A_compressed:
		options->is_compressed = true;
		return true;
	default:
		return false;
	}
}

static bool read_bool(term value, bool *flag)
{
	*flag = value == A_true;
	return value == A_true || value == A_false;
}

/* {debug_hash_fixed_number_of_locks, N}, which tests of OTP use; like the other values without
 * effect. It is kept as a power of two that is at least 64; 0: not such an option. */
static uint32_t read_locks(term value)
{
	uint32_t locks = 64;
	int64_t wanted;

	if (!term_is_tuple_of(value, 2) || !term_is_small(tuple_element(value, 1)) ||
	    tuple_element(value, 0) != atom_from_string("debug_hash_fixed_number_of_locks"))
		return 0;
	wanted = small_value(tuple_element(value, 1));
	if (wanted < 1 || wanted > 32768)
		return 0;
	while (2 * (int64_t)locks <= wanted)
		locks *= 2;
	return locks;
}

static bool read_write_concurrency(struct ets_options *options, term value)
{
	uint32_t locks = read_locks(value);

	options->write_concurrency = locks ? small_make(locks) : value;
	options->has_many_locks = value == A_auto || locks;
	return value == A_true || value == A_false || value == A_auto || locks;
}

static term show_write_concurrency(struct process *p, term value)
{
	return term_is_small(value)
		       ? heap_tuple2(p, atom_from_string("debug_hash_fixed_number_of_locks"), value)
		       : value;
}

static bool read_pair_option(struct ets_options *options, term key, term value)
{
	switch (key) {
	case A_keypos:
		if (!term_is_small(value) || small_value(value) < 1 ||
		    small_value(value) > INT32_MAX)
			return false;
		options->keypos = (uint32_t)small_value(value);
		return true;
	case A_heir:
		options->heir = A_none;
		return value == A_none;
	case A_read_concurrency:
		return read_bool(value, &options->has_read_concurrency);
	case A_decentralized_counters:
		options->spread_counters = value;
		return value == A_true || value == A_false;
	case A_write_concurrency:
		return read_write_concurrency(options, value);
	default:
		return false;
	}
}

static bool read_heir(struct ets_options *options, term option)
{
	options->heir = tuple_element(option, 1);
	options->heir_data = tuple_element(option, 2);
	return tuple_element(option, 0) == A_heir && term_is_pid(options->heir);
}

static bool read_options(struct ets_options *options, term list)
{
	for (; term_is_cons(list); list = cons_tail(list)) {
		term option = cons_head(list);
		bool is_known;

		if (term_is_tuple_of(option, 2))
			is_known = read_pair_option(options, tuple_element(option, 0),
						    tuple_element(option, 1));
		else if (term_is_tuple_of(option, 3))
			is_known = read_heir(options, option);
		else
			is_known = read_plain_option(options, option);
		if (!is_known)
			return false;
	}
	return list == NIL;
}

term bif_ets_new_2(struct process *p, const term *args)
{
	struct ets_options options = {
		.keypos = 1,
		.protection = ETS_PROTECTED,
		.heir = A_none,
	};

	if (!term_is_atom(args[0]) || !read_options(&options, args[1]))
		return bif_badarg(p);
	if (options.type == ETS_ORDERED_SET && term_is_small(options.write_concurrency))
		return bif_badarg(p);
	if (options.is_named && args[0] == A_undefined)
		return bif_badarg(p);
	if (options.is_named && ets_find_name(p->vm, args[0]))
		return bif_badarg_cause(p, A_already_exists);
	return ets_identifier(p, ets_create(p, args[0], &options));
}

/* ---- names and owners ---- */

term bif_ets_delete_1(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);

	if (!table)
		return TERM_NONE;
	ets_delete_by(p, table);
	return A_true;
}

term bif_ets_rename_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);

	if (!table)
		return TERM_NONE;
	if (!term_is_atom(args[1]))
		return bif_badarg(p);
	if (table->is_named && (args[1] == A_undefined || ets_find_name(p->vm, args[1])))
		return bif_badarg(p);
	ets_rename(table, args[1]);
	return ets_identifier(p, table);
}

term bif_ets_whereis_1(struct process *p, const term *args)
{
	struct ets_table *table;

	if (!term_is_atom(args[0]))
		return bif_badarg(p);
	table = ets_find_name(p->vm, args[0]);
	return table ? ets_reference(p, table) : (term)A_undefined;
}

static int compare_ids(const void *a, const void *b)
{
	const struct ets_table *left = *(struct ets_table *const *)a;
	const struct ets_table *right = *(struct ets_table *const *)b;

	return term_compare(boxed_make(left->id), boxed_make(right->id));
}

static bool is_of_program(struct vm *vm, const struct ets_table *table)
{
	const struct process *owner = process_find(vm, table->owner);

	return owner && !owner->is_system;
}

/* Sorted by reference, so that the order does not depend on which table was made first. On the real
 * machine it does: each scheduler lists the tables that were made on it. */
term bif_ets_all_0(struct process *p, const term *args)
{
	struct ets_tables *tables = p->vm->ets;
	struct ets_table **sorted = mem_alloc(tables->len * sizeof(struct ets_table *));
	size_t len = 0, of_program = 0;
	term list = NIL;

	for (struct ets_table *table = tables->first; table; table = table->all_next) {
		sorted[len++] = table;
		of_program += is_of_program(p->vm, table);
	}
	if (of_program > 1 && !p->is_system)
		p->vm->relied_on |= RELIED_ON_ORDER;
	qsort(sorted, len, sizeof(*sorted), compare_ids);
	while (len > 0)
		list = heap_cons(p, ets_identifier(p, sorted[--len]), list);
	mem_free(sorted);
	(void)args;
	return list;
}

/* On the real VM each scheduler answers for its part; here the first answer is for all. */
term bif_ets_internal_request_all_0(struct process *p, const term *args)
{
	term ref = process_make_ref(p, 0), all = bif_ets_all_0(p, args);

	signal_message(p, heap_tuple2(p, ref, all), p->pid);
	return ref;
}

term bif_ets_give_away_3(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);
	struct process *to;

	if (!table)
		return TERM_NONE;
	if (!term_is_pid(args[1]))
		return bif_badarg(p);
	if (table->owner != p->pid)
		return bif_badarg_cause(p, A_not_owner);
	if (args[1] == p->pid)
		return bif_badarg_cause(p, A_owner);
	to = process_find(p->vm, args[1]);
	if (!to || to->status == PROCESS_EXITING)
		return bif_badarg(p);
	ets_give(table, to, args[2]);
	return A_true;
}

/* Only heir and protection, each at most once. */
static bool read_new_settings(term list, struct ets_options *options, bool *has_heir)
{
	bool has_protection = false;

	*has_heir = false;
	for (; term_is_cons(list); list = cons_tail(list)) {
		term option = cons_head(list);
		bool is_pair = term_is_tuple_of(option, 2);

		if (is_pair && tuple_element(option, 0) == A_protection && !has_protection) {
			term value = tuple_element(option, 1);

			if (value != A_public && value != A_protected && value != A_private)
				return false;
			has_protection = read_plain_option(options, value);
		} else if (is_pair && tuple_element(option, 0) == A_heir && !*has_heir) {
			*has_heir = read_pair_option(options, A_heir, tuple_element(option, 1));
			if (!*has_heir)
				return false;
		} else if (term_is_tuple_of(option, 3) && !*has_heir &&
			   read_heir(options, option)) {
			*has_heir = true;
		} else {
			return false;
		}
	}
	return list == NIL;
}

term bif_ets_setopts_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);
	struct ets_options options = {.heir = A_none};
	term list = args[1];
	bool has_heir;

	if (!table)
		return TERM_NONE;
	if (term_is_tuple(list))
		list = heap_cons(p, list, NIL);
	options.protection = table->protection;
	if (table->owner != p->pid || !read_new_settings(list, &options, &has_heir))
		return bif_badarg(p);
	table->protection = options.protection;
	if (has_heir)
		ets_set_heir(table, options.heir, options.heir_data);
	return A_true;
}

term bif_ets_safe_fixtable_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);

	if (!table)
		return TERM_NONE;
	if (args[1] != A_true && args[1] != A_false)
		return bif_badarg(p);
	if (args[1] == A_true)
		ets_fix(table, p);
	else
		ets_unfix(table, p);
	return A_true;
}

term bif_ets_internal_delete_all_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);
	size_t len;

	if (!table)
		return TERM_NONE;
	len = table->len;
	ets_remove_all(table);
	return heap_unsigned(p, len);
}

/* Changes nothing: on the real VM this only gives the debugger more access rights. */
term bif_erts_internal_ets_super_user_1(struct process *p, const term *args)
{
	return args[0] == A_true || args[0] == A_false ? (term)A_true : bif_badarg(p);
}

/* ---- info ---- */

enum { HASH_WORDS = 305, HASH_OBJECT_WORDS = 4, TREE_WORDS = 135, TREE_OBJECT_WORDS = 6 };
/* With write_concurrency a table of hashes has locks, and a tree does without a stack. */
enum { LOCK_WORDS = 1056, TREE_STACK_WORDS = 40, COUNTER_WORDS = 34 };

static term type_atom(const struct ets_table *table)
{
	static const term atoms[] = {A_set, A_ordered_set, A_bag, A_duplicate_bag};

	return atoms[table->type];
}

static term protection_atom(const struct ets_table *table)
{
	static const term atoms[] = {A_private, A_protected, A_public};

	return atoms[table->protection];
}

static term fixed_by(struct process *p, const struct ets_table *table)
{
	term list = NIL;

	for (const struct ets_fix *fix = table->fixes; fix; fix = fix->next)
		list = heap_cons(p, heap_tuple2(p, fix->pid, heap_unsigned(p, fix->count)), list);
	return list;
}

static term fixed_info(struct process *p, const struct ets_table *table, bool is_monotonic)
{
	term since = heap_unsigned(p, table->fixed_since_ns);
	int64_t us = 0;

	if (!table->fixes)
		return A_false;
	if (!is_monotonic) {
		integer_get_int64(bif_erlang_system_time_0(p, NULL), &us);
		us = (us - (int64_t)(p->vm->now_ns - table->fixed_since_ns)) / 1000;
		since = heap_tuple3(p, small_make(us / 1000000000000),
				    small_make(us / 1000000 % 1000000), small_make(us % 1000000));
	}
	return heap_tuple2(p, since, fixed_by(p, table));
}

static term stats(struct process *p, const struct ets_table *table)
{
	size_t buckets = table->buckets ? (size_t)1 << table->buckets_log : 1;
	term items[8] = {
		heap_unsigned(p, buckets), heap_float(p, (double)table->len / (double)buckets),
		heap_float(p, 0.0),        heap_float(p, 0.0),
		small_make(0),             small_make(table->len != 0),
		heap_unsigned(p, table->tombstones), small_make(1),
	};

	if (ets_is_tree(table))
		return A_false;
	return heap_tuple(p, 8, items);
}

/* In words, counted roughly as on the real VM: the table, and for each object its links. */
static size_t count_memory(const struct ets_table *table)
{
	bool is_concurrent = table->write_concurrency != A_false;
	size_t counters = table->has_spread_counters ? COUNTER_WORDS : 0;

	if (ets_is_tree(table))
		return TREE_WORDS - (is_concurrent ? TREE_STACK_WORDS : 0) + counters +
		       table->words + table->len * TREE_OBJECT_WORDS;
	return HASH_WORDS + (is_concurrent ? LOCK_WORDS : 0) + counters + table->words +
	       table->len * HASH_OBJECT_WORDS;
}

/* none if the heir has ended. In a search that would be a look at another process. */
static term heir_of(struct process *p, const struct ets_table *table)
{
	if (!term_is_pid(table->heir) || process_find(p->vm, table->heir))
		return table->heir;
	if (p->vm->is_explored)
		return bif_unsupported(p, "ets:info(_, heir) when the heir has ended");
	return A_none;
}

/* The value of one item, or TERM_NONE when the item does not exist. */
static term info_item(struct process *p, const struct ets_table *table, term item)
{
	switch (item) {
	case A_id:
		return ets_reference(p, table);
	case A_read_concurrency:
		return atom_from_bool(table->has_read_concurrency);
	case A_decentralized_counters:
		return atom_from_bool(table->has_spread_counters);
	case A_write_concurrency:
		return show_write_concurrency(p, table->write_concurrency);
	case A_compressed:
		return atom_from_bool(table->is_compressed);
	case A_memory:
		return heap_unsigned(p, count_memory(table));
	case A_owner:
		return table->owner;
	case A_heir:
		return heir_of(p, table);
	case A_name:
		return table->name;
	case A_size:
		return heap_unsigned(p, table->len);
	case A_node:
		return bif_erlang_node_0(p, NULL);
	case A_named_table:
		return atom_from_bool(table->is_named);
	case A_type:
		return type_atom(table);
	case A_keypos:
		return small_make(table->keypos);
	case A_protection:
		return protection_atom(table);
	case A_fixed:
		return atom_from_bool(table->fixes);
	case A_safe_fixed:
		return fixed_info(p, table, false);
	case A_safe_fixed_monotonic_time:
		return fixed_info(p, table, true);
	case A_stats:
		return stats(p, table);
	default:
		return TERM_NONE;
	}
}

/* NULL with *result set: undefined for a table that does not exist, else badarg. */
static struct ets_table *get_for_info(struct process *p, term id, term *result)
{
	struct ets_table *table;

	*result = TERM_NONE;
	if (!ets_find_table(p->vm, id) &&
	    (term_is_atom(id) || (term_is_ref(id) && (ref_flags(id) & REF_TABLE)))) {
		*result = A_undefined;
		return NULL;
	}
	table = ets_get(p, id, ETS_INFO);
	return table;
}

term bif_ets_info_1(struct process *p, const term *args)
{
	static const term items[] = {
		A_protection, A_keypos, A_type, A_named_table, A_node, A_size, A_name, A_heir,
		A_owner, A_memory, A_compressed, A_write_concurrency, A_read_concurrency,
		A_decentralized_counters, A_id,
	};
	term list = NIL, result;
	struct ets_table *table = get_for_info(p, args[0], &result);

	if (!table)
		return result;
	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		list = heap_cons(p, heap_tuple2(p, items[i], info_item(p, table, items[i])), list);
	return list;
}

term bif_ets_info_2(struct process *p, const term *args)
{
	term result;
	struct ets_table *table = get_for_info(p, args[0], &result);

	if (!table)
		return result;
	if (args[1] == A_binary && table->fixes && p->vm->is_explored)
		return bif_unsupported(p, "ets:info(_, binary) of a fixed table in a search");
	if (args[1] == A_binary && !p->vm->is_explored)
		return ets_list_binaries(p, table);
	if (args[1] == A_binary)
		return bif_trap(p, A_erts_internal, A_ets_info_binary, 1, args);
	result = info_item(p, table, args[1]);
	return result == TERM_NONE ? bif_badarg(p) : result;
}
