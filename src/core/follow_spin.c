#include "core/follow_spin.h"

enum {
	LOOKS = 4,   /* the same look so often: the actor dozes */
	APART = 16,  /* steps after which a look is not expected to come again */
};

_Static_assert(FOLLOWER_SPINS == 64, "one bit of follower.looking for each");

void follow_spin_start(struct follower *f)
{
	f->dozing_len = 0;
	f->known = f->looking = 0;
}

static void wake(struct follower *f, struct follower_spin *spin)
{
	f->dozing_len -= spin->is_dozing;
	f->looking &= ~((uint64_t)1 << (spin - f->spins));
	*spin = (struct follower_spin){.actor = spin->actor};
}

/* The entry of the actor; NULL if another actor dozes there. */
static struct follower_spin *find_spin(struct follower *f, uint32_t actor)
{
	struct follower_spin *spin = &f->spins[actor % FOLLOWER_SPINS];
	uint64_t bit = (uint64_t)1 << actor % FOLLOWER_SPINS;

	if (!(f->known & bit)) {
		f->known |= bit;
		*spin = (struct follower_spin){.actor = actor};
	} else if (spin->actor != actor) {
		if (spin->is_dozing)
			return NULL;
		wake(f, spin);
		spin->actor = actor;
	}
	return spin;
}

/* Does the access leave memory as it was? */
static bool is_look_at(const struct event *did, const struct access *access)
{
	return access->mode == ACCESS_READ || access->mode == ACCESS_TRY ||
	       access->mode == ACCESS_PEEK ||
	       ((access->mode == ACCESS_WRITE || access->mode == ACCESS_ADD) && did->unchanged);
}

/* Variables, locks and the like; processes look at other objects, and wait in other ways. */
static bool is_of_threads(uint64_t object)
{
	enum object_class class = OBJECT_CLASS(object);

	return class == OBJECT_MEMORY || class == OBJECT_LOCK || class == OBJECT_SEM ||
	       class == OBJECT_FD;
}

static bool is_look(const struct event *did)
{
	for (uint32_t a = 0; a < did->access_len; a++)
		if (!is_look_at(did, &did->accesses[a]) || !is_of_threads(did->accesses[a].object))
			return false;
	return did->access_len;
}

static bool has_read(const struct follower_spin *spin, uint64_t object)
{
	for (uint32_t i = 0; i < spin->objects_len; i++)
		if (spin->objects[i] == object)
			return true;
	return spin->reads_more;
}

static void add_object(struct follower_spin *spin, uint64_t object)
{
	if (has_read(spin, object))
		return;
	if (spin->objects_len == FOLLOWER_SPIN_OBJECTS)
		spin->reads_more = true;
	else
		spin->objects[spin->objects_len++] = object;
}

/* The actor made a look: is it the look that is counted? */
static void count_look(struct follower *f, struct follower_spin *spin, const struct event *did)
{
	bool is_same = spin->looks && spin->site == did->site &&
		       spin->objects[0] == did->accesses[0].object;

	if (!is_same && (!spin->looks || ++spin->apart > APART)) {
		wake(f, spin);
		spin->site = did->site;
		is_same = true;
	}
	for (uint32_t a = 0; a < did->access_len; a++)
		add_object(spin, did->accesses[a].object);
	if (!is_same)
		return;
	spin->apart = 0;
	f->looking |= (uint64_t)1 << (spin - f->spins);
	spin->looks += spin->looks < LOOKS;
	if (spin->looks == LOOKS && !spin->is_dozing) {
		spin->is_dozing = true;
		f->dozing_len++;
	}
}

/* Other actors that have read what was written look again. */
static void wake_readers(struct follower *f, const struct event *did)
{
	for (uint64_t bits = f->looking; bits; bits &= bits - 1) {
		struct follower_spin *spin = &f->spins[__builtin_ctzll(bits)];

		if (spin->actor == did->actor)
			continue;
		for (uint32_t a = 0; a < did->access_len; a++)
			if (!is_look_at(did, &did->accesses[a]) &&
			    has_read(spin, did->accesses[a].object)) {
				wake(f, spin);
				break;
			}
	}
}

void follow_spin_took(struct follower *f, const struct event *did)
{
	struct follower_spin *spin;

	if (!is_look(did) && did->access_len)
		wake_readers(f, did);
	spin = find_spin(f, did->actor);
	if (!spin)
		return;
	if (is_look(did))
		count_look(f, spin, did);
	else if (did->access_len)
		wake(f, spin);
}

bool follow_spin_awake(const struct follower *f, const struct follower_view *view, uint64_t *awake)
{
	uint64_t any = 0;

	for (uint32_t w = 0; w < view->words; w++)
		awake[w] = view->enabled[w];
	for (uint64_t bits = f->looking; bits; bits &= bits - 1) {
		const struct follower_spin *spin = &f->spins[__builtin_ctzll(bits)];

		if (spin->is_dozing && spin->actor / 64 < view->words)
			bitset_remove(awake, spin->actor);
	}
	for (uint32_t w = 0; w < view->words; w++)
		any |= awake[w] & ~f->asleep[w];
	return any;
}
