/* Correct, with 3! orders; prints its arguments, an environment variable and its input. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *arg)
{
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	const char *word = getenv("E2E_WORD");
	pthread_t ids[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&ids[i], NULL, count, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	printf("%d %s %s\n", counter, argc > 1 ? argv[1] : "-", word != NULL ? word : "-");
	return counter == 3 ? 0 : 1;
}
