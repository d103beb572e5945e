/* Plain accesses before creation and after joining need no more. */
#include "litmus.h"

static int data[2];

THREAD(work)
{
	data[(intptr_t)arg] *= 2;
	return NULL;
}

int main(void)
{
	data[0] = 3;
	data[1] = 4;
	RUN(work, work);
	assert(data[0] + data[1] == 14);
	return 0;
}
