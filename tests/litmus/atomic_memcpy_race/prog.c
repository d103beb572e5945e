/* memcpy and memset are range accesses. */
#include "litmus.h"

static char buffer[64];

THREAD(fill)
{
	memset(buffer, 1, sizeof(buffer) / 2);
	return NULL;
}

THREAD(copy)
{
	char mine[8];

#ifdef FIXED
	memcpy(mine, buffer + 32, sizeof(mine));
#else
	memcpy(mine, buffer + 28, sizeof(mine));
#endif
	return (void *)(intptr_t)mine[0];
}

int main(void)
{
	RUN(fill, copy);
	return 0;
}
