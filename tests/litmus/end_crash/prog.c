/* A null dereference on one schedule. */
#include "litmus.h"

static int value;
static int *_Atomic pointer = &value;

THREAD(clear)
{
	pointer = NULL;
	return NULL;
}

THREAD(use)
{
#ifdef FIXED
	int *seen = pointer;

	if (seen != NULL)
		*seen = 1;
#else
	if (pointer != NULL)
		*pointer = 1;
#endif
	return NULL;
}

int main(void)
{
	RUN(clear, use);
	return 0;
}
