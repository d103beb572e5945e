/* Two blind writes whose order only a plain read, after both threads, can tell. */
#include "litmus.h"

static int x, y;
static char text[32];

THREAD(one)
{
	__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&text[9], 'a', __ATOMIC_SEQ_CST);
	return NULL;
}

THREAD(two)
{
	__atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
	__atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&text[9], 'b', __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	char copy[sizeof(text)];

	RUN(one, two);
	memcpy(copy, text, sizeof(copy));
	printf("%d %c\n", x, copy[9]);
	assert(x != FORBIDDEN);
	return 0;
}
