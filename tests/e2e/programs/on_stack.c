/* A lost update of a plain variable on the first thread's stack. */
#include <assert.h>
#include <pthread.h>

static void *add(void *counter)
{
	int seen = *(int *)counter;

	*(int *)counter = seen + 1;
	return NULL;
}

int main(void)
{
	int counter = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, add, &counter);
	add(&counter);
	pthread_join(thread, NULL);
	assert(counter == 2);
	return 0;
}
