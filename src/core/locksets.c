#include "core/locksets.h"

static void lockset_add(struct lockset *set, uint64_t lock)
{
	if (set->len < LOCKSETS_HELD_MAX)
		set->locks[set->len++] = lock;
}

static void lockset_remove(struct lockset *set, uint64_t lock)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < set->len; i++)
		if (set->locks[i] != lock)
			set->locks[kept++] = set->locks[i];
	set->len = kept;
}

void locksets_build(struct locksets *l, const struct trace *trace)
{
	l->pool.len = l->starts.len = 0;
	vec_reserve(&l->actors, trace->actors_len + 1);
	for (uint32_t a = 0; a < trace->actors_len; a++)
		l->actors.items[a].len = 0;
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];
		struct lockset *held = &l->actors.items[event->actor];

		*vec_push(&l->starts) = (uint32_t)l->pool.len;
		vec_append(&l->pool, held->locks, held->len);
		for (uint32_t a = 0; a < event->access_len; a++) {
			if (event->accesses[a].mode == ACCESS_ACQUIRE)
				lockset_add(held, event->accesses[a].object);
			else if (event->accesses[a].mode == ACCESS_RELEASE)
				lockset_remove(held, event->accesses[a].object);
		}
	}
	*vec_push(&l->starts) = (uint32_t)l->pool.len;
}

static bool share(const uint64_t *a, uint32_t a_len, const uint64_t *b, uint32_t b_len)
{
	for (uint32_t i = 0; i < a_len; i++)
		for (uint32_t j = 0; j < b_len; j++)
			if (a[i] == b[j])
				return true;
	return false;
}

bool locksets_share(const struct locksets *l, uint32_t i, uint32_t j)
{
	const uint32_t *starts = l->starts.items;

	return share(l->pool.items + starts[i], starts[i + 1] - starts[i],
		     l->pool.items + starts[j], starts[j + 1] - starts[j]);
}

bool locksets_share_next(const struct locksets *l, uint32_t i, uint32_t actor)
{
	const uint32_t *starts = l->starts.items;
	const struct lockset *held = &l->actors.items[actor];

	return share(l->pool.items + starts[i], starts[i + 1] - starts[i], held->locks, held->len);
}

void locksets_release(struct locksets *l)
{
	vec_release(&l->actors);
	vec_release(&l->pool);
	vec_release(&l->starts);
}
