/* trywait says EAGAIN when there is nothing; sem_getvalue tells. */
#include "litmus.h"

static sem_t items;
static int got;

THREAD(post)
{
	sem_post(&items);
	return NULL;
}

THREAD(try)
{
	got = sem_trywait(&items) == 0;
	assert(got || errno == EAGAIN);
	return NULL;
}

int main(void)
{
	int left;

	sem_init(&items, 0, 0);
	RUN(post, try);
	OK(sem_getvalue(&items, &left));
	assert(left == 1 - got);
	printf("%d\n", got);
	return 0;
}
