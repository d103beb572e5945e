/* A plain access for which the compiler makes no hook stands behind an atomic one, which is made by its own hook.
 * PLAIN: or behind another plain one, of the same size. VALUE: a struct is handed over by value (gcc). MEMBER: main's own access to a member of its local (clang). */
#include "litmus.h"

struct pair {
	int first, second;
};

static atomic_long steps;
static long number;

__attribute__((noinline)) static int sum(long more, struct pair pair)
{
	return (int)more + pair.first + pair.second;
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

#if defined VALUE || defined PLAIN
	OK(pthread_create(&id, NULL, write_second, &ours));
#else
	OK(pthread_create(&id, NULL, write_second, &mine));
#endif
#ifdef FIXED
	join(id);
#endif
#ifndef PLAIN
	atomic_store(&steps, 1);
#endif
#ifdef PLAIN
	mine.first = sum(number, ours);
#elif defined VALUE
	mine.first = sum(0, ours);
#else
	mine.second = 2;
#endif
#ifndef FIXED
	join(id);
#endif
	return mine.first > 1;
}
