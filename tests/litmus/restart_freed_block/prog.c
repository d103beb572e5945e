/* A thread frees a block, then opens a file: the run is made again by fork, and the block that
 * takes the same place there has never been freed. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *arg)
{
	int *numbers = calloc(40, sizeof(*numbers));
	char *text = malloc(100);

	numbers[3] = 1;
	numbers = realloc(numbers, 4000);
	text[0] = (char)numbers[3];
	free(text);
	free(numbers);
#ifdef STREAM
	fclose(fopen("/dev/null", "r"));
#else
	close(open("/dev/null", O_RDONLY));
#endif
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
