/* The text that strerror() makes for an unknown number belongs to its thread and ends with it. */
#include "litmus.h"

static _Atomic(char *) shared;

THREAD(owner)
{
	shared = strerror(NUMBER);
	return NULL;
}

THREAD(user)
{
	const char *text = shared;

	return (void *)(intptr_t)(text ? text[0] : 0);
}

int main(void)
{
	RUN(owner, user);
	return 0;
}
