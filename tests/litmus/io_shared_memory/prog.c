/* A counter in memory that was made to be shared with other processes, before the first thread.
 * Each run must find it as it was then. -DBROKEN: looked at and changed in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

static atomic_int *shared;

static void *count(void *arg)
{
#ifdef BROKEN
	int seen = atomic_load(shared);

	atomic_store(shared, seen + 1);
#else
	atomic_fetch_add(shared, 1);
#endif
	return arg;
}

static void *make(void)
{
#if KIND == 1
	int id = shmget(IPC_PRIVATE, 4096, 0600);
	void *at = shmat(id, NULL, 0);

	shmctl(id, IPC_RMID, NULL);
	return at;
#elif KIND == 2
	int fd = memfd_create("litmus", 0);

	if (ftruncate(fd, 4096) != 0)
		abort();
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#else
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#endif
}

int main(void)
{
	pthread_t threads[2];

	shared = make();
	atomic_store(shared, 5);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(atomic_load(shared) == 7);
	return 0;
}
