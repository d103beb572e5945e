/* A thread is given a name by another one, before or after it asks for its name. -DALONE: nobody else
 * names it. */
#include "litmus.h"

THREAD(ask)
{
	char name[16];

	OK(pthread_setname_np(pthread_self(), "first"));
	OK(pthread_getname_np(pthread_self(), name, sizeof(name)));
	assert(strcmp(name, "first") == 0);
	return NULL;
}

int main(void)
{
	pthread_t id = start(ask);

#ifndef ALONE
	OK(pthread_setname_np(id, "second"));
#endif
	join(id);
	return 0;
}
