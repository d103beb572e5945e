#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int requests[2], replies[2];

static void *serve(void *arg)
{
	char c;

	(void)arg;
	while (read(requests[0], &c, 1) == 1)
		if (c != 'q')
			write(replies[1], &c, 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char c;

	pipe(requests);
	pipe(replies);
	pthread_create(&thread, NULL, serve, NULL);
	write(requests[1], "a", 1);
	write(requests[1], "q", 1);
	read(replies[0], &c, 1);
	read(replies[0], &c, 1);
	close(requests[1]);
	pthread_join(thread, NULL);
	printf("%c\n", c);
	return 0;
}
