/* A lost update among many threads whose every run takes long, so that shortening takes long. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter, others;
static volatile unsigned work;

static void *add(void *unused)
{
	for (int i = 0; i < 40; i++) {
		for (unsigned j = 0; j < 8000; j++)
			work += j;
		atomic_fetch_add(&others, 1);
	}
	int seen = atomic_load(&counter);

	atomic_store(&counter, seen + 1);
	return unused;
}

int main(void)
{
	pthread_t threads[6];

	for (int i = 0; i < 6; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	assert(counter == 6);
	return 0;
}
