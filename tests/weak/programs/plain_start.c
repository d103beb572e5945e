/* An atomic in allocated memory is first written plainly, then published, then written plainly again
 * when no other thread can reach it.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * rc11 -DPUBLISH=relaxed: race
 */
#include <string.h>

#include "weak.h"

#ifndef PUBLISH
#define PUBLISH release
#endif

struct box {
	atomic_int value;
	int kept;
};

_Atomic(struct box *) shared;
atomic_int is_done;

static void *make(void *unused)
{
	struct box *box = malloc(sizeof(*box));

	memset(box, 0, sizeof(*box));
	box->kept = 7;
	STORE_TO(box->value, 1, relaxed);
	STORE_TO(shared, box, PUBLISH);
	if (LOAD_FROM(is_done, acquire)) {
		memset(box, 0, sizeof(*box));
		assert(LOAD_FROM(box->value, relaxed) == 0);
	}
	return unused;
}

static void *use(void *unused)
{
	struct box *box = LOAD_FROM(shared, acquire);

	if (box) {
		assert(box->kept == 7);
		assert(LOAD_FROM(box->value, relaxed) == 1);
		STORE_TO(is_done, 1, release);
	}
	return unused;
}

MAIN(make, use)
