/* A plain access for which the compiler makes no hook stands behind an atomic one, which is made by its own hook.
 * VALUE: a struct is handed over by value (gcc). MEMBER: main's own access to a member of its local (clang). */
#include "litmus.h"

struct pair {
	int first, second;
};

static atomic_long steps;

__attribute__((noinline)) static int sum(struct pair pair)
{
	return pair.first + pair.second;
}

static void *write_second(void *arg)
{
	((struct pair *)arg)->second = 1;
	return NULL;
}

static struct pair ours;

int main(void)
{
	struct pair mine = {0, 0};
	pthread_t id;

#ifdef VALUE
	OK(pthread_create(&id, NULL, write_second, &ours));
#else
	OK(pthread_create(&id, NULL, write_second, &mine));
#endif
#ifdef FIXED
	join(id);
#endif
	atomic_store(&steps, 1);
#ifdef VALUE
	mine.first = sum(ours);
#else
	mine.second = 2;
#endif
#ifndef FIXED
	join(id);
#endif
	return mine.first > 1;
}
