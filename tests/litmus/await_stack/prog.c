/* A thread waits for a variable on its own stack, before anybody else was seen there. */
#include "litmus.h"

static atomic_int *_Atomic where;
static atomic_int x;

THREAD(giver)
{
	x = 1;
	x = 2;
	*(atomic_int *)where = 1;
	return NULL;
}

int main(void)
{
	atomic_int flag = 0;
	pthread_t id;

	where = &flag;
	id = start(giver);
	while (!flag)
		;
	assert(x == 2);
	join(id);
	return 0;
}
