/* Two threads see that it is time to free, and both do. */
#include "litmus.h"

static int *block;
static atomic_int is_freed;

THREAD(clean_up)
{
#ifdef FIXED
	if (atomic_exchange(&is_freed, 1) == 0)
		free(block);
#else
	if (!is_freed) {
		is_freed = 1;
		free(block);
	}
#endif
	return NULL;
}

int main(void)
{
	block = malloc(16);
	RUN(clean_up, clean_up);
	return 0;
}
