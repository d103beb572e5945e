/* Lost whatever the schedule: not ours to report. */
#include "litmus.h"

static atomic_int x;

THREAD(forget)
{
	void *volatile block = malloc(32);

	(void)block;
	x++;
	return NULL;
}

int main(void)
{
	RUN(forget, forget);
	return 0;
}
