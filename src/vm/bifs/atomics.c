/* Arrays of 64-bit integers behind references: module atomics, and counters with write_concurrency
 * (without it, module counters uses atomics). One process runs at a time, so plain memory
 * suffices. */
#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"
#include "vm/memory/ref_table.h"
#include "vm/memory/region.h"
#include "vm/terms/big.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

enum { SIGNED_OPTION = 1, ATOMICS_MAX = 1 << 28 };

struct atomics {
	bool is_signed;
	bool is_counters;
	bool has_writers; /* several processes have changed it */
	term writer;      /* the first that did; TERM_NONE */
	size_t len;
	uint64_t values[];
};

static term new_array(struct process *p, term len, bool is_signed, bool is_counters)
{
	struct atomics *array;
	size_t size;
	term ref;

	if (term_is_big(len) && !big_is_negative(len))
		return bif_system_limit(p);
	if (!term_is_small(len) || small_value(len) < 1)
		return bif_badarg(p);
	if (small_value(len) > ATOMICS_MAX)
		return bif_system_limit(p);
	size = sizeof(*array) + (size_t)small_value(len) * sizeof(uint64_t);
	array = region_zalloc(size);
	array->is_signed = is_signed;
	array->is_counters = is_counters;
	array->writer = TERM_NONE;
	array->len = (size_t)small_value(len);
	ref = process_make_ref(p, is_counters ? REF_COUNTERS : REF_ATOMICS);
	ref_table_add(&p->vm->atomics, ref, array);
	return ref;
}

static struct atomics *find_array(struct process *p, term ref, bool is_counters)
{
	struct atomics *array = term_is_ref(ref) ? ref_table_find(&p->vm->atomics, ref) : NULL;

	return array && array->is_counters == is_counters ? array : NULL;
}

static uint64_t *find_value(struct process *p, const term *args, bool is_counters,
			    struct atomics **array)
{
	*array = find_array(p, args[0], is_counters);
	if (!*array || !term_is_small(args[1]) || small_value(args[1]) < 1 ||
	    (uint64_t)small_value(args[1]) > (*array)->len)
		return NULL;
	return &(*array)->values[small_value(args[1]) - 1];
}

static term give_value(struct process *p, const struct atomics *array, uint64_t value)
{
	return array->is_signed ? heap_integer(p, (int64_t)value) : heap_unsigned(p, value);
}

/* A value to store must be in the array's range. */
static bool read_value(const struct atomics *array, term t, uint64_t *value)
{
	int64_t number;

	if (!array->is_signed)
		return integer_get_uint64(t, value);
	if (!integer_get_int64(t, &number))
		return false;
	*value = (uint64_t)number;
	return true;
}

/* The number to add may be any 64-bit number, signed or unsigned. */
static bool read_increment(term t, uint64_t *value)
{
	int64_t number;

	if (integer_get_uint64(t, value))
		return true;
	if (!integer_get_int64(t, &number))
		return false;
	*value = (uint64_t)number;
	return true;
}

/* Counters with write_concurrency are one for each scheduler on the real machine: who reads one may
 * miss what another process has added before. */
static void note_writer(const struct process *p, struct atomics *array)
{
	if (array->writer == TERM_NONE)
		array->writer = p->pid;
	array->has_writers = array->has_writers || array->writer != p->pid;
}

static void note_reader(const struct process *p, const struct atomics *array)
{
	if (array->is_counters && array->writer != TERM_NONE &&
	    (array->has_writers || array->writer != p->pid))
		p->vm->relied_on |= RELIED_ON_COUNTERS;
}

static term get_value(struct process *p, const term *args, bool is_counters)
{
	struct atomics *array;
	uint64_t *at = find_value(p, args, is_counters, &array);

	if (at)
		note_reader(p, array);
	return at ? give_value(p, array, *at) : bif_badarg(p);
}

static term put_value(struct process *p, const term *args, bool is_counters)
{
	struct atomics *array;
	uint64_t *at = find_value(p, args, is_counters, &array), value;

	if (!at || !read_value(array, args[2], &value))
		return bif_badarg(p);
	note_writer(p, array);
	note_reader(p, array); /* it may lose what others add meanwhile */
	*at = value;
	return A_ok;
}

static term add_value(struct process *p, const term *args, bool is_counters)
{
	struct atomics *array;
	uint64_t *at = find_value(p, args, is_counters, &array), value;

	if (!at || !read_increment(args[2], &value))
		return bif_badarg(p);
	note_writer(p, array);
	*at += value;
	return A_ok;
}

/* ---- atomics ---- */

/* The second argument holds the options as bits; atomics:new/2 has read them. */
term bif_erts_internal_atomics_new_2(struct process *p, const term *args)
{
	if (!term_is_small(args[1]))
		return bif_badarg(p);
	return new_array(p, args[0], small_value(args[1]) & SIGNED_OPTION, false);
}

term bif_atomics_put_3(struct process *p, const term *args)
{
	return put_value(p, args, false);
}

term bif_atomics_get_2(struct process *p, const term *args)
{
	return get_value(p, args, false);
}

term bif_atomics_add_3(struct process *p, const term *args)
{
	return add_value(p, args, false);
}

term bif_atomics_add_get_3(struct process *p, const term *args)
{
	return add_value(p, args, false) == TERM_NONE ? TERM_NONE : get_value(p, args, false);
}

term bif_atomics_exchange_3(struct process *p, const term *args)
{
	struct atomics *array;
	uint64_t *at = find_value(p, args, false, &array), value, old;

	if (!at || !read_value(array, args[2], &value))
		return bif_badarg(p);
	old = *at;
	*at = value;
	return give_value(p, array, old);
}

term bif_atomics_compare_exchange_4(struct process *p, const term *args)
{
	struct atomics *array;
	uint64_t *at = find_value(p, args, false, &array), expected, desired;

	if (!at || !read_value(array, args[2], &expected) || !read_value(array, args[3], &desired))
		return bif_badarg(p);
	if (*at != expected)
		return give_value(p, array, *at);
	*at = desired;
	return A_ok;
}

/* In bytes, as on the real VM: counters have an array for each scheduler and one more, in whole cache
 * lines. */
static size_t count_memory(const struct atomics *array)
{
	enum { HEAD = 40, COUNTERS_HEAD = 32, LINE = 64, LINE_VALUES = 8 };
	size_t lines = (array->len + LINE_VALUES - 1) / LINE_VALUES;

	if (array->is_counters)
		return COUNTERS_HEAD + lines * LINE * (SYSTEM_SCHEDULERS + 1);
	return HEAD + array->len * sizeof(uint64_t);
}

static term describe(struct process *p, const struct atomics *array)
{
	size_t memory = count_memory(array);
	term pairs[] = {
		A_size, heap_unsigned(p, array->len),
		A_memory, heap_unsigned(p, memory),
		A_max, array->is_signed ? heap_integer(p, INT64_MAX) : heap_unsigned(p, UINT64_MAX),
		A_min, array->is_signed ? heap_integer(p, INT64_MIN) : small_make(0),
	};

	return tmap_from_pairs(p, pairs, array->is_counters ? 2 : 4);
}

term bif_atomics_info_1(struct process *p, const term *args)
{
	struct atomics *array = find_array(p, args[0], false);

	return array ? describe(p, array) : bif_badarg(p);
}

/* ---- counters ---- */

term bif_erts_internal_counters_new_1(struct process *p, const term *args)
{
	return new_array(p, args[0], true, true);
}

term bif_erts_internal_counters_get_2(struct process *p, const term *args)
{
	return get_value(p, args, true);
}

term bif_erts_internal_counters_add_3(struct process *p, const term *args)
{
	return add_value(p, args, true);
}

term bif_erts_internal_counters_put_3(struct process *p, const term *args)
{
	return put_value(p, args, true);
}

term bif_erts_internal_counters_info_1(struct process *p, const term *args)
{
	struct atomics *array = find_array(p, args[0], true);

	return array ? describe(p, array) : bif_badarg(p);
}
