/* Fails whatever the schedule: a missing argument is not a timing bug. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	fprintf(stderr, "usage: always \033[31mNAME\033[0m\n");
	assert(argc == 2);
	return 0;
}
