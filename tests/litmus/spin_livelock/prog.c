/* Two polite threads give way to each other, for ever if they keep step. */
#include "litmus.h"

static atomic_int wants[2];

THREAD(use)
{
	int me = (int)(intptr_t)arg;

	for (;;) {
		wants[me] = 1;
		if (!wants[1 - me])
			break;
		wants[me] = 0;
	}
	wants[me] = 0;
	return NULL;
}

int main(void)
{
	RUN(use, use);
	return 0;
}
