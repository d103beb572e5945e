/* hashmap.c: a hash map that grows in place and is read without a lock.
 *
 * Writers take a mutex. When a bucket is full the number of buckets doubles and entries move
 * to where they now belong; a reader that looked while they moved looks again. `moves` counts
 * on both sides of growing and is odd in between. Broken, each needs a reader and a writer in
 * the middle at once:
 *
 *     -DBUG=1   `growing` is looked at before reading only, and `moves` counts afterwards
 *     -DBUG=2   `moves` counts when growing begins, before `growing` is set, and not afterwards
 */
#include <fermata/model.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

enum { KEYS = 8, BUCKETS = 8, DEPTH = 2, NONE = -1 };

struct entry {
	atomic_long key, value;
};

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[BUCKETS][DEPTH];
static atomic_long buckets_len, moves;
static atomic_int growing;

static struct entry *find(long key)
{
	struct entry *bucket = entries[key % buckets_len];

	for (int i = 0; i < DEPTH; i++)
		if (bucket[i].key == key)
			return &bucket[i];
	return NULL;
}

static void begin_growing(void)
{
#if BUG != 1
	moves++;
#endif
#if BUG != 0
	growing = 1;
#endif
}

static void end_growing(void)
{
#if BUG != 2
	moves++;
#endif
	growing = 0;
}

static void grow(void)
{
	long old = buckets_len;

	begin_growing();
	buckets_len = 2 * old;
	for (long b = 0; b < old; b++)
		for (int i = 0; i < DEPTH; i++) {
			struct entry *from = &entries[b][i], *to = &entries[b + old][i];
			long key = from->key;

			if (key == NONE || key % (2 * old) == b)
				continue;
			to->value = (long)from->value;
			to->key = key;
			from->key = NONE;
		}
	end_growing();
}

/* What was there before, or NONE. */
static long map_put(long key, long value)
{
	struct entry *entry;
	long old = NONE;

	pthread_mutex_lock(&writers);
	entry = find(key);
	if (entry)
		old = atomic_exchange(&entry->value, value);
	while (!entry) {
		for (int i = 0; i < DEPTH && !entry; i++)
			if (entries[key % buckets_len][i].key == NONE)
				entry = &entries[key % buckets_len][i];
		if (entry) {
			entry->value = value;
			entry->key = key;
		} else {
			grow();
		}
	}
	pthread_mutex_unlock(&writers);
	return old;
}

/* NONE if it is not there. */
static long map_get(long key)
{
	for (;;) {
		long before = moves, value;
		struct entry *entry;

		if (growing || (BUG == 0 && before % 2))
			continue;
		entry = find(key);
		value = entry ? (long)entry->value : NONE;
		if (moves == before)
			return value;
	}
}

/* ---- the model ---- */

static void setup(void)
{
	buckets_len = 1;
	moves = 0;
	growing = 0;
	for (int b = 0; b < BUCKETS; b++)
		for (int i = 0; i < DEPTH; i++)
			entries[b][i].key = NONE;
}

static void initial(void *state)
{
	for (int key = 0; key < KEYS; key++)
		((long *)state)[key] = NONE;
}

static long call_put(const long *args)
{
	return map_put(args[0], args[1]);
}

static long step_put(void *state, const long *args, const long *result)
{
	long *value = &((long *)state)[args[0]], old = *value;

	(void)result;
	*value = args[1];
	return old;
}

static long call_get(const long *args)
{
	return map_get(args[0]);
}

static long step_get(void *state, const long *args, const long *result)
{
	(void)result;
	return ((long *)state)[args[0]];
}

static const struct fermata_command commands[] = {
	{.name = "put", .args_len = 2, .args = {{0, KEYS - 1}, {0, 9}}, .call = call_put,
	 .step = step_put},
	{.name = "get", .args_len = 1, .args = {{0, KEYS - 1}}, .call = call_get,
	 .step = step_get},
};

const struct fermata_model hashmap = {
	.commands = commands, .commands_len = 2, .state_size = KEYS * sizeof(long),
	.initial = initial, .setup = setup,
};

FERMATA_MODEL_MAIN(hashmap)
