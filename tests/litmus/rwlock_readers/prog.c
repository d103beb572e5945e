/* Two readers do not order each other; each is before or after the writer: 2^2. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

THREAD(write_value)
{
	pthread_rwlock_wrlock(&lock);
	value++;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

THREAD(read_value)
{
	int seen;

	pthread_rwlock_rdlock(&lock);
	seen = value;
	pthread_rwlock_unlock(&lock);
	return (void *)(intptr_t)seen;
}

int main(void)
{
	RUN(read_value, write_value, read_value);
	return 0;
}
