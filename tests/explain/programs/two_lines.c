/* The condition of a loop goes on in the next lines. */
#include <pthread.h>
#include <unistd.h>

static int input[2];

static void *take(void *arg)
{
	char c;

	/* clang-format off */
	while (read(input[0],
		    &c, 1) == 1 &&
	       c != ')')
		;
	/* clang-format on */
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (pipe(input) != 0)
		return 1;
	pthread_create(&thread, NULL, take, NULL);
	if (write(input[1], "x", 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	return 0;
}
