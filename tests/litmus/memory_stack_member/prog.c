/* A member of a local whose address another thread has. clang makes no hook for main's own access to it,
 * because main passes on the address of the local and not that of the member. */
#include "litmus.h"

struct pair {
	int first, second;
};

static void *write_second(void *arg)
{
	((struct pair *)arg)->second = 1;
	return NULL;
}

int main(void)
{
	struct pair mine = {0, 0};
	pthread_t id;

	OK(pthread_create(&id, NULL, write_second, &mine));
#ifdef FIXED
	join(id);
	mine.second++;
	assert(mine.second == 2);
#else
	mine.second = 2;
	join(id);
#endif
	return mine.first;
}
