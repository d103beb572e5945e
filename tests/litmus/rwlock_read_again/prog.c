/* One thread locks for reading twice, another wants to write in between. With glibc's default
 * the second read lock passes the writer; with a lock that prefers writers both wait for ever. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;
static int value;

static void *read_twice(void *arg)
{
	int seen;

	pthread_rwlock_rdlock(&lock);
	seen = value;
	pthread_rwlock_rdlock(&lock);
	seen += value;
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	return seen % 2 ? arg : NULL;
}

static void *write_once(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	value++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_rwlockattr_t attr;
	pthread_t reader, writer;

	pthread_rwlockattr_init(&attr);
#ifdef WRITERS_FIRST
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
	pthread_rwlock_init(&lock, &attr);
	pthread_create(&reader, NULL, read_twice, NULL);
	pthread_create(&writer, NULL, write_once, NULL);
	pthread_join(reader, NULL);
	pthread_join(writer, NULL);
	return 0;
}
