/* The owner reads the sum before its workers have added to it: each of them must come first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add_one(void *unused)
{
	sum++;
	return unused;
}

static void *add_two(void *unused)
{
	sum += 2;
	return unused;
}

int main(void)
{
	pthread_t one, two;
	int seen;

	pthread_create(&one, NULL, add_one, NULL);
	pthread_create(&two, NULL, add_two, NULL);
	seen = sum;
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(seen == 3);
	return 0;
}
