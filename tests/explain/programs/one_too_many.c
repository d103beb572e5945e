#include <pthread.h>
#include <stdio.h>

#define WORKERS 3
static pthread_barrier_t start;
static int parts[WORKERS];

static void *work(void *arg)
{
	int me = *(int *)arg;

	pthread_barrier_wait(&start);
	parts[me] = me * me;
	return NULL;
}

int main(void)
{
	pthread_t threads[WORKERS];
	int ids[WORKERS];

	pthread_barrier_init(&start, NULL, WORKERS);
	for (int i = 0; i < WORKERS; i++) {
		ids[i] = i;
		pthread_create(&threads[i], NULL, work, &ids[i]);
	}
	pthread_barrier_wait(&start);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", parts[2]);
	return 0;
}
