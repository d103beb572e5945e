/* The parser keeps the write end of its own pipe open, so it never sees the end of the input. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int input[2];
static atomic_int more = 1;

static void *parse(void *arg)
{
	char c;
	(void)arg;
	while (read(input[0], &c, 1) == 1)
		;
	return NULL;
}

static void *feed(void *arg)
{
	(void)arg;
	if (write(input[1], "a", 1) != 1)
		return NULL;
	if (!atomic_load(&more))
		return NULL; /* forgets to close */
	close(input[1]);
	return NULL;
}

static void *cancel(void *arg) { (void)arg; atomic_store(&more, 0); return NULL; }

int main(void)
{
	pthread_t a, b, c;
	if (pipe(input) != 0)
		return 1;
	pthread_create(&a, NULL, parse, NULL);
	pthread_create(&b, NULL, feed, NULL);
	pthread_create(&c, NULL, cancel, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
