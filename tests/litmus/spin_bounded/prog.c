/* A loop that counts its tries is not a spin loop: its turns are not void. */
#include "litmus.h"

static atomic_int flag;
static int seen;

THREAD(set)
{
	flag = 1;
	return NULL;
}

THREAD(try_three_times)
{
	int tries = 0;

	while (tries++ < 3 && !seen)
		seen = flag;
	return NULL;
}

int main(void)
{
	RUN(try_three_times, set);
	printf("%d\n", seen);
	return 0;
}
