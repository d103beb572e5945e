/* Publishing as RCU does: a new version is made plainly, its pointer is stored, and the old version is
 * freed when the reader has said that it has left.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * rc11 -DPUBLISH=relaxed: race
 * rc11 -DPUBLISH=relaxed suggests: store current: release instead of relaxed
 * rc11 -DLEAVE=relaxed: race
 */
#include "weak.h"

#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef LEAVE
#define LEAVE release
#endif

struct version {
	int a, b;
};

_Atomic(struct version *) current;
atomic_int has_left;

static struct version *make(int value)
{
	struct version *version = malloc(sizeof(*version));

	version->a = version->b = value;
	return version;
}

static void *update(void *unused)
{
	struct version *old = LOAD_FROM(current, relaxed);

	STORE_TO(current, make(2), PUBLISH);
	while (!LOAD_FROM(has_left, acquire))
		;
	free(old);
	return unused;
}

static void *look(void *unused)
{
	const struct version *version = LOAD_FROM(current, acquire);

	assert(version->a == version->b);
	STORE_TO(has_left, 1, LEAVE);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	atomic_init(&current, make(1));
	pthread_create(&threads[0], NULL, update, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	free(LOAD_FROM(current, relaxed));
	return 0;
}
