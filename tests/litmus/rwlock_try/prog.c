/* tryrdlock fails only against a writer, trywrlock against anybody. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int read_result, write_result;

THREAD(hold_reading)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

THREAD(try)
{
	read_result = pthread_rwlock_tryrdlock(&lock);
	if (read_result == 0)
		pthread_rwlock_unlock(&lock);
	write_result = pthread_rwlock_trywrlock(&lock);
	if (write_result == 0)
		pthread_rwlock_unlock(&lock);
	return NULL;
}

THREAD(hold_writing)
{
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(hold_reading, try);
	assert(read_result == 0);
	assert(write_result == 0 || write_result == EBUSY);
	if (write_result != 0)
		return puts("reader in the way") < 0;
	RUN(hold_writing, try);
	puts(read_result == EBUSY ? "writer in the way" : "free");
	return 0;
}
