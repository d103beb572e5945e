/* Whether a broken pipe ends the program depends on which comes first, the write or SIG_IGN. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void *ignore(void *arg)
{
	signal(SIGPIPE, SIG_IGN);
	return arg;
}

static void *write_to_nobody(void *arg)
{
	if (write(ends[1], "x", 1) == 1)
		return NULL;
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	if (pipe(ends) != 0)
		return 2;
	close(ends[0]);
	pthread_create(&threads[0], NULL, ignore, NULL);
	pthread_create(&threads[1], NULL, write_to_nobody, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
