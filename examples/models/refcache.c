/* refcache.c: a cache of objects with reference counts that are taken without a lock.
 *
 * References are given back under a lock. With the last one goes the object: release says so
 * (`dying`), looks whether somebody has taken a reference after all, and only then removes it.
 * Acquire counts first and looks at `dying` afterwards, so one of the two sees the other.
 * Broken, each needs an acquire and a release in the middle at once:
 *
 *     -DBUG=1   acquire looks at `dying` before it counts
 *     -DBUG=2   release also evicts if no acquire has ended since it began
 */
#include <fermata/model.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

enum { KEYS = 2 };

struct object {
	long generation;
};

struct slot {
	pthread_mutex_t lock; /* who creates or evicts */
	atomic_long refs, acquires;
	atomic_int dying;
	_Atomic(struct object *) object;
	long generations;
};

static struct slot slots[KEYS];

static void wait_for_eviction(struct slot *slot)
{
	if (!slot->dying)
		return;
	pthread_mutex_lock(&slot->lock);
	pthread_mutex_unlock(&slot->lock);
}

static struct object *create(struct slot *slot)
{
	struct object *object;

	pthread_mutex_lock(&slot->lock);
	if (!slot->object) {
		object = malloc(sizeof(*object));
		object->generation = ++slot->generations;
		slot->object = object;
	}
	object = slot->object;
	pthread_mutex_unlock(&slot->lock);
	return object;
}

/* The generation of the object, which stays as long as the reference. */
static long cache_acquire(long key)
{
	struct slot *slot = &slots[key];
	struct object *object;

#if BUG == 1
	wait_for_eviction(slot);
	slot->refs++;
#else
	slot->refs++;
	wait_for_eviction(slot);
#endif
	object = slot->object;
	if (!object)
		object = create(slot);
	slot->acquires++;
	return object->generation;
}

/* Is the object gone with it? */
static long cache_release(long key)
{
	struct slot *slot = &slots[key];
	struct object *object = NULL;
	long acquires;

	pthread_mutex_lock(&slot->lock);
	acquires = slot->acquires;
	if (--slot->refs == 0) {
		slot->dying = 1;
		if (slot->refs == 0 || (BUG == 2 && slot->acquires == acquires))
			object = atomic_exchange(&slot->object, NULL);
		slot->dying = 0;
	}
	pthread_mutex_unlock(&slot->lock);
	free(object);
	return object != NULL;
}

/* ---- the model ---- */

struct state {
	long refs[KEYS], generations[KEYS];
};

static void setup(void)
{
	for (int key = 0; key < KEYS; key++) {
		pthread_mutex_init(&slots[key].lock, NULL);
		slots[key].refs = slots[key].acquires = 0;
		slots[key].dying = 0;
		slots[key].object = NULL;
		slots[key].generations = 0;
	}
}

static void teardown(void)
{
	for (int key = 0; key < KEYS; key++)
		free(slots[key].object);
}

static long call_acquire(const long *args)
{
	return cache_acquire(args[0]);
}

static long step_acquire(void *state, const long *args, const long *result)
{
	struct state *s = state;

	(void)result;
	if (s->refs[args[0]]++ == 0)
		s->generations[args[0]]++;
	return s->generations[args[0]];
}

static long call_release(const long *args)
{
	return cache_release(args[0]);
}

static bool may_release(const void *state, const long *args)
{
	return ((const struct state *)state)->refs[args[0]] > 0;
}

static long step_release(void *state, const long *args, const long *result)
{
	(void)result;
	return --((struct state *)state)->refs[args[0]] == 0;
}

static const struct fermata_command commands[] = {
	{.name = "acquire", .args_len = 1, .args = {{0, KEYS - 1}}, .call = call_acquire,
	 .step = step_acquire},
	{.name = "release", .args_len = 1, .args = {{0, KEYS - 1}}, .may = may_release,
	 .call = call_release, .step = step_release},
};

const struct fermata_model refcache = {
	.commands = commands, .commands_len = 2, .state_size = sizeof(struct state),
	.setup = setup, .teardown = teardown,
};

FERMATA_MODEL_MAIN(refcache)
