/* Two threads read from one open file: the position is shared, so either may get the first byte.
 * -DCOPY: through a copy of the descriptor. -DAPART: at positions of their own, which is fine. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int fds[2];
static char got[2];

static void *take(void *arg)
{
	long i = (long)arg;

#ifdef APART
	if (pread(fds[0], &got[i], 1, i) != 1)
		abort();
#else
	if (read(fds[i], &got[i], 1) != 1)
		abort();
#endif
	return NULL;
}

int main(void)
{
	char name[] = "/tmp/fermata-litmus-XXXXXX";
	pthread_t threads[2];

	fds[0] = fds[1] = mkstemp(name);
	unlink(name);
	if (write(fds[0], "ab", 2) != 2 || lseek(fds[0], 0, SEEK_SET) != 0)
		return 2;
#ifdef COPY
	fds[1] = dup(fds[0]);
#endif
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, take, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(got[0] == 'a' && got[1] == 'b');
	return 0;
}
