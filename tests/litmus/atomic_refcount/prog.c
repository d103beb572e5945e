/* The thread that drops the last reference frees: the drop must release and acquire. */
#include "litmus.h"

struct object {
	atomic_int refs;
	int uses[2];
};

static struct object *object;

THREAD(use_and_drop)
{
	object->uses[(intptr_t)arg]++;
	if (atomic_fetch_sub_explicit(&object->refs, 1, ORDER) == 1)
		free(object);
	return NULL;
}

int main(void)
{
	object = calloc(1, sizeof(*object));
	atomic_init(&object->refs, 2);
	RUN(use_and_drop, use_and_drop);
	return 0;
}
