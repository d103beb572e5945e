/* threads.h: main() of the programs of this folder, for any checker that knows pthreads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define RLX memory_order_relaxed

#ifndef N
#define N 4
#endif

static void *thread_of(void *arg);

int main(void)
{
	pthread_t threads[N];

	for (size_t i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, thread_of, (void *)i);
	for (size_t i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
