/* Two bit-fields in one unit are one memory location. */
#include "litmus.h"

static struct {
	unsigned int first : 4;
	unsigned int second : 4;
} bits;

THREAD(set_first)
{
	bits.first = 1;
	return NULL;
}

THREAD(set_second)
{
	bits.second = 1;
	return NULL;
}

int main(void)
{
	RUN(set_first, set_second);
	printf("%d %d\n", bits.first, bits.second);
	return 0;
}
