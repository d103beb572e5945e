/* Readers that count with atomics inside and after the read lock; a writer comes twice. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int refs;

THREAD(write_twice)
{
	for (int i = 0; i < 2; i++) {
		pthread_rwlock_wrlock(&lock);
		pthread_rwlock_unlock(&lock);
		refs++;
	}
	return NULL;
}

THREAD(read_value)
{
	pthread_rwlock_rdlock(&lock);
	refs++;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(read_value, read_value, write_twice);
	printf("%d\n", refs);
	return 0;
}
