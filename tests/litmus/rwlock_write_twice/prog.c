/* Two readers and a writer who comes twice: each reader has three places. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static int seen[2];

THREAD(write_twice)
{
	for (int i = 0; i < 2; i++) {
		pthread_rwlock_wrlock(&lock);
		value++;
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}

THREAD(read_value)
{
	pthread_rwlock_rdlock(&lock);
	seen[(intptr_t)arg] = value;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(read_value, read_value, write_twice);
	printf("%d %d\n", seen[0], seen[1]);
	return 0;
}
