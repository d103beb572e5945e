/* A thread writes through a pointer into another's stack. */
#include "litmus.h"

static void *write_there(void *arg)
{
	*(int *)arg = 1;
	return NULL;
}

int main(void)
{
	int mine = 0;
	pthread_t id;

	OK(pthread_create(&id, NULL, write_there, &mine));
#ifdef FIXED
	join(id);
	assert(mine == 1);
#else
	mine = 2;
	join(id);
#endif
	return 0;
}
