/* Neighbouring bytes are no race, overlapping ones are: a struct against its member. */
#include "litmus.h"

struct pair {
	char first, second;
};

static struct pair pair;

THREAD(write_first)
{
#ifdef FIXED
	pair.first = 1;
#else
	pair = (struct pair){ 1, 1 };
#endif
	return NULL;
}

THREAD(write_second)
{
	pair.second = 2;
	return NULL;
}

int main(void)
{
	RUN(write_first, write_second);
	printf("%d %d\n", pair.first, pair.second);
	return 0;
}
