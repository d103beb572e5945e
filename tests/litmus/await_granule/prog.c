/* Two threads wait for two of the eight bytes of a word that is also accessed as a whole. */
#include "litmus.h"

static union {
	_Alignas(8) atomic_long all;
	atomic_char bytes[8];
} word;
static int first_seen, second_seen;

THREAD(first)
{
	int now;

	while ((now = word.bytes[0]) == 0)
		;
	first_seen = now;
	return NULL;
}

THREAD(second)
{
	int now;

	while ((now = word.bytes[5]) == 0)
		;
	second_seen = now;
	return NULL;
}

THREAD(giver)
{
	word.bytes[5] = 1;
	word.bytes[0] = 1;
	word.bytes[5] = 0;
	word.bytes[0] = 2;
	word.bytes[5] = 2;
	return NULL;
}

int main(void)
{
	RUN(first, second, giver);
	for (int i = 0; i < 8; i++)
		assert(word.bytes[i] <= 2);
	assert(word.all != 0);
	printf("%d %d\n", first_seen, second_seen);
	return 0;
}
